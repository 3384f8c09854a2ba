"""The dynamic replay: calls in order, with the session approvals that people granted on the way.

The static replay asks what a policy decides of a call alone. This one answers how many prompts people
would have seen: an approval for the session is in force for later calls of that session, and for the
later gates of the same call, until the session ends.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from audit.core.action import Action, strictest
from audit.core.call import ToolCall
from audit.core.decide import Decision, Judge, Undecided
from audit.core.gates import Gate
from audit.core.grants import Grant, grants_of
from audit.core.place import Place
from audit.core.policy.rule import Ruleset
from audit.core.revision import Revision


@dataclass(frozen=True, slots=True)
class SessionCall:
    """One tool call of a session, in the order of time."""

    id: str
    session: str
    call: ToolCall
    agent: str | None
    place: Place
    approved_for_session: frozenset[Gate] = frozenset()
    """The gates whose ask a person approved for the session."""
    after_reload: bool = False
    """Approvals granted before this call are gone."""


@dataclass(frozen=True, slots=True)
class SessionRow:
    """One call, decided alone and in its session."""

    call: SessionCall
    static: Decision | Undecided
    dynamic: Decision | Undecided
    granted: tuple[Grant, ...]
    """What the people's answers to this call recorded."""


Rulesets = Callable[[SessionCall], Ruleset]
"""Gives the ruleset a call was under, without session approvals; equal rulesets as one object."""


class _Session:
    """The approvals of one session, and the judges made under them."""

    def __init__(self) -> None:
        self.grants: list[Grant] = []
        self._judges: dict[tuple[int, Place], Judge] = {}

    def clear(self) -> None:
        self.grants = []
        self._judges = {}

    def grant(self, grants: Iterable[Grant]) -> None:
        new = [grant for grant in grants if grant not in self.grants]
        if new:
            self.grants += new
            self._judges = {}

    def judge(self, ruleset: Ruleset, place: Place, revision: Revision) -> Judge:
        key = (id(ruleset), place)
        judge = self._judges.get(key)
        if judge is None:
            judge = self._judges[key] = Judge(ruleset.with_session(self.grants), place, revision)
        return judge


def replay_sessions(
    calls: Iterable[SessionCall], rulesets: Rulesets, revision: Revision
) -> Iterator[SessionRow]:
    """Replay calls in order; sessions may interleave."""
    sessions: dict[str, _Session] = {}
    alone: dict[tuple[int, Place], Judge] = {}
    for call in calls:
        session = sessions.setdefault(call.session, _Session())
        if call.after_reload:
            session.clear()
        ruleset = rulesets(call)
        key = (id(ruleset), call.place)
        judge = alone.get(key) or alone.setdefault(key, Judge(ruleset, call.place, revision))
        static = judge.decide(call.call)
        in_session = session.judge(ruleset, call.place, revision) if session.grants else None
        dynamic = static if in_session is None else in_session.decide(call.call)
        granted: tuple[Grant, ...] = ()
        if call.approved_for_session:
            dynamic, granted = _with_answers(call, dynamic, session, ruleset, revision)
        yield SessionRow(call, static, dynamic, granted)


def _with_answers(
    call: SessionCall,
    decision: Decision | Undecided,
    session: _Session,
    ruleset: Ruleset,
    revision: Revision,
) -> tuple[Decision | Undecided, tuple[Grant, ...]]:
    """Grant what people approved gate by gate; a grant is in force for the gates that follow."""
    granted: list[Grant] = []
    for gate in Gate:
        if gate not in call.approved_for_session or isinstance(decision, Undecided):
            continue
        asked = next((result for result in decision.gates if result.gate is gate), None)
        if asked is None:
            continue
        grants = grants_of(asked, call.place.platform)
        granted += grants
        session.grant(grants)
        later = session.judge(ruleset, call.place, revision).decide(call.call)
        if isinstance(later, Decision):
            decision = _continued(decision, later, gate)
    return decision, tuple(granted)


def _continued(before: Decision, after: Decision, gate: Gate) -> Decision:
    """Return a decision whose gates up to one are as first met, and the following under new grants."""
    order = list(Gate)
    met = [result for result in before.gates if order.index(result.gate) <= order.index(gate)]
    following = [result for result in after.gates if order.index(result.gate) > order.index(gate)]
    gates = (*met, *following)
    stops = [result.effect for result in gates if result.effect is not Action.ALLOW]
    return Decision(strictest(stops), stops[0] if stops else Action.ALLOW, gates, before.program)
