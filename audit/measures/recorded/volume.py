"""How often people are asked and what they say, by month, week and day (M02)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from audit.log.cases import Outcome
from audit.measures.measure import Measure, Share, Unit
from audit.measures.recorded.requests import ASKS, Logged, percentile
from audit.measures.recorded.stamps import UNKNOWN_TIME

MEASURE = Measure(
    "prompt-volume",
    1,
    "requests of the log: one for each ask of a gate, and for each line by which a gate settled a call "
    "without a person",
    "requests by how they ended, per month, ISO week and day of their first line, in UTC; approval: approved "
    "or approved for the session, over those a person answered with yes or no",
)


@dataclass(frozen=True, slots=True)
class Tally:
    """What happened to the requests of one period; `asks` and `without_person` add up to `requests`."""

    period: str
    requests: int
    asks: int
    approved: int
    approved_for_session: int
    refused: int
    unavailable: int
    """Nobody could be asked, or nobody answered in time; no person's refusal."""
    unanswered: int
    """Pending for ever; no approval. This and the four before it add up to `asks`."""
    without_person: int
    settled: Mapping[Outcome, int]
    """How those without a person ended; adds up to `without_person`."""
    approval: Share
    """Yes, over yes and no of persons."""


@dataclass(frozen=True, slots=True)
class Pace:
    """Asks per day, over the days that have one."""

    days: int
    median: int | None
    most: int | None


@dataclass(frozen=True, slots=True)
class Volume:
    """The tallies of each grouping add up to the total."""

    measure: Measure
    total: Tally
    months: tuple[Tally, ...]
    weeks: tuple[Tally, ...]
    days: tuple[Tally, ...]
    pace: Pace


def volume(requests: Sequence[Logged]) -> Volume:
    """Count requests by outcome and period."""
    days = _by(requests, lambda one: one.period.day)
    per_day = sorted(day.asks for day in days if day.asks and day.period != UNKNOWN_TIME)
    return Volume(
        measure=MEASURE,
        total=_tally("all", Counter(one.outcome for one in requests)),
        months=_by(requests, lambda one: one.period.month),
        weeks=_by(requests, lambda one: one.period.week),
        days=days,
        pace=Pace(len(per_day), percentile(per_day, 50), per_day[-1] if per_day else None),
    )


def _by(requests: Iterable[Logged], period: Callable[[Logged], str]) -> tuple[Tally, ...]:
    outcomes: dict[str, dict[Outcome, int]] = {}
    for (name, outcome), number in Counter((period(one), one.request.outcome) for one in requests).items():
        outcomes.setdefault(name, {})[outcome] = number
    return tuple(_tally(name, outcomes[name]) for name in sorted(outcomes))


def _tally(period: str, outcomes: Mapping[Outcome, int]) -> Tally:
    asked = sum(outcomes.get(outcome, 0) for outcome in ASKS)
    settled = {
        outcome: outcomes[outcome] for outcome in Outcome if outcome not in ASKS and outcomes.get(outcome)
    }
    approved = outcomes.get(Outcome.APPROVED, 0)
    for_session = outcomes.get(Outcome.APPROVED_FOR_SESSION, 0)
    refused = outcomes.get(Outcome.DENIED, 0)
    without_person = sum(settled.values())
    return Tally(
        period=period,
        requests=asked + without_person,
        asks=asked,
        approved=approved,
        approved_for_session=for_session,
        refused=refused,
        unavailable=outcomes.get(Outcome.UNAVAILABLE, 0),
        unanswered=outcomes.get(Outcome.UNANSWERED, 0),
        without_person=without_person,
        settled=settled,
        approval=Share(approved + for_session, approved + for_session + refused, Unit.PROMPT),
    )
