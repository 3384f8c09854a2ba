"""What a gate says (core-bash.md 13, core-policy.md 11): gates, outcomes, results, sentinels.

A gate does not apply, lets the call bypass it, or checks it. Texts are code-unit strings.
"""

from __future__ import annotations

from dataclasses import field
from enum import StrEnum

from audit.core.action import Action
from audit.core.bash.wrappers import Wrapper
from audit.core.policy.rule import Check
from audit.core.record import record

UNPARSEABLE = "<unparseable-bash-command>"
"""Stands for the matched pattern where a command that is not empty has no unit (G8)."""
FLOORS = {
    Wrapper.OPAQUE_PAYLOAD: "<opaque-bash-wrapper>",
    Wrapper.INDIRECTION: "<indirection-bash-wrapper>",
}
"""Stands for the matched pattern where an allow was raised to ask (G10)."""
UNPARSED = "<unparsed-bash-subtree>"
"""Stands for it where a unit did not parse whole (core-bash.md 16.2, `unparsed-floor`)."""


class Gate(StrEnum):
    """The gates, in pipeline order."""

    SKILL_READ = "skill_read"
    PATH = "path"
    EXTERNAL_DIRECTORY = "external_directory"
    BASH_EXTERNAL_DIRECTORY = "bash_external_directory"
    BASH_PATH = "bash_path"
    TOOL = "tool"


class GateOutcome(StrEnum):
    """What a gate made of a call."""

    NONE = "none"
    BYPASS = "bypass"
    CHECK = "check"


@record
class GateResult:
    """What one gate says; members that do not apply are None."""

    gate: Gate
    outcome: GateOutcome
    action: Action | None = None
    surface: str | None = None
    value: str | None = None
    matched_pattern: str | None = None
    """The winning rule's pattern as written, or a sentinel; None where only a default applied."""
    origin: str | None = None
    source: str | None = None
    reason: str | None = None
    context: str | None = None
    """Where a nested command unit was found."""
    paths: tuple[str, ...] | None = None
    """The external paths that are not allowed."""
    subjects: tuple[str, ...] = field(default=(), compare=False)
    """The texts that a session approval offered here would be derived from."""

    @property
    def effect(self) -> Action:
        """What the runner makes of it: what a session or yolo approved passes, whatever the action (11.6)."""
        return Action.ALLOW if self.action is None or self.source in PASSING else self.action


PASSING = frozenset({"session", "yolo"})
"""Sources of a result that lets a call pass although it asks."""

NOT_APPLICABLE = {gate: GateResult(gate, GateOutcome.NONE) for gate in Gate}


def checked(
    gate: Gate,
    check: Check,
    surface: str,
    value: str,
    subjects: tuple[str, ...] = (),
    paths: tuple[str, ...] | None = None,
) -> GateResult:
    """Return the result of a gate that asked about a value on a surface."""
    return GateResult(
        gate,
        GateOutcome.CHECK,
        check.action,
        surface,
        value,
        check.matched_pattern,
        check.origin,
        check.source,
        check.reason,
        None,
        paths,
        subjects,
    )


def denies(result: GateResult) -> bool:
    """Tell whether a result ends the call."""
    return result.action is Action.DENY and result.source != "session"
