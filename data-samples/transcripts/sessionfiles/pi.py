"""Session files of Pi, version 3."""

from __future__ import annotations

from typing import Any

from shoplog.calls import CWD

from .work import DROPPED, FAILED, OPEN, REFUSED, Clock, Lines, Step, anthropic_id, hexadecimal, stamp

DROPPED_WORDS = "Skipped due to queued user message."


class PiSession:
    """Writes one session file."""

    def __init__(
        self, clock: Clock, session: str, *, agent: str | None = None, origin: str | None = None
    ) -> None:
        self.lines = Lines()
        self._clock = clock
        self._chance = clock.chance
        self._parent: str | None = None
        started = {"type": "session", "version": 3, "id": session, "timestamp": stamp(clock.now), "cwd": CWD}
        self.lines.put(**started, **({"parentSession": origin} if origin else {}))
        self.name = f"{stamp(clock.now).replace(':', '-').replace('.', '-')}_{session}.jsonl"
        if origin is None:
            self._entry("model_change", provider="anthropic", modelId="claude-sonnet-4-5")
            self._entry("thinking_level_change", thinkingLevel="low")
        if agent is not None:
            self._entry("custom", customType="active_agent", data={"name": agent})

    def say(self, words: str) -> None:
        """Let the user write something."""
        self._clock.tick(200, 900)
        self._message(role="user", content=[{"type": "text", "text": words}])

    def work(self, steps: list[Step], words: str = "") -> None:
        """Let the model make some calls in one answer; they run one after the other."""
        moments = [step.moment for step in steps if step.moment is not None]
        self._clock.tick(400, 2_500)
        if moments:
            self._clock.reach(min(moments))
        named = [(step.id or anthropic_id(self._chance), step) for step in steps]
        parts: list[dict[str, Any]] = [{"type": "text", "text": words}] if words else []
        parts += [
            {"type": "toolCall", "id": call, "name": step.tool, "arguments": dict(step.input)}
            for call, step in named
        ]
        usage = {"input": self._chance.between(900, 9_000), "output": self._chance.between(40, 400)}
        self._message(
            role="assistant",
            content=parts,
            api="anthropic-messages",
            provider="anthropic",
            model="claude-sonnet-4-5",
            usage=usage,
            stopReason="toolUse",
        )
        for call, step in named:
            if step.fate != OPEN:
                self._clock.tick(20, 200)
                self._result(call, step)

    def user_command(self, command: str) -> None:
        """Let the user run a command without the model."""
        self._clock.tick(2_000, 9_000)
        self._message(role="bashExecution", command=command, output="", exitCode=0, cancelled=False)

    def mark(self, kind: str, **members: Any) -> None:
        """Add another entry."""
        self._clock.tick(100, 900)
        self._entry(kind, **members)

    def begin_as(self, other: PiSession, entries: int) -> None:
        """Begin with the entries of another session, as a fork does."""
        self.lines.entries += other.lines.entries[1 : 1 + entries]
        self._parent = self.lines.entries[-1]["id"]

    def _result(self, call: str, step: Step) -> None:
        words = DROPPED_WORDS if step.fate == DROPPED else step.result
        self._message(
            role="toolResult",
            toolCallId=call,
            toolName=step.tool,
            content=[{"type": "text", "text": words}],
            isError=step.fate in (FAILED, REFUSED, DROPPED),
        )

    def _message(self, **message: Any) -> None:
        milliseconds = int(self._clock.now.timestamp()) * 1000 + self._clock.now.microsecond // 1000
        self._entry("message", message={**message, "timestamp": milliseconds})

    def _entry(self, kind: str, **members: Any) -> None:
        entry = hexadecimal(self._chance, 8)
        time = stamp(self._clock.now)
        self.lines.put(type=kind, id=entry, parentId=self._parent, timestamp=time, **members)
        self._parent = entry
