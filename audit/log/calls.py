"""Requests and calls: what the lines of a log tell about the gates, before anything is replayed.

These records are numerous, so they are msgspec structs, which cost a fifth of a dataclass.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum

import msgspec

from audit.log.vocabulary import CwdSource, Exactness, Outcome


class GateName(StrEnum):
    """The gate that wrote a line (review-log.md 9); the first six have the core's names."""

    SKILL_READ = "skill_read"
    PATH = "path"
    EXTERNAL_DIRECTORY = "external_directory"
    BASH_EXTERNAL_DIRECTORY = "bash_external_directory"
    BASH_PATH = "bash_path"
    TOOL = "tool"
    SKILL_INPUT = "skill_input"
    """Not a gate of tool calls: a person typed `/skill:NAME`."""
    UNKNOWN = "unknown"
    """Gate failures, and forwarded asks of which only the transport is left."""


class Decider(StrEnum):
    """Who or what settled a request, forwarding unwrapped (6.3)."""

    PERSON = "person"
    LINK = "link"
    """An authorizer of the chain."""
    RULE = "rule"
    SESSION_RULE = "session rule"
    YOLO = "yolo"
    INFRASTRUCTURE = "infrastructure"
    NOBODY = "nobody"
    """Nobody could be asked, or nobody answered in time."""
    FAILURE = "failure"
    SERVING_RULE = "rule of the serving session"
    """The parent session's own policy or automatic mode answered for the child."""
    OPEN = "open"
    """Not settled."""


class Request(msgspec.Struct, frozen=True, gc=False):
    """One ask of one gate, or one line by which a gate settled a call without asking.

    Texts are as logged; what a line does not tell is None.
    """

    gate: GateName
    outcome: Outcome
    decider: Decider
    asked: str | None
    """When the prompt opened; None where nobody was asked."""
    settled: str | None
    """When the answer or the gate's own line was written; None for an ask without an end."""
    resolution: str | None
    """Section 6.1."""
    reason: str | None
    """`denialReason`."""
    link: str | None
    """The link that decided: its name, or the event under which it logged its decision."""
    tool: str | None
    agent: str | None
    surface: str | None
    """Logged from E11 on."""
    pattern: str | None
    """The matched rule pattern or sentinel."""
    session_pattern: str | None
    context: str | None
    """Where a nested unit was found."""
    command: str | None
    """At the tool gate a unit (before 9.0.1 the whole command), at other gates the whole command."""
    full: str | None
    """The whole command, where the line tells it beside the unit or is of a gate that logs it whole."""
    path: str | None
    """A path as typed; for a shell path gate the token."""
    target: str | None
    skill: str | None
    preview: str | None
    """`toolInputPreview`, or what the sentence shows of it."""
    paths: tuple[str, ...]
    """External paths or tokens that the line lists."""
    cwd: str | None
    """The working directory that the line itself names."""
    bypass: bool
    """A shell bypass logged as a session approval: configuration rules lead to the same line (3.3)."""
    by_era: bool
    """Whether `gate` is a path gate or an external gate was told by era."""
    id: str | None
    """`requestId`."""
    forwarded: str | None
    """The forwarded id under which another session was asked."""
    message: int
    """Checksum of the sentence; 0 for none."""
    served: bool
    """Written by a session that answers for another."""
    child: int
    """On a serving session: checksum of the child's own sentence."""
    bounds: int
    """Bounds of the era of its first line: the oldest times 16 plus the newest."""
    answer_bounds: int
    """The same for its answer; -1 where it has one line."""
    twins: tuple[int, ...]
    """Lines of the same ask on the serving session."""
    lines: tuple[int, ...]
    """Numbers of its lines over all files, counted from 1."""

    @property
    def time(self) -> str:
        """When its first line was written."""
        return self.asked if self.asked is not None else self.settled or ""


class Call(msgspec.Struct, frozen=True, gc=False):
    """One tool call, or one skill a person asked for, with all its requests in order of time."""

    id: str | None
    """The host's `toolCallId`; None where no line carries it."""
    time: str
    """Of its first line."""
    tool: str
    agent: str | None
    requests: tuple[Request, ...]
    cwd: str | None
    cwd_source: CwdSource
    cwd_evidence: str
    """Which evidence of section 13 the working directory rests on; empty where there is none."""
    home: str | None
    exactness: Exactness
    reasons: tuple[str, ...]
    case: int
    """Index into the cases of the reading."""

    @property
    def outcome(self) -> Outcome:
        """How the last request ended."""
        return self.requests[-1].outcome

    @property
    def lines(self) -> Iterator[int]:
        """Yield the numbers of its lines."""
        for request in self.requests:
            yield from request.lines
