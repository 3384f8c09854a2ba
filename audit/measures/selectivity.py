"""Block 8: how many bare words become path tokens (M12)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from audit.measures.measure import Count, Measure, Share, Shares, Unit, count
from audit.protocol.engine import Answer
from audit.replay.change import Compared, program_of
from audit.replay.promotion import NO_WORDS, WordFacts

MEASURE = Measure(
    "promotion-selectivity",
    2,
    "distinct words, in distinct shell commands that both sides show, without the shape of a path that no "
    "rejection of core-bash.md 9 C1 strikes out",
    "words that a path rule names (by rule) over surviving words; words that name an existing entry over "
    "words asked about, a range where it is not known whether some exist; commands decided otherwise without",
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
    asked: int
    """Paths that bare words could name, of which it was asked whether they exist; 0: nothing is known."""
    existing: int
    unknown: int
    """Of those asked about; at least `existing` exist and at most as many more as `unknown`."""
    changed: Shares | None
    """Commands decided otherwise than if no bare word were a path; None for an engine that is not ours."""


@dataclass(frozen=True, slots=True)
class Selectivity:
    """Both sides over one population. What exists is known from a world, never from a log."""

    measure: Measure
    population: Count
    baseline: Promotion
    candidate: Promotion


@dataclass(frozen=True, slots=True)
class _Words:
    survivors: int
    promoted: int


SideWords = Mapping[str, WordFacts]
"""By case; None in its place for an engine whose words cannot be read."""


def selectivity(
    rows: Sequence[Compared], words: tuple[SideWords | None, SideWords | None] = (None, None)
) -> Selectivity:
    """Count surviving, existing and promoted words on both sides."""
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
        baseline=_promotion([(row, found) for row, found, _ in shown], population, words[0]),
        candidate=_promotion([(row, found) for row, _, found in shown], population, words[1]),
    )


def _words(answer: Answer) -> _Words | None:
    """Return the counts of one answer; None where it shows no program."""
    program = program_of(answer)
    if program is None:
        return None
    promoted = {candidate.token for candidate in program.candidates if candidate.promoted}
    survivors = program.survivors
    return _Words(len(survivors), sum(word in promoted for word in survivors))


def _promotion(
    found: Sequence[tuple[Compared, _Words]], population: Count, facts: SideWords | None
) -> Promotion:
    survivors = sum(words.survivors for _, words in found)
    known = {} if facts is None else facts
    of_rows = [(row, known.get(row.case.id, NO_WORDS)) for row, _ in found]
    return Promotion(
        survivors=survivors,
        by_rule=Share(sum(words.promoted for _, words in found), survivors, Unit.WORD),
        commands=count(row for row, words in found if words.promoted).of(population),
        asked=sum(one.asked for _, one in of_rows),
        existing=sum(one.existing for _, one in of_rows),
        unknown=sum(one.unknown for _, one in of_rows),
        changed=None if facts is None else count(row for row, one in of_rows if one.changed).of(population),
    )
