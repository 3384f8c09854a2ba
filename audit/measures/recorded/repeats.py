"""The same question asked again."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise

from audit.log.cases import Outcome
from audit.measures.measure import Measure, Share, Unit
from audit.measures.recorded.questions import by_question
from audit.measures.recorded.requests import ANSWERED, Logged, moments, percentile, shown

MEASURE = Measure(
    "repeats",
    1,
    "asks that a person saw and whose whole value the log tells",
    "asks of the same gate, tool and value as an earlier one; time between neighbours of the same question; "
    "answers of each question asked more than once",
)

SPANS = ((60_000, "within a minute"), (3_600_000, "within an hour"), (86_400_000, "within a day"))
LATER = "later than a day"


class Answers(StrEnum):
    """What people answered to one question asked more than once."""

    APPROVED = "always approved"
    REFUSED = "always refused"
    MIXED = "approved and refused"
    NEVER = "never answered"


@dataclass(frozen=True, slots=True)
class AnswersTo:
    """Questions asked more than once that were answered alike."""

    answers: Answers
    questions: int
    asks: int


@dataclass(frozen=True, slots=True)
class Within:
    """Repeats so soon after the same question before."""

    span: str
    repeats: int


@dataclass(frozen=True, slots=True)
class Between:
    """Times between an ask and the same one before, in milliseconds; None of nothing."""

    repeats: int
    """Those with usable stamps."""
    median: int | None
    p95: int | None
    longest: int | None


@dataclass(frozen=True, slots=True)
class Repeats:
    """How often people are asked what they were asked before."""

    measure: Measure
    asks: int
    questions: int
    """Distinct prompts."""
    repeats: Share
    """Asks that are not the first of their question: `asks` less `questions`, over `asks`."""
    asked_again: Share
    """Distinct prompts asked more than once, over all distinct prompts."""
    most: int | None
    """How often the most frequent one was asked."""
    between: Between
    within: tuple[Within, ...]
    """Adds up to `between.repeats`."""
    answers: tuple[AnswersTo, ...]
    """Of the questions asked more than once; adds up to them."""
    untold: int
    """Asks whose value the log does not tell, or not all of it: in no figure above."""


def repeats(requests: Sequence[Logged]) -> Repeats:
    """Count questions that were asked again."""
    seen = shown(requests)
    questions = list(by_question(seen).values())
    known = sum(map(len, questions))
    again = [asked for asked in questions if len(asked) > 1]
    gaps = sorted(later - earlier for asked in again for earlier, later in pairwise(moments(asked)))
    return Repeats(
        measure=MEASURE,
        asks=known,
        questions=len(questions),
        repeats=Share(known - len(questions), known, Unit.PROMPT),
        asked_again=Share(len(again), len(questions), Unit.DISTINCT_PROMPT),
        most=max(map(len, questions), default=None),
        between=Between(len(gaps), percentile(gaps, 50), percentile(gaps, 95), gaps[-1] if gaps else None),
        within=_within(gaps),
        answers=_answers(again),
        untold=len(seen) - known,
    )


def answers_to(asked: Iterable[Logged]) -> Answers:
    """Return what people answered to one question."""
    given = {one.outcome is Outcome.DENIED for one in asked if one.outcome in ANSWERED}
    if len(given) == 2:
        return Answers.MIXED
    return Answers.NEVER if not given else Answers.REFUSED if True in given else Answers.APPROVED


def _within(gaps: Iterable[int]) -> tuple[Within, ...]:
    counted = dict.fromkeys([*(name for _, name in SPANS), LATER], 0)
    for gap in gaps:
        counted[next((name for most, name in SPANS if gap <= most), LATER)] += 1
    return tuple(Within(span, number) for span, number in counted.items())


def _answers(again: Iterable[Sequence[Logged]]) -> tuple[AnswersTo, ...]:
    questions = dict.fromkeys(Answers, 0)
    asks = dict.fromkeys(Answers, 0)
    for asked in again:
        kind = answers_to(asked)
        questions[kind] += 1
        asks[kind] += len(asked)
    return tuple(AnswersTo(kind, questions[kind], asks[kind]) for kind in Answers)
