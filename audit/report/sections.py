"""The blocks of a report as titles, sentences, tables and examples, before any format is chosen."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from audit.measures.measure import MIN_DENOMINATOR, Bound, Count, Share, Shares, Unit


@dataclass(frozen=True, slots=True)
class Code:
    """A text from a log, a policy or a command line: not ours, and shown as it is."""

    text: str


Line = tuple[str | Code, ...]
"""A line of text; plain strings are ours."""


@dataclass(frozen=True, slots=True)
class Table:
    """Rows under column heads."""

    heads: tuple[str, ...]
    rows: tuple[tuple[Line, ...], ...]
    texts: frozenset[int] = frozenset({0})
    """Columns that hold text; the others hold figures and line up on the right."""


@dataclass(frozen=True, slots=True)
class Shown:
    """One example: the command, a remark about it, and lines about it."""

    command: str
    remark: Line
    lines: tuple[Line, ...]


@dataclass(frozen=True, slots=True)
class Group:
    """Examples of one kind. `rest` says what is left out when only the first `n` are shown."""

    title: str
    shown: tuple[Shown, ...]
    counts: tuple[Count, ...]
    """Of each example's cluster, in the same order."""

    def rest(self, n: int) -> Line | None:
        """Return the line that names what a list of the first `n` leaves out; None for nothing."""
        left = self.counts[n:]
        if not left:
            return None
        total = sum(left, Count())
        return (
            f"and {plural(len(left), 'more shape')} with {counted(total)}; "
            "the JSON form of this report lists them all",
        )


@dataclass(frozen=True, slots=True)
class Section:
    """One block: it opens with a sentence that says what it shows."""

    title: str
    opening: Line
    tables: tuple[Table, ...] = ()
    notes: tuple[Line, ...] = ()
    groups: tuple[Group, ...] = field(default=())


@dataclass(frozen=True, slots=True)
class Page:
    """A whole report before any format is chosen; renderers are functions of a page."""

    title: str
    sections: tuple[Section, ...]
    closing: Line


def plural(number: int, noun: str) -> str:
    """Return a number with its noun."""
    return f"{number:,} {noun}" if abs(number) == 1 else f"{number:,} {noun}s"


def are(number: int) -> str:
    """Return the verb that goes with a number of things."""
    return "is" if number == 1 else "are"


def counted(count: Count) -> str:
    """Return a count with both of its units."""
    return f"{plural(count.commands, Unit.COMMAND)} ({plural(count.calls, Unit.CALL)})"


def percent(numerator: int, denominator: int) -> str:
    """Return a percentage with one decimal that never rounds something to nothing or to all."""
    if not denominator:
        return "-"
    tenths = round(abs(numerator) * 1000 / denominator)
    if numerator and not tenths:
        return "<0.1%"
    if abs(numerator) < denominator and tenths >= 1000:
        return ">99.9%"
    sign = "-" if numerator < 0 else ""
    return f"{sign}{tenths // 10}.{tenths % 10}%"


def share(part: Share) -> str:
    """Return a share with both integers, for a column whose head names the unit."""
    if not part.denominator:
        return f"{part.numerator} of 0"
    return f"{part.numerator:,} of {part.denominator:,} ({percent(part.numerator, part.denominator)})"


def share_with_unit(part: Share) -> str:
    """Return a share with both integers and its unit."""
    of = f"{part.numerator:,} of {plural(part.denominator, part.unit)}"
    return f"{of} ({percent(part.numerator, part.denominator)})" if part.denominator else of


def difference(number: int, whole: int) -> str:
    """Return a signed difference over a population; pp are percentage points of it."""
    if not whole:
        return f"{number:,} of 0"
    points = percent(number, whole).removesuffix("%")
    sign = "+" if number > 0 else ""
    return f"{sign}{number:,} of {whole:,} ({sign}{points} pp)"


def bound_note(bound: Bound) -> Line:
    """Return what a zero says about traffic that the log has not seen."""
    return (
        f"A zero among {plural(bound.denominator, bound.unit)} leaves room for up to "
        f"{bound.numerator} in {bound.denominator:,} ({percent(bound.numerator, bound.denominator)}) in "
        "traffic like this, with 95% confidence. That is an upper bound and not a rate, and no proof that it "
        "cannot happen.",
    )


def few_note(parts: Iterable[Share]) -> tuple[Line, ...]:
    """Return a warning when a share is of something, but of too little to say much."""
    small = [part for part in parts if part.is_small and part.denominator]
    if not small:
        return ()
    least = min(small, key=lambda part: part.denominator)
    return (
        (
            f"Some shares are of fewer than {MIN_DENOMINATOR}, "
            f"down to {plural(least.denominator, least.unit)}: their percentages say little.",
        ),
    )


def both(shares: Shares) -> tuple[Line, Line]:
    """Return two cells: over distinct commands and over calls."""
    return (share(shares.commands),), (share(shares.calls),)


def pair(count: Count) -> tuple[Line, Line]:
    """Return two cells: a number of distinct commands and of calls."""
    return (f"{count.commands:,}",), (f"{count.calls:,}",)


def listing(parts: Iterable[str]) -> str:
    """Return parts joined with commas."""
    return ", ".join(parts)
