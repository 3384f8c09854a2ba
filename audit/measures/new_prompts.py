"""Block 6: who is asked now and was not before, with what people answered to the same command earlier."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from audit.log.cases import Outcome
from audit.measures.answers import Answered, answered, outcomes
from audit.measures.finding import Finding, by_finding
from audit.measures.measure import Count, Measure, Shares, compared, count
from audit.replay.change import Compared

MEASURE = Measure(
    "new-prompts",
    1,
    "distinct commands that both sides decided",
    "number allowed by the baseline and asked by the candidate, by what people answered in the log; "
    "beside it the other moves to a stricter decision",
)


@dataclass(frozen=True, slots=True)
class AnsweredBefore:
    """New prompts whose commands people answered alike."""

    answered: Answered
    shares: Shares
    outcomes: Mapping[Outcome, int]


@dataclass(frozen=True, slots=True)
class NewPrompts:
    """All moves to a stricter decision; the first three add up."""

    measure: Measure
    population: Count
    total: Shares
    by_answer: tuple[AnsweredBefore, ...]
    """Adds up to `total`. Always approved is debt: a prompt that brings nothing."""
    from_denial: Shares
    """Prompts where a denial stood before; not in `total`."""
    new_denials: Shares
    """Allowed before, denied now."""
    prompts_to_denials: Shares
    """Asked before, denied now."""


def new_prompts(rows: Sequence[Compared]) -> NewPrompts:
    """Count the rows that the candidate decides more strictly."""
    decided = compared(rows)
    population = count(decided)
    found = by_finding(decided)
    new = found[Finding.NEW_PROMPT]
    by_answer: dict[Answered, list[Compared]] = {kind: [] for kind in Answered}
    for row in new:
        by_answer[answered(row.case)].append(row)
    return NewPrompts(
        measure=MEASURE,
        population=population,
        total=count(new).of(population),
        by_answer=tuple(
            AnsweredBefore(kind, count(these).of(population), outcomes(row.case for row in these))
            for kind, these in by_answer.items()
        ),
        from_denial=count(found[Finding.DENIAL_TO_PROMPT]).of(population),
        new_denials=count(found[Finding.NEW_DENIAL]).of(population),
        prompts_to_denials=count(found[Finding.PROMPT_TO_DENIAL]).of(population),
    )
