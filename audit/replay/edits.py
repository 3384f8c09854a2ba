"""The atomic edits between two policies, and every policy between the two.

A rule is added, removed, given another action, or moved among its neighbours. A surface that is a map on one
side and a plain action on the other, another key of the configuration and the MCP servers are one edit each.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from typing import cast

from audit.core.policy.compose import PolicySources

Scope = Mapping[str, object]
Key = tuple[str, str | None]
"""A surface, and a pattern of it; None where the surface has a plain action."""
Rules = list[tuple[Key, object]]

_ABSENT = object()


@dataclass(frozen=True, slots=True)
class Edit:
    """One difference between two policies."""

    scope: str
    """`permission`, `project`, `agents NAME`, `project_agents NAME`, `config` or `mcp_servers`."""
    key: Key
    text: str
    """The edit in the words of a policy."""


class PolicyEdits:
    """The edits from a baseline policy to a candidate policy."""

    def __init__(self, baseline: PolicySources, candidate: PolicySources) -> None:
        self._baseline, self._candidate = baseline, candidate
        self._scopes = {
            name: _Alignment(name, before, after) for name, before, after in _scopes(baseline, candidate)
        }
        settings = sorted(baseline.config.keys() | candidate.config.keys())
        self._config = {
            Edit("config", (key, None), f"config: `{key}`")
            for key in settings
            if baseline.config.get(key, _ABSENT) != candidate.config.get(key, _ABSENT)
        }
        self._servers = Edit("mcp_servers", ("mcp", None), "mcp_servers")
        servers = [self._servers] if baseline.mcp_servers != candidate.mcp_servers else []
        of_scopes = (edit for alignment in self._scopes.values() for edit in alignment.edits)
        self.edits: tuple[Edit, ...] = (
            *of_scopes,
            *sorted(self._config, key=lambda edit: edit.key[0]),
            *servers,
        )
        """All edits, in the order of the scopes and of their rules."""

    def policy(self, edits: Collection[Edit]) -> PolicySources:
        """Return the baseline policy with these edits made."""
        made = {name: alignment.scope(edits) for name, alignment in self._scopes.items()}
        config = dict(self._baseline.config)
        for edit in self._config & set(edits):
            config.pop(edit.key[0], None)
            if edit.key[0] in self._candidate.config:
                config[edit.key[0]] = self._candidate.config[edit.key[0]]
        servers = self._candidate if self._servers in edits else self._baseline
        return replace(
            self._baseline,
            permission=made["permission"],
            project=made["project"],
            agents=_of_agents("agents ", made),
            project_agents=_of_agents("project_agents ", made),
            config=config,
            mcp_servers=servers.mcp_servers,
        )


def _scopes(one: PolicySources, other: PolicySources) -> Iterator[tuple[str, Scope, Scope]]:
    yield "permission", one.permission, other.permission
    yield "project", one.project, other.project
    for kind in ("agents", "project_agents"):
        before = cast("Mapping[str, Scope]", getattr(one, kind))
        after = cast("Mapping[str, Scope]", getattr(other, kind))
        for name in dict.fromkeys((*before, *after)):
            yield f"{kind} {name}", before.get(name, {}), after.get(name, {})


def _of_agents(prefix: str, made: Mapping[str, Scope]) -> dict[str, Scope]:
    return {name.removeprefix(prefix): scope for name, scope in made.items() if name.startswith(prefix)}


class _Alignment:
    """One scope of both sides as one list of rules, each with the edit that brings it or takes it away."""

    def __init__(self, name: str, before: Scope, after: Scope) -> None:
        shapes = {
            surface
            for surface in before.keys() & after.keys()
            if _is_map(before[surface]) != _is_map(after[surface])
        }
        old, new = _rules(before, shapes), _rules(after, shapes)
        self._name = name
        self._slots: list[tuple[Key, object, object, Edit | None]] = []
        """Key, value before and after (absent where there is none), and the edit between them."""
        moved = {key for key, _ in old} & {key for key, _ in new}
        matcher = SequenceMatcher(None, [key for key, _ in old], [key for key, _ in new], autojunk=False)
        for kind, start, end, begin, stop in matcher.get_opcodes():
            if kind == "equal":
                for (key, value), (_, now) in zip(old[start:end], new[begin:stop], strict=True):
                    changed = self._edit("change", key, value, now) if value != now else None
                    self._slots.append((key, value, now, changed))
                continue
            for key, value in old[start:end]:
                self._slots.append((key, value, _ABSENT, self._edit(_kind(key, moved, "remove"), key, value)))
            for key, now in new[begin:stop]:
                self._slots.append((key, _ABSENT, now, self._edit(_kind(key, moved, "add"), key, now)))
        self.edits = tuple(dict.fromkeys(edit for _, _, _, edit in self._slots if edit is not None))

    def _edit(self, kind: str, key: Key, *values: object) -> Edit:
        surface, pattern = key
        rule = surface if pattern is None else f'{surface}["{pattern}"]'
        where = "" if self._name == "permission" else f"{self._name}: "
        told = " to ".join(map(_told, values))
        text = {
            "change": f"{rule} changed from {told}",
            "remove": f"{rule} removed",
            "add": f"{rule} added, {told}",
            "move": f"{rule} moved",
        }[kind]
        return Edit(self._name, key, where + text)

    def scope(self, edits: Collection[Edit]) -> Scope:
        """Return the scope with these edits made."""
        made: dict[str, object] = {}
        for (surface, pattern), before, after, edit in self._slots:
            value = before if edit is None or edit not in edits else after
            if value is _ABSENT:
                continue
            if pattern is None:
                # A map here is empty, and may get rules: those of the policies stay as they are.
                made[surface] = dict(cast("Scope", value)) if _is_map(value) else value
            else:
                patterns = made.setdefault(surface, {})
                cast("dict[str, object]", patterns)[pattern] = value
        return made


def _kind(key: Key, moved: Collection[Key], otherwise: str) -> str:
    return "move" if key in moved else otherwise


def _is_map(value: object) -> bool:
    return isinstance(value, Mapping) and "action" not in value


def _rules(scope: Scope, whole: Collection[str]) -> Rules:
    """Return the rules of a scope in order; surfaces in `whole` count as one rule each."""
    rules: Rules = []
    for surface, value in scope.items():
        if not _is_map(value) or surface in whole or not value:
            rules.append(((surface, None), value))
        else:
            rules += [((surface, pattern), action) for pattern, action in cast("Scope", value).items()]
    return rules


def _told(value: object) -> str:
    if isinstance(value, str):
        return value
    return str(value.get("action", "a map")) if isinstance(value, Mapping) else "another value"
