"""Block 7: what the two sides see in a command, whatever they decide (M07, M09)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from audit.measures.measure import Count, Measure, Shares, count
from audit.replay.change import ChangeClass, Compared, ProgramChange, program_of

MEASURE = Measure(
    "candidate-sets",
    1,
    "distinct shell commands whose program both sides show",
    "number whose units, external paths or path tokens differ as sets; members only one side sees; "
    "freshly external: none before and some now; vanished: the reverse",
)


@dataclass(frozen=True, slots=True)
class SetDelta:
    """The change of one set: units, external paths or path tokens."""

    changed: Shares
    """Commands whose set differs."""
    lost: int
    """Members that only the baseline sees, over distinct commands."""
    gained: int
    """Members that only the candidate sees."""


@dataclass(frozen=True, slots=True)
class CandidateSets:
    """The deltas, and how far they reach: seen differently, decided differently."""

    measure: Measure
    population: Count
    units: SetDelta
    external: SetDelta
    candidates: SetDelta
    freshly_external: Shares
    vanished: Shares
    any_changed: Shares
    any_changed_and_decision: Shares
    """Commands that are seen differently and decided differently."""


def candidate_sets(rows: Sequence[Compared]) -> CandidateSets:
    """Compare what both sides see in the same commands."""
    shown = [row for row in rows if program_of(row.row.baseline) and program_of(row.row.candidate)]
    population = count(shown)
    changed = [(row, row.change.program) for row in shown if row.change.program is not None]

    def shares(holds: Callable[[ProgramChange], bool]) -> Shares:
        return count(row for row, change in changed if holds(change)).of(population)

    def delta(
        lost: Callable[[ProgramChange], tuple[str, ...]], gained: Callable[[ProgramChange], tuple[str, ...]]
    ) -> SetDelta:
        return SetDelta(
            changed=shares(lambda change: bool(lost(change) or gained(change))),
            lost=sum(len(lost(change)) for _, change in changed),
            gained=sum(len(gained(change)) for _, change in changed),
        )

    return CandidateSets(
        measure=MEASURE,
        population=population,
        units=delta(lambda change: change.units_lost, lambda change: change.units_gained),
        external=delta(lambda change: change.external_lost, lambda change: change.external_gained),
        candidates=delta(lambda change: change.candidates_lost, lambda change: change.candidates_gained),
        freshly_external=shares(lambda change: change.freshly_external),
        vanished=shares(lambda change: change.external_vanished),
        any_changed=shares(lambda _: True),
        any_changed_and_decision=count(
            row for row, _ in changed if row.change.kind is ChangeClass.DECISION
        ).of(population),
    )
