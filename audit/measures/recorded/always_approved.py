"""Prompts that people always approve: debt that a rule could pay."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from audit.log.cases import Outcome
from audit.measures.measure import Bound, Measure, Share, Unit
from audit.measures.recorded.latency import wait_of
from audit.measures.recorded.questions import Question, by_question
from audit.measures.recorded.requests import ANSWERED, Logged, shown

LEAST_ANSWERS = 5
"""With fewer answers, always says little: after five the bound on a refusal is still three in five."""

MEASURE = Measure(
    "always-approved",
    1,
    "asks that a person saw and whose whole value the log tells",
    "distinct prompts with at least the stated number of answers, all of them yes; the asks and the waiting "
    "that they cost",
)


@dataclass(frozen=True, slots=True)
class Debt:
    """One distinct prompt that was approved every time."""

    surface: str
    tool: str
    value: str
    pattern: str | None
    """The rule pattern that its last ask told, if it told one."""
    answers: int
    asks: int
    """Answered, and left open."""
    waited: int
    """Milliseconds between questions and answers, where both have usable stamps."""
    refusals: Bound
    """The upper bound that the missing refusal comes with."""


@dataclass(frozen=True, slots=True)
class AlwaysApproved:
    """All such prompts, those with the most asks first."""

    measure: Measure
    least_answers: int
    questions: Share
    """Over the distinct prompts with at least so many answers."""
    asks: Share
    """Over all asks that people saw and whose value is told."""
    waited: int
    """Milliseconds, all of them together."""
    debts: tuple[Debt, ...]


def always_approved(requests: Sequence[Logged], least_answers: int = LEAST_ANSWERS) -> AlwaysApproved:
    """Find the prompts that were approved every time, at least so many times."""
    questions = by_question(shown(requests))
    known = sum(map(len, questions.values()))
    often = {
        question: asked
        for question, asked in questions.items()
        if sum(one.outcome in ANSWERED for one in asked) >= least_answers
    }
    debts = [
        _debt(question, asked)
        for question, asked in often.items()
        if all(one.outcome is not Outcome.DENIED for one in asked)
    ]
    debts.sort(key=lambda debt: (-debt.asks, -debt.answers, debt.surface, debt.tool, debt.value))
    return AlwaysApproved(
        measure=MEASURE,
        least_answers=least_answers,
        questions=Share(len(debts), len(often), Unit.DISTINCT_PROMPT),
        asks=Share(sum(debt.asks for debt in debts), known, Unit.PROMPT),
        waited=sum(debt.waited for debt in debts),
        debts=tuple(debts),
    )


def _debt(question: Question, asked: Sequence[Logged]) -> Debt:
    answers = sum(one.outcome in ANSWERED for one in asked)
    last = max(asked, key=lambda one: (one.moment or 0, one.surface, one.request.pattern or ""))
    return Debt(
        surface=last.surface,
        tool=question.tool,
        value=question.value,
        pattern=last.request.pattern,
        answers=answers,
        asks=len(asked),
        waited=sum(wait_of(one) or 0 for one in asked if one.outcome in ANSWERED),
        refusals=Bound(min(3, answers), answers, Unit.PROMPT),
    )
