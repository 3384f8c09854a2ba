"""Block 8: how many bare words become path tokens (M12)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from audit.measures.measure import Count, Measure, Share, Shares, Unit, count
from audit.protocol.engine import Answer
from audit.replay.change import Compared, program_of

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


@dataclass(frozen=True, slots=True)
class _Words:
    survivors: int
    promoted: int


def selectivity(rows: Sequence[Compared]) -> Selectivity:
    """Count surviving and promoted words on both sides."""
    shown: list[tuple[Compared, _Words, _Words]] = []
    for row in rows:
        before = _words(row.row.baseline)
        after = before if row.row.candidate is row.row.baseline else _words(row.row.candidate)
        if before is not None and after is not None:
            shown.append((row, before, after))
    population = count(row for row, _, _ in shown)
    return Selectivity(
        measure=MEASURE,
        population=population,
        baseline=_promotion([(row, words) for row, words, _ in shown], population),
        candidate=_promotion([(row, words) for row, _, words in shown], population),
    )


def _words(answer: Answer) -> _Words | None:
    """Return the counts of one answer; None where it shows no program."""
    program = program_of(answer)
    if program is None:
        return None
    promoted = {candidate.token for candidate in program.candidates if candidate.promoted}
    survivors = program.survivors
    return _Words(len(survivors), sum(word in promoted for word in survivors))


def _promotion(found: Sequence[tuple[Compared, _Words]], population: Count) -> Promotion:
    survivors = sum(words.survivors for _, words in found)
    return Promotion(
        survivors=survivors,
        by_rule=Share(sum(words.promoted for _, words in found), survivors, Unit.WORD),
        commands=count(row for row, words in found if words.promoted).of(population),
    )
