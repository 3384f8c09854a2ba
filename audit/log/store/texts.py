"""Texts that UTF-8 cannot hold, written so that it can, and back without loss.

Lone surrogates, from escapes in a log's JSON or from bytes that are no UTF-8, are written as `MARK`
followed by four hexadecimal digits of the code unit; so is `MARK` where it stands in a text itself.
"""

from __future__ import annotations

import re

MARK = "\ufdd0"
"""A noncharacter: no writer of text has a use for it."""

_TO_WRITE = re.compile(f"[\ud800-\udfff{MARK}]")
_WRITTEN = re.compile(f"{MARK}([0-9a-f]{{4}})")


def to_utf8(text: str) -> str:
    """Return a text that UTF-8 can hold."""
    return _TO_WRITE.sub(lambda found: f"{MARK}{ord(found[0]):04x}", text)


def from_utf8(text: str) -> str:
    """Return the text that `to_utf8` was given."""
    return _WRITTEN.sub(lambda found: chr(int(found[1], 16)), text)
