"""Values that were cut or masked when they were written (review-log.md 7.2 and 7.3)."""

from __future__ import annotations

DEFAULT_WIDTH = 1000
"""Code units that `reviewLogFieldMaxWidth` leaves."""
MARK = "…"
MASK = "[redacted]"

FIRST_DAMAGE = 9
"""The oldest era that masks; cutting came later."""

CUT = "cut at the field cap"
MASKED = "masked"


def code_units(text: str) -> int:
    """Return the length as the log's writer counts it."""
    return len(text) if text.isascii() else len(text.encode("utf-16-le", "surrogatepass")) // 2


def damage(text: str, newest: int, width: int = DEFAULT_WIDTH) -> str | None:
    """Return what was done to a logged value, or None for a value that is whole.

    `newest` is the newest era that may have written it: cutting begins with E11, masking with E9.
    """
    if newest >= 11 and text.endswith(MARK) and code_units(text) == width + 1:
        return CUT
    if newest >= FIRST_DAMAGE and MASK in text:
        return MASKED
    return None
