"""What an approval for the session grants (core-policy.md 14.1)."""

from __future__ import annotations

from audit.core.gates import Gate, GateOutcome, GateResult
from audit.core.paths.flavor import flavor
from audit.core.place import Platform
from audit.core.policy.approval import bash_suggestion, directory_pattern, mcp_suggestion

Grant = tuple[str, str]
"""A surface and a pattern, for `Ruleset.with_session`."""

ANYTHING = "*"


def grants_of(result: GateResult, platform: Platform) -> tuple[Grant, ...]:
    """Return what the approval offered at a gate would record; empty where none is offered.

    Texts are code-unit strings, as in the result of a gate.
    """
    if result.outcome is not GateOutcome.CHECK or result.surface is None or result.gate is Gate.SKILL_READ:
        return ()
    surface = result.surface
    if result.gate is Gate.TOOL and surface == "bash":
        patterns = [bash_suggestion(unit) for unit in result.subjects]
    elif result.gate is Gate.TOOL and surface == "mcp":
        patterns = [mcp_suggestion(target) for target in result.subjects]
    elif result.subjects:
        patterns = [directory_pattern(path, flavor(platform)) for path in result.subjects]
    else:
        patterns = [ANYTHING]
    return tuple((surface, pattern) for pattern in patterns)
