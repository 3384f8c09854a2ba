"""How prompts come in rows: asks that follow another at once (M26)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from audit.measures.measure import Measure, Share, Unit
from audit.measures.recorded.requests import Logged, moments, shown

GAP_SECONDS = 30
"""Sooner than this nobody gets back to other work between two prompts."""

MEASURE = Measure(
    "bursts",
    1,
    "asks that a person saw, with a usable stamp, of all sessions together",
    "a burst is two or more asks of which each opens at most the stated number of seconds after the one "
    "before it",
)


@dataclass(frozen=True, slots=True)
class Burst:
    """One burst."""

    asks: int
    first: int
    """When its first ask opened, in milliseconds since 1970."""
    last: int


@dataclass(frozen=True, slots=True)
class Bursts:
    """All bursts of a log."""

    measure: Measure
    gap_seconds: int
    bursts: int
    in_bursts: Share
    """Asks that belong to a burst."""
    following: Share
    """Asks that follow another within the gap: the share above less the first ask of each burst."""
    longest: Burst | None
    """With the most asks; among equals the earliest."""
    sizes: tuple[tuple[int, int], ...]
    """Pairs of a number of asks and of bursts that have so many."""


def bursts(requests: Sequence[Logged], gap_seconds: int = GAP_SECONDS) -> Bursts:
    """Find the bursts among the asks that people saw."""
    opened = moments(shown(requests))
    found = [burst for burst in _runs(opened, gap_seconds * 1000) if burst.asks > 1]
    inside = sum(burst.asks for burst in found)
    sizes: dict[int, int] = {}
    for burst in found:
        sizes[burst.asks] = sizes.get(burst.asks, 0) + 1
    return Bursts(
        measure=MEASURE,
        gap_seconds=gap_seconds,
        bursts=len(found),
        in_bursts=Share(inside, len(opened), Unit.PROMPT),
        following=Share(inside - len(found), len(opened), Unit.PROMPT),
        longest=max(found, key=lambda burst: (burst.asks, -burst.first), default=None),
        sizes=tuple(sorted(sizes.items())),
    )


def _runs(opened: Sequence[int], gap: int) -> Iterator[Burst]:
    start = 0
    for at in range(1, len(opened) + 1):
        if at == len(opened) or opened[at] - opened[at - 1] > gap:
            yield Burst(at - start, opened[start], opened[at - 1])
            start = at
