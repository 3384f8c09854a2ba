"""What a rollout says became of a call: statuses where it has them, else the text of the output."""

from __future__ import annotations

import re
from typing import Any, Protocol

import msgspec

from audit.log.transcripts.gathering import members, text_of
from audit.log.transcripts.model import CallOutcome

REFUSALS = (
    "exec command rejected by user",
    "patch rejected by user",
    "rejected by user",
    "user rejected MCP tool call",
    "This action was rejected due to unacceptable risk",
    "approval policy is ",
)
"""How the text of a refused call begins."""
REFUSAL_END = "rejected: blocked by policy"
EXIT_CODE = re.compile(r"^(?:Process exited with code|Exit code:) (-?\d+)\s*$", re.MULTILINE)
FAILURES = ("aborted by user", "execution error", "failed ", "err: ", "Script failed")
HEAD = 4000
"""The exit code stands in the first lines; what a command printed comes after it."""
STATUSES = {
    "completed": CallOutcome.RAN,
    "failed": CallOutcome.FAILED,
    "declined": CallOutcome.REFUSED,
}


class Ended(Protocol):
    """The members of an event that tell how something ended."""

    status: Any
    exit_code: Any
    success: Any
    result: Any
    error: Any


def output_outcome(output: object) -> CallOutcome:
    """Return what an output says: a text, a list of parts, or an object with `success`."""
    wrapped = members(output)
    if wrapped:
        if wrapped.get("success") is False:
            refused = _refused(text_of(wrapped.get("content")))
            return CallOutcome.REFUSED if refused else CallOutcome.FAILED
        output = wrapped.get("content", wrapped.get("text"))
    text = text_of(output).strip()
    if text in {"", "aborted"}:
        return CallOutcome.UNKNOWN
    code = _exit_code(text)
    if code is not None:
        return CallOutcome.RAN if code == 0 else CallOutcome.FAILED
    if _refused(text):
        return CallOutcome.REFUSED
    return CallOutcome.FAILED if text.startswith(FAILURES) else CallOutcome.RAN


def event_outcome(event: Ended) -> CallOutcome:
    """Return what an event says became of the call."""
    if isinstance(event.status, str) and event.status in STATUSES:
        return STATUSES[event.status]
    if isinstance(event.exit_code, int):
        return CallOutcome.RAN if event.exit_code == 0 else CallOutcome.FAILED
    if isinstance(event.success, bool):
        return CallOutcome.RAN if event.success else CallOutcome.FAILED
    result = members(event.result)
    if event.error or "Err" in result:
        why = text_of(members(event.error).get("message")) or text_of(event.error)
        refused = _refused(why or text_of(result.get("Err")))
        return CallOutcome.REFUSED if refused else CallOutcome.FAILED
    result = members(result.get("Ok")) or result
    if result:
        failed = bool(result.get("is_error") or result.get("isError"))
        return CallOutcome.FAILED if failed else CallOutcome.RAN
    return CallOutcome.UNKNOWN


def _refused(text: str) -> bool:
    text = text.strip()
    return text.startswith(REFUSALS) or text.endswith(REFUSAL_END)


def _exit_code(text: str) -> int | None:
    """Return the exit code that an output states before what the command printed."""
    if text.startswith("{") and '"metadata"' in text:
        try:
            code = members(members(msgspec.json.decode(text)).get("metadata")).get("exit_code")
        except msgspec.DecodeError:
            return None
        return code if isinstance(code, int) else None
    stated = EXIT_CODE.search(text.split("\nOutput:", 1)[0][:HEAD])
    return int(stated[1]) if stated else None
