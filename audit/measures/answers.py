"""What people answered to a case in the log. Only a person's yes or no is an answer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from enum import StrEnum

from audit.log.cases import Case, Outcome

APPROVALS = frozenset({Outcome.APPROVED, Outcome.APPROVED_FOR_SESSION})
REFUSALS = frozenset({Outcome.DENIED})
"""A time-out, an absent person, a rule or an authorizing program is not a person's refusal."""


class Answered(StrEnum):
    """What people made of the requests of one case; each case has exactly one."""

    REFUSED = "refused"
    """A person refused at least once, whatever else was answered."""
    NEVER = "never answered"
    """No person said yes or no: pending, timed out, decided by a rule or a program, or never asked."""
    APPROVED = "always approved"
    """Every answer a person gave was a yes, and there was at least one."""


def answered(case: Case) -> Answered:
    """Classify a case by the answers that people gave."""
    if any(case.outcomes.get(outcome, 0) for outcome in REFUSALS):
        return Answered.REFUSED
    if any(case.outcomes.get(outcome, 0) for outcome in APPROVALS):
        return Answered.APPROVED
    return Answered.NEVER


def outcomes(cases: Iterable[Case]) -> Mapping[Outcome, int]:
    """Add up how the requests of several cases ended, in the order of the outcomes' declaration."""
    total: Counter[Outcome] = Counter()
    for case in cases:
        total.update(case.outcomes)
    return {outcome: total[outcome] for outcome in Outcome if total[outcome]}
