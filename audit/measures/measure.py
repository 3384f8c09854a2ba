"""What every measure is made of: a definition, counts, and shares that keep both of their integers."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from audit.replay.change import ChangeClass, Compared

MIN_DENOMINATOR = 30
"""Below this a share says little; reports warn (measures.md 5.2)."""


class Unit(StrEnum):
    """What is counted."""

    COMMAND = "distinct command"
    """One distinct call: same tool, input, agent and working directory."""
    CALL = "call"
    """One tool call; a distinct command counts as often as it was called."""
    PROMPT = "prompt"
    """One ask of one gate; a call can meet several."""
    REQUEST = "request"
    """What one gate did with one call, where it left a line: a prompt, or settling it without one."""
    DISTINCT_PROMPT = "distinct prompt"
    """One question to a person: same gate, tool and value."""
    WORD = "bare word"
    """A distinct word of a command that has not the shape of a path but could name one."""


@dataclass(frozen=True, slots=True)
class Measure:
    """The definition of a measure, printed beside its figures."""

    id: str
    version: int
    population: str
    formula: str


@dataclass(frozen=True, slots=True)
class Share:
    """A part of a whole, never without its unit."""

    numerator: int
    denominator: int
    unit: Unit

    @property
    def is_small(self) -> bool:
        """Tell whether the whole is too small to say much."""
        return self.denominator < MIN_DENOMINATOR

    @property
    def bound(self) -> Bound | None:
        """Return the upper bound that a zero comes with; None unless the part is zero of something."""
        if self.numerator or not self.denominator:
            return None
        return Bound(min(3, self.denominator), self.denominator, self.unit)


@dataclass(frozen=True, slots=True)
class Bound:
    """The rule of three: nothing seen in N leaves up to about 3/N with 95% confidence.

    An upper bound for traffic like this, not a rate, and no proof that a thing cannot happen.
    """

    numerator: int
    denominator: int
    unit: Unit


@dataclass(frozen=True, slots=True)
class Count:
    """A number of distinct commands, and of the calls that they stand for."""

    commands: int = 0
    calls: int = 0

    def __add__(self, other: Count) -> Count:
        return Count(self.commands + other.commands, self.calls + other.calls)

    def __sub__(self, other: Count) -> Count:
        return Count(self.commands - other.commands, self.calls - other.calls)

    def of(self, whole: Count) -> Shares:
        """Return this count as a part of another."""
        return Shares(
            Share(self.commands, whole.commands, Unit.COMMAND), Share(self.calls, whole.calls, Unit.CALL)
        )


@dataclass(frozen=True, slots=True)
class Shares:
    """One quantity over distinct commands and weighted by occurrences."""

    commands: Share
    calls: Share


def count(rows: Iterable[Compared]) -> Count:
    """Count rows once as distinct commands and once by occurrences."""
    commands = calls = 0
    for row in rows:
        commands += 1
        calls += row.case.occurrences
    return Count(commands, calls)


def compared(rows: Iterable[Compared]) -> tuple[Compared, ...]:
    """Return the rows that both sides decided: the population of every comparing measure."""
    return tuple(row for row in rows if row.change.kind is not ChangeClass.FAILED)
