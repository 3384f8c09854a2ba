"""The decision: `decide(call, ruleset, place, revision)`, a pure function of its four arguments."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass
from typing import TypeVar

from audit.core.action import Action
from audit.core.bash.parser import TooLarge
from audit.core.call import ToolCall
from audit.core.ecma import from_code_units, leaves_basic_plane, to_code_units, trim
from audit.core.gates import PASSING, GateResult
from audit.core.pipeline import Gates, Subject
from audit.core.place import Place
from audit.core.policy.mcp import candidates
from audit.core.policy.rule import Ruleset, ShellTool
from audit.core.program import BashProgram
from audit.core.reading import CommandReading, Reader, reads_alike
from audit.core.record import record
from audit.core.revision import Revision
from audit.core.switches import ShellAliases

T = TypeVar("T")

ALLOW = Action.ALLOW
NATIVE_SHELL = "bash"


@record
class Decision:
    """What the core makes of one call."""

    action: Action
    """The net decision when every ask is granted once."""
    first: Action
    """What a person meets first: the first gate that is not allow, or allow."""
    gates: tuple[GateResult, ...]
    program: BashProgram | None = None


@dataclass(frozen=True, slots=True)
class Undecided:
    """The core could not answer; never a decision."""

    kind: str
    """One of the failure kinds of the engine protocol."""
    message: str


def _joined(value: T) -> T:
    """Rejoin surrogate pairs in every text of a result."""
    if isinstance(value, str):
        # Members of enumerations are plain ASCII, so they stay what they are.
        return value if value.isascii() else from_code_units(value)  # type: ignore[return-value]
    if isinstance(value, tuple):
        return tuple(map(_joined, value))  # type: ignore[return-value]
    if is_dataclass(value) and not isinstance(value, type):
        names = [member.name for member in fields(value)]
        return type(value)(*[_joined(getattr(value, name)) for name in names])
    return value


def _non_empty(value: object) -> str | None:
    """Return a text argument as it is used: trimmed, None unless a text with something in it."""
    if not isinstance(value, str):
        return None
    return trim(to_code_units(value)) or None


class Judge:
    """The core prepared for one ruleset, place and revision, to decide many calls."""

    __slots__ = ("_joins", "gates", "place", "reader", "revision", "ruleset", "shell_tools")

    def __init__(self, ruleset: Ruleset, place: Place, revision: Revision) -> None:
        self.ruleset = ruleset
        self.place = place
        self.revision = revision
        self.reader = Reader(place, revision)
        self.gates = Gates(ruleset, self.reader, place)
        self.shell_tools: Mapping[str, ShellTool] = (
            ruleset.shell_tools if revision.shell_aliases is ShellAliases.ON else {}
        )
        """The tools beside the native one that are shells."""
        self._joins = any(
            from_code_units(text) != text
            for text in (
                self.reader.paths.cwd,
                self.reader.paths.home,
                *(rule.pattern for rule in ruleset.rules),
            )
        )

    def reads_like(self, other: Judge) -> bool:
        """Tell whether a command reading made for the other judge serves this one."""
        return (
            self.place == other.place
            and self.shell_tools == other.shell_tools
            and reads_alike(self.revision, other.revision)
        )

    def read(self, call: ToolCall, parsed: CommandReading | None = None) -> CommandReading | None:
        """Parse and walk the call's command; None without one. Raises `TooLarge`.

        `parsed` may be another judge's reading of the call: its syntax tree is used again.
        """
        tool = call.tool if call.tool == NATIVE_SHELL else trim(call.tool)
        if tool == NATIVE_SHELL:
            written, workdir = call.input.get("command"), None
        else:
            alias = self.shell_tools.get(tool)
            if alias is None:
                return None
            written = call.input.get(alias.command_argument)
            workdir = _non_empty(call.input.get(alias.workdir_argument)) if alias.workdir_argument else None
        command = _non_empty(written)
        if command is None or not isinstance(written, str):
            return None
        root = parsed.root if parsed is not None and parsed.command == command else None
        return self.reader.read(command, workdir, root, to_code_units(written))

    def decide(self, call: ToolCall, reading: CommandReading | None = None) -> Decision | Undecided:
        """Decide one call; `reading` may hand over what `read` returned for it."""
        try:
            if reading is None:
                reading = self.read(call)
            program = None if reading is None else reading.program(self.gates.promotes)
        except TooLarge as limit:
            return Undecided("too-large", str(limit))
        if call.tool == NATIVE_SHELL:
            gates = self.gates.results_of_command(program)
        else:
            gates = self.gates.results(self._subject(call, program))
        first = action = ALLOW
        for result in gates:
            effect = result.action
            if effect is not None and effect is not ALLOW and result.source not in PASSING:
                first = effect if first is ALLOW else first
                action = max(action, effect)
        decision = Decision(action, first, gates, program)
        return _joined(decision) if self._joins or _splits(call) else decision

    def _subject(self, call: ToolCall, program: BashProgram | None) -> Subject:
        tool = trim(call.tool)
        if tool == NATIVE_SHELL:
            return Subject(tool, is_shell=True, program=program)
        path_argument = _non_empty(_path_member(tool, call.input))
        path = outside = None
        if path_argument is not None:
            paths = self.reader.paths
            seen = paths.argument_outside_form(path_argument, paths.cwd)
            if seen.match_values:
                path, outside = paths.argument_rule_form(path_argument, paths.cwd), seen
        name = call.input.get("name")
        return Subject(
            tool=tool,
            is_shell=tool in self.shell_tools,
            program=program,
            path_argument=path_argument,
            path=path,
            outside=outside,
            skill=to_code_units(name) if isinstance(name, str) else "*",
            mcp_targets=tuple(candidates(call.input, self.ruleset.mcp_servers)) if tool == "mcp" else (),
        )


def _splits(call: ToolCall) -> bool:
    """Tell whether a text that can reach the decision holds characters outside the basic plane."""
    if call.tool == NATIVE_SHELL:
        command = call.input.get("command")
        return isinstance(command, str) and leaves_basic_plane(command)
    return any(map(leaves_basic_plane, _texts(call.input)))


def _texts(given: Mapping[str, object]) -> Iterator[str]:
    """Yield the texts of an input that can reach a decision."""
    for value in given.values():
        if isinstance(value, str):
            yield value
        elif isinstance(value, Mapping):
            yield from _texts(value)


def _path_member(tool: str, given: Mapping[str, object]) -> object:
    """Return the member of an input that holds its path (core-policy.md 11.4)."""
    if tool != "mcp":
        return given.get("path")
    arguments = given.get("arguments")
    return arguments.get("path") if isinstance(arguments, Mapping) else None


def decide(call: ToolCall, ruleset: Ruleset, place: Place, revision: Revision) -> Decision | Undecided:
    """Decide one call. For many calls in one place make a `Judge` once."""
    return Judge(ruleset, place, revision).decide(call)
