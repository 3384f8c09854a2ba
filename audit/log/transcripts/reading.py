"""A reading whose population is all traffic: the log's calls and those it never saw.

With transcripts every call is there, allowed in silence or not, with its whole input and its working
directory; so each rate has its true denominator, and a replay is exact where the log alone is not.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

import msgspec

from audit.core.place import Platform
from audit.log.calls import Call
from audit.log.cases import Case, LineLedger, LogReading, Outcome, TrafficFacts
from audit.log.transcripts.cases import EVIDENCE, transcript_cases
from audit.log.transcripts.model import CallOutcome, TranscriptCall, TranscriptReading
from audit.log.transcripts.traffic import join_traffic, logged_calls

NOTHING = LogReading(
    cases=(),
    ledger=LineLedger(0, {}),
    eras={},
    rejects=(),
    digest="",
    first=None,
    last=None,
    platform=Platform.POSIX,
)
"""The reading of no log, for transcripts alone."""


@dataclass(frozen=True, slots=True)
class TrafficReading:
    """A reading over all traffic, and whose sessions its calls were in."""

    reading: LogReading
    sessions: Mapping[int, str]
    """The transcript's session of a call, by its index in `reading.calls`."""


@dataclass(frozen=True, slots=True)
class _Placed:
    """One call of the union: what was called, and what the log has of it."""

    case: Case
    call: Call
    session: str | None


def with_transcripts(reading: LogReading, transcripts: TranscriptReading) -> TrafficReading:
    """Join a log's reading with transcripts; the reading may be `NOTHING`.

    A joined call takes input and working directory from the transcript, agent and requests from the
    log. Calls that the agent dropped before any gate, and those that something else refused, are
    counted and take no part.
    """
    logged = logged_calls(reading.calls, reading.cases)
    traffic = join_traffic(transcripts.calls, logged)
    number = {id(one): index for index, one in enumerate(logged)}
    joined = {id(pair.transcript): number[id(pair.logged)] for pair in traffic.joined}
    silent = {id(call) for call in traffic.silent}
    # Calls of one moment stay in the order in which they were made: an approval holds for what follows it.
    placed = [
        _silent(call) if id(call) in silent else _joined(reading, call, joined[id(call)])
        for call in transcripts.calls
        if id(call) in silent or id(call) in joined
    ]
    placed += [_log_only(reading, number[id(one)]) for one in traffic.log_only]
    placed.sort(key=lambda one: one.call.time)
    cases, index = _counted(placed)
    calls = tuple(msgspec.structs.replace(one.call, case=index[one.case.id]) for one in placed)
    facts = TrafficFacts(
        calls=traffic.calls,
        sessions=len(transcripts.sessions),
        joined=len(traffic.joined),
        silent=len(traffic.silent),
        stopped=len(traffic.stopped),
        not_run=len(traffic.not_run),
        log_only=len(traffic.log_only),
        ambiguous=traffic.ambiguous,
        lines=transcripts.ledger.lines,
        classes=transcripts.ledger.classes,
        digest=transcripts.digest,
        never_watched=tuple(one.value for one in traffic.unjoined_formats) if reading.calls else (),
        silent_outside_log=_outside(traffic.silent, reading) if reading.calls else 0,
    )
    sessions = {at: one.session for at, one in enumerate(placed) if one.session is not None}
    return TrafficReading(replace(reading, cases=cases, calls=calls, traffic=facts), sessions)


def _outside(calls: Iterable[TranscriptCall], reading: LogReading) -> int:
    """Return how many calls were made before the log's first or after its last entry, or at no known time."""
    first, last = reading.first or "", reading.last or ""
    return sum(call.time is None or not first <= call.time <= last for call in calls)


def _joined(reading: LogReading, transcript: TranscriptCall, index: int) -> _Placed:
    if transcript.cwd is None:
        return replace(_log_only(reading, index), session=transcript.session)
    call = reading.calls[index]
    [case] = transcript_cases([replace(transcript, agent=call.agent, outcome=CallOutcome.RAN)])
    lines = sum(len(request.lines) for request in call.requests)
    outcomes = Counter(request.outcome for request in call.requests)
    case = replace(case, lines=lines, outcomes=outcomes, home=call.home)
    moved = msgspec.structs.replace(
        call,
        tool=case.tool,
        cwd=case.cwd,
        cwd_source=case.cwd_source,
        cwd_evidence=EVIDENCE,
        exactness=case.exactness,
        reasons=case.reasons,
    )
    return _Placed(case, moved, transcript.session)


def _silent(transcript: TranscriptCall) -> _Placed:
    [case] = transcript_cases([transcript])
    case = replace(case, lines=0)
    call = Call(
        id=transcript.call_id or None,
        time=transcript.time or "",
        tool=case.tool,
        agent=case.agent,
        requests=(),
        cwd=case.cwd,
        cwd_source=case.cwd_source,
        cwd_evidence=EVIDENCE,
        home=None,
        exactness=case.exactness,
        reasons=case.reasons,
        case=0,
    )
    return _Placed(case, call, transcript.session)


def _log_only(reading: LogReading, index: int) -> _Placed:
    call = reading.calls[index]
    case = reading.cases[call.case]
    lines = sum(len(request.lines) for request in call.requests)
    outcomes = Counter(request.outcome for request in call.requests)
    case = replace(case, occurrences=1, lines=lines, outcomes=outcomes)
    return _Placed(replace(case, first_seen=call.time, last_seen=call.time), call, None)


def _counted(placed: Iterable[_Placed]) -> tuple[tuple[Case, ...], dict[str, int]]:
    """Return the distinct cases with their counts added up, and the place of each by its identifier."""
    together: dict[str, list[Case]] = {}
    for one in placed:
        together.setdefault(one.case.id, []).append(one.case)
    cases = tuple(_sum(same) for same in together.values())
    return cases, {identity: at for at, identity in enumerate(together)}


def _sum(same: list[Case]) -> Case:
    outcomes: Counter[Outcome] = Counter()
    for case in same:
        outcomes.update(case.outcomes)
    times = list(_times(same))
    return replace(
        same[0],
        occurrences=sum(case.occurrences for case in same),
        lines=sum(case.lines for case in same),
        first_seen=min(times, default=""),
        last_seen=max(times, default=""),
        outcomes=dict(outcomes),
    )


def _times(cases: Iterable[Case]) -> Iterator[str]:
    for case in cases:
        yield from filter(None, (case.first_seen, case.last_seen))
