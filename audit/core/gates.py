"""The six gates a call passes, in order (core-bash.md 13, core-policy.md 11).

A gate does not apply, lets the call bypass it, or checks it. Texts are code-unit strings.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import field
from enum import StrEnum
from functools import partial

from audit.core.action import Action
from audit.core.bash.units import Unit
from audit.core.bash.wrappers import Wrapper
from audit.core.ecma import to_code_units, trim
from audit.core.paths.access_path import AccessPath, Paths
from audit.core.place import Place
from audit.core.policy.command_text import bash_value
from audit.core.policy.evaluate import PATH_TOOLS, RulesInPlace, in_place
from audit.core.policy.rule import Check, Ruleset
from audit.core.program import BashProgram
from audit.core.record import Kept, record

UNPARSEABLE = "<unparseable-bash-command>"
"""Stands for the matched pattern where a command that is not empty has no unit (G8)."""
FLOORS = {
    Wrapper.OPAQUE_PAYLOAD: "<opaque-bash-wrapper>",
    Wrapper.INDIRECTION: "<indirection-bash-wrapper>",
}
"""Stands for the matched pattern where an allow was raised to ask (G10)."""

INFRASTRUCTURE_TOOLS = frozenset({"read", "find", "grep", "ls"})


class Gate(StrEnum):
    """The gates, in pipeline order."""

    SKILL_READ = "skill_read"
    PATH = "path"
    EXTERNAL_DIRECTORY = "external_directory"
    BASH_EXTERNAL_DIRECTORY = "bash_external_directory"
    BASH_PATH = "bash_path"
    TOOL = "tool"


class GateOutcome(StrEnum):
    """What a gate made of a call."""

    NONE = "none"
    BYPASS = "bypass"
    CHECK = "check"


@record
class GateResult:
    """What one gate says; members that do not apply are None."""

    gate: Gate
    outcome: GateOutcome
    action: Action | None = None
    surface: str | None = None
    value: str | None = None
    matched_pattern: str | None = None
    """The winning rule's pattern as written, or a sentinel; None where only a default applied."""
    origin: str | None = None
    source: str | None = None
    reason: str | None = None
    context: str | None = None
    """Where a nested command unit was found."""
    paths: tuple[str, ...] | None = None
    """The external paths that are not allowed."""
    subjects: tuple[str, ...] = field(default=(), compare=False)
    """The texts that a session approval offered here would be derived from."""

    @property
    def effect(self) -> Action:
        """What the runner makes of it: a session approval passes whatever the action (11.6)."""
        return ALLOW if self.action is None or self.source == "session" else self.action


SKILL_READ, PATH, EXTERNAL_DIRECTORY, BASH_EXTERNAL_DIRECTORY, BASH_PATH, TOOL = Gate
NONE, BYPASS, CHECK = GateOutcome
ALLOW, ASK, DENY = Action

NOT_APPLICABLE = {gate: GateResult(gate, NONE) for gate in Gate}
_NO_PATH_ARGUMENT = tuple(NOT_APPLICABLE[gate] for gate in (SKILL_READ, PATH, EXTERNAL_DIRECTORY))
_NO_EXTERNAL_PATH = NOT_APPLICABLE[BASH_EXTERNAL_DIRECTORY]
_NO_BASH_PATH = NOT_APPLICABLE[BASH_PATH]
_EXTERNAL_PATHS_ALLOWED = GateResult(BASH_EXTERNAL_DIRECTORY, BYPASS, ALLOW)
_BASH_PATHS_ALLOWED = GateResult(BASH_PATH, BYPASS, ALLOW)


@record
class Subject:
    """One call, as the gates look at it."""

    tool: str
    is_shell: bool
    program: BashProgram | None = None
    """None for a call that is no shell command, and for an empty one."""
    path_argument: str | None = None
    """The path in the input, trimmed (core-policy.md 11.4)."""
    path: AccessPath | None = None
    skill: str = "*"
    mcp_targets: tuple[str, ...] = ()


def _check(
    gate: Gate,
    check: Check,
    surface: str,
    value: str,
    subjects: tuple[str, ...] = (),
    paths: tuple[str, ...] | None = None,
) -> GateResult:
    return GateResult(
        gate,
        CHECK,
        check.action,
        surface,
        value,
        check.matched_pattern,
        check.origin,
        check.source,
        check.reason,
        None,
        paths,
        subjects,
    )


def _denies(result: GateResult) -> bool:
    return result.action is DENY and result.source != "session"


def _length_of_forms(forms: tuple[str, ...]) -> int:
    return sum(map(len, forms))


def is_trivially_empty(command: str) -> bool:
    """Tell whether every line is blank or a comment (G8)."""
    return all(line.startswith("#") for line in map(trim, command.split("\n")) if line)


class Gates:
    """The gates of one place under one ruleset."""

    __slots__ = (
        "_configured",
        "_infrastructure",
        "_infrastructure_patterns",
        "_paths",
        "_pipeline",
        "_rules",
        "_skills",
        "_verdict_on_external",
        "_verdict_on_path",
        "_verdict_on_unit",
        "promotes",
    )

    def __init__(self, ruleset: Ruleset, paths: Paths, place: Place) -> None:
        self._rules: RulesInPlace = in_place(ruleset, paths.home, place.platform)
        self._configured = in_place(ruleset.without_session(), paths.home, place.platform)
        self._paths = paths
        join = paths.flavor.join
        agent_dir = to_code_units(place.agent_dir or join(paths.home, ".pi", "agent"))
        configured = [
            agent_dir,
            join(agent_dir, "git"),
            *map(to_code_units, place.infrastructure),
            *ruleset.infrastructure_reads,
        ]
        self._infrastructure_patterns = tuple(entry for entry in configured if "*" in entry or "?" in entry)
        directories = [entry for entry in configured if entry not in self._infrastructure_patterns]
        directories += [join(paths.cwd, ".pi", "npm"), join(paths.cwd, ".pi", "git")]
        self._infrastructure = tuple(
            paths.flavor.fold(
                paths.flavor.resolve(paths.cwd, paths.flavor.expand_home(directory, paths.home))
            )
            for directory in directories
        )
        self._skills = tuple(
            (to_code_units(skill.name), paths.lexical(to_code_units(skill.location), paths.cwd))
            for skill in place.skills
        )
        self._pipeline: tuple[Callable[[Subject], GateResult], ...] = (
            self._skill_read,
            self._path,
            self._external_directory,
            lambda subject: self._bash_external_directory(subject.program),
            lambda subject: self._bash_path(subject.program),
            self._tool,
        )
        rules = self._rules
        verdict_on_bash = rules.asker("bash")
        self._verdict_on_unit = Kept[str, Check](lambda text: verdict_on_bash(bash_value(text)), len)
        self._verdict_on_path = Kept(partial(rules.verdict_any, "path"), _length_of_forms)
        self._verdict_on_external = Kept(partial(rules.verdict_any, "external_directory"), _length_of_forms)
        self.promotes: Callable[[str], bool] = Kept(rules.promotes, len).__getitem__
        """Tells whether a bare shell token is offered to the `path` surface (C6)."""

    def results(self, subject: Subject) -> tuple[GateResult, ...]:
        """Return the results in pipeline order, up to and including the first that denies."""
        results: list[GateResult] = []
        for ask in self._pipeline:
            result = ask(subject)
            results.append(result)
            if _denies(result):
                break
        return tuple(results)

    def results_of_command(self, program: BashProgram | None) -> tuple[GateResult, ...]:
        """Return the results for the native shell tool, which has no path argument."""
        external = self._bash_external_directory(program)
        if _denies(external):
            return (*_NO_PATH_ARGUMENT, external)
        path = self._bash_path(program)
        if _denies(path):
            return (*_NO_PATH_ARGUMENT, external, path)
        return (*_NO_PATH_ARGUMENT, external, path, self._command(program))

    def _skill_read(self, subject: Subject) -> GateResult:
        if subject.tool != "read" or subject.path is None or not self._skills:
            return NOT_APPLICABLE[SKILL_READ]
        lexical = subject.path.value
        dirname, within = self._paths.flavor.dirname, self._paths.flavor.within
        around = [entry for entry in self._skills if lexical == entry[1]] or sorted(
            (entry for entry in self._skills if within(lexical, dirname(entry[1]))),
            key=lambda entry: -len(dirname(entry[1])),
        )
        for name, _ in around[:1]:
            check = self._configured.verdict("skill", name)
            if check.action is not DENY:
                return _check(SKILL_READ, check, "skill", name)
        return NOT_APPLICABLE[SKILL_READ]

    def _path(self, subject: Subject) -> GateResult:
        if subject.path is None:
            return NOT_APPLICABLE[PATH]
        check = self._rules.verdict_any("path", subject.path.match_values)
        if check.action is ALLOW or check.matched_pattern is None:
            return NOT_APPLICABLE[PATH]
        return _check(PATH, check, "path", subject.path_argument or "", (subject.path.value,))

    def _external_directory(self, subject: Subject) -> GateResult:
        path = subject.path
        if path is None or not self._paths.is_outside(path.boundary):
            return NOT_APPLICABLE[EXTERNAL_DIRECTORY]
        argument = subject.path_argument or ""
        if subject.tool in INFRASTRUCTURE_TOOLS and self._is_infrastructure(path.boundary):
            return GateResult(EXTERNAL_DIRECTORY, BYPASS, ALLOW, subject.tool, argument)
        check = self._rules.verdict_any("external_directory", path.match_values)
        return _check(EXTERNAL_DIRECTORY, check, "external_directory", argument, (path.value,))

    def _is_infrastructure(self, boundary: str) -> bool:
        return any(
            self._paths.flavor.within(boundary, directory) for directory in self._infrastructure
        ) or any(
            self._rules.matches(pattern, boundary, "external_directory")
            for pattern in self._infrastructure_patterns
        )

    def _bash_external_directory(self, program: BashProgram | None) -> GateResult:
        """Follow G3 to G5."""
        if program is None or not program.external:
            return _NO_EXTERNAL_PATH
        verdict_on = self._verdict_on_external
        uncovered: list[tuple[AccessPath, Check]] = []
        for path in program.external:
            check = verdict_on[path.match_values]
            if check.action is not ALLOW:
                uncovered.append((path, check))
        if not uncovered:
            return _EXTERNAL_PATHS_ALLOWED
        worst = max((check for _, check in uncovered), key=lambda check: check.action)
        values = tuple(path.value for path, _ in uncovered)
        command = program.command
        return _check(BASH_EXTERNAL_DIRECTORY, worst, "external_directory", command, values, paths=values)

    def _bash_path(self, program: BashProgram | None) -> GateResult:
        """Follow G6 and G7."""
        if program is None or not program.candidates:
            return _NO_BASH_PATH
        all_by_session = True
        worst: tuple[str, str, Check] | None = None
        verdict_on = self._verdict_on_path
        for candidate in program.candidates:
            check = verdict_on[candidate.path.match_values]
            if check.source != "session":
                all_by_session = False
                if check.matched_pattern is None:
                    continue
            if check.action is not ALLOW and (worst is None or check.action > worst[2].action):
                worst = (candidate.token, candidate.path.value, check)
            if check.action is DENY:
                break
        if all_by_session:
            return _BASH_PATHS_ALLOWED
        if worst is None:
            return _NO_BASH_PATH
        token, value, check = worst
        return _check(BASH_PATH, check, "path", token, (value,))

    def _tool(self, subject: Subject) -> GateResult:
        if subject.is_shell:
            return self._command(subject.program)
        if subject.tool == "mcp":
            check = self._rules.evaluate_first("mcp", subject.mcp_targets)
            return _check(TOOL, check, "mcp", check.value, (check.value,))
        if subject.tool == "skill":
            return _check(TOOL, self._rules.verdict("skill", subject.skill), "skill", "skill")
        if subject.tool in PATH_TOOLS and subject.path is not None:
            check = self._rules.verdict_any(subject.tool, subject.path.match_values)
            argument = subject.path_argument or ""
            return _check(TOOL, check, subject.tool, argument, (subject.path.value,))
        # A path that cleans to nothing is matched as `*` and still shown as it was given.
        shown = (subject.path_argument if subject.tool in PATH_TOOLS else None) or subject.tool
        return _check(TOOL, self._rules.verdict(subject.tool, "*"), subject.tool, shown)

    def _command(self, program: BashProgram | None) -> GateResult:
        """Follow G8 to G11."""
        if program is None:
            return self._bash("")
        if not program.units:
            if is_trivially_empty(program.command):
                return self._bash(program.command)
            return GateResult(
                TOOL,
                CHECK,
                ASK,
                "bash",
                program.command,
                UNPARSEABLE,
                "builtin",
                "bash",
                subjects=(program.command,),
            )
        return self._worst_unit(program.units)

    def _bash(self, text: str) -> GateResult:
        return _check(TOOL, self._verdict_on_unit[text], "bash", text, (text,))

    def _worst_unit(self, units: Sequence[Unit]) -> GateResult:
        verdict_on = self._verdict_on_unit
        worst: tuple[Action, Unit, Check] | None = None
        for unit in units:
            check = verdict_on[unit.text]
            action = check.action
            if unit.wrapper is not None and action is ALLOW:
                action = ASK
            if worst is None or action > worst[0]:
                worst = (action, unit, check)
                if action is DENY:
                    break
        assert worst is not None  # noqa: S101 - the caller has units
        action, unit, check = worst
        floored = unit.wrapper is not None and check.action is ALLOW
        return GateResult(
            gate=TOOL,
            outcome=CHECK,
            action=action,
            surface="bash",
            value=unit.text,
            matched_pattern=FLOORS[unit.wrapper] if unit.wrapper and floored else check.matched_pattern,
            origin=check.origin,
            source=check.source,
            reason=check.reason,
            context=unit.context,
            subjects=(unit.text,),
        )
