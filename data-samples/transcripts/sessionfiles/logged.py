"""The calls of some days in the sample's review log, made whole again."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from .work import FAILED, OPEN, RAN, REFUSED, Step

Entry = dict[str, Any]

WHOLE = re.compile(r" \(full command: '(.*)'\)\. Allow this command\?$", re.DOTALL)
FILE = re.compile(r"^for '([^']+)' \((?:(\d+) lines, (\d+) characters)?")
FIND = re.compile(r"pattern '([^']+)'")
GRANTING = ("approved", "session_approved", "auto_approved", "infrastructure_auto_allowed")
VOWELS = "aeiouAEU"
"""A command whose identifier ends in one of these went wrong."""
ROW = "// price per line, in cents\n"


def steps_of(log: Path, day: str) -> list[tuple[str | None, Step]]:
    """Return the calls that the log has of one day, each with its agent, in order of time."""
    calls: dict[str, list[Entry]] = {}
    for entry in _entries(log):
        if entry["timestamp"].startswith(day) and entry.get("toolCallId"):
            calls.setdefault(entry["toolCallId"], []).append(entry)
    return [(lines[0]["agentName"], _step(call, lines)) for call, lines in calls.items()]


def _entries(log: Path) -> Iterator[Entry]:
    for line in log.read_bytes().splitlines():
        try:
            entry = json.loads(line)
        except ValueError:
            continue
        if str(entry.get("event", "")).startswith("permission_request."):
            yield entry


def _step(call: str, lines: list[Entry]) -> Step:
    tool = str(lines[0]["toolName"])
    moment = datetime.fromisoformat(lines[0]["timestamp"]) - timedelta(milliseconds=40)
    fate, result = _fate(lines[-1])
    if fate == RAN and tool == "bash" and call[-1] in VOWELS:
        fate, result = FAILED, "Command exited with code 1"
    return Step(tool, _input(tool, lines), fate, result, call, moment)


def _fate(last: Entry) -> tuple[str, str]:
    event = last["event"].removeprefix("permission_request.")
    if event == "waiting":
        return OPEN, ""
    if event in GRANTING:
        return RAN, "done"
    if event == "blocked":
        return REFUSED, f"[pi-permission-system] is not permitted to run '{last['toolName']}'."
    return REFUSED, f"[pi-permission-system] User denied tool '{last['toolName']}'."


def _input(tool: str, lines: list[Entry]) -> dict[str, Any]:
    first, last = lines[0], lines[-1]
    if tool == "bash":
        return {"command": _command(lines)}
    if tool == "mcp":
        server, _, name = str(last["target"]).partition("_")
        return {"tool": f"{server}:{name}"}
    preview = next((line["toolInputPreview"] for line in lines if line.get("toolInputPreview")), "")
    if preview.startswith("input "):
        given: dict[str, Any] = json.loads(preview.removeprefix("input "))
        return given
    path = next((line["path"] for line in lines if line.get("path")), None)
    file = FILE.match(preview)
    if tool == "write":
        return {
            "path": path or (file[1] if file else ""),
            "content": ROW * int(file[2] if file and file[2] else 1),
        }
    if tool == "edit":
        return {
            "path": path or (file[1] if file else ""),
            "edits": [{"oldText": "a\nb", "newText": "a\nb\nc"}],
        }
    found = FIND.search(preview)
    pattern = {"pattern": found[1] if found else "chunk"} if tool in ("grep", "find") else {}
    return {**pattern, "path": path or first.get("path") or "."}


def _command(lines: list[Entry]) -> str:
    """Return the whole command: some lines have it, messages have it where it is not the unit."""
    for line in lines:
        if (
            line.get("externalPaths")
            or line.get("tokens")
            or "Allow this command?" not in line.get("message", "")
        ):
            return str(line["command"])
        whole = WHOLE.search(line["message"])
        if whole:
            return whole[1]
    return str(lines[0]["command"])
