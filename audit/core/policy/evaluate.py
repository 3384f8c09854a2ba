"""Asking a ruleset: the last rule that matches wins (core-policy.md 7, 7.1 and 13)."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from audit.core.action import Action
from audit.core.paths.access_path import Folding, Paths
from audit.core.paths.flavor import Flavor
from audit.core.policy.rule import BUILTIN_ORIGIN, YOLO_ORIGIN, Check, Layer, Rule, Ruleset
from audit.core.policy.wildcard import FLAGS, Wildcards, fold_case, fold_path, wildcards
from audit.core.revision import Revision
from audit.core.switches import DenyObjects

PATH_TOOLS = frozenset({"read", "write", "edit", "find", "grep", "ls"})
"""The tools whose argument `path` is matched in all its forms."""
GENERAL = {
    f"{surface}_{direction}": surface
    for surface in ("path", "external_directory")
    for direction in ("read", "write")
}
"""Surfaces for one direction, and the one whose rules speak about both (core-bash.md 16.2, `effects`)."""
PATH_SURFACES = PATH_TOOLS | {"path", "external_directory"}
"""The surfaces whose values are paths, folded on win32."""

ANY_VALUE = "*"
"""The value of a call that offers none."""

_NOTHING = "(?!)"
"""An expression that matches no text."""


_FOLD_VALUE = {Folding.NOTHING: None, Folding.PATTERN: fold_case, Folding.BOTH: fold_path}


@dataclass(frozen=True, slots=True)
class Matching:
    """What the compiled form of a ruleset depends on beside the rules: a place and a revision."""

    home: str
    home_names: tuple[str, ...]
    flavor: Flavor
    folding: Folding
    wildcards: Wildcards
    reads_objects: bool = True
    """Whether an object that denies is a rule."""
    directional: bool = False
    """Whether rules of `path` and `external_directory` speak on the surfaces for one direction too."""

    def expand_home(self, pattern: str) -> str:
        """Expand a leading home of a pattern."""
        return self.flavor.expand_home(pattern, self.home, self.home_names)

    def fold_value(self, surface: str) -> Callable[[str], str] | None:
        """Return what is done to a value of a surface before it is matched."""
        return _FOLD_VALUE[self.folding] if self.general(surface) in PATH_SURFACES else None

    def general(self, surface: str) -> str:
        """Return the surface itself, or for one direction the one that its rules are shared with."""
        return GENERAL.get(surface, surface) if self.directional else surface

    def compile(self, pattern: str, surface: str) -> str:
        """Return the source of a regular expression for a pattern of values on a surface."""
        fold = self.fold_value(surface) is not None
        return self.wildcards.compile(pattern, self.expand_home, fold=fold)

    def matcher(self, pattern: str, surface: str) -> Callable[[str], bool]:
        """Return a test for one pattern of values on a surface."""
        return self.wildcards.matcher(pattern, self.expand_home, self.fold_value(surface))

    def reach(self, pattern: str) -> Callable[[str], bool]:
        """Return a test for the pattern of a surface."""
        test = self.wildcards.matcher(pattern, self.expand_home)
        if not self.directional:
            return test
        return lambda surface: test(surface) or test(self.general(surface))


def matching(paths: Paths, revision: Revision, *, directional: bool = False) -> Matching:
    """Return how rules are matched in a place under a revision."""
    return Matching(
        home=paths.home,
        home_names=paths.home_names,
        flavor=paths.flavor,
        folding=paths.folding,
        wildcards=wildcards(revision),
        reads_objects=revision.deny_objects is DenyObjects.ON,
        directional=directional,
    )


class _SurfaceRules:
    """The rules of one layer group that reach one surface, compiled into one expression.

    Alternatives stand strongest first, each ending in an empty group, so the number of the last group
    that took part says which rule won.
    """

    __slots__ = ("_fold", "_match", "_verdicts", "rules", "surface")

    def __init__(self, surface: str, rules: Sequence[Rule], matching: Matching, *, yolo: bool) -> None:
        self.surface = matching.general(surface)
        self._fold = matching.fold_value(surface)
        self.rules = tuple(_in_force(rule, yolo=yolo) for rule in reversed(rules))
        alternatives = [matching.compile(rule.pattern, surface) + "()" for rule in self.rules]
        self._match = re.compile("|".join(alternatives) or _NOTHING, FLAGS).fullmatch
        self._verdicts = (None, *map(self._verdict, self.rules))

    def verdict(self, value: str) -> Check | None:
        """Return what the strongest rule that matches says, if any does."""
        match = self._match(value if self._fold is None else self._fold(value))
        return None if match is None else self._verdicts[match.lastindex or 0]

    def verdict_any(self, values: tuple[str, ...]) -> Check | None:
        """Return what the strongest rule that matches any alias says, if any does."""
        ranks = [rank for rank in map(self._rank, values) if rank]
        return self._verdicts[min(ranks)] if ranks else None

    def _rank(self, value: str) -> int:
        """Return the place of the winning rule, 1 for the strongest; 0 when none matches."""
        match = self._match(value if self._fold is None else self._fold(value))
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
        )


class _RuleTable:
    """Rules in one place; the part for a surface is compiled when it is first asked for."""

    __slots__ = ("_matching", "_rules", "_surfaces", "_yolo")

    def __init__(self, rules: Sequence[Rule], matching: Matching, *, yolo: bool) -> None:
        self._matching = matching
        self._yolo = yolo
        reach = {surface: matching.reach(surface) for surface in {rule.surface for rule in rules}}
        self._rules = [(rule, reach[rule.surface]) for rule in rules]
        self._surfaces: dict[str, _SurfaceRules] = {}

    def surface(self, surface: str) -> _SurfaceRules:
        found = self._surfaces.get(surface)
        if found is None:
            reached = [rule for rule, reaches in self._rules if reaches(surface)]
            found = _SurfaceRules(surface, reached, self._matching, yolo=self._yolo)
            self._surfaces[surface] = found
        return found


class _Configured:
    """What rulesets that differ only in their session share."""

    __slots__ = ("matchers", "promotes", "table")

    def __init__(self, ruleset: Ruleset, matching: Matching) -> None:
        rules = [rule for rule in ruleset.rules if matching.reads_objects or not rule.is_object]
        self.table = _RuleTable(rules, matching, yolo=ruleset.yolo)
        self.promotes = _promotion(rules, matching)
        self.matchers: dict[tuple[str, str], Callable[[str], bool]] = {}


class RulesInPlace:
    """A ruleset compiled for one place and revision.

    Surfaces and values are texts of code units. Get it from `in_place`, which makes it once.
    """

    __slots__ = ("_configured", "_matching", "_session", "_surfaces", "promotes")

    def __init__(self, ruleset: Ruleset, matching: Matching) -> None:
        key = ("configured", matching)
        configured = ruleset.shared_memo.get(key)
        if not isinstance(configured, _Configured):
            configured = ruleset.shared_memo[key] = _Configured(ruleset, matching)
        self._matching = matching
        self._configured = configured
        self._session = _RuleTable(ruleset.session, matching, yolo=ruleset.yolo) if ruleset.session else None
        self._surfaces: dict[str, tuple[_SurfaceRules, ...]] = {}
        self.promotes: Callable[[str], bool] = configured.promotes
        """Tells whether a bare shell token is taken for a path (11.2, core-bash.md C6).

        So it is when a `path` rule that does not allow and is more than `*` names it. Yolo mode and the
        session do not matter here, and the token is taken as it stands.
        """

    def verdict(self, surface: str, value: str) -> Check:
        """Return what the last rule says that matches the surface and the value; one object per rule."""
        return self.asker(surface)(value)

    def verdict_any(self, surface: str, values: tuple[str, ...]) -> Check:
        """Return what the last rule says that matches any of the values, aliases of one path.

        An empty list is asked as `*`.
        """
        for rules in self._strongest_first(surface):
            verdict = rules.verdict_any(values or (ANY_VALUE,))
            if verdict is not None:
                return verdict
        return _no_rule(self._matching.general(surface))

    def asker(self, surface: str) -> Callable[[str], Check]:
        """Return `verdict` for one surface, for many questions."""
        tables = self._strongest_first(surface)
        no_rule = _no_rule(self._matching.general(surface))

        def verdict(value: str) -> Check:
            for rules in tables:
                said = rules.verdict(value)
                if said is not None:
                    return said
            return no_rule

        return verdict

    def verdict_first(self, surface: str, values: Sequence[str]) -> tuple[str, Check]:
        """Return the first value that meets more than the universal rule, and what is said about it.

        For surfaces whose values are different things, strongest claim first. Where no value meets more,
        the first one is returned, or `*` for an empty list.
        """
        for value in values:
            check = self.verdict(surface, value)
            if check.layer is not Layer.DEFAULT:
                return value, check
        value = values[0] if values else ANY_VALUE
        return value, self.verdict(surface, value)

    def matches(self, pattern: str, value: str, surface: str) -> bool:
        """Tell whether one pattern matches a value as it would on this surface."""
        known = self._configured.matchers
        test = known.get((pattern, surface))
        if test is None:
            test = known[pattern, surface] = self._matching.matcher(pattern, surface)
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


def in_place(ruleset: Ruleset, matching: Matching) -> RulesInPlace:
    """Return the ruleset compiled for a place and a revision; compiled once per ruleset."""
    found = ruleset.memo.get(matching)
    if not isinstance(found, RulesInPlace):
        found = ruleset.memo[matching] = RulesInPlace(ruleset, matching)
    return found


def _in_force(rule: Rule, *, yolo: bool) -> Rule:
    if yolo and rule.action is Action.ASK:
        return replace(rule, action=Action.ALLOW, origin=YOLO_ORIGIN)
    return rule


def _promotion(rules: Sequence[Rule], matching: Matching) -> Callable[[str], bool]:
    fold = matching.fold_value("path")
    patterns = [
        matching.compile(rule.pattern, "path")
        for rule in rules
        if rule.layer is Layer.CONFIG
        and rule.surface == "path"
        and rule.pattern != "*"
        and rule.action is not Action.ALLOW
    ]
    fullmatch = re.compile("|".join(patterns) or _NOTHING, FLAGS).fullmatch
    if fold is not None:
        return lambda token: fullmatch(fold(token)) is not None
    return lambda token: fullmatch(token) is not None


def _no_rule(surface: str) -> Check:
    return Check(Action.ASK, None, BUILTIN_ORIGIN, _source(surface, None), None, None)


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
