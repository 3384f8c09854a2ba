"""How long people take to answer (M29)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from audit.log.cases import Outcome
from audit.measures.measure import Measure
from audit.measures.recorded.requests import ANSWERED, Logged, percentile

MEASURE = Measure(
    "ask-latency",
    1,
    "asks that a person answered with yes or no, with a usable stamp on the waiting line and on the answer",
    "time from the waiting line to the answer, in milliseconds; percentiles by nearest rank; the total adds "
    "waits up even where several were open at once",
)


@dataclass(frozen=True, slots=True)
class Waits:
    """The waits of some asks, in milliseconds; None of nothing."""

    asks: int
    median: int | None
    p95: int | None
    longest: int | None
    total: int


@dataclass(frozen=True, slots=True)
class SurfaceWaits:
    """The waits of one surface."""

    surface: str
    waits: Waits


@dataclass(frozen=True, slots=True)
class Latency:
    """Waits for people; what ended otherwise stands apart."""

    measure: Measure
    answered: Waits
    surfaces: tuple[SurfaceWaits, ...]
    """Add up to `answered`; most asks first."""
    refused: Waits
    """Those of `answered` that ended in a no."""
    timed_out: Waits
    """Asks that had a waiting line and that nobody answered: the agent waited for nothing."""
    unanswered: int
    """Asks without an end; how long somebody looked at them is not known."""
    unusable: int
    """Answered asks that lack a usable stamp, or whose answer is stamped before the question."""


def latency(requests: Sequence[Logged]) -> Latency:
    """Measure the time between questions and answers."""
    answered = [one for one in requests if one.outcome in ANSWERED]
    timed = [(one, wait) for one in answered if (wait := wait_of(one)) is not None]
    surfaces: dict[str, list[int]] = {}
    for one, wait in timed:
        surfaces.setdefault(one.surface, []).append(wait)
    by_surface = [SurfaceWaits(surface, waits_of(found)) for surface, found in surfaces.items()]
    by_surface.sort(key=lambda part: (-part.waits.asks, part.surface))
    absent = (wait_of(one) for one in requests if one.outcome is Outcome.UNAVAILABLE)
    return Latency(
        measure=MEASURE,
        answered=waits_of(wait for _, wait in timed),
        surfaces=tuple(by_surface),
        refused=waits_of(wait for one, wait in timed if one.outcome is Outcome.DENIED),
        timed_out=waits_of(wait for wait in absent if wait is not None),
        unanswered=sum(one.outcome is Outcome.UNANSWERED for one in requests),
        unusable=len(answered) - len(timed),
    )


def wait_of(one: Logged) -> int | None:
    """Return the milliseconds from question to answer; None where the log does not tell."""
    if one.request.asked is None or one.moment is None or one.answered_at is None:
        return None
    wait = one.answered_at - one.moment
    return wait if wait >= 0 else None


def waits_of(waits: Iterable[int]) -> Waits:
    """Sum up some waits."""
    rising = sorted(waits)
    return Waits(
        asks=len(rising),
        median=percentile(rising, 50),
        p95=percentile(rising, 95),
        longest=rising[-1] if rising else None,
        total=sum(rising),
    )
