"""Authored log lines, with everything a test does not care about filled in."""

from __future__ import annotations

import json
from datetime import datetime, timedelta
from typing import Any

from audit.log.cases import LogReading
from audit.log.read import ReadOptions, read_logs
from audit.log.source import source_of

CWD = "/home/mia/garden"
HOME = "/home/mia"
DAY = {0: "2026-03-18", 1: "2026-04-25", 2: "2026-05-02", 3: "2026-05-04", 4: "2026-05-20", 5: "2026-06-12"}
DAY |= {
    6: "2026-06-27",
    7: "2026-07-07",
    8: "2026-07-14",
    9: "2026-08-10",
    10: "2026-08-15",
    11: "2026-08-16",
}
DAY |= {12: "2026-08-25"}


def at(second: float = 0, era: int = 8) -> str:
    """Return a moment on a day of an era."""
    moment = datetime.fromisoformat(f"{DAY[era]}T10:00:00") + timedelta(seconds=second)
    return moment.isoformat(timespec="milliseconds") + "Z"


def line(event: str, moment: str, **members: Any) -> bytes:
    record = {"timestamp": moment, "extension": "pi-permission-system", "stream": "review", "event": event}
    return json.dumps(record | members, ensure_ascii=False, separators=(",", ":")).encode()


def gate(event: str, moment: str, **members: Any) -> bytes:
    return line(f"permission_request.{event}", moment, **members)


def prompt(event: str, moment: str, **members: Any) -> bytes:
    """Return a prompt entry: every unknown member is an explicit null."""
    known: dict[str, Any] = dict.fromkeys(
        ("skillName", "path", "command", "target", "toolInputPreview", "resolution", "denialReason")
    )
    call = members.get("toolCallId", "t1")
    head = {
        "requestId": call,
        "source": "tool_call",
        "agentName": None,
        "toolCallId": call,
        "toolName": "bash",
    }
    return gate(event, moment, **head | known | members)


def unit_message(
    unit: str, pattern: str = "*", full: str | None = None, subject: str = "Current agent"
) -> str:
    whole = f" (full command: '{full}')" if full is not None else ""
    return f"{subject} requested bash command '{unit}' (matched '{pattern}'){whole}. Allow this command?"


def external_message(command: str, *paths: str, cwd: str = CWD) -> str:
    return (
        f"Current agent requested bash command '{command}' which references path(s) outside working "
        f"directory '{cwd}': {', '.join(paths)}. Allow this external directory access?"
    )


def asked(
    command: str = "make seed",
    call: str = "t1",
    second: float = 0,
    answer: str | None = "approved",
    era: int = 8,
    **members: Any,
) -> list[bytes]:
    """Return the lines of one ask of the tool gate, and of its answer a second later."""
    given = {"toolCallId": call, "command": command, "message": unit_message(command)} | members
    lines = [prompt("waiting", at(second, era), **given)]
    if answer is not None:
        event = "approved" if answer.startswith("approved") else "denied"
        lines.append(prompt(event, at(second + 1, era), **given | {"resolution": answer}))
    return lines


def session_start(second: float = 0, cwd: str | None = CWD, era: int = 8, home: str = HOME) -> bytes:
    return line(
        "config.resolved",
        at(second, era),
        globalConfigPath=f"{home}/.pi/agent/extensions/pi-permission-system/config.json",
        globalConfigExists=True,
        projectConfigPath=None if cwd is None else f"{cwd}/.pi/extensions/pi-permission-system/config.json",
        projectConfigExists=False,
        agentsDir=f"{home}/.pi/agent/agents",
        agentsDirExists=True,
        projectAgentsDir=None if cwd is None else f"{cwd}/.pi/agents",
        projectAgentsDirExists=False,
        legacyGlobalPolicyDetected=False,
        legacyProjectPolicyDetected=False,
        legacyExtensionConfigDetected=False,
    )


def data(*lines: bytes | list[bytes]) -> bytes:
    """Return the content of a file of lines."""
    flat = [one for item in lines for one in (item if isinstance(item, list) else [item])]
    return b"".join(one + b"\n" for one in flat)


def read(*files: bytes, options: ReadOptions | None = None) -> LogReading:
    """Read the contents of files."""
    return read_logs([source_of(f"log{number}", text) for number, text in enumerate(files)], options)


def outcomes(reading: LogReading) -> list[list[tuple[str, str]]]:
    """Return gate and outcome of the requests of each call."""
    return [[(str(r.gate), str(r.outcome)) for r in call.requests] for call in reading.calls]
