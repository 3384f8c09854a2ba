"""The engine interface: what can answer "what would this core decide?" (engine-protocol.md)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Protocol, runtime_checkable

from audit.core.call import ToolCall
from audit.core.decide import Decision
from audit.core.place import Place
from audit.errors import EngineError

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
    source: str | None = None
    """What identifies the code that answers, a commit or a digest; None: unknown, or this process itself."""


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


@runtime_checkable
class RemoteEngine(Protocol):
    """An engine that works beside this process, so that many questions may be in flight."""

    restarts: int
    """How often it had to be started again."""

    def answers(self, questions: Sequence[Question]) -> list[Answer]:
        """Answer questions, in order."""


def finest_common(baseline: EngineInfo, candidate: EngineInfo) -> Detail:
    """Return the finest detail at which both engines can be compared; raise `EngineError` for none."""
    common = [detail for detail in Detail if detail in baseline.details and detail in candidate.details]
    if not common:
        raise EngineError(f"`{baseline.engine}` and `{candidate.engine}` have no comparable detail in common")
    return common[-1]
