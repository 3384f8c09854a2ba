"""From scopes to one ruleset (core-policy.md 2.5, 4 and 5)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from audit.core.action import Action
from audit.core.ecma import ordered_items, to_code_units
from audit.core.policy.mcp import server_order
from audit.core.policy.rule import BUILTIN_ORIGIN, Layer, Rule, Ruleset, ShellTool

UNIVERSAL = "*"
BASELINE_ORIGIN = "baseline"
BASELINE_TARGETS = ("mcp_status", "mcp_list", "mcp_search", "mcp_describe", "mcp_connect")
"""What a policy that allows anything on `mcp` also allows, unless it says otherwise (5.3)."""

_ACTIONS = {action.value: action for action in Action}


@dataclass(frozen=True, slots=True)
class PolicySources:
    """Everything that policies, agent files and the MCP file say, before one agent is chosen.

    A permission object maps a surface pattern to an action, or to a map from value patterns to actions
    and deny objects. Its order is rule order.
    """

    permission: Mapping[str, object] = field(default_factory=dict)
    """The global scope."""
    project: Mapping[str, object] = field(default_factory=dict)
    agents: Mapping[str, Mapping[str, object]] = field(default_factory=dict)
    """Permission objects of agent files, by agent name."""
    project_agents: Mapping[str, Mapping[str, object]] = field(default_factory=dict)
    config: Mapping[str, object] = field(default_factory=dict)
    """The other keys of the configuration, merged: `yoloMode`, `shellTools`, ..."""
    mcp_servers: tuple[str, ...] = ()
    """Keys of the MCP file, in any order."""

    def scopes(self, agent: str | None) -> tuple[tuple[str, Mapping[str, object]], ...]:
        """Return the scopes an agent is under with their origins, weakest first."""
        shared = (("global", self.permission), ("project", self.project))
        if agent is None:
            return shared
        return (
            *shared,
            ("agent", self.agents.get(agent, {})),
            ("project-agent", self.project_agents.get(agent, {})),
        )


@dataclass(frozen=True, slots=True)
class MergedPermission:
    """One permission object made of all scopes, and which scope each part is from."""

    permission: Mapping[str, object]
    origins: Mapping[str, Mapping[str, str]]
    """By surface and pattern; an action written for a whole surface counts as pattern `*`."""


def compose(sources: PolicySources, agent: str | None = None) -> Ruleset:
    """Return the ruleset that an agent is under; None is the agent without a name."""
    merged = merge_scopes(sources, agent)
    configured = tuple(_config_rules(merged))
    baseline: tuple[Rule, ...] = ()
    if any(rule.surface == "mcp" and rule.action is Action.ALLOW for rule in configured):
        baseline = tuple(
            Rule("mcp", target, Action.ALLOW, Layer.BASELINE, BASELINE_ORIGIN) for target in BASELINE_TARGETS
        )
    config = sources.config
    return Ruleset(
        rules=(_fallback(merged), *baseline, *configured),
        yolo=config.get("yoloMode") is True,
        shell_tools=_shell_tools(config.get("shellTools")),
        infrastructure_reads=_texts(config.get("piInfrastructureReadPaths")),
        mcp_servers=server_order(sources.mcp_servers),
    )


def merge_scopes(sources: PolicySources, agent: str | None = None) -> MergedPermission:
    """Merge the scopes of an agent (4).

    Two maps are united, patterns keeping their place; anything else replaces what was there whole, at
    the place of its surface.
    """
    permission: dict[str, object] = {}
    origins: dict[str, dict[str, str]] = {}
    for origin, scope in sources.scopes(agent):
        for surface, incoming in ordered_items(scope):
            existing = permission.get(surface)
            patterns = incoming.keys() if isinstance(incoming, Mapping) else (UNIVERSAL,)
            attribution = dict.fromkeys(patterns, origin)
            if isinstance(existing, Mapping) and isinstance(incoming, Mapping):
                permission[surface] = {**existing, **incoming}
                origins[surface] |= attribution
            else:
                permission[surface] = incoming
                origins[surface] = attribution
    return MergedPermission(permission, origins)


def merge_knobs(base: Mapping[str, object], override: Mapping[str, object]) -> dict[str, object]:
    """Merge two configurations without their permissions: the override wins, shell tools are united (2.5)."""
    merged = {**base, **override}
    below, above = base.get("shellTools"), override.get("shellTools")
    if isinstance(below, Mapping) and isinstance(above, Mapping):
        merged["shellTools"] = {**below, **above}
    return merged


def _fallback(merged: MergedPermission) -> Rule:
    """Return the universal rule (5.2)."""
    action = _action(merged.permission.get(UNIVERSAL)) or Action.ASK
    origin = merged.origins.get(UNIVERSAL, {}).get(UNIVERSAL, BUILTIN_ORIGIN)
    return Rule(UNIVERSAL, UNIVERSAL, action, Layer.DEFAULT, origin)


def _config_rules(merged: MergedPermission) -> Iterator[Rule]:
    """Yield one rule for each action of a permission object, in enumeration order (5.1)."""
    for surface, entry in ordered_items(merged.permission):
        if surface == UNIVERSAL:
            continue
        patterns = entry if isinstance(entry, Mapping) else {UNIVERSAL: entry}
        for pattern, value in ordered_items(patterns):
            reason: object = None
            action = _action(value)
            is_object = isinstance(value, Mapping) and value.get("action") == Action.DENY
            if isinstance(value, Mapping) and is_object:
                action, reason = Action.DENY, value.get("reason")
            if action is not None:
                yield Rule(
                    to_code_units(surface),
                    to_code_units(pattern),
                    action,
                    Layer.CONFIG,
                    merged.origins[surface][pattern],
                    reason if isinstance(reason, str) else None,
                    is_object,
                )


def _action(value: object) -> Action | None:
    return _ACTIONS.get(value) if isinstance(value, str) else None


def _shell_tools(value: object) -> dict[str, ShellTool]:
    tools: dict[str, ShellTool] = {}
    if not isinstance(value, Mapping):
        return tools
    for name, arguments in value.items():
        if not isinstance(arguments, Mapping):
            continue
        command, workdir = arguments.get("commandArgument"), arguments.get("workdirArgument")
        if isinstance(command, str):
            tools[name] = ShellTool(command, workdir if isinstance(workdir, str) else None)
    return tools


def _texts(value: object) -> tuple[str, ...]:
    return tuple(map(to_code_units, value)) if isinstance(value, (list, tuple)) else ()
