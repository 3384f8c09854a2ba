"""Moments of log lines as numbers, and the periods they fall into."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from typing import NamedTuple

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
MILLISECOND = timedelta(milliseconds=1)

UNKNOWN_TIME = "unknown time"
"""The period of a line without a usable stamp; it sorts after every other."""


class Period(NamedTuple):
    """The calendar periods of one moment, in UTC."""

    month: str
    """As in `2026-07`."""
    week: str
    """ISO week, as in `2026-W29`."""
    day: str
    """As in `2026-07-15`."""


NO_PERIOD = Period(UNKNOWN_TIME, UNKNOWN_TIME, UNKNOWN_TIME)


def milliseconds(stamp: str | None) -> int | None:
    """Return a stamp as milliseconds since 1970; None where it is no moment.

    Takes ISO 8601 with any offset, with `Z`, or with none, which means UTC.
    """
    if not stamp:
        return None
    try:
        moment = datetime.fromisoformat(stamp.strip())
        moment = moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
    except (ValueError, OverflowError):
        return None
    return (moment - EPOCH) // MILLISECOND


class Calendar:
    """Periods by moment; each day is worked out once."""

    def __init__(self) -> None:
        self._days: dict[int, Period] = {}

    def period(self, moment: int | None) -> Period:
        """Return the periods of a moment in milliseconds since 1970."""
        if moment is None:
            return NO_PERIOD
        day = moment // 86_400_000
        period = self._days.get(day)
        if period is None:
            period = self._days[day] = _period(EPOCH.date() + timedelta(days=day))
        return period


def _period(day: date) -> Period:
    year, week, _ = day.isocalendar()
    return Period(f"{day.year:04d}-{day.month:02d}", f"{year:04d}-W{week:02d}", day.isoformat())
