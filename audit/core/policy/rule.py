"""Rules, and the ruleset that one agent is under (core-policy.md 1, 5.3 and 7.1)."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from audit.core.action import Action
from audit.core.ecma import to_code_units
from audit.core.record import record


class Layer(StrEnum):
    """Where a rule comes from, weakest first."""

    DEFAULT = "default"
    BASELINE = "baseline"
    CONFIG = "config"
    SESSION = "session"


SESSION_ORIGIN = "session"
YOLO_ORIGIN = "yolo"
BUILTIN_ORIGIN = "builtin"


@dataclass(frozen=True, slots=True)
class Rule:
    """One line of a ruleset: values of these surfaces that fit this pattern get this action.

    Both patterns are texts of code units, as written: home is not expanded yet.
    """

    surface: str
    pattern: str
    action: Action
    layer: Layer
    origin: str
    """`global`, `project`, `agent`, `project-agent`, `builtin`, `baseline` or `session`."""
    reason: str | None = None
    is_object: bool = False
    """Written as an object that denies, with or without a reason."""


@dataclass(frozen=True, slots=True)
class ShellTool:
    """Which arguments of a tool hold a shell command and its working directory."""

    command_argument: str
    workdir_argument: str | None = None


@dataclass(frozen=True, slots=True)
class Ruleset:
    """Everything a policy says to one agent, and the approvals of the running session."""

    rules: tuple[Rule, ...]
    """Lowest priority first, session rules not among them."""
    session: tuple[Rule, ...] = ()
    """Approvals of the session in the order granted; each outranks every configured rule."""
    yolo: bool = False
    shell_tools: Mapping[str, ShellTool] = field(default_factory=dict)
    infrastructure_reads: tuple[str, ...] = ()
    """Directories or patterns that the policy adds to the infrastructure reads."""
    mcp_servers: tuple[str, ...] = ()
    """In the order in which a server is looked for in the name of a tool (10)."""
    memo: dict[object, object] = field(default_factory=dict, compare=False, repr=False)
    """Compiled forms of this ruleset."""
    shared_memo: dict[object, object] = field(default_factory=dict, compare=False, repr=False)
    """Compiled forms that do not depend on the session; rulesets that differ only there share it."""

    def with_session(self, approvals: Iterable[tuple[str, str]]) -> Ruleset:
        """Return this ruleset with approvals added, each a surface and a pattern."""
        granted = (session_rule(surface, pattern) for surface, pattern in approvals)
        return self._with_session_rules((*self.session, *granted))

    def without_session(self) -> Ruleset:
        """Return the configured part alone, as user skill calls and tool exposure see it (14.3)."""
        return self._with_session_rules(()) if self.session else self

    def _with_session_rules(self, session: tuple[Rule, ...]) -> Ruleset:
        return Ruleset(
            rules=self.rules,
            session=session,
            yolo=self.yolo,
            shell_tools=self.shell_tools,
            infrastructure_reads=self.infrastructure_reads,
            mcp_servers=self.mcp_servers,
            shared_memo=self.shared_memo,
        )

    @property
    def digest(self) -> str:
        """Return a SHA-256 digest, in hexadecimal, of everything that can change a decision."""
        known = self.memo.get("digest")
        if isinstance(known, str):
            return known
        content = {
            "rules": [_row(rule) for rule in self.rules],
            "session": [_row(rule) for rule in self.session],
            "yolo": self.yolo,
            "shell_tools": {
                name: [tool.command_argument, tool.workdir_argument]
                for name, tool in self.shell_tools.items()
            },
            "infrastructure_reads": self.infrastructure_reads,
            "mcp_servers": self.mcp_servers,
        }
        text = json.dumps(content, sort_keys=True, separators=(",", ":"))
        digest = hashlib.sha256(text.encode("ascii")).hexdigest()
        self.memo["digest"] = digest
        return digest


@record
class Check:
    """What a ruleset says about one value of one surface (7.1)."""

    action: Action
    matched_pattern: str | None
    """The pattern of the winning rule as written; None for the default and baseline layers."""
    origin: str
    source: str
    """`session`, `special`, `skill`, `bash`, `mcp`, `tool` or `default`."""
    reason: str | None
    layer: Layer | None
    """None when no rule matched, which takes a ruleset without the universal rule."""


def session_rule(surface: str, pattern: str) -> Rule:
    """Return the rule that an approval for the session stands for."""
    return Rule(to_code_units(surface), to_code_units(pattern), Action.ALLOW, Layer.SESSION, SESSION_ORIGIN)


def _row(rule: Rule) -> list[str | None]:
    row = [rule.surface, rule.pattern, rule.action, rule.layer, rule.origin, rule.reason]
    return [*row, "object"] if rule.is_object and rule.reason is None else row
