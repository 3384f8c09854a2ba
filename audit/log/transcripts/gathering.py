"""The calls and results of one source, collected line by line."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Protocol, TypeVar

import msgspec

from audit.log.cases import Reject
from audit.log.transcripts.model import AgentFormat, CallOutcome, EntryKind, TranscriptCall

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class PlacedCall:
    """A call and the line it stands in, counted from 1."""

    line: int
    call: TranscriptCall


@dataclass(frozen=True, slots=True)
class PlacedResult:
    """A result and the line it stands in."""

    line: int
    call_id: str
    outcome: CallOutcome


@dataclass(slots=True)
class Gathering:
    """What the decoders found in one source; they write, the merge reads."""

    name: str
    digest: str = ""
    kinds: list[EntryKind] = field(default_factory=list)
    """The class of each line, in order."""
    calls: list[PlacedCall] = field(default_factory=list)
    results: list[PlacedResult] = field(default_factory=list)
    formats: Counter[AgentFormat] = field(default_factory=Counter)
    unknown_kinds: Counter[str] = field(default_factory=Counter)
    rejects: list[Reject] = field(default_factory=list)
    spawned: dict[str, str] = field(default_factory=dict)
    """Claude Code: the call that started a subagent, by the subagent's identifier."""
    profiles: dict[str, str] = field(default_factory=dict)
    """Claude Code: the kind of subagent that a call asked for, by the call's identifier."""
    first: str | None = None
    """Earliest and latest moment of any entry."""
    last: str | None = None
    _latest: dict[str, int] = field(default_factory=dict)
    _sure: set[int] = field(default_factory=set)

    def has(self, call_id: str) -> bool:
        """Tell whether a call of this identifier was gathered."""
        return call_id in self._latest

    def seen(self, moment: str | None) -> None:
        """Take note of an entry's time."""
        if moment is not None:
            self.first = moment if self.first is None else min(self.first, moment)
            self.last = moment if self.last is None else max(self.last, moment)

    def call(self, line: int, call: TranscriptCall) -> None:
        """Add a call."""
        if call.call_id:
            self._latest[call.call_id] = len(self.calls)
        self.calls.append(PlacedCall(line, call))

    def result(self, line: int, call_id: str, outcome: CallOutcome, *, sure: bool = False) -> None:
        """Add a result; it belongs to the latest call of that identifier.

        The first result that says something stands, unless a later one is `sure`: a status that the
        agent wrote as such goes before what the text of an output suggests.
        """
        self.results.append(PlacedResult(line, call_id, outcome))
        index = self._latest.get(call_id)
        if index is None or index in self._sure or outcome is CallOutcome.UNKNOWN:
            return
        placed = self.calls[index]
        if sure or placed.call.outcome is CallOutcome.UNKNOWN:
            self.calls[index] = PlacedCall(placed.line, replace(placed.call, outcome=outcome))
        if sure:
            self._sure.add(index)

    def restate(self, call_id: str, tool: str, arguments: Mapping[str, object]) -> None:
        """Correct the tool and input of a gathered call; a later entry knew better."""
        index = self._latest[call_id]
        placed = self.calls[index]
        call = replace(placed.call, tool=tool, input=arguments)
        self.calls[index] = PlacedCall(placed.line, call)

    def unknown(self, source: AgentFormat, kind: str) -> EntryKind:
        """Count an entry of unknown kind."""
        self.unknown_kinds[f"{source}: {kind}"] += 1
        return EntryKind.UNKNOWN_KIND


class Decoder(Protocol):
    """Reads the lines of one format; one decoder per source, as sessions have a state."""

    source: AgentFormat

    def line(self, number: int, raw: bytes) -> EntryKind | None:
        """Read one line and return its class; None where it is no line of this format.

        Raises `msgspec.DecodeError` for what is no JSON, and its subclass `ValidationError` where
        a member that matters has another shape.
        """


def decode(raw: bytes, decoder: msgspec.json.Decoder[T]) -> T:
    """Decode one line; half a surrogate pair, as JavaScript writes it for a cut text, is kept."""
    try:
        return decoder.decode(raw)
    except msgspec.ValidationError:
        raise
    except msgspec.DecodeError:
        if b"\\u" not in raw:
            raise
        whole: T = msgspec.convert(json.loads(raw), decoder.type)
        return whole


def text_of(value: object) -> str:
    """Return the text of a content that is a text or a list of parts with texts."""
    if isinstance(value, str):
        return value
    if isinstance(value, list):
        return "\n".join(filter(None, map(text_of, value)))
    if isinstance(value, dict):
        return text_of(value.get("text"))
    return ""


def members(value: object) -> dict[str, object]:
    """Return a JSON object as it is; anything else as an object with no members."""
    return value if isinstance(value, dict) else {}


def string(value: object) -> str | None:
    """Return a non-empty text; None for anything else."""
    return value if isinstance(value, str) and value else None
