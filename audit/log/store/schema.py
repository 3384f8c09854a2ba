"""The tables of an ingest folder: every column once, with its type, unit and meaning.

A change here is a new format version: see `versions.py`.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

import polars as pl

from audit.log.calls import Decider, GateName
from audit.log.cases import CwdSource, Exactness, Outcome

MOMENT = "UTC, ISO 8601"
LINE = "line number, from 1, over all inputs in the order of the manifest"
CHECKSUM = "CRC-32; 0 for none"
BOUNDS = "oldest era times 16 plus the newest"


@dataclass(frozen=True, slots=True)
class Column:
    """One column of a table."""

    name: str
    dtype: pl.DataType
    meaning: str
    unit: str = ""
    optional: bool = False
    """Whether values may be missing."""
    words: type[StrEnum] | None = None
    """The vocabulary of an enum column."""


@dataclass(frozen=True, slots=True)
class Table:
    """One table; `columns` in the order of the files."""

    name: str
    meaning: str
    columns: tuple[Column, ...]

    @property
    def dtypes(self) -> pl.Schema:
        """Return the names and types of the columns."""
        return pl.Schema({column.name: column.dtype for column in self.columns})


def _text(name: str, meaning: str, unit: str = "") -> Column:
    return Column(name, pl.String(), meaning, unit)


def _maybe(name: str, meaning: str, unit: str = "") -> Column:
    return Column(name, pl.String(), meaning, unit, optional=True)


def _texts(name: str, meaning: str) -> Column:
    return Column(name, pl.List(pl.String()), meaning)


def _word(name: str, words: type[StrEnum], meaning: str) -> Column:
    return Column(name, pl.Enum([word.value for word in words]), meaning, words=words)


def _flag(name: str, meaning: str) -> Column:
    return Column(name, pl.Boolean(), meaning)


def _number(name: str, meaning: str, unit: str) -> Column:
    return Column(name, pl.Int64(), meaning, unit)


def _numbers(name: str, meaning: str, unit: str) -> Column:
    return Column(name, pl.List(pl.Int64()), meaning, unit)


def outcome_column(outcome: Outcome) -> str:
    """Return the column of the table of cases that counts this outcome."""
    return f"requests_{outcome.value}"


_PLACE = (
    _maybe("cwd", "working directory", "path as logged"),
    _word("cwd_source", CwdSource, "where the working directory comes from"),
    _text("cwd_evidence", "the evidence it rests on; empty for none"),
    _maybe("home", "home directory that goes with it", "path as logged"),
    _word("exactness", Exactness, "how far a replay can be trusted"),
    _texts("reasons", "why it is not exact"),
)

CASES = Table(
    "cases",
    "Distinct calls in one working directory, in order of first appearance.",
    (
        _text("id", "digest of tool, input, agent and working directory", "12 hexadecimal digits"),
        _text("tool", "name of the tool"),
        _text("input", "what the tool was called with", "JSON object"),
        _maybe("agent", "name of the agent"),
        *_PLACE,
        _number("occurrences", "tool calls", "calls"),
        _number("lines", "log lines of those calls", "lines"),
        _text("first_seen", "first of those calls", MOMENT),
        _text("last_seen", "last of those calls", MOMENT),
        *(
            Column(
                outcome_column(outcome),
                pl.Int64(),
                f"requests that ended as `{outcome.value}`; missing for none",
                "requests",
                optional=True,
            )
            for outcome in Outcome
        ),
    ),
)

CALLS = Table(
    "calls",
    "Tool calls, in order of time; the requests of a call stand together in the table of requests.",
    (
        _maybe("id", "the host's `toolCallId`"),
        _text("time", "when the first line was written", MOMENT),
        _text("tool", "name of the tool"),
        _maybe("agent", "name of the agent"),
        *_PLACE,
        _number("case", "row of its case in the table of cases", "row, from 0"),
        _number("requests", "requests it has in the table of requests, in the same order", "requests"),
    ),
)

REQUESTS = Table(
    "requests",
    "Asks of gates, and lines by which a gate settled a call without asking.",
    (
        _word("gate", GateName, "the gate that wrote the lines"),
        _word("outcome", Outcome, "how the request ended"),
        _word("decider", Decider, "who or what settled it, forwarding unwrapped"),
        _maybe("asked", "when the prompt opened", MOMENT),
        _maybe("settled", "when the answer or the gate's own line was written", MOMENT),
        _maybe("resolution", "`resolution`"),
        _maybe("reason", "`denialReason`"),
        _maybe("link", "the authorizer that decided"),
        _maybe("tool", "`toolName`"),
        _maybe("agent", "`agentName`"),
        _maybe("surface", "`surface`"),
        _maybe("pattern", "matched rule pattern or sentinel"),
        _maybe("session_pattern", "pattern offered for the session"),
        _maybe("context", "where a nested unit was found"),
        _maybe("command", "the command the line names: at the tool gate a unit"),
        _maybe("full", "the whole command, where the line tells it"),
        _maybe("path", "a path as typed, or a token"),
        _maybe("target", "target of an MCP call"),
        _maybe("skill", "name of a skill"),
        _maybe("preview", "what the line shows of the input"),
        _texts("paths", "external paths or tokens that the line lists"),
        _maybe("cwd", "working directory that the line itself names", "path as logged"),
        _flag("bypass", "a shell bypass logged as a session approval"),
        _flag("by_era", "whether the gate was told by era"),
        _maybe("id", "`requestId`"),
        _maybe("forwarded", "id under which another session was asked"),
        _number("message", "checksum of the sentence", CHECKSUM),
        _flag("served", "written by a session that answers for another"),
        _number("child", "checksum of the child's own sentence on a serving session", CHECKSUM),
        _number("bounds", "bounds of the era of the first line", BOUNDS),
        _number("answer_bounds", "the same for the answer; -1 where there is no line of its own", BOUNDS),
        _numbers("twins", "lines of the same ask on the serving session", LINE),
        _numbers("lines", "its lines", LINE),
    ),
)

REJECTS = Table(
    "rejects",
    "Lines that are no entries.",
    (
        _text("file", "name of the input"),
        _number("line", "line of that input", "line number, from 1"),
        _text("why", "the reason"),
        _text("text", "the line; a byte that is not UTF-8 as the surrogate U+DC00 plus the byte"),
    ),
)

SESSION_STARTS = Table(
    "session_starts",
    "Lines that a session writes when it starts or reloads, in order of time.",
    (
        _text("time", "when it was written", MOMENT),
        _maybe("cwd", "working directory", "path as logged"),
        _maybe("home", "home directory", "path as logged"),
        _number("line", "the line", LINE),
    ),
)

TABLES = (CASES, CALLS, REQUESTS, REJECTS, SESSION_STARTS)
