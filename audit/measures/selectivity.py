"""Block 8: how many bare words become path tokens (M12)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from audit.measures.measure import Count, Measure, Share, Shares, Unit, count
from audit.protocol.engine import Answer, Decided
from audit.replay.arm import Side
from audit.replay.change import Compared

MEASURE = Measure(
    "promotion-selectivity",
    1,
    "distinct words, in distinct shell commands that both sides show, without the shape of a path that no "
    "rejection of core-bash.md 9 C1 strikes out",
    "words that a path rule names (by rule) over surviving words; what exists is not known to this measure",
)


@dataclass(frozen=True, slots=True)
class Promotion:
    """The promotion of one side."""

    survivors: int
    """Bare words that survive; the same word in two commands counts twice."""
    by_rule: Share
    """Promoted because a `path` rule that does not allow names them, over the survivors."""
    commands: Shares
    """Commands with at least one promoted word."""


@dataclass(frozen=True, slots=True)
class Selectivity:
    """Both sides over one population. Promotion by existence takes facts that no log holds."""

    measure: Measure
    population: Count
    baseline: Promotion
    candidate: Promotion


def selectivity(rows: Sequence[Compared]) -> Selectivity:
    """Count surviving and promoted words on both sides."""
    shown = [row for row in rows if _words(row.row.baseline) and _words(row.row.candidate)]
    population = count(shown)
    return Selectivity(
        measure=MEASURE,
        population=population,
        baseline=_promotion(shown, population, Side.BASELINE),
        candidate=_promotion(shown, population, Side.CANDIDATE),
    )


@dataclass(frozen=True, slots=True)
class _Words:
    survivors: int
    promoted: int


def _words(answer: Answer) -> _Words | None:
    """Return the counts of one answer; None where it shows no program."""
    if not isinstance(answer, Decided) or answer.decision.program is None:
        return None
    program = answer.decision.program
    promoted = {candidate.token for candidate in program.candidates if candidate.promoted}
    survivors = program.survivors
    return _Words(len(survivors), sum(word in promoted for word in survivors))


def _promotion(rows: Sequence[Compared], population: Count, side: Side) -> Promotion:
    survivors = promoted = 0
    with_promoted: list[Compared] = []
    for row in rows:
        words = _words(row.row.baseline if side is Side.BASELINE else row.row.candidate)
        if words is None:
            continue
        survivors += words.survivors
        promoted += words.promoted
        if words.promoted:
            with_promoted.append(row)
    return Promotion(survivors, Share(promoted, survivors, Unit.WORD), count(with_promoted).of(population))
