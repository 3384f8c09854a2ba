"""Block 5: what the candidate lets through that the baseline did not (the ladder; never netted)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from audit.log.cases import Outcome
from audit.measures.answers import outcomes
from audit.measures.finding import Finding, by_finding
from audit.measures.measure import Count, Measure, Shares, compared, count
from audit.replay.change import ChangeClass, Compared

MEASURE = Measure(
    "bypass-ladder",
    1,
    "distinct commands that both sides decided",
    "number that moved to allow, by the baseline's decision and by what people answered before; beside "
    "them those with the same decision that lost a unit or path from sight; nothing is set off",
)
RUNGS = (
    Finding.DENIED_BEFORE,
    Finding.REFUSED_BEFORE,
    Finding.NEVER_ANSWERED,
    Finding.ALWAYS_APPROVED,
    Finding.COVERAGE_LOST,
)


@dataclass(frozen=True, slots=True)
class Rung:
    """One rung; no command stands on two."""

    finding: Finding
    shares: Shares
    outcomes: Mapping[Outcome, int]
    """How the logged requests of these commands ended."""


@dataclass(frozen=True, slots=True)
class BypassLadder:
    """The rungs, worst first, and what lies beside them."""

    measure: Measure
    population: Count
    rungs: tuple[Rung, ...]
    softened: Shares
    """Denied before, asks now: no bypass, but a person can let it through."""
    coverage_lost_in_changed: Shares
    """Commands that lost a unit or path and changed their decision too; counted where they changed."""


def bypass_ladder(rows: Sequence[Compared]) -> BypassLadder:
    """Put every loosened row on its rung."""
    decided = compared(rows)
    population = count(decided)
    found = by_finding(decided)
    both = (
        row
        for row in decided
        if row.change.kind is ChangeClass.DECISION
        and row.change.program is not None
        and row.change.program.lost
    )
    return BypassLadder(
        measure=MEASURE,
        population=population,
        rungs=tuple(
            Rung(kind, count(found[kind]).of(population), outcomes(row.case for row in found[kind]))
            for kind in RUNGS
        ),
        softened=count(found[Finding.DENIAL_TO_PROMPT]).of(population),
        coverage_lost_in_changed=count(both).of(population),
    )
