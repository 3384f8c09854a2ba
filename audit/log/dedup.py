"""Cases: distinct calls, each in its working directory, with how often and what people answered."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from hashlib import blake2b

import msgspec

from audit.log.calls import Call, Request
from audit.log.cases import Case, CwdSource, Exactness, Outcome
from audit.log.inputs import Called, Given
from audit.log.workdirs import Guess

NO_PLACE = "no working directory"
_ASSUMED = {
    CwdSource.INFERRED: "working directory inferred",
    CwdSource.SUPPLIED: "working directory supplied",
    CwdSource.AMBIGUOUS: "working directory ambiguous",
}
_CERTAINTY = list(CwdSource)
_RANK = {exactness: rank for rank, exactness in enumerate(Exactness)}
_SOURCE_RANK = {
    CwdSource.RECORDED: 0,
    CwdSource.SUPPLIED: 1,
    CwdSource.INFERRED: 2,
    CwdSource.AMBIGUOUS: 3,
    CwdSource.UNKNOWN: 4,
}

Key = tuple[str, Given, str, bool, str | None, str | None]


class _Tally(msgspec.Struct, gc=False):
    """A case while it is counted."""

    called: Called
    agent: str | None
    place: Guess
    exactness: Exactness
    reasons: tuple[str, ...]
    first: str
    last: str
    calls: int
    lines: int
    outcomes: dict[Outcome, int]


class CaseBook:
    """Counts calls into cases, in order of first appearance."""

    def __init__(self) -> None:
        self._index: dict[Key, int] = {}
        self._tallies: list[_Tally] = []

    def enter(self, id: str | None, requests: Sequence[Request], called: Called, place: Guess) -> Call:  # noqa: A002
        """Count a call, and return it with its place and its case."""
        exactness, reasons = _certainty(called, place)
        first = requests[0]
        agent = first.agent
        partial = called.exactness is Exactness.PARTIAL
        key = (called.tool, called.given, called.text, partial, agent, place.cwd)
        index = self._index.get(key)
        time, last = first.time, requests[-1].settled or requests[-1].time
        lines = 0
        if index is None:
            index = self._index[key] = len(self._tallies)
            outcomes: dict[Outcome, int] = {}
            self._tallies.append(_Tally(called, agent, place, exactness, reasons, time, last, 0, 0, outcomes))
        tally = self._tallies[index]
        outcomes = tally.outcomes
        for request in requests:
            lines += len(request.lines)
            outcomes[request.outcome] = outcomes.get(request.outcome, 0) + 1
        tally.calls += 1
        tally.lines += lines
        tally.last = max(tally.last, last)
        if _RANK[exactness] > _RANK[tally.exactness]:
            tally.exactness, tally.reasons = exactness, reasons
        if _SOURCE_RANK[place.source] > _SOURCE_RANK[tally.place.source]:
            tally.place = place
            if exactness is tally.exactness:
                tally.reasons = reasons
        return Call(
            id,
            time,
            called.tool,
            agent,
            tuple(requests),
            place.cwd,
            place.source,
            place.evidence,
            place.home,
            exactness,
            reasons,
            index,
        )

    def cases(self) -> tuple[Case, ...]:
        """Return all cases."""
        return tuple(_case(key, tally) for key, tally in zip(self._index, self._tallies, strict=True))


def _certainty(called: Called, place: Guess) -> tuple[Exactness, tuple[str, ...]]:
    """Return how far the replay of a call can be trusted, and why it is not exact (13)."""
    if called.exactness is Exactness.NOT_REPLAYABLE:
        return called.exactness, called.reasons
    if place.cwd is None:
        return Exactness.NOT_REPLAYABLE, (NO_PLACE,)
    assumed = _ASSUMED.get(place.source) if called.needs_place else None
    if assumed is None:
        return called.exactness, called.reasons
    if called.exactness is Exactness.EXACT:
        return Exactness.ASSUMED, (assumed,)
    return called.exactness, (*called.reasons, assumed)


def _case(key: Key, tally: _Tally) -> Case:
    tool, given, text, partial, agent, cwd = key
    return Case(
        id=case_id((tool, int(given), text, partial, agent, cwd)),
        tool=tool,
        input=tally.called.input(),
        agent=agent,
        cwd=cwd,
        cwd_source=tally.place.source,
        exactness=tally.exactness,
        reasons=tally.reasons,
        occurrences=tally.calls,
        lines=tally.lines,
        first_seen=tally.first,
        last_seen=tally.last,
        outcomes=tally.outcomes,
        cwd_evidence=tally.place.evidence,
        home=tally.place.home,
    )


def case_id(parts: Iterable[object]) -> str:
    """Return twelve hexadecimal digits of a digest over what makes a case distinct."""
    parts = list(parts)
    try:
        text = msgspec.json.encode(parts)
    except UnicodeEncodeError:
        text = json.dumps(parts).encode()
    return blake2b(text, digest_size=6).hexdigest()
