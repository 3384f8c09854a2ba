"""How much of what the log recorded the baseline reproduces; what it does not is drift, not change."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from audit.core.action import Action
from audit.log.cases import Case, Exactness, Outcome
from audit.measures.measure import Measure, Share, Unit
from audit.replay.agreement import ASKED
from audit.replay.change import Compared

MEASURE = Measure(
    "fidelity",
    1,
    "distinct commands replayed exactly or on assumptions whose logged requests tell one decision",
    "number whose baseline decision is the recorded one",
)


@dataclass(frozen=True, slots=True)
class Fidelity:
    """Agreement with the log, and how many commands could not take part."""

    measure: Measure
    agree: Share
    mixed: int
    """Commands recorded both as asked and as denied by a rule: the policy moved, or several gates spoke."""
    untold: int
    """Commands that the log shows only through session approvals, automatic modes or errors, and those
    replayed in part."""


def recorded(case: Case) -> Action | None:
    """Return the one static decision that the outcomes of a case tell; None when they tell none or two."""
    asked = any(case.outcomes.get(outcome, 0) for outcome in ASKED)
    denied = bool(case.outcomes.get(Outcome.POLICY_DENIED, 0))
    if asked == denied:
        return None
    return Action.ASK if asked else Action.DENY


def fidelity(rows: Sequence[Compared]) -> Fidelity:
    """Compare the baseline's decisions with what the log recorded."""
    agree = of = mixed = untold = 0
    for row in rows:
        if row.change.baseline is None:
            continue
        told = recorded(row.case)
        if row.case.exactness not in (Exactness.EXACT, Exactness.ASSUMED):
            untold += 1
        elif told is None:
            if row.case.outcomes.get(Outcome.POLICY_DENIED, 0):
                mixed += 1
            else:
                untold += 1
        else:
            of += 1
            agree += row.change.baseline is told
    return Fidelity(MEASURE, Share(agree, of, Unit.COMMAND), mixed, untold)
