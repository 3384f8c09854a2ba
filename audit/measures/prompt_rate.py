"""Block 4: how much of the traffic asks a person, before and after (M10, M27)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from audit.core.action import Action
from audit.measures.measure import Count, Measure, Shares, compared, count
from audit.protocol.engine import Decided
from audit.replay.arm import Side
from audit.replay.change import Compared, prompts

MEASURE = Measure(
    "prompt-rate",
    1,
    "distinct commands that both sides decided, and the calls they stand for",
    "number whose decision is ask, over the population; prompts: asking gates, every ask granted once",
)


@dataclass(frozen=True, slots=True)
class Prompts:
    """How often a person is interrupted, counted per asking gate rather than per call."""

    commands: int
    """Summed over distinct commands."""
    calls: int
    """Weighted by occurrences."""


@dataclass(frozen=True, slots=True)
class SideRate:
    """The rates of one side."""

    asks: Shares
    denials: Shares
    prompts: Prompts


@dataclass(frozen=True, slots=True)
class PromptRate:
    """Both sides over one population, and the exact difference of their counts.

    The log is the whole population here, so no interval goes with the difference; only a zero carries
    its bound, for the question about future traffic.
    """

    measure: Measure
    population: Count
    baseline: SideRate
    candidate: SideRate
    difference: Count
    """Candidate minus baseline; below zero when the candidate asks less. Numerators over the population."""
    difference_prompts: Prompts
    stops_asking: Shares
    """Asked before, not now; the part of the difference that went away."""
    starts_asking: Shares
    """Not asked before, now: the part that came."""


def prompt_rate(rows: Sequence[Compared]) -> PromptRate:
    """Count asks on both sides over the same rows."""
    decided = compared(rows)
    population = count(decided)
    before = _side(decided, population, Side.BASELINE)
    after = _side(decided, population, Side.CANDIDATE)
    asks = {side: [row for row in decided if _action(row, side) is Action.ASK] for side in Side}
    counts = {side: count(asked) for side, asked in asks.items()}
    stops = count(row for row in asks[Side.BASELINE] if row.change.candidate is not Action.ASK)
    starts = count(row for row in asks[Side.CANDIDATE] if row.change.baseline is not Action.ASK)
    return PromptRate(
        measure=MEASURE,
        population=population,
        baseline=before,
        candidate=after,
        difference=counts[Side.CANDIDATE] - counts[Side.BASELINE],
        difference_prompts=Prompts(
            after.prompts.commands - before.prompts.commands, after.prompts.calls - before.prompts.calls
        ),
        stops_asking=stops.of(population),
        starts_asking=starts.of(population),
    )


def _action(row: Compared, side: Side) -> Action | None:
    return row.change.baseline if side is Side.BASELINE else row.change.candidate


def _prompts(row: Compared, side: Side) -> int:
    answer = row.row.baseline if side is Side.BASELINE else row.row.candidate
    return prompts(answer.decision) if isinstance(answer, Decided) else 0


def _side(rows: Sequence[Compared], population: Count, side: Side) -> SideRate:
    met = [(_prompts(row, side), row.case.occurrences) for row in rows]
    return SideRate(
        asks=count(row for row in rows if _action(row, side) is Action.ASK).of(population),
        denials=count(row for row in rows if _action(row, side) is Action.DENY).of(population),
        prompts=Prompts(sum(number for number, _ in met), sum(number * times for number, times in met)),
    )
