"""Asking a ruleset: the last rule that matches wins (core-policy.md 7, 7.1 and 13)."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from audit.core.action import Action
from audit.core.ecma import to_code_units
from audit.core.paths.flavor import flavor
from audit.core.place import Platform
from audit.core.policy.rule import BUILTIN_ORIGIN, YOLO_ORIGIN, Check, Layer, Rule, Ruleset
from audit.core.policy.wildcard import FLAGS, ExpandHome, compile_pattern, fold_case, matcher

PATH_TOOLS = frozenset({"read", "write", "edit", "find", "grep", "ls"})
"""The tools whose argument `path` is matched in all its forms."""
PATH_SURFACES = PATH_TOOLS | {"path", "external_directory"}
"""The surfaces whose values are paths, folded on win32."""

ANY_VALUE = "*"
"""The value of a call that offers none."""

_NOTHING = "(?!)"
"""An expression that matches no text."""


@dataclass(frozen=True, slots=True)
class _Setting:
    """What the compiled form of a rule depends on beside the rule."""

    expand_home: ExpandHome
    platform: Platform
    yolo: bool

    def folds(self, surface: str) -> bool:
        return self.platform is Platform.WIN32 and surface in PATH_SURFACES


class _SurfaceRules:
    """The rules of one layer group that reach one surface, compiled into one expression.

    Alternatives stand strongest first, each ending in an empty group, so the number of the last group
    that took part says which rule won.
    """

    __slots__ = ("_fold", "_match", "_verdicts", "rules", "surface")

    def __init__(self, surface: str, rules: Sequence[Rule], setting: _Setting) -> None:
        self.surface = surface
        self._fold = setting.folds(surface)
        self.rules = tuple(_in_force(rule, setting) for rule in reversed(rules))
        alternatives = [
            compile_pattern(rule.pattern, setting.expand_home, fold=self._fold) + "()" for rule in self.rules
        ]
        self._match = re.compile("|".join(alternatives) or _NOTHING, FLAGS).fullmatch
        self._verdicts = (None, *map(self._verdict, self.rules))

    def verdict(self, value: str) -> Check | None:
        """Return what the strongest rule that matches says, if any does; the value is left out."""
        match = self._match(fold_case(value) if self._fold else value)
        return None if match is None else self._verdicts[match.lastindex or 0]

    def verdict_any(self, values: tuple[str, ...]) -> Check | None:
        """Return what the strongest rule that matches any alias says; the value is left out."""
        return self._verdicts[self._strongest(values)[0]]

    def check(self, value: str) -> Check | None:
        """Return the answer of the strongest rule that matches, if any does."""
        verdict = self.verdict(value)
        return None if verdict is None else replace(verdict, value=value)

    def check_any(self, values: tuple[str, ...]) -> Check | None:
        """Return the answer of the strongest rule that matches any alias, with the first it matches."""
        rank, value = self._strongest(values)
        verdict = self._verdicts[rank]
        return None if verdict is None else replace(verdict, value=value)

    def _strongest(self, values: tuple[str, ...]) -> tuple[int, str]:
        best, best_value = 0, ""
        for value in values:
            rank = self._rank(value)
            if rank and (not best or rank < best):
                best, best_value = rank, value
        return best, best_value

    def _rank(self, value: str) -> int:
        """Return the place of the winning rule, 1 for the strongest; 0 when none matches."""
        match = self._match(fold_case(value) if self._fold else value)
        return (match.lastindex or 0) if match else 0

    def _verdict(self, rule: Rule) -> Check:
        written = rule.layer in (Layer.CONFIG, Layer.SESSION)
        return Check(
            rule.action,
            rule.pattern if written else None,
            rule.origin,
            _source(self.surface, rule.layer),
            rule.reason,
            rule.layer,
            "",
        )


class _RuleTable:
    """Rules in one setting; the part for a surface is compiled when it is first asked for."""

    __slots__ = ("_rules", "_setting", "_surfaces")

    def __init__(self, rules: Sequence[Rule], setting: _Setting) -> None:
        self._setting = setting
        reach = {surface: matcher(surface, setting.expand_home) for surface in {r.surface for r in rules}}
        self._rules = [(rule, reach[rule.surface]) for rule in rules]
        self._surfaces: dict[str, _SurfaceRules] = {}

    def surface(self, surface: str) -> _SurfaceRules:
        found = self._surfaces.get(surface)
        if found is None:
            reached = [rule for rule, reaches in self._rules if reaches(surface)]
            found = self._surfaces[surface] = _SurfaceRules(surface, reached, self._setting)
        return found


class _Configured:
    """What rulesets that differ only in their session share."""

    __slots__ = ("matchers", "promotes", "setting", "table")

    def __init__(self, ruleset: Ruleset, home: str, platform: Platform) -> None:
        semantics = flavor(platform)

        def expand_home(pattern: str) -> str:
            return semantics.expand_home(pattern, home)

        self.setting = _Setting(expand_home, platform, ruleset.yolo)
        self.table = _RuleTable(ruleset.rules, self.setting)
        self.promotes = _promotion(ruleset.rules, self.setting)
        self.matchers: dict[tuple[str, bool], Callable[[str], bool]] = {}


class RulesInPlace:
    """A ruleset compiled for one home directory and platform.

    Surfaces and values are texts of code units. Get it from `in_place`, which makes it once.
    """

    __slots__ = ("_configured", "_session", "_surfaces", "promotes")

    def __init__(self, ruleset: Ruleset, home: str, platform: Platform) -> None:
        home = to_code_units(home)
        key = ("configured", home, platform)
        configured = ruleset.shared_memo.get(key)
        if not isinstance(configured, _Configured):
            configured = ruleset.shared_memo[key] = _Configured(ruleset, home, platform)
        self._configured = configured
        self._session = _RuleTable(ruleset.session, configured.setting) if ruleset.session else None
        self._surfaces: dict[str, tuple[_SurfaceRules, ...]] = {}
        self.promotes: Callable[[str], bool] = configured.promotes
        """Tells whether a bare shell token is taken for a path (11.2, core-bash.md C6).

        So it is when a `path` rule that does not allow and is more than `*` names it. Yolo mode and the
        session do not matter here, and the token is taken as it stands.
        """

    def evaluate(self, surface: str, value: str) -> Check:
        """Return what the last rule says that matches the surface and the value."""
        for rules in self._strongest_first(surface):
            check = rules.check(value)
            if check is not None:
                return check
        return _no_rule(surface, value)

    def verdict(self, surface: str, value: str) -> Check:
        """Return what `evaluate` does, but for the value, which is left empty: one object per rule."""
        return self.asker(surface)(value)

    def verdict_any(self, surface: str, values: tuple[str, ...]) -> Check:
        """Return what `evaluate_any` does, but for the value, which is left empty: one object per rule."""
        for rules in self._strongest_first(surface):
            verdict = rules.verdict_any(values or (ANY_VALUE,))
            if verdict is not None:
                return verdict
        return _no_rule(surface, "")

    def asker(self, surface: str) -> Callable[[str], Check]:
        """Return `verdict` for one surface, for many questions."""
        tables = self._strongest_first(surface)
        no_rule = _no_rule(surface, "")

        def verdict(value: str) -> Check:
            for rules in tables:
                said = rules.verdict(value)
                if said is not None:
                    return said
            return no_rule

        return verdict

    def evaluate_first(self, surface: str, values: Sequence[str]) -> Check:
        """Return the answer for the first value that meets more than the universal rule.

        For surfaces whose values are different things, strongest claim first. Where no value meets more,
        the answer is that of the first one, or of `*` for an empty list.
        """
        for value in values:
            check = self.evaluate(surface, value)
            if check.layer is not Layer.DEFAULT:
                return check
        return self.evaluate(surface, values[0] if values else ANY_VALUE)

    def evaluate_any(self, surface: str, values: Sequence[str]) -> Check:
        """Return the answer of the last rule that matches any of the values, aliases of one path.

        An empty list is asked as `*`.
        """
        aliases = tuple(values) or (ANY_VALUE,)
        for rules in self._strongest_first(surface):
            check = rules.check_any(aliases)
            if check is not None:
                return check
        return _no_rule(surface, aliases[0])

    def matches(self, pattern: str, value: str, surface: str) -> bool:
        """Tell whether one pattern matches a value as it would on this surface."""
        fold = self._configured.setting.folds(surface)
        known = self._configured.matchers
        test = known.get((pattern, fold))
        if test is None:
            test = known[pattern, fold] = matcher(pattern, self._configured.setting.expand_home, fold=fold)
        return test(value)

    def matching(self, surface: str, values: Sequence[str]) -> list[Rule]:
        """Return every rule that matches one of the values, strongest first, as in force under yolo.

        For explanations; the first of them is the one that decides a path surface.
        """
        return [
            rule
            for rules in self._strongest_first(surface)
            for rule in rules.rules
            if any(self.matches(rule.pattern, value, surface) for value in values or (ANY_VALUE,))
        ]

    def _strongest_first(self, surface: str) -> tuple[_SurfaceRules, ...]:
        found = self._surfaces.get(surface)
        if found is None:
            found = (self._configured.table.surface(surface),)
            if self._session is not None:
                found = (self._session.surface(surface), *found)
            self._surfaces[surface] = found
        return found


def in_place(ruleset: Ruleset, home: str, platform: Platform) -> RulesInPlace:
    """Return the ruleset compiled for a home directory and a platform; compiled once per ruleset."""
    key = (home, platform)
    found = ruleset.memo.get(key)
    if not isinstance(found, RulesInPlace):
        found = ruleset.memo[key] = RulesInPlace(ruleset, home, platform)
    return found


def _in_force(rule: Rule, setting: _Setting) -> Rule:
    if setting.yolo and rule.action is Action.ASK:
        return replace(rule, action=Action.ALLOW, origin=YOLO_ORIGIN)
    return rule


def _promotion(rules: Sequence[Rule], setting: _Setting) -> Callable[[str], bool]:
    fold = setting.folds("path")
    patterns = [
        compile_pattern(rule.pattern, setting.expand_home, fold=fold)
        for rule in rules
        if rule.layer is Layer.CONFIG
        and rule.surface == "path"
        and rule.pattern != "*"
        and rule.action is not Action.ALLOW
    ]
    expression = re.compile("|".join(patterns) or _NOTHING, FLAGS)
    if fold:
        return lambda token: expression.fullmatch(fold_case(token)) is not None
    return lambda token: expression.fullmatch(token) is not None


def _no_rule(surface: str, value: str) -> Check:
    return Check(Action.ASK, None, BUILTIN_ORIGIN, _source(surface, None), None, None, value)


_FIXED_SOURCES = {
    "path": "special",
    "external_directory": "special",
    "skill": "skill",
    "bash": "bash",
    **dict.fromkeys(PATH_TOOLS, "tool"),
}


def _source(surface: str, layer: Layer | None) -> str:
    if layer is Layer.SESSION:
        return "session"
    fixed = _FIXED_SOURCES.get(surface)
    if fixed is not None:
        return fixed
    if layer is Layer.DEFAULT:
        return "default"
    return "mcp" if surface == "mcp" else "tool"
