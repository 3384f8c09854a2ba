"""Cases: what is replayed. The contract between reading a log and replaying it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from audit.core.place import Platform
from audit.core.record import record
from audit.log.calls import Call
from audit.log.eras import Timeline
from audit.log.vocabulary import CwdSource, Exactness, Outcome

__all__ = [
    "Case",
    "CwdSource",
    "Exactness",
    "LineLedger",
    "LogFile",
    "LogReading",
    "Outcome",
    "Reject",
    "SessionStart",
    "TrafficFacts",
]


@record
class Case:
    """One distinct call in one working directory, with all that the log says about it.

    A unit whose whole command is not known is another case than a whole command of the same text.
    """

    id: str
    """Twelve hexadecimal digits of the digest of tool, input, agent and working directory."""
    tool: str
    input: Mapping[str, object]
    agent: str | None
    cwd: str | None
    cwd_source: CwdSource
    exactness: Exactness
    reasons: tuple[str, ...]
    """Why the case is not exact, in stable words such as `cut at the field cap` or `unit only`."""
    occurrences: int
    """Tool calls."""
    lines: int
    """Log lines of those calls."""
    first_seen: str
    """UTC, ISO 8601, as logged."""
    last_seen: str
    outcomes: Mapping[Outcome, int] = field(default_factory=dict)
    """How the requests of these calls ended, counted per request (one ask of one gate)."""
    cwd_evidence: str = ""
    """Which evidence the working directory rests on, the weakest of these calls; empty for none."""
    home: str | None = None
    """The home directory that goes with the working directory; None where the log does not tell."""
    policy: str | None = None
    """The policy in force where a history of policies is known; None: one policy for all cases."""


@dataclass(frozen=True, slots=True)
class Reject:
    """A line that is not an entry."""

    file: str
    line: int
    """Counted from 1."""
    why: str
    text: str
    """Its bytes as text; bytes that are not UTF-8 stand as surrogate escapes."""


@dataclass(frozen=True, slots=True)
class LineLedger:
    """Every line of the input in exactly one class; `classes` adds up to `lines`."""

    lines: int
    classes: Mapping[str, int]

    def __post_init__(self) -> None:
        total = sum(self.classes.values())
        if total != self.lines:
            raise AssertionError(f"ledger classes hold {total} lines of {self.lines}")

    @property
    def none_is(self) -> str:
        """The beginning of a sentence that denies something of every line."""
        return "the only line is not" if self.lines == 1 else f"none of the {self.lines:,} lines is"


@dataclass(frozen=True, slots=True)
class SessionStart:
    """A line that a session writes when it starts or reloads."""

    time: str
    cwd: str | None
    home: str | None
    line: int


@dataclass(frozen=True, slots=True)
class LogFile:
    """One input that was read."""

    name: str
    lines: int
    digest: str
    """SHA-256 of its (uncompressed) bytes, in hexadecimal digits."""
    before: int
    """Lines of the files before it: `before` + 1 is the number of its first line over all files."""


@dataclass(frozen=True, slots=True)
class TrafficFacts:
    """What transcripts added to a log; `joined`, `silent`, `stopped` and `not_run` make up `calls`."""

    calls: int
    sessions: int
    joined: int
    """Calls that the log has, too."""
    silent: int
    """Allowed without a line in the log."""
    stopped: int
    """Refused, and not by what wrote the log."""
    not_run: int
    """Dropped by the agent before any gate."""
    log_only: int
    """Calls of the log that no transcript has."""
    ambiguous: int
    """Calls of the log, without an identifier, that several of the transcripts fit."""
    lines: int
    """Lines of the transcripts."""
    classes: Mapping[str, int]
    """Those lines by class; adds up to `lines`."""
    digest: str
    never_watched: tuple[str, ...] = ()
    """Agents none of whose calls the log has."""
    silent_outside_log: int = 0
    """Silent calls before the log's first or after its last entry, or of unknown time."""


@dataclass(frozen=True, slots=True)
class LogReading:
    """Everything one or more logs hold, ready for replay."""

    cases: tuple[Case, ...]
    """In order of first appearance."""
    ledger: LineLedger
    eras: Mapping[str, int]
    """Entries per era of the log's schema."""
    rejects: tuple[Reject, ...]
    digest: str
    """SHA-256 over the digests of the distinct input contents, independent of their order."""
    first: str | None
    """First and last timestamp."""
    last: str | None
    calls: tuple[Call, ...] = ()
    """One for each tool call, in order of time; their lines are the lines of the cases."""
    files: tuple[LogFile, ...] = ()
    """In order of the time at which they begin; lines are numbered over all of them."""
    case_classes: frozenset[str] = frozenset()
    """The classes of the ledger whose lines belong to cases."""
    session_starts: tuple[SessionStart, ...] = ()
    home: str | None = None
    """The only home directory the log shows, or the one supplied; None for none or several."""
    home_source: CwdSource = CwdSource.UNKNOWN
    platform: Platform | None = None
    platform_source: CwdSource = CwdSource.UNKNOWN
    links: tuple[tuple[str, str], ...] = ()
    """Symbolic links that explain every `resolves to` note, in order of the path."""
    unknown_events: Mapping[str, int] = field(default_factory=dict)
    unknown_members: Mapping[str, int] = field(default_factory=dict)
    """In how many lines, copies too."""
    misfits: Mapping[str, int] = field(default_factory=dict)
    """Members whose value was not of the documented type, and was dropped."""
    timeline: Timeline | None = None
    """Which era was in use when."""
    traffic: TrafficFacts | None = None
    """What transcripts added; None for a log alone."""
