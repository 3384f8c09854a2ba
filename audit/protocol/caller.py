"""The caller's side of a conversation, as a state machine without input or output.

Ask it for the lines to send and feed it the lines that come back. What breaks the protocol as a whole raises
`Malformed`; what breaks one answer is the failure of that question.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from audit.core.call import ToolCall
from audit.core.place import Place
from audit.protocol.engine import Answer, EngineInfo, Failed, FailureKind, Question
from audit.protocol.messages import Malformed, decode, encode, policy_message, question_message
from audit.protocol.wire import read_decision, read_failure, read_hello

BYE = encode({"type": "bye"})
FENCE = Question(ToolCall("bash", {"command": "true"}), Place("/", "/"), "")
"""Asked behind a policy, which has no answer of its own: what comes before its answer is about the policy."""


class Caller:
    """One conversation with one engine."""

    def __init__(self) -> None:
        self._info: EngineInfo | None = None
        self._next = 1
        self._open: dict[int, Question] = {}
        self.complaint: Failed | None = None
        """The last failure that belongs to no question."""

    @property
    def info(self) -> EngineInfo | None:
        """What the engine says of itself; None before its hello."""
        return self._info

    @property
    def open(self) -> tuple[int, ...]:
        """The ids of the questions without an answer."""
        return tuple(self._open)

    def define(self, name: str, policy: Mapping[str, object]) -> str:
        """Return the line that gives a policy a name."""
        self.complaint = None
        return encode(policy_message(name, policy))

    def ask(self, question: Question) -> tuple[int, str]:
        """Return the id of a question, and the line that asks it."""
        number, self._next = self._next, self._next + 1
        self._open[number] = question
        return number, encode(question_message(number, question))

    def receive(self, line: bytes) -> tuple[int, Answer] | None:
        """Take a line; return the answer in it, if there is one. Raise `Malformed` for a breach."""
        try:
            message = decode(line.decode("utf-8"))
        except UnicodeDecodeError:
            raise Malformed("a line is not UTF-8") from None
        if self._info is None:
            self._info = read_hello(message)
            return None
        number, kind = message.get("id"), message.get("type")
        if kind == "failure" and number is None:
            self.complaint = read_failure(message)
            return None
        if kind not in {"decision", "failure"}:
            raise Malformed(f"a line is of type `{kind}`")
        if type(number) is not int or number not in self._open:
            raise Malformed(f"an answer to `{number}`, which is no open question")
        return number, self._answer(self._info, message, self._open.pop(number))

    def _answer(self, info: EngineInfo, message: dict[str, Any], question: Question) -> Answer:
        try:
            if message["type"] == "failure":
                return read_failure(message)
            command = question.call.input.get("command")
            return read_decision(message, info.details[-1], command if isinstance(command, str) else None)
        except Malformed as error:
            return Failed(FailureKind.INTERNAL, f"the decision does not fit the protocol: {error}")
