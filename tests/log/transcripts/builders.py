"""Lines of session files, and sources that hold them."""

from __future__ import annotations

import json
from typing import Any

from audit.log.source import LogSource, source_of
from audit.log.transcripts.model import TranscriptCall, TranscriptReading
from audit.log.transcripts.read import read_transcripts

SHOP = "/home/dev/shop"


def source(*entries: Any, name: str = "session.jsonl") -> LogSource:
    """Return a source of entries; a text or bytes stand for themselves."""
    lines = [one if isinstance(one, bytes) else text(one).encode() for one in entries]
    return source_of(name, b"".join(line + b"\n" for line in lines))


def text(entry: Any) -> str:
    return entry if isinstance(entry, str) else json.dumps(entry)


def read(*entries: Any) -> TranscriptReading:
    return read_transcripts([source(*entries)])


def only(*entries: Any) -> TranscriptCall:
    """Return the one call of a source."""
    [call] = read(*entries).calls
    return call


# Pi


def pi_header(session: str = "0198-pi", **more: Any) -> dict[str, Any]:
    time = "2026-07-14T08:00:00.000Z"
    return {"type": "session", "version": 3, "id": session, "timestamp": time, "cwd": SHOP, **more}


def pi_entry(kind: str, number: int = 1, **more: Any) -> dict[str, Any]:
    time = f"2026-07-14T08:00:{number:02d}.000Z"
    parent = f"e{number - 1}"
    return {"type": kind, "id": f"e{number}", "parentId": parent, "timestamp": time, **more}


def pi_call(call_id: str, tool: str, number: int = 1, **arguments: Any) -> dict[str, Any]:
    parts = [
        {"type": "text", "text": "Let me look."},
        {"type": "toolCall", "id": call_id, "name": tool, "arguments": arguments},
    ]
    return pi_entry("message", number, message={"role": "assistant", "content": parts})


def pi_result(call_id: str, words: str = "done", number: int = 2, error: bool = False) -> dict[str, Any]:
    message = {
        "role": "toolResult",
        "toolCallId": call_id,
        "toolName": "bash",
        "content": [{"type": "text", "text": words}],
        "isError": error,
    }
    return pi_entry("message", number, message=message)


# Claude Code


def claude(kind: str, number: int = 1, **more: Any) -> dict[str, Any]:
    return {
        "parentUuid": f"u{number - 1}",
        "isSidechain": False,
        "userType": "external",
        "cwd": SHOP,
        "sessionId": "claude-1",
        "version": "2.1.29",
        "type": kind,
        "uuid": f"u{number}",
        "timestamp": f"2026-07-14T09:00:{number:02d}.000Z",
        **more,
    }


def claude_call(call_id: str, name: str, given: Any, number: int = 1, **more: Any) -> dict[str, Any]:
    part = {"type": "tool_use", "id": call_id, "name": name, "input": given}
    return claude("assistant", number, message={"role": "assistant", "content": [part]}, **more)


def claude_result(
    call_id: str, words: str = "done", number: int = 2, error: bool | None = None, **more: Any
) -> dict[str, Any]:
    part: dict[str, Any] = {"type": "tool_result", "tool_use_id": call_id, "content": words}
    if error is not None:
        part["is_error"] = error
    return claude("user", number, message={"role": "user", "content": [part]}, **more)


# Codex


def codex(kind: str, payload: dict[str, Any], number: int = 1) -> dict[str, Any]:
    return {"timestamp": f"2026-07-14T10:00:{number:02d}.000Z", "type": kind, "payload": payload}


def codex_header(session: str = "0198-codex", **more: Any) -> dict[str, Any]:
    payload = {"id": session, "timestamp": "2026-07-14T10:00:00.000Z", "cwd": SHOP, "source": "cli", **more}
    return codex("session_meta", payload, 0)


def codex_call(call_id: str, name: str, arguments: Any, number: int = 1, **more: Any) -> dict[str, Any]:
    payload = {
        "type": "function_call",
        "name": name,
        "arguments": json.dumps(arguments),
        "call_id": call_id,
        **more,
    }
    return codex("response_item", payload, number)


def codex_output(call_id: str, output: Any, number: int = 2) -> dict[str, Any]:
    payload = {"type": "function_call_output", "call_id": call_id, "output": output}
    return codex("response_item", payload, number)


def codex_event(kind: str, number: int = 2, **more: Any) -> dict[str, Any]:
    return codex("event_msg", {"type": kind, **more}, number)
