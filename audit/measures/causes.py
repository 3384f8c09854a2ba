"""What the prompts are for: asks by the first gate that asks (M03), before and after."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from audit.core.action import Action
from audit.core.gates import FLOORS, UNPARSEABLE
from audit.measures.measure import Count, Measure, Shares, compared, count
from audit.protocol.engine import Answer, Decided
from audit.replay.change import Compared, stops

MEASURE = Measure(
    "prompt-causes",
    1,
    "distinct commands that ask, of each side",
    "number whose first asking gate is on this surface, floors apart; causes exclude each other",
)
SENTINELS = frozenset({UNPARSEABLE, *FLOORS.values()})


@dataclass(frozen=True, slots=True)
class Cause:
    """One cause on both sides; each share is over the asks of its own side."""

    surface: str
    floor: str | None
    """The sentinel pattern when no rule asks but the core cannot see what runs."""
    baseline: Shares
    candidate: Shares


@dataclass(frozen=True, slots=True)
class Causes:
    """All causes; each side's numerators add up to its asks."""

    measure: Measure
    baseline: Count
    candidate: Count
    causes: tuple[Cause, ...]


def causes(rows: Sequence[Compared]) -> Causes:
    """Count the asks of both sides by their first cause, most on the candidate side first."""
    decided = compared(rows)
    asked = (
        [row for row in decided if row.change.baseline is Action.ASK],
        [row for row in decided if row.change.candidate is Action.ASK],
    )
    totals = count(asked[0]), count(asked[1])
    tallies: tuple[dict[tuple[str, str], Count], dict[tuple[str, str], Count]] = {}, {}
    for tally, side, answers in (
        (tallies[0], asked[0], [row.row.baseline for row in asked[0]]),
        (tallies[1], asked[1], [row.row.candidate for row in asked[1]]),
    ):
        for row, answer in zip(side, answers, strict=True):
            cause = _cause(answer)
            tally[cause] = tally.get(cause, Count()) + Count(1, row.case.occurrences)
    found = [
        Cause(
            surface,
            floor or None,
            tallies[0].get((surface, floor), Count()).of(totals[0]),
            tallies[1].get((surface, floor), Count()).of(totals[1]),
        )
        for surface, floor in sorted({*tallies[0], *tallies[1]})
    ]
    found.sort(key=lambda cause: (-cause.candidate.commands.numerator, -cause.baseline.commands.numerator))
    return Causes(MEASURE, *totals, tuple(found))


def _cause(answer: Answer) -> tuple[str, str]:
    """Return surface and floor of the first gate that asks; empty texts for unknown and none."""
    if not isinstance(answer, Decided):
        return "", ""
    first = next((result for result in stops(answer.decision) if result.effect is Action.ASK), None)
    if first is None:
        return "", ""
    floor = first.matched_pattern if first.matched_pattern in SENTINELS else None
    return first.surface or "", floor or ""
