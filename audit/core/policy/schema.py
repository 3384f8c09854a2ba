"""The shape of policy documents as JSON schemas (core-policy.md 2.3).

Lengths count code units. Each schema says in `description` what may stand there, in the words a mistake
is reported with.
"""

from __future__ import annotations

from audit.core.action import Action

Schema = dict[str, object]

ACTIONS = [action.value for action in Action]
LONGEST_REASON = 500
LARGEST_INTEGER = 2**53 - 1

_DENY_OBJECT = '{"action": "deny", "reason": text}'
_PATTERN_VALUE = f"allow, ask, deny or {_DENY_OBJECT}"
_SURFACE_VALUE = f"allow, ask or deny, or an object from patterns to {_PATTERN_VALUE}"

_BOOLEAN: Schema = {"type": "boolean", "description": "true or false"}
_TEXT: Schema = {"type": "string", "description": "a text"}
_NAME: Schema = {"type": "string", "minLength": 1, "description": "a text that is not empty"}
_LENGTH: Schema = {
    "type": "integer",
    "minimum": 1,
    "maximum": LARGEST_INTEGER,
    "description": "a whole number from 1 up",
}


def _closed(properties: dict[str, Schema], description: str, required: tuple[str, ...] = ()) -> Schema:
    return {
        "type": "object",
        "properties": properties,
        "required": list(required),
        "additionalProperties": False,
        "description": description,
    }


def _map(values: Schema, key: str, description: str) -> Schema:
    return {
        "type": "object",
        "propertyNames": {"minLength": 1, "description": key},
        "additionalProperties": values,
        "description": description,
    }


def _action_or(other: Schema, description: str) -> Schema:
    return {
        "if": {"type": "string"},
        "then": {"enum": ACTIONS, "description": description},
        "else": other,
    }


def _permission(longest_reason: int | None) -> Schema:
    reason: Schema = {"type": "string", "description": "a text"}
    if longest_reason is not None:
        reason = {
            "type": "string",
            "maxLength": longest_reason,
            "description": f"a text of at most {longest_reason} characters",
        }
    action: Schema = {"const": "deny", "description": "deny; allow and ask are written without an object"}
    deny = _closed({"action": action, "reason": reason}, _PATTERN_VALUE, ("action",))
    patterns = _map(_action_or(deny, _PATTERN_VALUE), "a pattern that is not empty", _SURFACE_VALUE)
    return _map(
        _action_or(patterns, _SURFACE_VALUE),
        "a tool name, bash, mcp, skill, path, external_directory or *",
        f"an object from surfaces to {_SURFACE_VALUE}",
    )


PERMISSION = _permission(LONGEST_REASON)
AGENT_PERMISSION = _permission(None)
"""Agent files are filtered instead of checked, and their reasons have no limit (3)."""

_SHELL_TOOL = _closed(
    {"commandArgument": _NAME, "workdirArgument": _NAME},
    '{"commandArgument": text, "workdirArgument": text}, the second where the tool has one',
    ("commandArgument",),
)

KNOBS: dict[str, Schema] = {
    "$schema": _TEXT,
    "debugLog": _BOOLEAN,
    "permissionReviewLog": _BOOLEAN,
    "yoloMode": _BOOLEAN,
    "doublePressToConfirm": _BOOLEAN,
    "toolInputPreviewMaxLength": _LENGTH,
    "toolTextSummaryMaxLength": _LENGTH,
    "piInfrastructureReadPaths": {
        "type": "array",
        "items": _NAME,
        "description": "a list of directories or patterns, each a text that is not empty",
    },
    "shellTools": _map(
        _SHELL_TOOL, "a tool name that is not empty", "an object from tool names to their argument names"
    ),
}
"""The keys of a configuration file beside `permission`."""

CONFIG_FILE = _closed({**KNOBS, "permission": PERMISSION}, "an object in braces")

BUNDLE_KEYS = frozenset({"project", "agents", "project_agents", "config", "mcp_servers"})
"""Keys that tell a bundle of scopes from a configuration file."""


def _by_agent(description: str) -> Schema:
    return {"type": "object", "additionalProperties": AGENT_PERMISSION, "description": description}


BUNDLE = _closed(
    {
        "permission": PERMISSION,
        "project": PERMISSION,
        "agents": _by_agent("an object from agent names to permission objects"),
        "project_agents": _by_agent("an object from agent names to permission objects"),
        "config": _closed(KNOBS, "an object of configuration keys other than permission"),
        "mcp_servers": {"type": "array", "items": _TEXT, "description": "a list of server names"},
    },
    "an object in braces",
)
"""All scopes in one document, in the words of the engine protocol."""

SURFACES = frozenset(
    {"bash", "mcp", "skill", "path", "external_directory", "read", "write", "edit", "find", "grep", "ls"}
)
"""Surfaces that every agent has; a policy may name others."""

OLD_KEYS = {
    "defaultPolicy": '`defaultPolicy.tools` is now `permission["*"]`; the default of one surface is the '
    "first entry `*` of its map",
    "tools": "each `tools.NAME` is now `permission.NAME`",
    "bash": "it is now `permission.bash`",
    "mcp": "it is now `permission.mcp`",
    "skills": "it is now `permission.skill`",
    "special": "`special.external_directory` is now `permission.external_directory`, the rest is gone",
    "external_directory": "it is now `permission.external_directory`",
}
"""Top-level keys of the form before the flat one, and where their content belongs (2.6)."""
