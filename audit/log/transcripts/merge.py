"""Many sources to one reading: copies, forks and resumed sessions counted once."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from operator import attrgetter

from audit.log.cases import LineLedger, Reject
from audit.log.transcripts.gathering import Gathering, PlacedCall
from audit.log.transcripts.model import (
    AgentFormat,
    CallOutcome,
    EntryKind,
    TranscriptCall,
    TranscriptReading,
    TranscriptSession,
)

Key = tuple[AgentFormat, str, str]

UNIQUE_LENGTH = 8
"""Shorter identifiers are counters of a local model, which start anew in every session; the same
counter with the same input is the same call only at the same time."""
LATE = "~"
"""Sorts after every time."""


def merged(gatherings: Iterable[Gathering]) -> TranscriptReading:
    """Return the reading of all sources; it does not depend on their order.

    Of a call that stands in several places the earliest place counts: sources are taken by their
    first entry, then by their last, since a session that goes on begins with the one before it.
    """
    ordered = sorted(gatherings, key=lambda one: (one.first or LATE, one.last or LATE, one.digest, one.name))
    return _Merge(ordered).reading()


class _Merge:
    """The state of one merge."""

    def __init__(self, ordered: list[Gathering]) -> None:
        self._ordered = ordered
        self._classes: Counter[EntryKind] = Counter()
        self._formats: Counter[AgentFormat] = Counter()
        self._unknown: Counter[str] = Counter()
        self._rejects: list[Reject] = []
        self._calls: dict[Key, TranscriptCall] = {}
        self._keys_by_id: dict[str, Key] = {}
        self._results: set[tuple[str, CallOutcome]] = set()
        self._orphans: dict[tuple[str, CallOutcome], None] = {}
        self._digests: set[str] = set()

    def reading(self) -> TranscriptReading:
        """Take every source, then put the whole together."""
        for gathering in self._ordered:
            self._take(gathering)
        self._adopt_orphans()
        agents = _agents(self._ordered)
        calls = sorted((_named(call, agents) for call in self._calls.values()), key=_by_time)
        return TranscriptReading(
            calls=tuple(calls),
            ledger=LineLedger(self._classes.total(), {kind.value: self._classes[kind] for kind in EntryKind}),
            rejects=tuple(sorted(self._rejects, key=attrgetter("file", "line"))),
            formats={one: self._formats[one] for one in AgentFormat if self._formats[one]},
            sessions=_sessions(calls),
            unknown_kinds=dict(sorted(self._unknown.items())),
            digest=hashlib.sha256("".join(sorted(self._digests)).encode()).hexdigest(),
        )

    def _take(self, gathering: Gathering) -> None:
        if gathering.digest in self._digests:
            self._classes[EntryKind.DUPLICATE] += len(gathering.kinds)
            return
        self._digests.add(gathering.digest)
        self._formats.update(gathering.formats)
        self._unknown.update(gathering.unknown_kinds)
        self._rejects.extend(gathering.rejects)
        fresh = self._take_calls(gathering) | self._take_results(gathering)
        for number, kind in enumerate(gathering.kinds, start=1):
            repeats = kind in {EntryKind.CALLS, EntryKind.RESULTS} and number not in fresh
            self._classes[EntryKind.DUPLICATE if repeats else kind] += 1

    def _take_calls(self, gathering: Gathering) -> set[int]:
        """Add the calls that are new; return their lines."""
        fresh: set[int] = set()
        for placed in gathering.calls:
            key = _key(placed)
            known = self._calls.get(key)
            if known is None:
                fresh.add(placed.line)
                self._calls[key] = placed.call
                if placed.call.call_id:
                    self._keys_by_id[placed.call.call_id] = key
                continue
            self._calls[key] = _completed(known, placed.call.outcome)
        return fresh

    def _take_results(self, gathering: Gathering) -> set[int]:
        """Add the results that are new; return their lines."""
        fresh: set[int] = set()
        here = {placed.call.call_id for placed in gathering.calls}
        mine: set[tuple[str, CallOutcome]] = set()
        for result in gathering.results:
            said = (result.call_id, result.outcome)
            if said not in self._results or said in mine:
                fresh.add(result.line)
                mine.add(said)
                self._results.add(said)
            if result.call_id not in here:
                self._orphans[said] = None
        return fresh

    def _adopt_orphans(self) -> None:
        """Give a call without a result the one that stands in another source."""
        for call_id, outcome in self._orphans:
            key = self._keys_by_id.get(call_id)
            if key is not None and len(call_id) >= UNIQUE_LENGTH:
                self._calls[key] = _completed(self._calls[key], outcome)


def _key(placed: PlacedCall) -> Key:
    """Return what makes two calls one: format, identifier, content."""
    call = placed.call
    content = json.dumps([call.tool, call.input], sort_keys=True, default=str)
    if len(call.call_id) < UNIQUE_LENGTH:
        content = f"{call.time or (call.session, placed.line)} {content}"
    digest = hashlib.blake2b(content.encode("utf-8", "surrogatepass"), digest_size=16)
    return call.source, call.call_id, digest.hexdigest()


def _completed(known: TranscriptCall, outcome: CallOutcome) -> TranscriptCall:
    """Return the first occurrence, with the outcome that another place says where it says none."""
    if known.outcome is CallOutcome.UNKNOWN and outcome is not CallOutcome.UNKNOWN:
        return replace(known, outcome=outcome)
    return known


def _agents(gatherings: list[Gathering]) -> dict[str, str]:
    """Return the kind of each subagent of Claude Code, by its identifier."""
    profiles: dict[str, str] = {}
    for gathering in gatherings:
        profiles.update(gathering.profiles)
    return {
        agent: profiles[call_id]
        for gathering in gatherings
        for agent, call_id in gathering.spawned.items()
        if call_id in profiles
    }


def _named(call: TranscriptCall, agents: dict[str, str]) -> TranscriptCall:
    if call.source is AgentFormat.CLAUDE_CODE and call.agent in agents:
        return replace(call, agent=agents[call.agent])
    return call


def _by_time(call: TranscriptCall) -> str:
    """Return what calls are sorted by; those of one moment stay in the order of their lines."""
    return call.time or LATE


def _sessions(calls: list[TranscriptCall]) -> tuple[TranscriptSession, ...]:
    """Return the sessions of the calls, in order of format and identifier."""
    grouped: dict[tuple[AgentFormat, str], list[TranscriptCall]] = {}
    for call in calls:
        grouped.setdefault((call.source, call.session), []).append(call)
    return tuple(
        TranscriptSession(
            source=source,
            id=session,
            cwd=next((call.cwd for call in own if call.cwd), None),
            parent=next((call.parent_session for call in own if call.parent_session), None),
            calls=len(own),
            first=min((call.time for call in own if call.time), default=None),
            last=max((call.time for call in own if call.time), default=None),
        )
        for (source, session), own in sorted(grouped.items())
    )
