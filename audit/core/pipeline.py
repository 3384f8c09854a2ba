"""The six gates a call passes, in order (core-bash.md 13, core-policy.md 11). Texts are code-unit strings."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from audit.core.action import Action
from audit.core.ecma import to_code_units
from audit.core.gates import NOT_APPLICABLE, Gate, GateOutcome, GateResult, checked, denies
from audit.core.paths.access_path import AccessPath
from audit.core.place import Place
from audit.core.policy.evaluate import PATH_TOOLS, RulesInPlace, in_place, matching
from audit.core.policy.rule import Ruleset
from audit.core.program import BashProgram
from audit.core.reading import Reader
from audit.core.record import Kept, record
from audit.core.shell_gates import ShellGates
from audit.core.switches import Yolo

INFRASTRUCTURE_TOOLS = frozenset({"read", "find", "grep", "ls"})

ALLOW, DENY = Action.ALLOW, Action.DENY
SKILL_READ, PATH, EXTERNAL_DIRECTORY, TOOL = Gate.SKILL_READ, Gate.PATH, Gate.EXTERNAL_DIRECTORY, Gate.TOOL


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
    """That path as rules see it; None where it cleans to nothing."""
    outside: AccessPath | None = None
    """And as the boundary and `external_directory` rules see it."""
    skill: str = "*"
    mcp_targets: tuple[str, ...] = ()


class Gates:
    """The gates of one place under one ruleset."""

    __slots__ = (
        "_approves_asks",
        "_before_command",
        "_configured",
        "_has_path_gates",
        "_infrastructure",
        "_infrastructure_patterns",
        "_paths",
        "_pipeline",
        "_skills",
        "promotes",
        "rules",
        "shell",
    )

    def __init__(self, ruleset: Ruleset, reader: Reader, place: Place) -> None:
        self._paths = paths = reader.paths
        how = matching(paths, reader.revision, directional=reader.directional)
        self._approves_asks = ruleset.yolo and reader.revision.yolo is Yolo.PROMPTER
        if self._approves_asks:
            ruleset = replace(ruleset, yolo=False)
        self.rules: RulesInPlace = in_place(ruleset, how)
        self._configured = in_place(ruleset.without_session(), how)
        self.shell = ShellGates(
            self.rules, reader.revision, directional=reader.directional, yolo=ruleset.yolo
        )
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
                paths.flavor.resolve(
                    paths.cwd, paths.flavor.expand_home(directory, paths.home, paths.home_names)
                )
            )
            for directory in directories
        )
        self._skills = tuple(
            (to_code_units(skill.name), paths.lexical(to_code_units(skill.location), paths.cwd))
            for skill in place.skills
        )
        self._has_path_gates = reader.has_path_surface
        self._before_command = tuple(
            NOT_APPLICABLE[gate]
            for gate in (SKILL_READ, PATH, EXTERNAL_DIRECTORY)
            if gate is not PATH or self._has_path_gates
        )
        shell = self.shell
        self._pipeline: tuple[Callable[[Subject], GateResult], ...] = (
            self._skill_read,
            self._path,
            self._external_directory,
            lambda subject: shell.external_directory(subject.program),
            lambda subject: shell.path(subject.program),
            self._tool,
        )
        if not self._has_path_gates:
            self._pipeline = self._pipeline[:1] + self._pipeline[2:4] + self._pipeline[5:]
        self.promotes: Callable[[str], bool] = Kept(self.rules.promotes, len).__getitem__
        """Tells whether a rule of the `path` surface names a bare shell token (C6)."""

    def results(self, subject: Subject) -> tuple[GateResult, ...]:
        """Return the results in pipeline order, up to and including the first that denies."""
        results: list[GateResult] = []
        for ask in self._pipeline:
            result = ask(subject)
            results.append(result)
            if denies(result):
                break
        return tuple(map(_approved, results)) if self._approves_asks else tuple(results)

    def results_of_command(self, program: BashProgram | None) -> tuple[GateResult, ...]:
        """Return the results for the native shell tool, which has no path argument."""
        results = self._of_command(program)
        return tuple(map(_approved, results)) if self._approves_asks else results

    def _of_command(self, program: BashProgram | None) -> tuple[GateResult, ...]:
        shell, before = self.shell, self._before_command
        external = shell.external_directory(program)
        if denies(external):
            return (*before, external)
        if not self._has_path_gates:
            return (*before, external, shell.command(program))
        path = shell.path(program)
        if denies(path):
            return (*before, external, path)
        return (*before, external, path, shell.command(program))

    def _skill_read(self, subject: Subject) -> GateResult:
        if subject.tool != "read" or subject.path is None or not self._skills:
            return NOT_APPLICABLE[SKILL_READ]
        lexical = self._paths.lexical(subject.path_argument or "", self._paths.cwd)
        dirname, within = self._paths.flavor.dirname, self._paths.flavor.within
        around = [entry for entry in self._skills if lexical == entry[1]] or sorted(
            (entry for entry in self._skills if within(lexical, dirname(entry[1]))),
            key=lambda entry: -len(dirname(entry[1])),
        )
        for name, _ in around[:1]:
            check = self._configured.verdict("skill", name)
            if check.action is not DENY:
                return checked(SKILL_READ, check, "skill", name)
        return NOT_APPLICABLE[SKILL_READ]

    def _path(self, subject: Subject) -> GateResult:
        if subject.path is None:
            return NOT_APPLICABLE[PATH]
        check = self.rules.verdict_any("path", subject.path.match_values)
        if check.action is ALLOW or check.matched_pattern is None:
            return NOT_APPLICABLE[PATH]
        return checked(PATH, check, "path", subject.path_argument or "", (subject.path.value,))

    def _external_directory(self, subject: Subject) -> GateResult:
        path = subject.outside
        if path is None or not self._paths.is_outside(path.boundary):
            return NOT_APPLICABLE[EXTERNAL_DIRECTORY]
        argument = subject.path_argument or ""
        if subject.tool in INFRASTRUCTURE_TOOLS and self._is_infrastructure(path.boundary):
            return GateResult(EXTERNAL_DIRECTORY, GateOutcome.BYPASS, ALLOW, subject.tool, argument)
        check = self.rules.verdict_any("external_directory", path.match_values)
        return checked(EXTERNAL_DIRECTORY, check, "external_directory", argument, (path.value,))

    def _is_infrastructure(self, boundary: str) -> bool:
        return any(
            self._paths.flavor.within(boundary, directory) for directory in self._infrastructure
        ) or any(
            self.rules.matches(pattern, boundary, "external_directory")
            for pattern in self._infrastructure_patterns
        )

    def _tool(self, subject: Subject) -> GateResult:
        if subject.is_shell:
            return self.shell.command(subject.program)
        if subject.tool == "mcp":
            target, check = self.rules.verdict_first("mcp", subject.mcp_targets)
            return checked(TOOL, check, "mcp", target, (target,))
        if subject.tool == "skill":
            return checked(TOOL, self.rules.verdict("skill", subject.skill), "skill", "skill")
        if subject.tool in PATH_TOOLS and subject.path is not None:
            check = self.rules.verdict_any(subject.tool, subject.path.match_values)
            argument = subject.path_argument or ""
            return checked(TOOL, check, subject.tool, argument, (subject.path.value,))
        # A path that cleans to nothing is matched as `*` and still shown as it was given.
        shown = (subject.path_argument if subject.tool in PATH_TOOLS else None) or subject.tool
        return checked(TOOL, self.rules.verdict(subject.tool, "*"), subject.tool, shown)


def _approved(result: GateResult) -> GateResult:
    """Let yolo approve a result that asks, as the prompter did before 18.2.0."""
    return replace(result, source="yolo") if result.effect is Action.ASK else result
