"""How many prompts one call costs (M27)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from audit.log.calls import Call
from audit.measures.measure import Measure, Share, Unit
from audit.measures.recorded.requests import Logged

MEASURE = Measure(
    "prompts-per-call",
    1,
    "calls that the log tells of: those that asked, or that a gate settled with a line",
    "calls by their number of asks; of those with two or more, the surfaces asked about, in order",
)


@dataclass(frozen=True, slots=True)
class CallsWith:
    """Calls that met so many asks."""

    asks: int
    calls: int


@dataclass(frozen=True, slots=True)
class SurfacesOfCall:
    """Calls that asked about these surfaces, in this order."""

    surfaces: tuple[str, ...]
    calls: int


@dataclass(frozen=True, slots=True)
class PromptsPerCall:
    """The distribution adds up to all calls."""

    measure: Measure
    calls: int
    distribution: tuple[CallsWith, ...]
    several: Share
    """Calls with two or more asks, over those with any."""
    surfaces: tuple[SurfacesOfCall, ...]
    """Of the calls with several asks, the most frequent first; adds up to them."""


def prompts_per_call(calls: Sequence[Call], requests: Sequence[Logged]) -> PromptsPerCall:
    """Count the asks of each call; `requests` are those of `calls`."""
    asked: dict[int, list[Logged]] = {}
    for one in requests:
        if one.is_ask:
            asked.setdefault(id(one.call), []).append(one)
    numbers = Counter(len(met) for met in asked.values())
    silent = len(calls) - numbers.total()
    if silent:
        numbers[0] = silent
    several = [met for met in asked.values() if len(met) > 1]
    surfaces = Counter(tuple(one.surface for one in met) for met in several)
    return PromptsPerCall(
        measure=MEASURE,
        calls=len(calls),
        distribution=tuple(CallsWith(asks, number) for asks, number in sorted(numbers.items())),
        several=Share(len(several), len(asked), Unit.CALL),
        surfaces=tuple(
            SurfacesOfCall(names, number)
            for names, number in sorted(surfaces.items(), key=lambda item: (-item[1], item[0]))
        ),
    )
