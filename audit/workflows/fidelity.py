"""Does the policy in force give what the log recorded? Call by call, alone and in its session."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from audit.core.call import ToolCall
from audit.core.decide import Decision, Judge, Undecided
from audit.core.gates import Gate
from audit.core.place import Place, Skill
from audit.core.policy.rule import Ruleset
from audit.core.revision import Revision, revision
from audit.log.calls import Call
from audit.log.cases import Case, Exactness, LogReading, Outcome
from audit.log.places import CWD_MARK, SkillEntry
from audit.replay.agreement import Agreement, LeftOut
from audit.replay.arm import PlaceRule
from audit.replay.sessions import Rulesets, SessionCall, replay_sessions
from audit.report.build import Making
from audit.report.fidelity import FidelityReport, mode_result
from audit.workflows.history import PolicyHistory
from audit.workflows.impact import PlaceOptions, policy_digest
from audit.workflows.traffic import SessionOf


class Mode(StrEnum):
    """How calls are replayed."""

    STATIC = "static"
    """Each call alone, without session approvals."""
    SESSIONS = "sessions"
    """In order, with the approvals that people granted on the way."""


@dataclass(frozen=True, slots=True)
class Replayable:
    """A call that can be replayed, under a policy that is known."""

    index: int
    """Of the call in the reading."""
    call: Call
    case: Case
    policy: str
    place: Place


@dataclass(frozen=True, slots=True)
class Fidelity:
    """The tallies of one mode: over exactly replayable calls, and over those replayed on assumptions."""

    exact: Agreement
    assumed: Agreement

    def compare(self, one: Replayable, decision: Decision | Undecided, *, with_sessions: bool) -> None:
        """Hold a call against its replay in the tally it belongs to; calls known in part in none."""
        tally = {Exactness.EXACT: self.exact, Exactness.ASSUMED: self.assumed}.get(one.call.exactness)
        if tally is not None:
            tally.compare(one.call, decision, with_sessions=with_sessions)


REPLAYED = frozenset({Exactness.EXACT, Exactness.ASSUMED, Exactness.PARTIAL})


@dataclass(frozen=True, slots=True)
class FidelityRequest:
    """What a fidelity report is asked for."""

    core: str
    modes: Sequence[Mode]
    session_of: SessionOf
    making: Making


def measure_fidelity(
    reading: LogReading, history: PolicyHistory, rule: PlaceRule, request: FidelityRequest
) -> dict[Mode, Fidelity]:
    """Hold every replayable request against its replay, in each mode."""
    measured: dict[Mode, Fidelity] = {}
    core = revision(request.core)
    for mode in request.modes:
        found = Fidelity(Agreement.empty(), Agreement.empty())
        calls = list(_replayable(reading, history, rule, found.exact))
        if mode is Mode.STATIC:
            _compare_alone(calls, history, core, found)
        else:
            _compare_in_sessions(calls, history, core, request.session_of, found)
        measured[mode] = found
    return measured


def _replayable(
    reading: LogReading, history: PolicyHistory, rule: PlaceRule, agreement: Agreement
) -> Iterator[Replayable]:
    """Yield every call that can be replayed at all; those that are not exact still grant approvals."""
    for index, call in enumerate(reading.calls):
        case = reading.cases[call.case]
        if call.exactness not in REPLAYED or case.cwd is None:
            agreement.leave_out(call, LeftOut.NOT_EXACT)
            continue
        policy = history.name_at(call.time, case.cwd)
        if policy is None:
            agreement.leave_out(call, LeftOut.NO_POLICY)
            continue
        if call.exactness is not Exactness.EXACT:
            agreement.leave_out(call, LeftOut.NOT_EXACT)
        place = rule.place(case.cwd, case.home)
        yield Replayable(index, call, case, policy, _with_skills(place, history.places.skills))


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
    calls: Iterable[Replayable], history: PolicyHistory, revision: Revision, found: Fidelity
) -> None:
    judges: dict[tuple[str, str | None, Place], Judge] = {}
    for one in calls:
        key = (one.policy, one.case.agent, one.place)
        judge = judges.get(key)
        if judge is None:
            judge = judges[key] = Judge(history.ruleset(one.policy, one.case.agent), one.place, revision)
        decision = judge.decide(ToolCall(one.case.tool, one.case.input))
        found.compare(one, decision, with_sessions=False)


def _compare_in_sessions(
    calls: Sequence[Replayable],
    history: PolicyHistory,
    revision: Revision,
    session_of: SessionOf,
    found: Fidelity,
) -> None:
    by_id = {str(number): one for number, one in enumerate(calls)}
    order = sorted(by_id, key=lambda number: (by_id[number].call.time, int(number)))
    session_calls = (_session_call(number, by_id[number], session_of) for number in order)
    for row in replay_sessions(session_calls, _rulesets(by_id, history), revision):
        found.compare(by_id[row.call.id], row.dynamic, with_sessions=True)


def _rulesets(calls: Mapping[str, Replayable], history: PolicyHistory) -> Rulesets:
    def ruleset(call: SessionCall) -> Ruleset:
        return history.ruleset(calls[call.id].policy, call.agent)

    return ruleset


def _session_call(number: str, one: Replayable, session_of: SessionOf) -> SessionCall:
    return SessionCall(
        id=number,
        session=session_of(one.index, one.call),
        call=ToolCall(one.case.tool, one.case.input),
        agent=one.case.agent,
        place=one.place,
        approved_for_session=frozenset(
            Gate(request.gate.value)
            for request in one.call.requests
            if request.outcome is Outcome.APPROVED_FOR_SESSION and request.gate.value in set(Gate)
        ),
    )


def fidelity_of(
    reading: LogReading, history: PolicyHistory, places: PlaceOptions, request: FidelityRequest
) -> FidelityReport:
    """Measure a reading and return the report of it."""
    measured = measure_fidelity(reading, history, places.rule(reading), request)
    return FidelityReport(
        log=reading.digest,
        ledger=reading.ledger,
        policies={name: policy_digest(sources) for name, sources in history.policies.items()},
        core=request.core,
        tool_version=request.making.tool_version,
        command=request.making.command,
        modes={
            mode.value: mode_result(found.exact, found.assumed, reading) for mode, found in measured.items()
        },
    )
