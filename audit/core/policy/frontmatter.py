"""Permissions in the frontmatter of agent files (core-policy.md 3).

The format looks like YAML and is not: nested `key: value` lines, split at the first colon. What cannot be
used is dropped without a word by the reference; here it is dropped and named.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from audit.core.action import Action
from audit.core.ecma import WHITESPACE, trim

_START = "---\n"
_END = "\n---"
_QUOTES = "'\""
_DISCARDED = "__proto__"
_ACTIONS = frozenset(action.value for action in Action)
_PLAIN_KEY = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")

_Map = dict[str, "str | _Map"]


@dataclass(frozen=True, slots=True)
class DroppedEntry:
    """An entry of an agent file that made no rule."""

    path: str
    """The place inside the frontmatter, `permission.bash["rm *"]`, or `line 4`."""
    found: str
    reason: str

    def __str__(self) -> str:
        return f"{self.path}: {self.found}: {self.reason}"


@dataclass(frozen=True, slots=True)
class AgentDocument:
    """What an agent file says about permissions."""

    permission: Mapping[str, object] | None
    """A permission object, or None where the file makes no scope."""
    dropped: tuple[DroppedEntry, ...] = ()


def read_agent(text: str) -> AgentDocument:
    """Read the permissions of an agent file. Nothing in it is an error."""
    block = _block(text.replace("\r\n", "\n"))
    if block is None:
        return AgentDocument(None)
    tree, skipped = _parse(block)
    if "permission" not in tree:
        return AgentDocument(None)
    dropped = list(skipped)
    permission = _usable_permission(tree["permission"], dropped)
    return AgentDocument(permission or None, tuple(dropped))


def _block(text: str) -> str | None:
    """Return the text between the two marker lines; None where there is no frontmatter."""
    if not text.startswith(_START):
        return None
    end = text.find(_END, len(_START))
    return text[len(_START) : end] if end > len(_START) else None


def _parse(block: str) -> tuple[_Map, list[DroppedEntry]]:
    """Return the tree of maps and texts, and the lines inside `permission` that are no entry."""
    tree: _Map = {}
    open_maps: list[tuple[int, str, _Map]] = [(-1, "", tree)]
    skipped: list[DroppedEntry] = []
    for number, line in enumerate(block.split("\n"), start=2):
        content = trim(line)
        if not content or content.startswith("#"):
            continue
        left, colon, right = content.partition(":")
        if not colon or not left:
            if any(key == "permission" for _, key, _ in open_maps[1:2]):
                reason = "a line without `key:` is skipped"
                skipped.append(DroppedEntry(f"line {number}", f"`{content}`", reason))
            continue
        indent = len(line) - len(line.lstrip(WHITESPACE))
        while open_maps[-1][0] >= indent:
            open_maps.pop()
        key, value = _unquoted_key(trim(left)), trim(right)
        entry: str | _Map = _unquoted_value(value) if value else {}
        if key != _DISCARDED:
            open_maps[-1][2][key] = entry
        if isinstance(entry, dict):
            open_maps.append((indent, key, entry))
    return tree, skipped


def _unquoted_key(key: str) -> str:
    if key[:1] in _QUOTES:
        key = key[1:]
    return key[:-1] if key[-1:] in _QUOTES else key


def _unquoted_value(value: str) -> str:
    return value[1:-1] if value[0] in _QUOTES and value[-1] == value[0] else value


def _usable_permission(entry: str | _Map, dropped: list[DroppedEntry]) -> dict[str, object]:
    """Return the part of `permission` that makes rules; append the rest to `dropped`."""
    if isinstance(entry, str):
        reason = "only entries on lines of their own below `permission:` are read"
        dropped.append(DroppedEntry("permission", f"`{entry}`", reason))
        return {}
    permission: dict[str, object] = {}
    for surface, value in entry.items():
        path = f"permission{_step(surface)}"
        if isinstance(value, str):
            if value in _ACTIONS:
                permission[surface] = value
            else:
                dropped.append(DroppedEntry(path, f"`{value}`", _why_no_action(surface, value)))
            continue
        patterns = dict(_usable_patterns(value, path, dropped))
        if patterns:
            permission[surface] = patterns
        elif not value:
            dropped.append(DroppedEntry(path, "nothing below it", "a surface needs an action or patterns"))
    return permission


def _usable_patterns(entry: _Map, path: str, dropped: list[DroppedEntry]) -> Iterator[tuple[str, object]]:
    for pattern, value in entry.items():
        below = path + _step(pattern)
        if isinstance(value, str):
            if value in _ACTIONS:
                yield pattern, value
            else:
                dropped.append(DroppedEntry(below, f"`{value}`", _why_no_action(pattern, value)))
            continue
        reason = value.get("reason")
        if value.get("action") == Action.DENY and (reason is None or isinstance(reason, str)):
            yield pattern, {"action": "deny"} if reason is None else {"action": "deny", "reason": reason}
        else:
            why = "a map below a pattern is `action: deny` and, if wanted, `reason: text`"
            dropped.append(DroppedEntry(below, "a map", why))


def _why_no_action(key: str, value: str) -> str:
    """Return why a text is no action, naming the trap where it is a known one."""
    if any(quote in value for quote in _QUOTES) and value.count(":"):
        return "a line is split at its first colon, so a pattern that holds one cannot be written here"
    if value.split("#", maxsplit=1)[0].rstrip() in _ACTIONS:
        return "what follows `#` is part of the value; write comments on lines of their own"
    if value.startswith(("{", "[")):
        return f"write what is below `{key}` on lines of its own"
    if value.lower() in _ACTIONS:
        return "actions are written in small letters"
    return "it is none of allow, ask and deny"


def _step(key: str) -> str:
    return f".{key}" if _PLAIN_KEY.fullmatch(key) else f'["{key}"]'
