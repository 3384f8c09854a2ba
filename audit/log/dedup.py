"""Cases: distinct calls, each in its working directory, with how often and what people answered."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
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
_RANK = {exactness: rank for rank, exactness in enumerate(Exactness)}
_SOURCE_RANK = {
    CwdSource.RECORDED: 0,
    CwdSource.SUPPLIED: 1,
    CwdSource.INFERRED: 2,
    CwdSource.AMBIGUOUS: 3,
    CwdSource.UNKNOWN: 4,
}
_PARTIAL = Exactness.PARTIAL

Key = tuple[str, Given, str, bool, str | None, str | None]
Certainty = tuple[Exactness, tuple[str, ...]]


class _Tally(msgspec.Struct, gc=False):
    """A case while it is counted."""

    key: Key
    called: Called
    place: Guess
    exactness: Exactness
    reasons: tuple[str, ...]
    first: str
    last: str
    calls: int
    lines: int
    outcomes: int
    """Number of its counts of outcomes."""


class _Outcomes:
    """Counts of outcomes, each combination kept once: most cases have one of a few."""

    def __init__(self) -> None:
        self.counts: list[dict[Outcome, int]] = [{}]
        self._numbers: dict[tuple[tuple[Outcome, int], ...], int] = {(): 0}
        self._next: dict[tuple[int, Outcome], int] = {}

    def after(self, number: int, outcome: Outcome) -> int:
        """Return the number of the counts with one more outcome."""
        known = self._next.get((number, outcome))
        if known is None:
            counts = dict(self.counts[number])
            counts[outcome] = counts.get(outcome, 0) + 1
            known = self._numbers.setdefault(tuple(sorted(counts.items())), len(self.counts))
            if known == len(self.counts):
                self.counts.append(counts)
            self._next[number, outcome] = known
        return known


class CaseBook:
    """Counts calls into cases, in order of first appearance."""

    def __init__(self) -> None:
        self._index: dict[Key, int] = {}
        self._tallies: list[_Tally] = []
        self._outcomes = _Outcomes()
        self._certainties: dict[tuple[Exactness, tuple[str, ...], bool, CwdSource], Certainty] = {}

    def enter(self, id: str | None, requests: Sequence[Request], called: Called, place: Guess) -> Call:  # noqa: A002
        """Count a call, and return it with its place and its case."""
        exactness, reasons = self._certainty(called, place)
        first, last = requests[0], requests[-1]
        agent = first.agent
        time = first.asked or first.settled or ""
        end = last.settled or last.asked or ""
        key = (called.tool, called.given, called.text, called.exactness is _PARTIAL, agent, place.cwd)
        index = self._index.get(key)
        if index is None:
            index = self._index[key] = len(self._tallies)
            tally = _Tally(key, called, place, exactness, reasons, time, end, 0, 0, 0)
            self._tallies.append(tally)
        else:
            tally = self._tallies[index]
            if end > tally.last:  # noqa: PLR1730 - a call of `max` for each call costs more
                tally.last = end
            if exactness is not tally.exactness or place.source is not tally.place.source:
                _weaken(tally, exactness, reasons, place)
        tally.calls += 1
        for request in requests:
            tally.lines += len(request.lines)
            tally.outcomes = self._outcomes.after(tally.outcomes, request.outcome)
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

    def _certainty(self, called: Called, place: Guess) -> Certainty:
        key = (called.exactness, called.reasons, called.needs_place, place.source)
        known = self._certainties.get(key)
        if known is None:
            known = self._certainties[key] = _certainty(called, place)
        return known

    def cases(self) -> tuple[Case, ...]:
        """Return all cases, and close the book."""
        counts = self._outcomes.counts
        cases: list[Case] = []
        self._index = {}
        self._tallies.reverse()
        while self._tallies:
            tally = self._tallies.pop()
            cases.append(_case(tally, counts[tally.outcomes]))
        return tuple(cases)


def _weaken(tally: _Tally, exactness: Exactness, reasons: tuple[str, ...], place: Guess) -> None:
    """Let the least certain call of a case say how far it can be trusted."""
    weaker = _RANK[exactness] - _RANK[tally.exactness]
    if _SOURCE_RANK[place.source] > _SOURCE_RANK[tally.place.source]:
        tally.place = place
        if weaker == 0:
            tally.reasons = reasons
    if weaker > 0:
        tally.exactness, tally.reasons = exactness, reasons


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


def _case(tally: _Tally, outcomes: Mapping[Outcome, int]) -> Case:
    tool, given, text, partial, agent, cwd = tally.key
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
        outcomes=outcomes,
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
