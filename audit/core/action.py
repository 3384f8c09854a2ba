"""What a rule or a gate says about a call."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum


class Action(StrEnum):
    """Allow, ask a person, or deny.

    The alphabetical order of the words is their order of strictness, so `max` is the strictest and,
    on ties, the earliest.
    """

    ALLOW = "allow"
    ASK = "ask"
    DENY = "deny"


def strictest(actions: Iterable[Action]) -> Action:
    """Return the strictest action; allow for none."""
    return max(actions, default=Action.ALLOW)
