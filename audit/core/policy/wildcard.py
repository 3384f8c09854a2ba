"""Wildcard patterns as regular expressions (core-policy.md 6, core-bash.md M4).

Patterns and values are texts of UTF-16 code units, so one `.` is one code unit. A compiled pattern is a
source text that fits into an alternation; it is compiled with `FLAGS` and used with `fullmatch`.
"""

from __future__ import annotations

import re
from collections.abc import Callable

FLAGS = re.DOTALL

ExpandHome = Callable[[str], str]
"""Expands a leading `~` or `$HOME` of a pattern; what does not start so comes back unchanged."""


def compile_pattern(pattern: str, expand_home: ExpandHome, *, fold: bool = False) -> str:
    """Return the source of a regular expression for one pattern.

    With `fold` (path surfaces on win32) every `/` of the pattern becomes a backslash and letters are
    folded; the value must then go through `fold_case` before it is matched.
    """
    text = expand_home(pattern)
    if fold:
        text = fold_case(text.replace("/", "\\"))
    optional_tail = text.endswith(" *")
    pieces = (text[:-2] if optional_tail else text).split("*")
    if len(pieces) > 1:
        # Neighbouring stars are one star.
        pieces = [pieces[0], *filter(None, pieces[1:-1]), pieces[-1]]
    return _sequence(pieces, open_end=optional_tail)


def matcher(pattern: str, expand_home: ExpandHome, *, fold: bool = False) -> Callable[[str], bool]:
    """Return a test for one pattern; the value is folded for the caller."""
    expression = re.compile(compile_pattern(pattern, expand_home, fold=fold), FLAGS)
    if fold:
        return lambda value: expression.fullmatch(fold_case(value)) is not None
    return lambda value: expression.fullmatch(value) is not None


def fold_case(text: str) -> str:
    """Upper-case each code unit that has a single upper-case code unit.

    A unit above ASCII never becomes an ASCII one, so the Kelvin sign is not a `k`.
    """
    if text.isascii():
        return text.upper()
    return "".join(map(_fold_unit, text))


def _fold_unit(unit: str) -> str:
    upper = unit.upper()
    if len(upper) != 1 or (upper.isascii() and not unit.isascii()) or upper > "\uffff":
        return unit
    return upper


def _sequence(pieces: list[str], *, open_end: bool) -> str:
    """Join pieces of fixed length by "any run".

    The first place where an inner piece fits is as good as any later one, because what follows is again
    any run: so it is taken for good, in an atomic group, and several stars cannot multiply the work.
    The last piece must stand at the end; a look-behind tests it there at once. With `open_end` a blank
    and any run may follow, so the last piece has several places to stand.
    """
    tail = "(?: .*+)?" if open_end else ""
    first, *rest = pieces
    source = [_fixed(first)]
    if not rest:
        return source[0] + tail
    *inner, last = rest
    source += [f"(?>.*?{_fixed(piece)})" for piece in inner]
    if open_end:
        source.append(f".*{_fixed(last)}{tail}" if last else ".*+")
    elif last:
        source.append(f".{{{len(last)},}}+(?<={_fixed(last)})")
    else:
        source.append(".*+")
    return "".join(source)


def _fixed(piece: str) -> str:
    return ".".join(map(re.escape, piece.split("?")))
