"""The engine's side of a conversation, as a state machine without input or output."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from audit.protocol.engine import PROTOCOL_VERSION, Decided, Engine, Failed, FailureKind
from audit.protocol.messages import (
    Malformed,
    decision_message,
    decode,
    encode,
    failure_message,
    hello_message,
    read_question,
)


class EngineSession:
    """Feed it lines, send what it returns.

    A line is answered with nothing, or with one line; `bye` ends the session.
    """

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._decided = 0
        self._failed = 0
        self.ended = False
        self._handlers: dict[str, Callable[[Mapping[str, Any]], str | None]] = {
            "policy": self._policy,
            "decide": self._decide,
            "bye": self._bye,
        }

    def hello(self) -> str:
        """Return the line an engine writes first."""
        return encode(hello_message(self._engine.info, PROTOCOL_VERSION))

    def receive(self, line: str) -> str | None:
        """Take one line and return the answer to it, if it has one."""
        if not line.strip():
            return None
        number: object = None
        try:
            message = decode(line)
            number = message.get("id")
            handler = self._handlers.get(str(message.get("type")))
            if handler is None:
                raise Malformed(f"unknown type `{message.get('type')}`")
            return handler(message)
        except Malformed as error:
            return self._failure(number, Failed(FailureKind.MALFORMED, str(error)))

    def end(self) -> str:
        """Return the last line, at `bye` or at the end of input."""
        self.ended = True
        return encode({"type": "bye", "decided": self._decided, "failed": self._failed})

    def _policy(self, message: Mapping[str, Any]) -> str | None:
        name = message.get("name")
        if not isinstance(name, str):
            raise Malformed("member `name` is missing or of the wrong type")
        failure = self._engine.define(name, message)
        return None if failure is None else self._failure(message.get("id"), failure)

    def _decide(self, message: Mapping[str, Any]) -> str:
        answer = self._engine.answer(read_question(message))
        if isinstance(answer, Decided):
            self._decided += 1
            return encode(decision_message(message.get("id"), answer.decision))
        return self._failure(message.get("id"), answer)

    def _bye(self, _message: Mapping[str, Any]) -> str:
        return self.end()

    def _failure(self, number: object, failure: Failed) -> str:
        self._failed += 1
        return encode(failure_message(number, failure))
