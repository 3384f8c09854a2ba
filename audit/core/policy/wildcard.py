"""Wildcard patterns as regular expressions (core-policy.md 6, core-bash.md M4).

Patterns and values are texts of UTF-16 code units, so one `.` is one code unit. A compiled pattern is a
source text that fits into an alternation; it is compiled with `FLAGS` and used with `fullmatch`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from audit.core.revision import Revision
from audit.core.switches import PatternHome, QuestionMark, TrailingStarOptional, WildcardNewline

FLAGS = re.DOTALL

ExpandHome = Callable[[str], str]
"""Expands a leading home of a pattern; what does not start so comes back unchanged."""

_ANY = "."
_ANY_IN_LINE = "[^\n\r\u2028\u2029]"


@dataclass(frozen=True, slots=True)
class Wildcards:
    """What one revision makes of patterns."""

    any_unit: str = _ANY
    """The regular expression for one code unit that a wildcard stands for."""
    question_mark: bool = True
    optional_tail: bool = True
    """A pattern that ends with blank and star matches without them."""
    expands_home: bool = True

    def compile(self, pattern: str, expand_home: ExpandHome, *, fold: bool = False) -> str:
        """Return the source of a regular expression for one pattern.

        With `fold` (path surfaces on win32) every `/` of the pattern becomes a backslash and letters are
        folded; the value must then go through `fold_case` before it is matched.
        """
        text = expand_home(pattern) if self.expands_home else pattern
        if fold:
            text = fold_case(text.replace("/", "\\"))
        open_end = self.optional_tail and text.endswith(" *")
        pieces = (text[:-2] if open_end else text).split("*")
        if len(pieces) > 1:
            # Neighbouring stars are one star.
            pieces = [pieces[0], *filter(None, pieces[1:-1]), pieces[-1]]
        return self._sequence(pieces, open_end=open_end)

    def matcher(
        self, pattern: str, expand_home: ExpandHome, fold_value: Callable[[str], str] | None = None
    ) -> Callable[[str], bool]:
        """Return a test for one pattern; the value is folded for the caller, if anything folds it."""
        source = self.compile(pattern, expand_home, fold=fold_value is not None)
        fullmatch = re.compile(source, FLAGS).fullmatch
        if fold_value is not None:
            return lambda value: fullmatch(fold_value(value)) is not None
        return lambda value: fullmatch(value) is not None

    def _sequence(self, pieces: list[str], *, open_end: bool) -> str:
        """Join pieces of fixed length by "any run".

        The first place where an inner piece fits is as good as any later one, because what follows is again
        any run: so it is taken for good, in an atomic group, and several stars cannot multiply the work.
        The last piece must stand at the end; a look-behind tests it there at once. With `open_end` a blank
        and any run may follow, so the last piece has several places to stand.
        """
        unit, fixed = self.any_unit, self._fixed
        tail = f"(?: {unit}*+)?" if open_end else ""
        first, *rest = pieces
        source = [fixed(first)]
        if not rest:
            return source[0] + tail
        *inner, last = rest
        source += [f"(?>{unit}*?{fixed(piece)})" for piece in inner]
        if open_end:
            source.append(f"{unit}*{fixed(last)}{tail}" if last else f"{unit}*+")
        elif last:
            source.append(f"{unit}{{{len(last)},}}+(?<={fixed(last)})")
        else:
            source.append(f"{unit}*+")
        return "".join(source)

    def _fixed(self, piece: str) -> str:
        if not self.question_mark:
            return re.escape(piece)
        return self.any_unit.join(map(re.escape, piece.split("?")))


def wildcards(revision: Revision) -> Wildcards:
    """Return what a revision makes of patterns (16.1)."""
    return Wildcards(
        any_unit=_ANY if revision.wildcard_newline is WildcardNewline.ON else _ANY_IN_LINE,
        question_mark=revision.question_mark is QuestionMark.ON,
        optional_tail=revision.trailing_star_optional is TrailingStarOptional.ON,
        expands_home=revision.pattern_home is PatternHome.ON,
    )


def fold_case(text: str) -> str:
    """Upper-case each code unit that has a single upper-case code unit.

    A unit above ASCII never becomes an ASCII one, so the Kelvin sign is not a `k`.
    """
    if text.isascii():
        return text.upper()
    return "".join(map(_fold_unit, text))


def fold_path(text: str) -> str:
    """Do so after turning every `/` into a backslash."""
    return fold_case(text.replace("/", "\\"))


def _fold_unit(unit: str) -> str:
    upper = unit.upper()
    if len(upper) != 1 or (upper.isascii() and not unit.isascii()) or upper > "\uffff":
        return unit
    return upper
