"""Rollouts of Codex: the old shape, the wrapped one, and the one in which scripts make the calls."""

from __future__ import annotations

import json
from typing import Any

from shoplog.calls import CWD

from .work import FAILED, OPEN, REFUSED, Clock, Lines, Step, openai_id, stamp

REJECTED = "exec command rejected by user"
READERS = {
    "read": "cat {path}",
    "ls": "ls {path}",
    "grep": "rg -n '{pattern}' {path}",
    "find": "rg --files {path}",
}


def command_of(step: Step) -> str | None:
    """Return the shell command with which Codex does a step; None for a change of a file."""
    if step.tool in READERS:
        return READERS[step.tool].format(**step.input)
    return str(step.input["command"]) if step.tool == "bash" else None


def patch_of(step: Step) -> str:
    """Return the patch with which Codex changes a file."""
    path = step.input["path"]
    if step.tool == "write":
        rows = "\n".join(f"+{row}" for row in step.input["content"].splitlines())
        return f"*** Begin Patch\n*** Add File: {path}\n{rows}\n*** End Patch\n"
    one = step.input["edits"][0]
    change = f"@@\n-{one['oldText']}\n+{one['newText']}"
    return f"*** Begin Patch\n*** Update File: {path}\n{change}\n*** End Patch\n"


class CodexSession:
    """Writes one rollout; `wrapped` tells the new shape from the old."""

    def __init__(self, clock: Clock, session: str, *, wrapped: bool, **header: Any) -> None:
        self.lines = Lines()
        self.session = session
        self._clock = clock
        self._chance = clock.chance
        self._wrapped = wrapped
        self.name = f"rollout-{stamp(clock.now)[:19].replace(':', '-')}-{session}.jsonl"
        if wrapped:
            meta = {"id": session, "timestamp": stamp(clock.now), "cwd": CWD, "originator": "codex_cli_rs"}
            self._put("session_meta", {**meta, "cli_version": "0.98.0", "source": "cli", **header})
        else:
            self.lines.put(id=session, timestamp=stamp(clock.now), instructions=None, git={"branch": "main"})
            self.lines.put(record_type="state")

    def say(self, words: str) -> None:
        """Write what the model is told about the place, then what the user wrote."""
        place = f"<environment_context>\n  <cwd>{CWD}</cwd>\n</environment_context>"
        for text in (place, words):
            self._item(type="message", role="user", content=[{"type": "input_text", "text": text}])
        if self._wrapped:
            self.event("user_message", message=words)
            self._put("turn_context", {"cwd": CWD, "approval_policy": "on-request", "model": "gpt-5-codex"})

    def work(self, steps: list[Step]) -> None:
        """Make calls one by one."""
        for step in steps:
            self._clock.tick(700, 5_000)
            command, call = command_of(step), openai_id(self._chance)
            if command is None:
                self._item(
                    type="custom_tool_call",
                    status="completed",
                    call_id=call,
                    name="apply_patch",
                    input=patch_of(step),
                )
            elif self._wrapped and self._chance.happens(0.5):
                self.function(call, "exec_command", {"cmd": command, "yield_time_ms": 10_000})
            else:
                self.function(call, "shell", {"command": ["bash", "-lc", command], "workdir": CWD})
            if step.fate == OPEN:
                return
            self._clock.tick(60, 4_000)
            self.output(call, self._words(step), patch=command is None)

    def function(self, call: str, name: str, arguments: dict[str, Any], **more: Any) -> None:
        """Call a function."""
        text = json.dumps(arguments, separators=(",", ":"))
        self._item(type="function_call", name=name, arguments=text, call_id=call, **more)

    def output(self, call: str, words: str, *, patch: bool = False) -> None:
        """Write the output of a call."""
        kind = "custom_tool_call_output" if patch else "function_call_output"
        self._item(type=kind, call_id=call, output=words)

    def script(self, steps: list[Step]) -> None:
        """Let one script of the model make several calls, which only events tell of."""
        self._clock.tick(700, 5_000)
        commands = [(step, command) for step in steps if (command := command_of(step)) is not None]
        call = openai_id(self._chance)
        text = "".join(
            f"text(await tools.exec_command({{cmd: {json.dumps(one)}}}));\n" for _, one in commands
        )
        self._item(type="custom_tool_call", status="completed", call_id=call, name="exec", input=text)
        for step, command in commands:
            self._clock.tick(60, 900)
            status = {FAILED: "failed", REFUSED: "declined"}.get(step.fate, "completed")
            item = {
                "type": "CommandExecution",
                "id": f"exec-{self._chance.uuid()}",
                "command": ["/bin/zsh", "-lc", command],
                "cwd": f"file://{CWD}",
                "source": "unified_exec_startup",
                "status": status,
                "exit_code": 0 if status == "completed" else 1,
            }
            self.event("item_completed", item=item)
        parts = [{"type": "input_text", "text": "Script completed\nOutput:\n"}]
        self._item(type="custom_tool_call_output", call_id=call, output=parts)

    def event(self, kind: str, **members: Any) -> None:
        """Write an event."""
        self._put("event_msg", {"type": kind, **members})

    def begin_as(self, other: CodexSession) -> None:
        """Begin with the lines of another session, its header included, as a fork does."""
        self.lines.entries += other.lines.entries

    def _words(self, step: Step) -> str:
        if step.fate == REFUSED:
            return REJECTED
        code = int(step.fate == FAILED)
        if not self._wrapped:
            told = {"output": step.result, "metadata": {"exit_code": code, "duration_seconds": 0.1}}
            return json.dumps(told, separators=(",", ":"))
        return f"Exit code: {code}\nWall time: 0.1 seconds\nOutput:\n{step.result}"

    def _item(self, **members: Any) -> None:
        if self._wrapped:
            self._put("response_item", members)
        else:
            self.lines.put(**members)

    def _put(self, kind: str, payload: dict[str, Any]) -> None:
        self.lines.put(timestamp=stamp(self._clock.now), type=kind, payload=payload)
