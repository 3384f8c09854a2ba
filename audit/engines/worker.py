"""An engine at the end of two pipes: `python -m audit engine`."""

from __future__ import annotations

from typing import BinaryIO

from audit.protocol.engine import Engine
from audit.protocol.session import EngineSession


def serve(engine: Engine, requests: BinaryIO, answers: BinaryIO) -> None:
    """Answer requests until `bye` or the end of input; every answer is flushed."""
    session = EngineSession(engine)

    def say(line: str) -> None:
        answers.write(line.encode("ascii") + b"\n")
        answers.flush()

    say(session.hello())
    for request in requests:
        answer = session.receive(request.decode("utf-8", "replace"))
        if answer is not None:
            say(answer)
        if session.ended:
            return
    say(session.end())
