"""Session files of Pi: a header line, then entries that form a tree.

Three versions: the first had neither `id` nor `parentId`, the second added them, the third renamed
a role. Forks name their origin in `parentSession` (once `branchedFrom`) and begin with its entries.
The names of the tools and their inputs are those that the permission system sees.
"""

from __future__ import annotations

from typing import Any

import msgspec

from audit.log.moments import utc_time
from audit.log.transcripts.gathering import Gathering, decode, members, string, text_of
from audit.log.transcripts.model import AgentFormat, CallOutcome, EntryKind, TranscriptCall

REFUSALS = (
    "[pi-permission-system]",
    "Tool execution was blocked",
    "User denied ",
)
"""How the text of a refused call begins."""
REFUSAL_PHRASES = (" is not permitted to ", "requires approval, but no interactive UI is available")
"""What it contained before it began with the system's name."""
DROPPED = ("Skipped due to queued user message", "Tool call aborted before dispatch")
MARKED_AGENT = "active_agent"
"""The custom entry with which a session says which agent profile is in force."""

KINDS = frozenset(
    {
        "message",
        "model_change",
        "thinking_level_change",
        "compaction",
        "branch_summary",
        "custom",
        "custom_message",
        "label",
        "session_info",
        "context_transform",
        "ephemeral",
    }
)
ROLES = frozenset(
    {"user", "assistant", "bashExecution", "custom", "hookMessage", "branchSummary", "compactionSummary"}
)


class _Part(msgspec.Struct):
    """A part of a message."""

    type: str = ""
    id: str | None = None
    name: str | None = None
    arguments: Any = None
    text: Any = None


class _Message(msgspec.Struct, rename="camel"):
    role: str = ""
    content: str | list[_Part | str] | None = None
    tool_call_id: str | None = None
    is_error: bool | None = None
    timestamp: str | float | None = None


class _Line(msgspec.Struct, rename="camel"):
    type: str | None = None
    id: Any = None
    parent_id: Any = msgspec.UNSET
    timestamp: str | float | None = None
    cwd: str | None = None
    parent_session: str | None = None
    branched_from: str | None = None
    custom_type: str | None = None
    data: Any = None
    message: _Message | None = None
    session_id: Any = None
    payload: Any = None


_DECODER = msgspec.json.Decoder(_Line)


class PiDecoder:
    """Reads one Pi session file."""

    source = AgentFormat.PI

    def __init__(self, gathering: Gathering) -> None:
        self._gathering = gathering
        self._session = ""
        self._cwd: str | None = None
        self._parent: str | None = None
        self._agent: str | None = None

    def line(self, number: int, raw: bytes) -> EntryKind | None:
        """Read one line (see `Decoder`)."""
        line = decode(raw, _DECODER)
        if not _recognised(line):
            return None
        self._gathering.seen(utc_time(line.timestamp))
        if line.type == "session":
            self._begin(line)
            return EntryKind.SESSION
        if line.type == "custom" and line.custom_type == MARKED_AGENT:
            self._agent = string(members(line.data).get("name"))
            return EntryKind.SESSION
        if line.type == "message" and line.message is not None:
            return self._message(number, line, line.message)
        if line.type in KINDS:
            return EntryKind.OTHER
        return self._gathering.unknown(self.source, str(line.type))

    def _begin(self, line: _Line) -> None:
        self._session = line.id if isinstance(line.id, str) else ""
        self._cwd = line.cwd
        self._parent = _session_id(line.parent_session or line.branched_from)
        self._agent = None

    def _message(self, number: int, line: _Line, message: _Message) -> EntryKind:
        if message.role == "toolResult":
            self._gathering.result(number, message.tool_call_id or "", _outcome(message))
            return EntryKind.RESULTS
        if message.role not in ROLES:
            return self._gathering.unknown(self.source, f"message/{message.role}")
        if message.role != "assistant" or not isinstance(message.content, list):
            return EntryKind.OTHER
        kind = EntryKind.OTHER
        time = utc_time(line.timestamp) or utc_time(message.timestamp)
        for part in message.content:
            if isinstance(part, _Part) and part.type == "toolCall" and part.name:
                kind = EntryKind.CALLS
                self._gathering.call(number, self._call(part, time))
        return kind

    def _call(self, part: _Part, time: str | None) -> TranscriptCall:
        arguments = part.arguments
        return TranscriptCall(
            source=self.source,
            session=self._session,
            call_id=part.id or "",
            time=time,
            cwd=self._cwd,
            tool=part.name or "",
            input=arguments if isinstance(arguments, dict) else {"arguments": arguments},
            agent=self._agent,
            parent_session=self._parent,
        )


def _recognised(line: _Line) -> bool:
    if line.type is None or line.payload is not None or line.session_id is not None:
        return False
    if line.type == "session":
        return line.id is not None or line.cwd is not None
    if line.type == "message":
        return line.message is not None
    if line.type in KINDS:
        return line.timestamp is not None
    return line.parent_id is not msgspec.UNSET and line.id is not None


def _session_id(origin: str | None) -> str | None:
    """Return the identifier in a session file's path, which ends in `<time>_<id>.jsonl`."""
    if not origin:
        return None
    name = origin.replace("\\", "/").rsplit("/", 1)[-1].removesuffix(".jsonl")
    return name.rsplit("_", 1)[-1] or None


def _outcome(message: _Message) -> CallOutcome:
    if message.is_error is None:
        return CallOutcome.UNKNOWN
    if not message.is_error:
        return CallOutcome.RAN
    parts = message.content if isinstance(message.content, list) else [message.content]
    text = "\n".join(text_of(part.text if isinstance(part, _Part) else part) for part in parts).lstrip()
    if text.startswith(REFUSALS) or any(phrase in text for phrase in REFUSAL_PHRASES):
        return CallOutcome.REFUSED
    if text.startswith(DROPPED):
        return CallOutcome.NOT_RUN
    if text.startswith("Operation aborted"):
        return CallOutcome.UNKNOWN
    return CallOutcome.FAILED
