"""Does the policy in force give what the log recorded? Call by call, alone and in its session."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from audit.core.call import ToolCall
from audit.core.decide import Judge
from audit.core.gates import Gate
from audit.core.place import Place, Skill
from audit.core.policy.rule import Ruleset
from audit.core.revision import Revision
from audit.log.calls import Call
from audit.log.cases import Case, Exactness, LogReading, Outcome
from audit.log.places import CWD_MARK, SkillEntry
from audit.replay.agreement import Agreement, LeftOut
from audit.replay.arm import PlaceRule
from audit.replay.sessions import Rulesets, SessionCall, replay_sessions
from audit.workflows.history import PolicyHistory


class Mode(StrEnum):
    """How calls are replayed."""

    STATIC = "static"
    """Each call alone, without session approvals."""
    SESSIONS = "sessions"
    """In order, with the approvals that people granted on the way."""


@dataclass(frozen=True, slots=True)
class Replayable:
    """A call that can be replayed exactly, under a policy that is known."""

    call: Call
    case: Case
    policy: str
    place: Place


SessionOf = Callable[[Call, Case], str]
"""Names the session of a call."""


def measure_fidelity(
    reading: LogReading,
    history: PolicyHistory,
    rule: PlaceRule,
    revision: Revision,
    modes: Sequence[Mode],
    session_of: SessionOf,
) -> dict[Mode, Agreement]:
    """Hold every exactly replayable request against its replay, in each mode."""
    measured: dict[Mode, Agreement] = {}
    for mode in modes:
        agreement = Agreement.empty()
        calls = list(_replayable(reading, history, rule, agreement))
        if mode is Mode.STATIC:
            _compare_alone(calls, history, revision, agreement)
        else:
            _compare_in_sessions(calls, history, revision, session_of, agreement)
        measured[mode] = agreement
    return measured


def _replayable(
    reading: LogReading, history: PolicyHistory, rule: PlaceRule, agreement: Agreement
) -> Iterator[Replayable]:
    for call in reading.calls:
        case = reading.cases[call.case]
        if case.exactness is not Exactness.EXACT or case.cwd is None:
            agreement.leave_out(call, LeftOut.NOT_EXACT)
            continue
        policy = history.name_at(call.time, case.cwd)
        if policy is None:
            agreement.leave_out(call, LeftOut.NO_POLICY)
            continue
        place = rule.place(case.cwd)
        yield Replayable(call, case, policy, _with_skills(place, history.places.skills))


def _with_skills(place: Place, skills: Iterable[SkillEntry]) -> Place:
    entries = tuple(Skill(skill.name, skill.location.replace(CWD_MARK, place.cwd)) for skill in skills)
    if not entries:
        return place
    return Place(
        cwd=place.cwd,
        home=place.home,
        platform=place.platform,
        links=place.links,
        entries=place.entries,
        agent_dir=place.agent_dir,
        infrastructure=place.infrastructure,
        skills=entries,
    )


def _compare_alone(
    calls: Iterable[Replayable], history: PolicyHistory, revision: Revision, agreement: Agreement
) -> None:
    judges: dict[tuple[str, str | None, Place], Judge] = {}
    for one in calls:
        key = (one.policy, one.case.agent, one.place)
        judge = judges.get(key)
        if judge is None:
            judge = judges[key] = Judge(history.ruleset(one.policy, one.case.agent), one.place, revision)
        decision = judge.decide(ToolCall(one.case.tool, one.case.input))
        agreement.compare(one.call, decision, with_sessions=False)


def _compare_in_sessions(
    calls: Sequence[Replayable],
    history: PolicyHistory,
    revision: Revision,
    session_of: SessionOf,
    agreement: Agreement,
) -> None:
    by_id = {str(number): one for number, one in enumerate(calls)}
    order = sorted(by_id, key=lambda number: (by_id[number].call.time, int(number)))
    session_calls = (_session_call(number, by_id[number], session_of) for number in order)
    for row in replay_sessions(session_calls, _rulesets(by_id, history), revision):
        agreement.compare(by_id[row.call.id].call, row.dynamic, with_sessions=True)


def _rulesets(calls: Mapping[str, Replayable], history: PolicyHistory) -> Rulesets:
    def ruleset(call: SessionCall) -> Ruleset:
        return history.ruleset(calls[call.id].policy, call.agent)

    return ruleset


def _session_call(number: str, one: Replayable, session_of: SessionOf) -> SessionCall:
    return SessionCall(
        id=number,
        session=session_of(one.call, one.case),
        call=ToolCall(one.case.tool, one.case.input),
        agent=one.case.agent,
        place=one.place,
        approved_for_session=frozenset(
            Gate(request.gate.value)
            for request in one.call.requests
            if request.outcome is Outcome.APPROVED_FOR_SESSION and request.gate.value in set(Gate)
        ),
    )
