"""Does the policy in force give what the log recorded? Call by call, alone and in its session."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from audit.core.call import ToolCall
from audit.core.decide import Decision, Judge, Undecided
from audit.core.place import Place
from audit.core.policy.rule import Ruleset
from audit.core.revision import Revision, revision
from audit.log.calls import Call
from audit.log.cases import Exactness, LogReading
from audit.replay.agreement import Agreement, LeftOut
from audit.replay.arm import PlaceRule
from audit.replay.sessions import SessionCall, replay_sessions
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

    def compare(self, one: PlacedCall, decision: Decision | Undecided, *, with_sessions: bool) -> None:
        """Hold a call against its replay in the tally it belongs to; calls known in part in none."""
        self.decisions[one.index] = decision
        tally = {Exactness.EXACT: self.exact, Exactness.ASSUMED: self.assumed}.get(one.call.exactness)
        if tally is not None:
            tally.compare(one.call, decision, with_sessions=with_sessions)


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
    for mode in request.modes:
        found = Fidelity(Agreement.empty(), Agreement.empty(), {})
        calls = _governed(reading, history, rule, found.exact)
        if mode is Mode.STATIC:
            _compare_alone(calls, history, core, found)
        else:
            _compare_in_sessions(calls, history, core, request.session_of, found)
        measured[mode] = found
    return measured


def _governed(
    reading: LogReading, history: PolicyHistory, rule: PlaceRule, agreement: Agreement
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
        if one.call.exactness is not Exactness.EXACT:
            agreement.leave_out(one.call, LeftOut.NOT_EXACT)
        governed.append(_Governed(one, policy))
    return governed


def _compare_alone(
    calls: Sequence[_Governed], history: PolicyHistory, core: Revision, found: Fidelity
) -> None:
    judges: dict[tuple[str, str | None, Place], Judge] = {}
    for one in calls:
        case, place = one.placed.case, one.placed.place
        key = (one.policy, case.agent, place)
        judge = judges.get(key)
        if judge is None:
            judge = judges[key] = Judge(history.ruleset(one.policy, case.agent), place, core)
        found.compare(one.placed, judge.decide(ToolCall(case.tool, case.input)), with_sessions=False)


def _compare_in_sessions(
    calls: Sequence[_Governed],
    history: PolicyHistory,
    core: Revision,
    session_of: SessionOf,
    found: Fidelity,
) -> None:
    by_id = {str(one.placed.index): one for one in calls}

    def ruleset(call: SessionCall) -> Ruleset:
        return history.ruleset(by_id[call.id].policy, call.agent)

    ordered = session_calls((one.placed for one in calls), session_of)
    for row in replay_sessions(ordered, ruleset, core):
        found.compare(by_id[row.call.id].placed, row.dynamic, with_sessions=True)
