"""The three gates of a shell command (core-bash.md 13). Texts are code-unit strings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from audit.core.action import Action
from audit.core.bash.effects import Effect
from audit.core.bash.units import Unit
from audit.core.ecma import trim
from audit.core.gates import (
    FLOORS,
    NOT_APPLICABLE,
    UNPARSEABLE,
    UNPARSED,
    Gate,
    GateOutcome,
    GateResult,
    checked,
)
from audit.core.paths.access_path import AccessPath
from audit.core.policy.command_text import bash_value
from audit.core.policy.evaluate import ANY_VALUE, RulesInPlace
from audit.core.policy.rule import YOLO_ORIGIN, Check
from audit.core.program import BashProgram
from audit.core.record import Kept
from audit.core.revision import Revision
from audit.core.switches import CommentStrip, ExternalPerPath, PathDefaultSilent, ZeroUnits

ALLOW, ASK, DENY = Action
BASH_EXTERNAL_DIRECTORY, BASH_PATH, TOOL = Gate.BASH_EXTERNAL_DIRECTORY, Gate.BASH_PATH, Gate.TOOL

_NO_EXTERNAL_PATH = NOT_APPLICABLE[BASH_EXTERNAL_DIRECTORY]
_NO_BASH_PATH = NOT_APPLICABLE[BASH_PATH]
_EXTERNAL_PATHS_ALLOWED = GateResult(BASH_EXTERNAL_DIRECTORY, GateOutcome.BYPASS, ALLOW)
_BASH_PATHS_ALLOWED = GateResult(BASH_PATH, GateOutcome.BYPASS, ALLOW)

_DIRECTIONS = {
    Effect.READ: ("read",),
    Effect.WRITE: ("write",),
    Effect.UNPROVEN: ("read", "write"),
}

Asked = tuple[Check, str]
"""What rules say about a path, and on which surface they said it."""


def _length_of_forms(forms: tuple[str, ...]) -> int:
    return sum(map(len, forms))


def is_trivially_empty(command: str) -> bool:
    """Tell whether every line is blank or a comment (G8)."""
    return all(line.startswith("#") for line in map(trim, command.split("\n")) if line)


def _as_it_is(text: str) -> str:
    return text


class PathRules:
    """Asks one path surface, or its twins for reading and writing where those are told apart."""

    __slots__ = ("_by_surface", "directional", "surface")

    def __init__(self, rules: RulesInPlace, surface: str, *, directional: bool) -> None:
        self.surface = surface
        self.directional = directional
        asked = [f"{surface}_{direction}" for direction in ("read", "write")] if directional else [surface]
        self._by_surface = {name: Kept(partial(rules.verdict_any, name), _length_of_forms) for name in asked}

    @property
    def plain(self) -> Kept[tuple[str, ...], Check]:
        """Answers by the forms of a path, where there is one surface."""
        return self._by_surface[self.surface]

    def surfaces(self, effect: Effect) -> list[str]:
        """Return the surfaces that are asked about a path of which this is proven."""
        if not self.directional:
            return [self.surface]
        return [f"{self.surface}_{direction}" for direction in _DIRECTIONS[effect]]

    def asked(self, forms: tuple[str, ...], effect: Effect) -> Asked:
        """Return what is said about a path of which this is proven: the stricter, where nothing is."""
        if not self.directional:
            return self._by_surface[self.surface][forms], self.surface
        answers = [(self._by_surface[surface][forms], surface) for surface in self.surfaces(effect)]
        return max(answers, key=lambda answer: answer[0].action)


class ShellGates:
    """The gates of shell commands in one place under one ruleset and revision."""

    __slots__ = (
        "_asks_each_path",
        "_default_is_silent",
        "_verdict_on_unit",
        "_yolo",
        "_zero_units",
        "matched",
        "on_external",
        "on_path",
    )

    def __init__(self, rules: RulesInPlace, revision: Revision, *, directional: bool, yolo: bool) -> None:
        self._yolo = yolo
        self._zero_units = revision.zero_units
        self._asks_each_path = revision.external_per_path is ExternalPerPath.ON
        self._default_is_silent = revision.path_default_silent is PathDefaultSilent.ON
        self.matched = bash_value if revision.comment_strip is CommentStrip.ON else _as_it_is
        """Returns the form of a unit that bash rules are asked about."""
        verdict_on_bash, matched = rules.asker("bash"), self.matched
        self._verdict_on_unit = Kept[str, Check](lambda text: verdict_on_bash(matched(text)), len)
        self.on_path = PathRules(rules, "path", directional=directional)
        self.on_external = PathRules(rules, "external_directory", directional=directional)

    def external_questions(self, program: BashProgram) -> list[tuple[str, tuple[str, ...], Effect]]:
        """Return what is asked about outside paths: the value shown, its forms, what is proven of it."""
        if not self._asks_each_path:
            return [(ANY_VALUE, (ANY_VALUE,), Effect.UNPROVEN)] if program.external else []
        effects = program.external_effects or (Effect.UNPROVEN,) * len(program.external)
        paths = zip(program.external, effects, strict=True)
        return [(path.value, path.match_values, effect) for path, effect in paths]

    def external_directory(self, program: BashProgram | None) -> GateResult:
        """Follow G3 to G5."""
        if program is None or not program.external:
            return _NO_EXTERNAL_PATH
        if self.on_external.directional:
            asked = self.on_external.asked
            answers = [
                (path, *asked(path.match_values, effect))
                for path, effect in zip(program.external, program.external_effects, strict=True)
            ]
        else:
            verdict_on = self.on_external.plain
            answers = [
                (path, verdict_on[path.match_values], "external_directory") for path in program.external
            ]
        if not self._asks_each_path:
            return self._without_path(
                program, [path for path, check, _ in answers if check.source != "session"]
            )
        uncovered = [answer for answer in answers if answer[1].action is not ALLOW]
        if not uncovered:
            return _EXTERNAL_PATHS_ALLOWED
        _, worst, surface = max(uncovered, key=lambda answer: answer[1].action)
        values = tuple([path.value for path, _, _ in uncovered])
        return checked(BASH_EXTERNAL_DIRECTORY, worst, surface, program.command, values, paths=values)

    def _without_path(self, program: BashProgram, uncovered: Sequence[AccessPath]) -> GateResult:
        """Ask once about all paths that no session approval covers (16.1, external-per-path)."""
        if not uncovered:
            return _EXTERNAL_PATHS_ALLOWED
        values = tuple(path.value for path in uncovered)
        check, surface = self.on_external.asked((ANY_VALUE,), Effect.UNPROVEN)
        return checked(BASH_EXTERNAL_DIRECTORY, check, surface, program.command, values, paths=values)

    def path(self, program: BashProgram | None) -> GateResult:
        """Follow G6 and G7."""
        if program is None or not program.candidates:
            return _NO_BASH_PATH
        all_by_session = True
        worst: tuple[str, str, Check, str] | None = None
        on_path = self.on_path
        plain = None if on_path.directional else on_path.plain
        for candidate in program.candidates:
            forms = candidate.path.match_values
            check, surface = (
                on_path.asked(forms, candidate.effect) if plain is None else (plain[forms], "path")
            )
            if check.source != "session":
                all_by_session = False
                if check.matched_pattern is None and self._default_is_silent:
                    continue
            if check.action is not ALLOW and (worst is None or check.action > worst[2].action):
                worst = (candidate.token, candidate.path.value, check, surface)
            if check.action is DENY:
                break
        if all_by_session:
            return _BASH_PATHS_ALLOWED
        if worst is None:
            return _NO_BASH_PATH
        token, value, check, surface = worst
        return checked(BASH_PATH, check, surface, token, (value,))

    def command(self, program: BashProgram | None) -> GateResult:
        """Follow G8 to G11."""
        result = self._command(program)
        # Under yolo only what no rule can allow is left to ask.
        if self._yolo and result.action is ASK and self._zero_units is ZeroUnits.UNLESS_DENY:
            return replace(result, action=ALLOW, origin=YOLO_ORIGIN)
        return result

    def _command(self, program: BashProgram | None) -> GateResult:
        if program is None:
            return self._bash("")
        if program.units:
            return self._worst_unit(program)
        asked = self._bash(program.command)
        if self._zero_units is ZeroUnits.WHOLE or is_trivially_empty(program.command):
            return asked
        if self._zero_units is ZeroUnits.UNLESS_DENY and asked.action is DENY:
            return asked
        return GateResult(
            TOOL,
            GateOutcome.CHECK,
            ASK,
            "bash",
            program.command,
            UNPARSEABLE,
            "builtin",
            "bash",
            subjects=(program.command,),
        )

    def _bash(self, text: str) -> GateResult:
        return checked(TOOL, self._verdict_on_unit[text], "bash", text, (text,))

    def _worst_unit(self, program: BashProgram) -> GateResult:
        verdict_on = self._verdict_on_unit
        worst: tuple[Action, Unit, Check] | None = None
        for unit in program.units:
            check = verdict_on[unit.text]
            action = check.action
            if action is ALLOW and (unit.wrapper is not None or unit.damaged):
                if unit.inner is not None:
                    check = verdict_on[unit.inner]
                    action = check.action
                if action is ALLOW and (unit.inner is None or unit.damaged):
                    action = ASK
            if worst is None or action > worst[0]:
                worst = (action, unit, check)
                if action is DENY:
                    break
        assert worst is not None  # noqa: S101 - the caller has units
        action, unit, check = worst
        return GateResult(
            gate=TOOL,
            outcome=GateOutcome.CHECK,
            action=action,
            surface="bash",
            value=program.command if _is_floored_by_damage(unit, check) else unit.text,
            matched_pattern=_pattern(unit, check) if check.action is ALLOW else check.matched_pattern,
            origin=check.origin,
            source=check.source,
            reason=check.reason,
            context=unit.context,
            subjects=(unit.text,),
        )


def _is_floored_by_wrapper(unit: Unit) -> bool:
    return unit.wrapper is not None and unit.inner is None


def _is_floored_by_damage(unit: Unit, check: Check) -> bool:
    return unit.damaged and check.action is ALLOW and not _is_floored_by_wrapper(unit)


def _pattern(unit: Unit, check: Check) -> str | None:
    """Return what stands for the pattern of a rule that allows a unit: a floor, or the pattern itself."""
    if unit.wrapper is not None and _is_floored_by_wrapper(unit):
        return FLOORS[unit.wrapper]
    return UNPARSED if unit.damaged else check.matched_pattern
