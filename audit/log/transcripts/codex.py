"""Rollouts of Codex, old and new.

The old shape (until September 2025) is a header without a kind and then bare items with no time of
their own; the new one wraps everything in `timestamp`, `type` and `payload`. Calls are items of the
model's answers. Events tell of executions: of those calls, and of calls that no item shows, because
a script the model wrote made them. A fork begins with the header of the session it continues.
"""

from __future__ import annotations

import re
from typing import Any

import msgspec

from audit.log.moments import utc_time
from audit.log.transcripts.codex_kinds import (
    BARE,
    BY_A_PERSON,
    CALLS,
    COMMAND_EVENTS,
    DYNAMIC_EVENTS,
    EVENTS,
    EXECUTIONS,
    ITEMS,
    MCP_EVENTS,
    OUTPUTS,
    PATCH_EVENTS,
    SETTINGS,
    WRAPPED_OTHERS,
)
from audit.log.transcripts.codex_results import event_outcome, output_outcome
from audit.log.transcripts.codex_tools import arguments_of, corresponding, file_changes, file_path
from audit.log.transcripts.gathering import Gathering, decode, members, string, text_of
from audit.log.transcripts.model import AgentFormat, CallOutcome, EntryKind, TranscriptCall

STATED_CWD = re.compile(r"<cwd>(.+?)</cwd>|^Current working directory: (.+)$", re.MULTILINE)
"""How an old session tells the model, and so us, where it is."""


class _Item(msgspec.Struct):
    """An item, an event or a header; each kind has some of these members."""

    type: str | None = None
    id: Any = None
    timestamp: str | float | None = None
    # calls and results
    call_id: str | None = None
    name: str | None = None
    namespace: Any = None
    arguments: Any = None
    input: Any = None
    action: Any = None
    output: Any = None
    status: Any = None
    role: Any = None
    content: Any = None
    # events
    item: Any = None
    command: Any = None
    source: Any = None
    changes: Any = None
    invocation: Any = None
    server: Any = None
    tool: Any = None
    success: Any = None
    exit_code: Any = None
    result: Any = None
    error: Any = None
    # headers
    session_id: Any = None
    cwd: Any = None
    instructions: Any = msgspec.UNSET
    git: Any = msgspec.UNSET
    forked_from_id: Any = None
    parent_thread_id: Any = None
    agent_role: Any = None
    agent_nickname: Any = None


class _Line(_Item):
    """A line: the wrapper of the new shape, or an item of the old one."""

    payload: _Item | None = None
    record_type: Any = None
    parent_id: Any = msgspec.field(default=msgspec.UNSET, name="parentId")
    claude_session: Any = msgspec.field(default=None, name="sessionId")
    uuid: Any = None


_DECODER = msgspec.json.Decoder(_Line)


class CodexDecoder:
    """Reads one rollout."""

    source = AgentFormat.CODEX

    def __init__(self, gathering: Gathering) -> None:
        self._gathering = gathering
        self._session = ""
        self._cwd: str | None = None
        self._parent: str | None = None
        self._agent: str | None = None
        self._origins: set[str] = set()

    def line(self, number: int, raw: bytes) -> EntryKind | None:
        """Read one line (see `Decoder`)."""
        line = decode(raw, _DECODER)
        if not _recognised(line):
            return None
        time = utc_time(line.timestamp)
        self._gathering.seen(time)
        if line.record_type is not None:
            return EntryKind.OTHER
        if line.payload is not None:
            return self._wrapped(number, str(line.type), line.payload, time)
        if line.type is None:
            return self._begin(line)
        return self._item(number, line, time)

    def _wrapped(self, number: int, kind: str, payload: _Item, time: str | None) -> EntryKind:
        if kind == "response_item":
            return self._item(number, payload, time)
        if kind == "event_msg":
            return self._event(number, payload, time)
        if kind == "session_meta":
            return self._begin(payload)
        if kind in SETTINGS:
            self._cwd = file_path(payload.cwd) or self._cwd
            return EntryKind.SESSION
        if kind in WRAPPED_OTHERS:
            return EntryKind.OTHER
        return self._gathering.unknown(self.source, kind)

    def _begin(self, header: _Item) -> EntryKind:
        """Take a header; that of the session which this one continues changes nothing."""
        session = string(header.id) or string(header.session_id) or ""
        started = members(members(header.source).get("subagent"))
        spawn = members(started.get("thread_spawn"))
        named = (header.forked_from_id, header.parent_thread_id, spawn.get("parent_thread_id"))
        origins = [origin for origin in map(string, named) if origin]
        if session and session in self._origins:
            self._origins.update(origins)
            return EntryKind.SESSION
        self._origins = set(origins)
        self._session = session
        self._cwd = file_path(header.cwd)
        self._parent = origins[0] if origins else None
        self._agent = (
            string(header.agent_role)
            or string(spawn.get("agent_role"))
            or string(header.agent_nickname)
            or string(members(header.source).get("subagent"))
        )
        return EntryKind.SESSION

    def _item(self, number: int, item: _Item, time: str | None) -> EntryKind:
        kind = str(item.type)
        if kind in CALLS:
            self._call(number, item, time)
            return EntryKind.CALLS
        if kind in OUTPUTS:
            self._gathering.result(number, item.call_id or "", output_outcome(item.output))
            return EntryKind.RESULTS
        if kind == "message" and item.role == "user" and self._cwd is None:
            found = STATED_CWD.search(text_of(item.content))
            self._cwd = (found[1] or found[2]).strip() if found else None
        if kind in ITEMS:
            return EntryKind.OTHER
        return self._gathering.unknown(self.source, kind)

    def _call(self, number: int, item: _Item, time: str | None) -> None:
        name = item.name or str(item.type).removesuffix("_call")
        if item.type == "local_shell_call":
            given = arguments_of(item.action)
        elif item.type == "custom_tool_call":
            given = {"input": item.input}
        else:
            given = arguments_of(item.action if item.arguments is None else item.arguments)
        what = corresponding(name, string(item.namespace), given, self._cwd)
        call_id = item.call_id or string(item.id) or ""
        self._add(number, call_id, time, what)
        if item.type == "web_search_call" and item.status == "completed":
            self._gathering.result(number, call_id, CallOutcome.RAN)

    def _add(self, number: int, call_id: str, time: str | None, what: tuple[str, Any]) -> None:
        tool, arguments = what
        call = TranscriptCall(
            source=self.source,
            session=self._session,
            call_id=call_id,
            time=time,
            cwd=self._cwd,
            tool=tool,
            input=arguments,
            agent=self._agent,
            parent_session=self._parent,
        )
        self._gathering.call(number, call)

    def _event(self, number: int, event: _Item, time: str | None) -> EntryKind:
        kind = str(event.type)
        if kind == "item_completed" and isinstance(event.item, dict):
            event = msgspec.convert(event.item, _Item)
            kind = str(event.type)
            if kind not in EXECUTIONS:
                return EntryKind.OTHER
        if kind in EXECUTIONS:
            return self._execution(number, kind, event, time)
        return (
            EntryKind.OTHER if kind in EVENTS else self._gathering.unknown(self.source, f"event_msg/{kind}")
        )

    def _execution(self, number: int, kind: str, event: _Item, time: str | None) -> EntryKind:
        """Take what ran: the end of a call that an item shows, else a call of its own."""
        call_id = event.call_id or string(event.id) or ""
        if event.source == BY_A_PERSON:
            return EntryKind.OTHER
        known = bool(call_id) and self._gathering.has(call_id)
        what = self._executed(kind, event)
        if known and kind in MCP_EVENTS and what is not None:
            self._gathering.restate(call_id, *what)
        if not known and what is not None:
            self._add(number, call_id, time, what)
        self._gathering.result(number, call_id, event_outcome(event), sure=True)
        return EntryKind.RESULTS if known or what is None else EntryKind.CALLS

    def _executed(self, kind: str, event: _Item) -> tuple[str, Any] | None:
        """Return our name of the tool and the input; None where the event lacks them."""
        if kind in COMMAND_EVENTS:
            ran = {"command": event.command, "workdir": event.cwd}
            return corresponding("exec_command", None, ran, self._cwd)
        if kind in PATCH_EVENTS:
            return file_changes(event.changes)
        call = members(event.invocation) or {
            "server": event.server,
            "tool": event.tool,
            "arguments": event.arguments,
        }
        tool = string(call.get("tool"))
        if tool is None:
            return None
        if kind in DYNAMIC_EVENTS:
            return corresponding(tool, string(event.namespace), arguments_of(event.arguments), self._cwd)
        server = string(call.get("server"))
        named = {"tool": tool, "server": server} if server else {"tool": tool}
        given = arguments_of(call.get("arguments"))
        return "mcp", {**named, "arguments": given} if given else named


def _recognised(line: _Line) -> bool:
    if line.claude_session is not None or line.uuid is not None or line.parent_id is not msgspec.UNSET:
        return False
    if line.payload is not None:
        return line.type is not None
    if line.record_type is not None:
        return True
    if line.type is None:
        headed = line.instructions is not msgspec.UNSET or line.git is not msgspec.UNSET
        return headed and string(line.id) is not None
    if line.type == "message":
        return line.role is not None
    return line.type in BARE and line.timestamp is None
