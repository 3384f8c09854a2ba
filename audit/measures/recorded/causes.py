"""What the prompts are for: asks by surface and month, with floors by sentinel (M03)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from audit.core.gates import FLOORS, UNPARSEABLE
from audit.log.eras import Era
from audit.measures.measure import Measure, Share, Unit
from audit.measures.recorded.requests import Logged, asks

MEASURE = Measure(
    "recorded-causes",
    1,
    "asks of the log",
    "number per surface and sentinel, over all asks, per month of the first line; each ask has one cause, "
    "the surface that its line names or, before E11, the one its gate asks about",
)

FIRST_WITH_FLOORS = Era.E6
FLOOR_PATTERNS = frozenset(FLOORS.values())


@dataclass(frozen=True, slots=True)
class MonthlyShare:
    """The share of one cause in one month, over the asks of that month."""

    month: str
    share: Share


@dataclass(frozen=True, slots=True)
class RecordedCause:
    """One cause."""

    surface: str
    sentinel: str | None
    """The pattern that stands for a rule where no rule asked: the core could not see what runs, or could
    make out no command."""
    is_unparseable: bool
    """No command could be made out; every other sentinel is a floor under an allow."""
    share: Share
    """Over all asks; the shares of all causes add up."""
    months: tuple[MonthlyShare, ...]
    """Of every month that has asks."""


@dataclass(frozen=True, slots=True)
class RecordedCauses:
    """All causes, the most frequent first."""

    measure: Measure
    asks: Mapping[str, int]
    """By month."""
    causes: tuple[RecordedCause, ...]
    floors: Share
    """Asks of the shell's own gate that are floors, over those of eras that have floors and whose line
    tells the pattern: no other could show one."""
    surface_told: Share
    """Asks whose line names the surface; for the others it is told by the gate."""


def recorded_causes(requests: Sequence[Logged]) -> RecordedCauses:
    """Count the asks of a log by cause and month."""
    asked = asks(requests)
    months = Counter(one.period.month for one in asked)
    counted: dict[tuple[str, str], Counter[str]] = {}
    of_month = Counter((one.surface, one.request.pattern, one.period.month) for one in asked)
    for (surface, pattern, month), number in of_month.items():
        counted.setdefault((surface, sentinel_of(pattern) or ""), Counter())[month] += number
    order = sorted(counted, key=lambda cause: (-counted[cause].total(), cause))
    shell = [
        one
        for one in asked
        if one.surface == "bash" and one.request.pattern is not None and one.era >= FIRST_WITH_FLOORS
    ]
    floored = [sentinel_of(one.request.pattern) for one in shell]
    return RecordedCauses(
        measure=MEASURE,
        asks=dict(sorted(months.items())),
        causes=tuple(_cause(cause, counted[cause], months) for cause in order),
        floors=Share(
            sum(found is not None and found != UNPARSEABLE for found in floored), len(shell), Unit.PROMPT
        ),
        surface_told=Share(sum(one.request.surface is not None for one in asked), len(asked), Unit.PROMPT),
    )


def sentinel_of(pattern: str | None) -> str | None:
    """Return a pattern if it is a sentinel: one known, or of a later release and of the same form."""
    if pattern is None or pattern == UNPARSEABLE or pattern in FLOOR_PATTERNS:
        return pattern
    inner = pattern[1:-1]
    is_later = pattern == f"<{inner}>" and "bash" in inner.split("-") and inner.replace("-", "").isalpha()
    return pattern if is_later else None


def _cause(cause: tuple[str, str], found: Counter[str], months: Mapping[str, int]) -> RecordedCause:
    surface, sentinel = cause
    return RecordedCause(
        surface=surface,
        sentinel=sentinel or None,
        is_unparseable=sentinel == UNPARSEABLE,
        share=Share(found.total(), sum(months.values()), Unit.PROMPT),
        months=tuple(
            MonthlyShare(month, Share(found[month], of, Unit.PROMPT)) for month, of in sorted(months.items())
        ),
    )
