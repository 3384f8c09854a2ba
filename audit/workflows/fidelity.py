"""Does the policy in force give what the log recorded? Call by call, alone and in its session."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import partial

from audit.core.action import Action
from audit.core.call import ToolCall
from audit.core.decide import Decision, Judge, Undecided
from audit.core.gates import Gate
from audit.core.place import Place
from audit.core.policy.rule import Ruleset
from audit.core.revision import Revision, revision
from audit.log.calls import Call
from audit.log.cases import CwdSource, Exactness, LogReading
from audit.replay.agreement import Agreement, LeftOut, Recorded, replayed
from audit.replay.arm import PlaceRule
from audit.replay.sessions import SessionCall, SessionRow, replay_sessions
from audit.report.build import Making
from audit.report.fidelity import FidelityReport, mode_result
from audit.workflows.history import PolicyHistory
from audit.workflows.impact import policy_digest
from audit.workflows.placed import PlacedCall, placed_calls, session_calls
from audit.workflows.traffic import SessionOf


class Mode(StrEnum):
    """How calls are replayed."""

    STATIC = "static"
    """Each call alone, without session approvals."""
    SESSIONS = "sessions"
    """In order, with the approvals that people granted on the way."""


@dataclass(frozen=True, slots=True)
class Fidelity:
    """The tallies of one mode: over exactly replayable calls, and over those replayed on assumptions."""

    exact: Agreement
    assumed: Agreement
    decisions: dict[int, Decision | Undecided]
    """What was decided of each replayed call, by its index in the reading."""

    def compare(
        self,
        one: _Governed,
        decision: Decision | Undecided,
        in_session: Callable[[], Decision | Undecided] | None = None,
    ) -> None:
        """Hold a call against its replay in the tally it belongs to; calls known in part in none."""
        self.decisions[one.placed.index] = decision
        tally = {Exactness.EXACT: self.exact, Exactness.ASSUMED: self.assumed}.get(one.exactness)
        if tally is not None:
            tally.compare(one.placed.call, decision, in_session)


@dataclass(frozen=True, slots=True)
class FidelityRequest:
    """What a fidelity report is asked for."""

    core: str
    modes: Sequence[Mode]
    session_of: SessionOf
    making: Making


@dataclass(frozen=True, slots=True)
class _Governed:
    """A call that can be replayed, under a policy that is known."""

    placed: PlacedCall
    policy: str
    exactness: Exactness
    """That of the call, and of its policy."""


def fidelity_of(
    reading: LogReading,
    history: PolicyHistory,
    measured: Mapping[Mode, Fidelity],
    request: FidelityRequest,
) -> FidelityReport:
    """Return the report of what was measured."""
    return FidelityReport(
        log=reading.digest,
        ledger=reading.ledger,
        eras=reading.eras,
        policies={name: policy_digest(sources) for name, sources in history.policies.items()},
        core=request.core,
        tool_version=request.making.tool_version,
        command=request.making.command,
        modes={
            mode.value: mode_result(found.exact, found.assumed, reading) for mode, found in measured.items()
        },
    )


def decisions_text(reading: LogReading, measured: Mapping[Mode, Fidelity], session_of: SessionOf) -> str:
    """Return one JSON object a line for each replayed call, in order: what each mode decided of it."""
    lines: list[str] = []
    for index, call in enumerate(reading.calls):
        decided = {mode.value: found.decisions.get(index) for mode, found in measured.items()}
        if any(decision is not None for decision in decided.values()):
            actions = {
                mode: decision.action.value if isinstance(decision, Decision) else None
                for mode, decision in decided.items()
            }
            record = {
                "call_id": call.id,
                "time": call.time,
                "session": session_of(index, call),
                "tool": call.tool,
                "cwd": call.cwd,
                "agent": call.agent,
                **actions,
            }
            lines.append(json.dumps(record) + "\n")
    return "".join(lines)


def measure_fidelity(
    reading: LogReading, history: PolicyHistory, rule: PlaceRule, request: FidelityRequest
) -> dict[Mode, Fidelity]:
    """Hold every replayable request against its replay, in each mode."""
    measured: dict[Mode, Fidelity] = {}
    core = revision(request.core)
    judges = _Judges(history, core)
    for mode in request.modes:
        found = Fidelity(Agreement.empty(), Agreement.empty(), {})
        calls = _governed(reading, history, rule, judges, found.exact)
        if mode is Mode.STATIC:
            _compare_alone(calls, judges, _Sessions(calls, history, core, request.session_of), found)
        else:
            _compare_in_sessions(calls, history, core, request.session_of, found)
        measured[mode] = found
    return measured


def _governed(
    reading: LogReading, history: PolicyHistory, rule: PlaceRule, judges: _Judges, agreement: Agreement
) -> list[_Governed]:
    """Return every call that can be replayed at all; those that are not exact still grant approvals."""
    governed: list[_Governed] = []
    for one in placed_calls(reading, rule):
        if isinstance(one, Call):
            agreement.leave_out(one, LeftOut.NOT_EXACT)
            continue
        policy = history.name_at(one.call.time, one.case.cwd)
        if policy is None:
            agreement.leave_out(one.call, LeftOut.NO_POLICY)
            continue
        exactness = _exactness(one, policy, history, judges)
        if exactness is not Exactness.EXACT:
            agreement.leave_out(one.call, LeftOut.NOT_EXACT)
        governed.append(_Governed(one, policy, exactness))
    return governed


def _exactness(one: PlacedCall, policy: str, history: PolicyHistory, judges: _Judges) -> Exactness:
    """Return how far a call can be replayed, its policy included.

    A call that no directory decides is exact wherever it was made. Where that is uncertain it may have been
    under another of the policies then in force, and is exact only if all of them come to the same.
    """
    exactness = one.call.exactness
    if exactness is not Exactness.EXACT or one.call.cwd_source is not CwdSource.AMBIGUOUS:
        return exactness
    names = history.names_at(one.call.time) | {policy}
    alike = len({_shown(judges.decide(one, name)) for name in names}) == 1
    return Exactness.EXACT if alike else Exactness.ASSUMED


def _shown(decision: Decision | Undecided) -> tuple[tuple[Gate, Recorded | Action | None], ...]:
    gates = decision.gates if isinstance(decision, Decision) else ()
    return tuple((result.gate, replayed(result)) for result in gates)


def _compare_alone(calls: Sequence[_Governed], judges: _Judges, sessions: _Sessions, found: Fidelity) -> None:
    for one in calls:
        found.compare(one, judges.decide(one.placed, one.policy), partial(sessions.decision, one))


def _compare_in_sessions(
    calls: Sequence[_Governed],
    history: PolicyHistory,
    core: Revision,
    session_of: SessionOf,
    found: Fidelity,
) -> None:
    by_id = {str(one.placed.index): one for one in calls}
    for row in _replayed_in_sessions(calls, history, core, session_of):
        found.compare(by_id[row.call.id], row.dynamic)


def _replayed_in_sessions(
    calls: Iterable[_Governed], history: PolicyHistory, core: Revision, session_of: SessionOf
) -> Iterator[SessionRow]:
    by_id = {str(one.placed.index): one for one in calls}

    def ruleset(call: SessionCall) -> Ruleset:
        return history.ruleset(by_id[call.id].policy, call.agent)

    ordered = session_calls((one.placed for one in by_id.values()), session_of)
    return replay_sessions(ordered, ruleset, core)


class _Judges:
    """Decides calls alone, under any policy."""

    def __init__(self, history: PolicyHistory, core: Revision) -> None:
        self._history = history
        self._core = core
        self._judges: dict[tuple[str, str | None, Place], Judge] = {}

    def decide(self, one: PlacedCall, policy: str) -> Decision | Undecided:
        """Return the decision of a call under a policy."""
        case = one.case
        key = (policy, case.agent, one.place)
        judge = self._judges.get(key)
        if judge is None:
            ruleset = self._history.ruleset(policy, case.agent)
            judge = self._judges[key] = Judge(ruleset, one.place, self._core)
        return judge.decide(ToolCall(case.tool, case.input))


class _Sessions:
    """What calls come to in their sessions; each is replayed when first asked for."""

    def __init__(
        self, calls: Sequence[_Governed], history: PolicyHistory, core: Revision, session_of: SessionOf
    ) -> None:
        self._calls = calls
        self._history = history
        self._core = core
        self._session_of = session_of
        self._by_session: dict[str, list[_Governed]] = {}
        self._decisions: dict[int, Decision | Undecided] = {}

    def decision(self, one: _Governed) -> Decision | Undecided:
        """Return the decision of a call with the approvals of its session."""
        index = one.placed.index
        if index not in self._decisions:
            members = self._members(self._session_of(index, one.placed.call))
            for row in _replayed_in_sessions(members, self._history, self._core, self._session_of):
                self._decisions[int(row.call.id)] = row.dynamic
        return self._decisions[index]

    def _members(self, session: str) -> Sequence[_Governed]:
        if not self._by_session:
            for one in self._calls:
                name = self._session_of(one.placed.index, one.placed.call)
                self._by_session.setdefault(name, []).append(one)
        return self._by_session[session]
