"""Project transcripts of Claude Code: user and assistant lines around the model's own messages.

Every line names its session and working directory. Subagents stand in the session's file with
`isSidechain`, in files of their own with `agentId`, or inside `progress` lines, and often in two of
these. A resumed or forked session begins with the lines of the one before it.
"""

from __future__ import annotations

from typing import Any

import msgspec

from audit.log.moments import utc_time
from audit.log.transcripts.claude_code_tools import corresponding
from audit.log.transcripts.gathering import Gathering, decode, members, string, text_of
from audit.log.transcripts.model import AgentFormat, CallOutcome, EntryKind, TranscriptCall

REFUSALS = (
    "The user doesn't want to proceed with this tool use",
    "The user doesn't want to take this action right now",
    "Permission to use ",
    "Permission for this action ",
    "Error: Permission for this action ",
    "Claude requested permissions to ",
    "This command requires approval",
    "This Bash command contains multiple operations. The following part",
)
"""How the text of a refused call begins."""
HOOK_REFUSALS = ("PreToolUse:", "Hook PreToolUse:")
REJECTED_BY_USER = "User rejected tool use"
CALL_PARTS = frozenset({"tool_use", "server_tool_use", "mcp_tool_use"})
SPAWNING_TOOLS = frozenset({"Task", "Agent"})

KINDS = frozenset(
    {
        "user",
        "assistant",
        "system",
        "summary",
        "progress",
        "attachment",
        "file-history-snapshot",
        "file-history-delta",
        "queue-operation",
        "last-prompt",
        "custom-title",
        "ai-title",
        "agent-name",
        "agent-color",
        "agent-setting",
        "tag",
        "pr-link",
        "mode",
        "permission-mode",
        "worktree-state",
        "content-replacement",
        "saved_hook_context",
        "marble-origami-commit",
    }
)


class _Part(msgspec.Struct):
    """A part of a message."""

    type: str = ""
    id: str | None = None
    name: str | None = None
    input: Any = None
    tool_use_id: str | None = None
    is_error: bool | None = None
    content: Any = None


class _Message(msgspec.Struct):
    role: Any = None
    content: str | list[_Part | str] | None = None


class _Line(msgspec.Struct, rename="camel"):
    type: str | None = None
    session_id: str | None = None
    uuid: Any = None
    leaf_uuid: Any = None
    message_id: Any = None
    cwd: str | None = None
    timestamp: str | float | None = None
    is_sidechain: bool | None = None
    agent_id: str | None = None
    forked_from: Any = None
    parent_tool_use_id: str | None = msgspec.field(default=None, name="parentToolUseID")
    tool_use_result: Any = None
    tool_denial_kind: Any = None
    message: _Message | str | None = None
    data: Any = None
    payload: Any = None


_DECODER = msgspec.json.Decoder(_Line)


class ClaudeCodeDecoder:
    """Reads one Claude Code transcript."""

    source = AgentFormat.CLAUDE_CODE

    def __init__(self, gathering: Gathering) -> None:
        self._gathering = gathering

    def line(self, number: int, raw: bytes) -> EntryKind | None:
        """Read one line (see `Decoder`)."""
        line = decode(raw, _DECODER)
        if not _recognised(line):
            return None
        self._gathering.seen(utc_time(line.timestamp))
        if line.type == "progress":
            return self._progress(number, line)
        if line.type in {"user", "assistant"} and isinstance(line.message, _Message):
            return self._message(number, line, line.message)
        if line.type in KINDS:
            return EntryKind.OTHER
        return self._gathering.unknown(self.source, str(line.type))

    def _progress(self, number: int, line: _Line) -> EntryKind:
        """Read what a subagent did, as its parent's file tells it."""
        data = members(line.data)
        agent = string(data.get("agentId"))
        if agent and line.parent_tool_use_id:
            self._gathering.spawned[agent] = line.parent_tool_use_id
        entry = members(data.get("message"))
        inner = members(entry.get("message")) or entry
        if not isinstance(inner.get("content"), list):
            return EntryKind.OTHER
        message = msgspec.convert(inner, _Message)
        line.is_sidechain, line.agent_id = True, agent
        line.tool_use_result = entry.get("toolUseResult")
        if isinstance(entry.get("timestamp"), str):
            line.timestamp = str(entry["timestamp"])
        return self._message(number, line, message)

    def _message(self, number: int, line: _Line, message: _Message) -> EntryKind:
        kind = EntryKind.OTHER
        for part in message.content if isinstance(message.content, list) else ():
            if not isinstance(part, _Part):
                continue
            if part.type in CALL_PARTS and part.name:
                kind = EntryKind.CALLS
                self._gathering.call(number, self._call(line, part, part.name))
            elif part.type.endswith("tool_result"):
                kind = EntryKind.RESULTS if kind is EntryKind.OTHER else kind
                self._result(number, line, part)
        return kind

    def _call(self, line: _Line, part: _Part, name: str) -> TranscriptCall:
        given = part.input if isinstance(part.input, dict) else {"input": part.input}
        if name in SPAWNING_TOOLS and part.id:
            self._gathering.profiles[part.id] = string(given.get("subagent_type")) or "general-purpose"
        tool, arguments = corresponding(name, given)
        session, parent = line.session_id or "", _origin(line.forked_from)
        if line.is_sidechain:
            session, parent = line.agent_id or session, line.session_id
        return TranscriptCall(
            source=self.source,
            session=session,
            call_id=part.id or "",
            time=utc_time(line.timestamp),
            cwd=line.cwd,
            tool=tool,
            input=arguments,
            agent=line.agent_id if line.is_sidechain else None,
            parent_session=parent,
        )

    def _result(self, number: int, line: _Line, part: _Part) -> None:
        call_id = part.tool_use_id or ""
        agent = string(members(line.tool_use_result).get("agentId"))
        if agent and call_id:
            self._gathering.spawned[agent] = call_id
        self._gathering.result(number, call_id, _outcome(line, part))


def _recognised(line: _Line) -> bool:
    if line.type is None or line.payload is not None:
        return False
    if line.session_id is not None or line.uuid is not None:
        return True
    if line.type in {"user", "assistant"}:
        return isinstance(line.message, _Message)
    return line.type in KINDS and (
        line.leaf_uuid is not None or line.message_id is not None or line.data is not None
    )


def _origin(forked_from: object) -> str | None:
    if isinstance(forked_from, dict):
        return string(forked_from.get("sessionId"))
    return string(forked_from)


def _outcome(line: _Line, part: _Part) -> CallOutcome:
    if not part.is_error:
        return CallOutcome.RAN
    text = text_of(part.content).lstrip()
    by_text = text.startswith(REFUSALS) or text.startswith(HOOK_REFUSALS)
    by_user = isinstance(line.tool_use_result, str) and line.tool_use_result.startswith(REJECTED_BY_USER)
    if line.tool_denial_kind or by_user or by_text:
        return CallOutcome.REFUSED
    return CallOutcome.FAILED
