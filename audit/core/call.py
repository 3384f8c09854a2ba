"""A tool call, as the agent wanted it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from audit.core.record import record


@record
class ToolCall:
    """The name of a tool and the object it was called with.

    `input` is the decoded JSON object; texts in it are ordinary Python strings. Which agent made the
    call is not part of it: the agent selects scopes when a ruleset is composed.
    """

    tool: str
    input: Mapping[str, object] = field(default_factory=dict)


def shell(command: str) -> ToolCall:
    """Return the call of the native shell tool."""
    return ToolCall("bash", {"command": command})
