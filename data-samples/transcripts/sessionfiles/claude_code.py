"""Project transcripts of Claude Code."""

from __future__ import annotations

from typing import Any

from shoplog.calls import CWD

from .work import FAILED, OPEN, REFUSED, Clock, Lines, Step, anthropic_id, stamp

REJECTED = "The user doesn't want to proceed with this tool use. The tool use was rejected."
NAMES = {
    "bash": ("Bash", {"command": "command"}),
    "read": ("Read", {"path": "file_path"}),
    "write": ("Write", {"path": "file_path", "content": "content"}),
    "grep": ("Grep", {"pattern": "pattern", "path": "path"}),
    "find": ("Glob", {"pattern": "pattern", "path": "path"}),
    "ls": ("LS", {"path": "path"}),
}


def own(step: Step) -> tuple[str, dict[str, Any]]:
    """Return a step as Claude Code calls it."""
    if step.tool in NAMES:
        name, members = NAMES[step.tool]
        given = {new: step.input[old] for old, new in members.items() if old in step.input}
        return name, {**given, "description": "Look around"} if name == "Bash" else given
    if step.tool == "edit":
        one = step.input["edits"][0]
        given = {"file_path": step.input["path"], "old_string": one["oldText"], "new_string": one["newText"]}
        return "Edit", given
    return step.tool, dict(step.input)


class ClaudeCodeSession:
    """Writes one transcript, or that of a subagent."""

    def __init__(self, clock: Clock, session: str, subagent: str | None = None) -> None:
        self.lines = Lines()
        self.session = session
        self.subagent = subagent
        self._clock = clock
        self._chance = clock.chance
        self._parent: str | None = None

    def put(self, kind: str, **members: Any) -> None:
        """Add a line with all that every line has."""
        entry = self._chance.uuid()
        named = {} if self.subagent is None else {"agentId": self.subagent}
        self.lines.put(
            parentUuid=self._parent,
            isSidechain=self.subagent is not None,
            userType="external",
            cwd=CWD,
            sessionId=self.session,
            version="2.1.29",
            gitBranch="main",
            **named,
            type=kind,
            **members,
            uuid=entry,
            timestamp=stamp(self._clock.now),
        )
        self._parent = entry

    def say(self, words: str) -> None:
        """Let the user, or the session above, write something."""
        self._clock.tick(300, 1_200)
        self.put("user", message={"role": "user", "content": words})

    def work(self, steps: list[Step]) -> None:
        """Make calls one by one."""
        for step in steps:
            name, given = own(step)
            call = self.call(name, given)
            if step.fate == OPEN:
                return
            self._clock.tick(60, 4_000)
            if step.fate == REFUSED:
                self.result(call, REJECTED, True, toolUseResult="User rejected tool use")
            else:
                self.result(call, step.result, step.fate == FAILED or None)

    def call(self, name: str, given: dict[str, Any]) -> str:
        """Make one call; return its identifier."""
        self._clock.tick(700, 5_000)
        call = anthropic_id(self._chance)
        part = {"type": "tool_use", "id": call, "name": name, "input": given}
        usage = {"input_tokens": 12, "output_tokens": self._chance.between(40, 400)}
        model = "claude-sonnet-4-5"
        self.put(
            "assistant", message={"model": model, "role": "assistant", "content": [part], "usage": usage}
        )
        return call

    def result(self, call: str, words: str, error: bool | None = None, **members: Any) -> None:
        """Write the result of a call."""
        part: dict[str, Any] = {"tool_use_id": call, "type": "tool_result", "content": words}
        if error:
            part["is_error"] = True
        self.put("user", message={"role": "user", "content": [part]}, **members)

    def tell_of(self, call: str, other: ClaudeCodeSession) -> None:
        """Write a subagent's calls as progress of the call that started it."""
        for line in other.lines.entries:
            if line["type"] == "assistant":
                message = {"type": "assistant", "message": line["message"], "timestamp": line["timestamp"]}
                data = {"type": "agent_progress", "agentId": other.subagent, "message": message}
                self.put("progress", data=data, parentToolUseID=call)

    def begin_as(self, other: ClaudeCodeSession) -> None:
        """Begin with the lines of another session under the own name, as a resumed session does."""
        copied = [line for line in other.lines.entries if "uuid" in line]
        self.lines.entries += [{**line, "sessionId": self.session} for line in copied]
        self._parent = self.lines.entries[-1]["uuid"]
