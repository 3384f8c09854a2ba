"""What a changed row means to a person. Each row has exactly one finding, so none escapes a counter."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum

from audit.core.action import Action
from audit.measures.answers import Answered, answered
from audit.replay.change import ChangeClass, Compared


class Finding(StrEnum):
    """The findings, in the order in which a reader should look at them."""

    DENIED_BEFORE = "denied_before"
    """Denied before, allowed now."""
    REFUSED_BEFORE = "refused_before"
    """Asked before and refused by a person at least once, allowed now."""
    NEVER_ANSWERED = "never_answered"
    """Asked before and never answered by a person, allowed now."""
    COVERAGE_LOST = "coverage_lost"
    """Same decision, but a unit or path that the baseline saw is no longer seen."""
    DENIAL_TO_PROMPT = "denial_to_prompt"
    """Denied before, asks now: a person can let it through."""
    ALWAYS_APPROVED = "always_approved"
    """Asked before and approved whenever a person answered, allowed now: a relieved prompt."""
    NEW_PROMPT = "new_prompt"
    """Allowed before, asks now."""
    NEW_DENIAL = "new_denial"
    """Allowed before, denied now."""
    PROMPT_TO_DENIAL = "prompt_to_denial"
    """Asked before, denied now."""
    OTHER_REASON = "other_reason"
    """Same decision for another reason, nothing lost from sight."""
    UNCHANGED = "unchanged"
    FAILED = "failed"
    """One side or both could not answer."""


_MOVES = {
    (Action.DENY, Action.ALLOW): Finding.DENIED_BEFORE,
    (Action.DENY, Action.ASK): Finding.DENIAL_TO_PROMPT,
    (Action.ALLOW, Action.ASK): Finding.NEW_PROMPT,
    (Action.ALLOW, Action.DENY): Finding.NEW_DENIAL,
    (Action.ASK, Action.DENY): Finding.PROMPT_TO_DENIAL,
}
_ALLOWED_AFTER_ASK = {
    Answered.REFUSED: Finding.REFUSED_BEFORE,
    Answered.NEVER: Finding.NEVER_ANSWERED,
    Answered.APPROVED: Finding.ALWAYS_APPROVED,
}


def finding(row: Compared) -> Finding:
    """Return the one finding of a row."""
    change = row.change
    if change.kind is ChangeClass.FAILED or change.baseline is None or change.candidate is None:
        return Finding.FAILED
    if change.kind is ChangeClass.DECISION:
        if (change.baseline, change.candidate) == (Action.ASK, Action.ALLOW):
            return _ALLOWED_AFTER_ASK[answered(row.case)]
        return _MOVES[change.baseline, change.candidate]
    if change.program is not None and change.program.lost:
        return Finding.COVERAGE_LOST
    return Finding.OTHER_REASON if change.kind is ChangeClass.OTHER_REASON else Finding.UNCHANGED


def by_finding(rows: Iterable[Compared]) -> dict[Finding, list[Compared]]:
    """Return the rows of each finding, in their order; a finding without rows has an empty list."""
    found: dict[Finding, list[Compared]] = {kind: [] for kind in Finding}
    for row in rows:
        found[finding(row)].append(row)
    return found
