"""What a transcript says: tool calls, and what became of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from audit.log.cases import LineLedger, Reject


class AgentFormat(StrEnum):
    """Whose session file it is."""

    PI = "pi"
    CLAUDE_CODE = "claude-code"
    CODEX = "codex"
    PLAIN = "plain calls"


class CallOutcome(StrEnum):
    """What a transcript says became of a call."""

    RAN = "ran"
    FAILED = "failed"
    """It was let through and ended with an error."""
    REFUSED = "refused"
    """A person, a rule or a hook stopped it."""
    NOT_RUN = "not run"
    """The agent dropped it before anybody was asked, for one because the user wrote something."""
    UNKNOWN = "unknown"
    """No result, or one that does not say."""


class EntryKind(StrEnum):
    """The classes of the line ledger; every line is in exactly one."""

    BLANK = "blank"
    REJECT = "reject"
    """No JSON object, or one that breaks the shape its kind has."""
    FOREIGN = "unknown format"
    """A JSON object of no agent known here."""
    SESSION = "session"
    """Says whose session it is, where, or under which settings."""
    CALLS = "tool calls"
    RESULTS = "tool results"
    OTHER = "other entry"
    """A known kind that holds no call: messages, summaries, snapshots."""
    UNKNOWN_KIND = "unknown kind"
    """An entry of a known format whose kind is not known; counted by name too."""
    DUPLICATE = "duplicate"
    """Repeats calls of another line, or stands in a copy of another source."""


@dataclass(frozen=True, slots=True)
class TranscriptCall:
    """One tool call in the permission system's terms."""

    source: AgentFormat
    session: str
    """The agent's own identifier of the session; empty when the file does not say."""
    call_id: str
    """The model's identifier of the call, which the review log has as `toolCallId`; may be empty."""
    time: str | None
    """When the call was written down: UTC, ISO 8601 with milliseconds and `Z`."""
    cwd: str | None
    """Working directory of the session at that moment."""
    tool: str
    """The permission system's name of the tool where one corresponds, else the agent's."""
    input: Mapping[str, object]
    agent: str | None = None
    """Name of the subagent or agent profile, where the transcript has one."""
    parent_session: str | None = None
    """The session that this one was forked from or that started this subagent."""
    outcome: CallOutcome = CallOutcome.UNKNOWN


@dataclass(frozen=True, slots=True)
class TranscriptSession:
    """One session and what was read of it."""

    source: AgentFormat
    id: str
    cwd: str | None
    parent: str | None
    calls: int
    first: str | None
    """Time of its first and last call."""
    last: str | None


@dataclass(frozen=True, slots=True)
class TranscriptReading:
    """Everything some session files hold; nothing depends on the order the files came in."""

    calls: tuple[TranscriptCall, ...]
    """Each call once, in order of time."""
    ledger: LineLedger
    """Lines by `EntryKind`; every class is present, and they add up to the lines."""
    rejects: tuple[Reject, ...]
    formats: Mapping[AgentFormat, int]
    """Entries per format found."""
    sessions: tuple[TranscriptSession, ...]
    unknown_kinds: Mapping[str, int] = field(default_factory=dict)
    """Entries of unknown kind, by `format: kind`."""
    digest: str = ""
    """SHA-256 over the digests of the distinct contents, whatever their order."""
