"""Block 3: what the baseline decides against what the candidate decides (M10)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from audit.core.action import Action
from audit.measures.measure import Count, Measure, compared, count
from audit.protocol.engine import Failed
from audit.replay.arm import Side
from audit.replay.change import ChangeClass, Compared, Differs

MEASURE = Measure(
    "change-matrix",
    1,
    "distinct commands that both sides decided",
    "number with baseline decision i and candidate decision j, for i, j in allow, ask, deny",
)


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell of the matrix."""

    baseline: Action
    candidate: Action
    count: Count


@dataclass(frozen=True, slots=True)
class ChangeMatrix:
    """Nine cells that add up to the population; failures stand apart."""

    measure: Measure
    population: Count
    cells: tuple[Cell, ...]
    """Row by row: allow, ask, deny of the baseline, and within a row of the candidate."""
    unchanged: Count
    other_reason: Count
    """Part of the diagonal, as `unchanged` is: the two add up to it."""
    changed: Count
    differs: Mapping[Differs, Count]
    """In what the reasons of `other_reason` differ; a command can differ in several."""
    failed: Count
    failures: Mapping[str, int]
    """Failed answers by side and kind, `candidate too-large`; a command can fail on both sides."""

    def cell(self, baseline: Action, candidate: Action) -> Count:
        """Return the count of one cell."""
        return next(
            cell.count for cell in self.cells if (cell.baseline, cell.candidate) == (baseline, candidate)
        )


def change_matrix(rows: Sequence[Compared]) -> ChangeMatrix:
    """Count every row into the matrix or among the failures."""
    cells = {(before, after): Count() for before in Action for after in Action}
    differs = dict.fromkeys(Differs, Count())
    classes = dict.fromkeys(ChangeClass, Count())
    failures: Counter[str] = Counter()
    for row in rows:
        change, one = row.change, Count(1, row.case.occurrences)
        classes[change.kind] += one
        if change.baseline is None or change.candidate is None:
            failures.update(_failures(row))
            continue
        cells[change.baseline, change.candidate] += one
        for kind in change.differs:
            differs[kind] += one
    return ChangeMatrix(
        measure=MEASURE,
        population=count(compared(rows)),
        cells=tuple(Cell(before, after, counted) for (before, after), counted in cells.items()),
        unchanged=classes[ChangeClass.UNCHANGED],
        other_reason=classes[ChangeClass.OTHER_REASON],
        changed=classes[ChangeClass.DECISION],
        differs=differs,
        failed=classes[ChangeClass.FAILED],
        failures=dict(sorted(failures.items())),
    )


def _failures(row: Compared) -> list[str]:
    answers = ((Side.BASELINE, row.row.baseline), (Side.CANDIDATE, row.row.candidate))
    return [f"{side} {answer.kind}" for side, answer in answers if isinstance(answer, Failed)]
