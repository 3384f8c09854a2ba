"""What the log looked like when: the releases that the sample's writer went through."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

OPAQUE = frozenset({"opaque-payload"})
BOTH = frozenset({"opaque-payload", "indirection"})


@dataclass(frozen=True, slots=True)
class Era:
    """One stretch of the log, written by one release."""

    name: str
    start: datetime
    days: int
    sessions: int
    floors: frozenset[str] = frozenset()
    """Wrapper kinds that an allow does not cover."""
    whole_command: bool = True
    """Messages of the tool gate name the whole command when the unit is not all of it."""
    serves: bool = True
    """A parent's session writes prompt entries for forwarded asks, and asks without a person wait first."""
    structured: bool = False
    """No messages; facts in members, long fields cut, request ids of their own."""
    decided_by: bool = False
    masked: bool = False
    """Secrets inside commands are masked."""
    directional: bool = False
    """Path surfaces name a direction."""


def _day(month: int, day: int) -> datetime:
    return datetime(2026, month, day, tzinfo=UTC)


ERAS = (
    Era("E5", _day(6, 3), 5, 3, whole_command=False, serves=False),
    Era("E5", _day(6, 10), 9, 6, serves=False),
    Era("E6", _day(6, 29), 6, 6, OPAQUE, serves=False),
    Era("E8", _day(7, 13), 33, 27, BOTH),
    Era("E11", _day(8, 16), 1, 2, BOTH, structured=True),
    Era("E12", _day(8, 18), 9, 7, BOTH, structured=True, decided_by=True),
    Era("E12", _day(9, 7), 4, 3, BOTH, structured=True, decided_by=True, masked=True, directional=True),
)


def stamp(moment: datetime) -> str:
    """Return a moment as the log writes it."""
    return moment.strftime("%Y-%m-%dT%H:%M:%S.") + f"{moment.microsecond // 1000:03d}Z"


def later(moment: datetime, milliseconds: int) -> datetime:
    """Return a moment so many milliseconds later."""
    return moment + timedelta(milliseconds=milliseconds)
