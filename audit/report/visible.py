"""Texts from a log made safe to show: no character can move a cursor, reorder a line or hide."""

from __future__ import annotations

import unicodedata

from audit.core.ecma import from_code_units

_HIDDEN = frozenset({"Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp", "Zs"})
"""Unicode categories whose characters are shown by number: controls, formats (bidirectional ones among
them), unassigned, private, lone surrogates, separators and blanks other than the space."""
_ALSO_HIDDEN = frozenset("\u115f\u1160\u3164\uffa0\u2800\u034f")
"""Letters and marks that look like nothing."""


def visible(text: str) -> str:
    """Return a text with every character that cannot be seen replaced by one or more that can.

    Line feeds become `⏎`, other C0 controls and DEL their control pictures, the rest its number, as in
    `⟦U+202E⟧`. Surrogate pairs are joined first.
    """
    if text.isascii() and text.isprintable():
        return text
    return "".join(map(_shown, from_code_units(text)))


def _shown(character: str) -> str:
    if character == " ":
        return character
    code = ord(character)
    if character == "\n":
        return "⏎"
    if code < 0x20:
        return chr(0x2400 + code)
    if code == 0x7F:
        return "␡"
    if character in _ALSO_HIDDEN or unicodedata.category(character) in _HIDDEN or _is_selector(code):
        return f"⟦U+{code:04X}⟧"
    return character


def _is_selector(code: int) -> bool:
    """Tell whether a code point selects a variant of the one before and shows nothing itself."""
    return 0xFE00 <= code <= 0xFE0F or 0xE0100 <= code <= 0xE01EF


def shortened(text: str, most: int) -> tuple[str, str]:
    """Return the beginning of a text and a note that says how much is left out; the note may be empty."""
    if len(text) <= most:
        return text, ""
    return text[:most], f"first {most:,} of {len(text):,} characters"
