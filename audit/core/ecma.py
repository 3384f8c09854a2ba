"""Text conventions of ECMAScript that decisions depend on (core-bash.md 2.5, core-policy.md 1.2).

Inside the core every text is a sequence of UTF-16 code units: a character outside the basic plane
stands as its two surrogates, so that `?`, offsets and lengths count what the reference counts.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TypeVar

WHITESPACE = (
    "\t\n\v\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    "\u2028\u2029\u202f\u205f\u3000\ufeff"
)
"""The white space that trimming removes and `\\s` matches; not U+0085, not U+001C to U+001F."""

V = TypeVar("V")

MAX_ARRAY_INDEX = 2**32 - 2


def leaves_basic_plane(text: str) -> bool:
    """Tell whether an ordinary text holds a character outside the basic plane."""
    return not text.isascii() and len(text.encode("utf-16-le", "surrogatepass")) > 2 * len(text)


def to_code_units(text: str) -> str:
    """Split each character outside the basic plane into its two surrogates."""
    if not leaves_basic_plane(text):
        return text
    units = text.encode("utf-16-le", "surrogatepass")
    one_each = bytearray(2 * len(units))
    one_each[0::4], one_each[1::4] = units[0::2], units[1::2]
    return one_each.decode("utf-32-le", "surrogatepass")


def from_code_units(text: str) -> str:
    """Join surrogate pairs; a lone surrogate stays as it is."""
    if text.isascii():
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")


def trim(text: str) -> str:
    """Remove white space from both ends."""
    return text.strip(WHITESPACE)


def is_array_index(key: str) -> bool:
    """Tell whether an object enumerates this key among its integers, before the others."""
    return key.isascii() and key.isdigit() and (key == "0" or key[0] != "0") and int(key) <= MAX_ARRAY_INDEX


def key_order(keys: Iterable[str]) -> list[str]:
    """Put keys in the order an object enumerates them: integers ascending, then as inserted."""
    listed = list(keys)
    indexes = sorted((key for key in listed if is_array_index(key)), key=int)
    return indexes + [key for key in listed if not is_array_index(key)] if indexes else listed


def ordered_items(mapping: Mapping[str, V]) -> list[tuple[str, V]]:
    """Return the items of a mapping in enumeration order."""
    return [(key, mapping[key]) for key in key_order(mapping)]
