"""Tools of Claude Code in the permission system's terms.

Kept are the members that the corresponding tool has; descriptions, time limits and display options
say nothing about what is accessed. A tool without a counterpart keeps its name and input.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from audit.log.transcripts.gathering import members, string

Input = Mapping[str, object]

MCP_PREFIX = "mcp__"
MEMBERS: Mapping[str, tuple[str, Mapping[str, str]]] = {
    "Bash": ("bash", {"command": "command"}),
    "Read": ("read", {"file_path": "path", "offset": "offset", "limit": "limit"}),
    "Write": ("write", {"file_path": "path", "content": "content"}),
    "NotebookRead": ("read", {"notebook_path": "path"}),
    "NotebookEdit": ("edit", {"notebook_path": "path"}),
    "Grep": ("grep", {"pattern": "pattern", "path": "path", "glob": "glob"}),
    "Glob": ("find", {"pattern": "pattern", "path": "path"}),
    "LS": ("ls", {"path": "path"}),
}
"""Name of a tool to the corresponding name, and its members to the corresponding members."""


def corresponding(name: str, given: Input) -> tuple[str, Input]:
    """Return the permission system's name and input for a call of Claude Code."""
    if name in MEMBERS:
        tool, names = MEMBERS[name]
        return tool, {new: given[old] for old, new in names.items() if old in given}
    if name in SPECIAL:
        return SPECIAL[name](given)
    if name.startswith(MCP_PREFIX):
        return mcp_call(name.removeprefix(MCP_PREFIX), given)
    return name, given


def mcp_call(qualified: str, arguments: Input) -> tuple[str, Input]:
    """Return the call of an MCP tool named `server__tool`."""
    server, mark, tool = qualified.partition("__")
    named: dict[str, object] = {"tool": tool, "server": server} if mark and tool else {"tool": qualified}
    return "mcp", {**named, "arguments": arguments} if arguments else named


def _edit(given: Input) -> tuple[str, Input]:
    """Return one replacement, or several, as the edit tool takes them."""
    several = given.get("edits")
    edits = several if isinstance(several, list) else [given]
    replaced = [
        {"oldText": members(edit).get("old_string"), "newText": members(edit).get("new_string")}
        for edit in edits
    ]
    path = {"path": given["file_path"]} if "file_path" in given else {}
    return "edit", {**path, "edits": replaced}


def _skill(given: Input) -> tuple[str, Input]:
    name = string(given.get("skill")) or string(given.get("command"))
    return "skill", {"name": name} if name else {}


SPECIAL: Mapping[str, Callable[[Input], tuple[str, Input]]] = {
    "Edit": _edit,
    "MultiEdit": _edit,
    "Skill": _skill,
}
