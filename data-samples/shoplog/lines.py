"""Lines of the review log in the shape of their era."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from .calls import CWD, HOME, Shell, SkillInput, Tool
from .era import Era, stamp
from .judge import Gate

WIDTH = 1000
"""Code units that a structured era keeps of a field."""
CONTEXTS = {"command_substitution": "command substitution", "process_substitution": "process substitution"}
CONFIG = f"{HOME}/.pi/agent/extensions/pi-permission-system/config.json"
SECRET = re.compile(r'("Authorization:)[^"]*(")|\b([A-Z_]*TOKEN=)\S+()')
"""What later releases mask inside a command: header arguments and assignments."""
READERS = ("cat", "head", "tail", "ls", "grep", "diff")

NOT_FORWARDED = ("toolCallId", "toolName", "path", "command", "target", "toolInputPreview")
"""Members that a forwarded ask leaves behind."""

Members = dict[str, object]


@dataclass(frozen=True, slots=True)
class Ask:
    """One gate of one request, with the names that its lines carry."""

    era: Era
    call: str | None
    """The id of the tool call."""
    request_id: str
    agent: str | None
    request: Shell | Tool | SkillInput
    gate: Gate

    @property
    def tool(self) -> str | None:
        """Return the tool that is called."""
        if isinstance(self.request, SkillInput):
            return None
        return "bash" if isinstance(self.request, Shell) else self.request.name


def _subject(ask: Ask) -> str:
    return f"Agent '{ask.agent}'" if ask.agent else "Current agent"


def message(ask: Ask) -> str:
    """Return the sentence a person reads."""
    request = ask.request
    if isinstance(request, SkillInput):
        return f"{_subject(ask)} requested skill '{request.name}'. Allow loading this skill?"
    if ask.gate.surface in ("path", "external_directory"):
        return _path_message(ask, request)
    if isinstance(request, Shell):
        return _command_message(ask, request)
    return _tool_message(ask, request)


def _path_message(ask: Ask, request: Shell | Tool) -> str:
    gate = ask.gate
    if gate.surface == "path":
        path = gate.value if isinstance(request, Shell) else request.path
        return f"{_subject(ask)} requested tool '{ask.tool}' for path '{path}'. Allow this path access?"
    if isinstance(request, Shell):
        what = f"bash command '{request.command}' which references path(s)"
        tail = f": {', '.join(gate.paths)}"
    else:
        what, tail = f"tool '{ask.tool}' for path '{request.path}'", ""
    place = f"outside working directory '{CWD}'{tail}"
    return f"{_subject(ask)} requested {what} {place}. Allow this external directory access?"


def _tool_message(ask: Ask, tool: Tool) -> str:
    matched = f" (matched '{ask.gate.pattern}')" if ask.gate.pattern else ""
    if tool.target:
        given = f" with {tool.arguments}" if tool.arguments else ""
        return f"{_subject(ask)} requested MCP target '{tool.target}'{matched}{given}. Allow this call?"
    joint = " with " if tool.preview and tool.preview.startswith("input ") else " "
    preview = f"{joint}{tool.preview}" if tool.preview else ""
    return f"{_subject(ask)} requested tool '{tool.name}'{matched}{preview}. Allow this call?"


def _command_message(ask: Ask, shell: Shell) -> str:
    unit = ask.gate.unit
    if unit is None:
        raise ValueError(f"no unit decides about {shell.command!r}")
    notes = [f"matched '{ask.gate.pattern}'"] if ask.gate.pattern else []
    if unit.context:
        notes.append(f"inside {CONTEXTS.get(unit.context, unit.context)}")
    text = f"{_subject(ask)} requested bash command '{unit.text}'"
    text += f" ({', '.join(notes)})" if notes else ""
    if ask.era.whole_command and unit.text != shell.command:
        text += f" (full command: '{shell.command}')"
    return f"{text}. Allow this command?"


def command(ask: Ask) -> str | None:
    """Return the command that the lines of an ask carry: the deciding unit's at the tool gate."""
    if not isinstance(ask.request, Shell):
        return None
    return ask.gate.unit.text if ask.gate.unit else ask.request.command


def surface(ask: Ask) -> str:
    """Return the surface as the structured eras name it."""
    name = ask.gate.surface
    if not ask.era.directional or name not in ("path", "external_directory"):
        return name
    request = ask.request
    if isinstance(request, Shell):
        head = request.command.split()[0]
        return f"{name}_read" if head in READERS and ">" not in request.command else name
    return f"{name}_write" if ask.tool in ("write", "edit") else f"{name}_read"


def facts(ask: Ask) -> Members:
    """Return what stands in place of the message, or the message."""
    if not ask.era.structured:
        return {"message": message(ask)}
    members: Members = {"surface": surface(ask)}
    unit = ask.gate.unit
    if ask.gate.pattern:
        members["matchedPattern"] = ask.gate.pattern
    if unit is not None and unit.wrapper and unit.runs:
        members["executedUnit"] = unit.runs
    if unit is not None and unit.context:
        members["commandContext"] = unit.context
    return members


def _at_tool_gate(ask: Ask) -> bool:
    return ask.gate.surface not in ("path", "external_directory")


def prompt(ask: Ask, resolution: str | None = None, reason: str | None = None) -> Members:
    """Return the members of a prompt entry."""
    request = ask.request
    tool = request if isinstance(request, Tool) else None
    at_tool = _at_tool_gate(ask)
    members: Members = {
        "requestId": ask.request_id,
        "source": "skill_input" if isinstance(request, SkillInput) else "tool_call",
        "agentName": ask.agent,
    }
    members.update(facts(ask))
    members.update(
        toolCallId=ask.call,
        toolName=ask.tool,
        skillName=request.name if isinstance(request, SkillInput) else None,
        path=None if tool is None or at_tool else tool.path,
        command=command(ask),
        target=tool.target if tool is not None and at_tool else None,
        toolInputPreview=tool.preview if tool is not None and at_tool and tool.target is None else None,
        resolution=resolution,
        denialReason=reason,
    )
    return members


def served(ask: Ask, child: str, resolution: str | None = None, reason: str | None = None) -> Members:
    """Return the members of a prompt entry on the session that serves a subagent's ask."""
    members: Members = {}
    for name, value in prompt(ask, resolution, reason).items():
        if name == "toolCallId" and ask.era.structured:
            members.update(forwarded=True, requesterSessionId=child)
        members[name] = None if name in NOT_FORWARDED else value
    if not ask.era.structured:
        told = f"Subagent '{ask.agent}' requested permission.\nSession ID: {child}\n\n{message(ask)}"
        members["message"] = told
    return members


def direct(ask: Ask, resolution: str | None, granted: str | None = None) -> Members:
    """Return the members of an entry that nobody was asked for: blocked, session or yolo."""
    request, gate = ask.request, ask.gate
    structured, at_tool = ask.era.structured, _at_tool_gate(ask)
    members: Members = {"source": "tool_call", "toolCallId": ask.call, "toolName": ask.tool}
    told: Members = {} if structured or gate.surface == "path" else {"message": message(ask)}
    if at_tool:
        members.update(told)
        members.update(_shown(ask))
        members.update(origin=gate.origin, agentName=ask.agent)
    else:
        members["agentName"] = ask.agent
        if isinstance(request, Shell):
            members["command"] = request.command
        if gate.surface == "external_directory" and isinstance(request, Shell):
            members["externalPaths"] = list(gate.paths)
        else:
            members["path"] = gate.value if isinstance(request, Shell) else _path(request)
        members.update(told)
    if structured:
        members.update(facts(ask))
        members["requestId"] = ask.request_id
    members["resolution"] = resolution
    if granted is not None:
        members["sessionApprovalPattern"] = granted
    return members


def _path(request: Tool | SkillInput) -> str | None:
    return request.path if isinstance(request, Tool) else None


def _shown(ask: Ask) -> Members:
    if isinstance(ask.request, Shell):
        return {"command": command(ask)}
    if isinstance(ask.request, Tool) and ask.request.target:
        return {"target": ask.request.target}
    return {"toolInputPreview": ask.request.preview if isinstance(ask.request, Tool) else None}


def bypass(ask: Ask) -> Members:
    """Return the members of a line for a shell command whose paths were all allowed."""
    request = ask.request
    members: Members = {
        "source": "tool_call",
        "toolCallId": ask.call,
        "toolName": ask.tool,
        "agentName": ask.agent,
    }
    members["command"] = request.command if isinstance(request, Shell) else None
    if ask.gate.surface == "path":
        members["tokens"] = list(ask.gate.paths)
    else:
        members["externalPaths"] = list(ask.gate.paths)
    if ask.era.structured:
        members["requestId"] = ask.request_id
    members["resolution"] = "session_approved"
    return members


def infrastructure(ask: Ask) -> Members:
    """Return the members of a line for a read of the agent's own files."""
    path = ask.request.path if isinstance(ask.request, Tool) else None
    members: Members = {"source": "tool_call", "toolCallId": ask.call, "toolName": ask.tool}
    members.update(agentName=ask.agent, path=path)
    if ask.era.structured:
        members["requestId"] = ask.request_id
    return members


def configuration() -> Members:
    """Return the members of the record that a session's start leaves."""
    return {
        "globalConfigPath": CONFIG,
        "globalConfigExists": True,
        "projectConfigPath": f"{CWD}/.pi/extensions/pi-permission-system/config.json",
        "projectConfigExists": False,
        "agentsDir": f"{HOME}/.pi/agent/agents",
        "agentsDirExists": True,
        "projectAgentsDir": f"{CWD}/.pi/agents",
        "projectAgentsDirExists": False,
        "legacyGlobalPolicyDetected": False,
        "legacyProjectPolicyDetected": False,
        "legacyExtensionConfigDetected": False,
    }


def _kept(era: Era, value: object) -> object:
    """Return a value as the era stores it: secrets masked, long texts cut."""
    if isinstance(value, dict):
        return {key: _kept(era, item) for key, item in value.items()}
    if isinstance(value, list):
        return [_kept(era, item) for item in value]
    if not isinstance(value, str):
        return value
    if era.masked:
        value = SECRET.sub(lambda found: f"{found[1] or found[3]}[redacted]{found[2] or ''}", value)
    units = value.encode("utf-16-le")
    return value if len(units) <= 2 * WIDTH else units[: 2 * WIDTH].decode("utf-16-le") + "\u2026"


def line(moment: datetime, era: Era, event: str, members: Mapping[str, object]) -> str:
    """Return one line without its line feed."""
    whole: Members = {
        "timestamp": stamp(moment),
        "extension": "pi-permission-system",
        "stream": "review",
        "event": event,
        **members,
    }
    if era.structured:
        whole = {key: _kept(era, value) for key, value in whole.items()}
        if "tokens" in whole:
            whole["tokens"] = "[redacted]"
        preview = whole.get("toolInputPreview")
        if isinstance(preview, str):
            whole["toolInputPreview"] = re.sub(r'("authorization":)"[^"]*"', r'\1"[redacted]"', preview)
    return json.dumps(whole, ensure_ascii=False, separators=(",", ":"))
