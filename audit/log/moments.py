"""Moments as the log writes them, from whatever a line or a session file has."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
MILLISECONDS_FROM = 1e11
"""Numbers from here on are milliseconds; as seconds they would lie in the year 5138."""


WRITTEN = re.compile(
    r"\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d)T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}Z", re.ASCII
)
"""A moment in the form wanted here, as nearly all are; the last days of months take the longer way."""


def utc_time(value: str | float | None) -> str | None:
    """Return a moment as UTC with milliseconds and `Z`; None where it is no moment.

    Texts are ISO 8601 with any offset (none means UTC); numbers are seconds or milliseconds since
    1970. Digits beyond milliseconds are dropped, as the agents' own clocks do.
    """
    if value is None or isinstance(value, bool):
        return None
    if isinstance(value, str) and WRITTEN.fullmatch(value):
        return value
    try:
        if isinstance(value, str):
            moment = datetime.fromisoformat(value)
        elif value >= MILLISECONDS_FROM:
            moment = EPOCH + timedelta(milliseconds=value)
        else:
            moment = EPOCH + timedelta(seconds=value)
        moment = moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
    except (ValueError, OverflowError):
        return None
    return moment.isoformat(timespec="milliseconds").removesuffix("+00:00") + "Z"
