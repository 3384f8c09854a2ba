"""Tools of Codex in the permission system's terms.

A shell call becomes `bash` with the text the shell was given; `workdir` stays in its input where it
is another folder than the session's. A patch of one file becomes `edit` or `write`; one of several
files has no counterpart and stays `apply_patch`.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping
from urllib.parse import unquote, urlsplit

import msgspec

from audit.log.transcripts.claude_code_tools import MCP_PREFIX, mcp_call
from audit.log.transcripts.gathering import string

Input = Mapping[str, object]

SHELL_TOOLS = frozenset(
    {"shell", "shell_command", "exec_command", "container.exec", "local_shell", "unified_exec"}
)
POSIX_SHELLS = frozenset({"bash", "sh", "zsh", "dash", "ksh"})
RUN_FLAG = re.compile(r"-[a-z]*c")
"""`-c`, `-lc`, `-ec` and the like: the next word is the program."""
OTHER_SHELLS = frozenset({"powershell", "pwsh", "cmd"})
WORKDIRS = ("workdir", "working_directory", "cwd")
COMMANDS = ("command", "cmd")
FILE_TOOLS: Mapping[str, tuple[str, Mapping[str, str]]] = {
    "read_file": ("read", {"file_path": "path", "path": "path", "offset": "offset", "limit": "limit"}),
    "view_image": ("read", {"path": "path"}),
    "list_dir": ("ls", {"dir_path": "path", "path": "path"}),
    "grep_files": ("grep", {"pattern": "pattern", "path": "path", "include": "glob"}),
}
PATCHED_FILE = re.compile(r"^\*\*\* (Add|Update|Delete) File: (.+?)\s*$", re.MULTILINE)
MOVED_FILE = re.compile(r"^\*\*\* Move to: ", re.MULTILINE)


def corresponding(name: str, namespace: str | None, given: Input, cwd: str | None) -> tuple[str, Input]:
    """Return the permission system's name and input for a call of Codex made in `cwd`."""
    if namespace and namespace.startswith(MCP_PREFIX):
        return mcp_call(f"{namespace.removeprefix(MCP_PREFIX).rstrip('_')}__{name}", given)
    if name.startswith(MCP_PREFIX):
        return mcp_call(name.removeprefix(MCP_PREFIX), given)
    if name in SHELL_TOOLS:
        return _shell(name, given, cwd)
    if name == "apply_patch":
        patch = string(given.get("input")) or string(given.get("patch"))
        return apply_patch(patch) if patch else (name, given)
    if name in FILE_TOOLS:
        tool, names = FILE_TOOLS[name]
        return tool, {new: given[old] for old, new in names.items() if old in given}
    return name, given


def arguments_of(given: object) -> Input:
    """Return the arguments of a call, which are an object or a text that holds one.

    Another text is the input of a free-form tool.
    """
    if isinstance(given, dict):
        return given
    if isinstance(given, str):
        try:
            value = msgspec.json.decode(given)
        except msgspec.DecodeError:
            value = None
        return value if isinstance(value, dict) else {"input": given}
    return {} if given is None else {"input": given}


def program_of(command: object) -> str | None:
    """Return the shell text of a command; None where no POSIX shell runs it.

    A list that is a shell with its flag and a text gives the text; any other list is quoted, so that
    a shell would start the same program with the same arguments.
    """
    if isinstance(command, str):
        return command
    if not isinstance(command, list) or not command or not all(isinstance(word, str) for word in command):
        return None
    shell = re.split(r"[/\\]", command[0])[-1].lower().removesuffix(".exe")
    if shell in OTHER_SHELLS:
        return None
    if shell in POSIX_SHELLS and len(command) == 3 and RUN_FLAG.fullmatch(command[1]):
        return str(command[2])
    return shlex.join(command)


def file_path(place: object) -> str | None:
    """Return a folder given as a path or as a `file:` address."""
    if not isinstance(place, str) or not place:
        return None
    return unquote(urlsplit(place).path) if place.startswith("file://") else place


def apply_patch(patch: str) -> tuple[str, Input]:
    """Return the call that a patch amounts to."""
    files = PATCHED_FILE.findall(patch)
    if len(files) != 1 or MOVED_FILE.search(patch):
        return "apply_patch", {"input": patch}
    action, path = files[0]
    if action == "Add":
        content = "".join(f"{line[1:]}\n" for line in patch.splitlines() if line.startswith("+"))
        return "write", {"path": path, "content": content}
    return "edit", {"path": path, "patch": patch}


def file_changes(changes: object) -> tuple[str, Input]:
    """Return the call behind an event that lists the files a patch changed."""
    if isinstance(changes, dict) and len(changes) == 1:
        [(path, change)] = changes.items()
        if isinstance(change, dict) and change.get("type") == "add" and string(change.get("content")):
            return "write", {"path": path, "content": change["content"]}
        if isinstance(change, dict) and not change.get("move_path"):
            return "edit", {"path": path}
    return "apply_patch", {"changes": changes}


def _shell(name: str, given: Input, cwd: str | None) -> tuple[str, Input]:
    command = next((given[key] for key in COMMANDS if key in given), None)
    if isinstance(command, list) and len(command) == 2 and command[0] == "apply_patch":
        return apply_patch(str(command[1]))
    program = program_of(command)
    if program is None:
        return name, given
    workdir = next((path for key in WORKDIRS if (path := file_path(given.get(key)))), None)
    if workdir is None or workdir == cwd:
        return "bash", {"command": program}
    return "bash", {"command": program, "workdir": workdir}
