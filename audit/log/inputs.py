"""From the requests of a call to what the agent called: tool and input, and how sure that is (13)."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from enum import IntEnum
from typing import Any

import msgspec

from audit.log.calls import GateName, Request
from audit.log.cases import Exactness
from audit.log.cut import FIRST_DAMAGE, MARK, MASK, MASKED, damage
from audit.log.eras import Timeline
from audit.log.previews import PATH_TOOLS, Reading, shown_members, shown_path
from audit.log.wholecommand import unit_is_whole, whole_command

UNKNOWN_TOOL = "unknown"
"""Stands for the tool where no line names it."""

NO_COMMAND = "no command"
NO_PATH = "no path"
NO_INPUT = "input not logged"
UNIT_ONLY = "unit only"
INPUT_CUT = "input known in part"
ALIAS = "argument names of a shell alias"
MCP_ARGUMENTS = "MCP target only"
SKILL_INPUT = "skill input, not a tool call"
TRANSPORT_ONLY = "nothing but the forwarding"


class Given(IntEnum):
    """What the text of a called thing is."""

    NOTHING = 0
    COMMAND = 1
    PATH = 2
    TARGET = 3
    MEMBERS = 4
    """JSON of the whole input."""
    SKILL = 5


class Called(msgspec.Struct, frozen=True, gc=False):
    """What the agent called, without where."""

    tool: str
    given: Given
    text: str
    exactness: Exactness
    """As far as the input goes."""
    reasons: tuple[str, ...]
    needs_place: bool
    """The decision depends on the working directory."""


def input_of(given: Given, text: str) -> Mapping[str, object]:
    """Return the input object of a called tool."""
    if given is Given.COMMAND:
        return {"command": text}
    if given is Given.PATH:
        return {"path": text}
    if given is Given.SKILL:
        return {"name": text}
    if given is Given.TARGET:
        return _mcp_input(text)
    if given is Given.MEMBERS:
        members: dict[str, Any] = json.loads(text)
        return members
    return {}


_COMMAND = Given.COMMAND
_IS_EXACT, _IS_PARTIAL = Exactness.EXACT, Exactness.PARTIAL
_UNIT_ONLY = (UNIT_ONLY,)


class CallReader:
    """Reads what was called from the requests of a call."""

    def __init__(self, eras: Timeline, named_whole: Collection[str], width: int) -> None:
        self.eras = eras
        self.named_whole = named_whole
        self.width = width

    def read(self, requests: Sequence[Request]) -> Called:
        """Return what was called; not replayable, with the reason, where the log does not tell enough."""
        first = requests[0]
        if len(requests) == 1 and first.tool == "bash" and first.command is not None:
            return self._shell(first)
        if first.gate is GateName.SKILL_INPUT:
            return _lost("skill", SKILL_INPUT, Given.SKILL, first.skill or "")
        tool = next((request.tool for request in requests if request.tool), None)
        if tool is None:
            if first.gate is GateName.SKILL_READ:
                tool = "read"
            else:
                return _lost(UNKNOWN_TOOL, TRANSPORT_ONLY if first.gate is GateName.UNKNOWN else NO_COMMAND)
        command = self._command(tool, requests)
        if command is not None:
            return command
        return self._tool(tool, requests)

    def _shell(self, request: Request) -> Called:
        """Return the command of a call with one request, the most frequent kind of call."""
        text = request.full
        whole = text is not None
        if text is None:
            text = request.command or ""
            whole = unit_is_whole(request, self.eras, self.named_whole)
        newest = request.bounds & 15
        if newest >= FIRST_DAMAGE and (MASK in text or text.endswith(MARK)):
            harm = damage(text, newest, self.width)
            if harm is not None:
                return _lost("bash", harm, Given.COMMAND, text)
        if whole:
            return Called("bash", _COMMAND, text, _IS_EXACT, (), True)
        return Called("bash", _COMMAND, text, _IS_PARTIAL, _UNIT_ONLY, True)

    def _command(self, tool: str, requests: Sequence[Request]) -> Called | None:
        command = whole_command(requests, self.eras, self.named_whole)
        if command is None:
            return _lost(tool, NO_COMMAND) if tool == "bash" else None
        harm = damage(command.text, command.newest, self.width)
        if harm is not None:
            return _lost(tool, harm, Given.COMMAND, command.text)
        reasons = () if command.whole else (UNIT_ONLY,)
        if tool != "bash":
            reasons = (*reasons, ALIAS)
        exactness = Exactness.PARTIAL if reasons else Exactness.EXACT
        return Called(tool, Given.COMMAND, command.text, exactness, reasons, True)

    def _tool(self, tool: str, requests: Sequence[Request]) -> Called:
        path = next((request for request in requests if request.path is not None), None)
        if tool in PATH_TOOLS:
            return self._path_tool(tool, path, requests)
        target = next((request.target for request in requests if request.target is not None), None)
        if tool == "mcp" or target is not None:
            if target is not None:
                return Called(tool, Given.TARGET, target, Exactness.PARTIAL, (MCP_ARGUMENTS,), False)
            if path is None:
                return _lost(tool, NO_INPUT)
        return self._other_tool(tool, path, requests)

    def _path_tool(  # noqa: PLR0911 - a return for each way to know the path
        self, tool: str, seen: Request | None, requests: Sequence[Request]
    ) -> Called:
        if seen is not None and seen.path is not None:
            harm = damage(seen.path, seen.bounds & 15, self.width)
            if harm is not None:
                return _lost(tool, harm, Given.PATH, seen.path)
            return Called(tool, Given.PATH, seen.path, Exactness.EXACT, (), True)
        previewed = next((request for request in requests if request.preview), None)
        if previewed is None or previewed.preview is None:
            return _lost(tool, NO_PATH)
        harm = damage(previewed.preview, previewed.bounds & 15, self.width)
        if harm == MASKED:
            return _lost(tool, harm)
        shown = shown_path(tool, previewed.preview)
        if shown.reading is Reading.NOTHING:
            return _lost(tool, harm or NO_PATH)
        if shown.path is None:
            return Called(tool, Given.NOTHING, "", Exactness.EXACT, (), True)
        return Called(tool, Given.PATH, shown.path, Exactness.EXACT, (), True)

    def _other_tool(self, tool: str, seen: Request | None, requests: Sequence[Request]) -> Called:
        """Read a tool of an extension: the whole input, where the preview shows it."""
        previewed = next((request.preview for request in requests if request.preview), None)
        shown = shown_members(previewed) if previewed is not None else None
        if shown is not None and shown.reading is Reading.WHOLE:
            return Called(tool, Given.MEMBERS, shown.members, Exactness.EXACT, (), '"path"' in shown.members)
        if seen is not None and seen.path is not None:
            harm = damage(seen.path, seen.bounds & 15, self.width)
            if harm is not None:
                return _lost(tool, harm, Given.PATH, seen.path)
            return Called(tool, Given.PATH, seen.path, Exactness.PARTIAL, (INPUT_CUT,), True)
        if shown is not None:
            return Called(tool, Given.MEMBERS, shown.members, Exactness.PARTIAL, (INPUT_CUT,), False)
        if self._tells_no_input(requests):
            return Called(tool, Given.NOTHING, "", Exactness.PARTIAL, (NO_INPUT,), False)
        return Called(tool, Given.NOTHING, "", Exactness.EXACT, (), False)

    @staticmethod
    def _tells_no_input(requests: Sequence[Request]) -> bool:
        """Tell whether a missing preview may hide an input: only a sentence shows that it is empty."""
        return not any(request.message and request.gate is GateName.TOOL for request in requests)


def _lost(tool: str, reason: str, given: Given = Given.NOTHING, text: str = "") -> Called:
    return Called(tool, given, text, Exactness.NOT_REPLAYABLE, (reason,), False)


def _mcp_input(target: str) -> Mapping[str, object]:
    """Return an input of the MCP tool that is looked up under the target."""
    if target in {"mcp_status", "mcp"}:
        return {}
    if target.startswith("mcp_connect_"):
        return {"connect": target.removeprefix("mcp_connect_")}
    if target.startswith("mcp_server_"):
        return {"server": target.removeprefix("mcp_server_")}
    return {"tool": target}
