"""The engine interface: what can answer "what would this core decide?" (engine-protocol.md)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Protocol

from audit.core.call import ToolCall
from audit.core.decide import Decision
from audit.core.place import Place

PROTOCOL_VERSION = 1


class Detail(StrEnum):
    """How finely answers can be compared, coarsest first."""

    DECISION = "decision"
    GATES = "gates"
    PROGRAM = "program"


class FailureKind(StrEnum):
    """Why an engine gave no decision."""

    MALFORMED = "malformed"
    UNSUPPORTED = "unsupported"
    POLICY = "policy"
    TOO_LARGE = "too-large"
    INTERNAL = "internal"


@dataclass(frozen=True, slots=True)
class EngineInfo:
    """What an engine says of itself when it starts."""

    engine: str
    revision: str
    details: tuple[Detail, ...]
    switches: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Question:
    """One call to decide: under which policy, for which agent, where."""

    call: ToolCall
    place: Place
    policy: str
    """A name that the engine was given with `define`."""
    agent: str | None = None


@dataclass(frozen=True, slots=True)
class Decided:
    """An answer; members below the engine's finest detail are empty."""

    decision: Decision


@dataclass(frozen=True, slots=True)
class Failed:
    """No answer; counted with its reason, never turned into a decision."""

    kind: FailureKind
    message: str


Answer = Decided | Failed


class Engine(Protocol):
    """Answers questions under named policies."""

    @property
    def info(self) -> EngineInfo:
        """What the engine is."""

    def define(self, name: str, policy: Mapping[str, object]) -> Failed | None:
        """Give a policy a name; its text has the shape of the protocol's `policy` message."""

    def answer(self, question: Question) -> Answer:
        """Answer one question."""
