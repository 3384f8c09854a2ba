"""Transcripts beside the review log: which calls the log saw, and which passed it in silence.

A policy allow writes no line (review-log.md 1.7), so the log alone has no denominator; transcripts
have every call. Calls are joined by the model's identifier, which both have. Where it is missing,
by tool, by what the call is about, and by time: the nearest pair first, each call in one pair at most.
What the log has was at a gate, so a call that the agent dropped before any comes after all that it did not.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from datetime import datetime
from typing import Protocol

from audit.log.cases import Case
from audit.log.transcripts.merge import LATE, UNIQUE_LENGTH
from audit.log.transcripts.model import AgentFormat, CallOutcome, TranscriptCall

SUBJECT_MEMBERS = ("command", "path", "name", "tool")
"""What a call is about: the first of these that its input has as a text."""


@dataclass(frozen=True, slots=True)
class LoggedCall:
    """What the join needs of a call in the review log."""

    call_id: str | None
    """The `toolCallId` of its lines."""
    time: str | None
    """Time of its first line, as logged."""
    tool: str
    input: Mapping[str, object] = field(default_factory=dict)
    """What is known of the input."""
    cwd: str | None = None


class CallOfLog(Protocol):
    """A call of the log's reading; its tool and input stand in one of the reading's cases."""

    @property
    def id(self) -> str | None:
        """The `toolCallId` of its lines."""

    @property
    def time(self) -> str:
        """Time of its first line."""

    @property
    def cwd(self) -> str | None:
        """Working directory, where known."""

    @property
    def case(self) -> int:
        """Index into the cases of the reading."""


def logged_calls(calls: Iterable[CallOfLog], cases: Sequence[Case]) -> list[LoggedCall]:
    """Return the calls of a log's reading; `cases` are those that the calls point into."""
    return [
        LoggedCall(one.id, one.time, cases[one.case].tool, cases[one.case].input, one.cwd) for one in calls
    ]


@dataclass(frozen=True, slots=True)
class Window:
    """How far a log line may lie from the call in a transcript, in seconds.

    The agent writes a call down when the model has made it; the log hears of it then, or later when
    other calls of the same answer had to be approved first.
    """

    before: float = 5.0
    after: float = 120.0


@dataclass(frozen=True, slots=True)
class JoinedCall:
    """One call that both sources have."""

    transcript: TranscriptCall
    logged: LoggedCall


@dataclass(frozen=True, slots=True)
class Traffic:
    """All calls of the transcripts and of the log, each in exactly one place."""

    joined: tuple[JoinedCall, ...]
    silent: tuple[TranscriptCall, ...]
    """No line in the log, and nobody refused: allowed in silence, or made where no log was kept."""
    stopped: tuple[TranscriptCall, ...]
    """No line in the log, and yet refused: by another guard, or for a tool that is not registered."""
    not_run: tuple[TranscriptCall, ...]
    """Dropped by the agent before any gate."""
    log_only: tuple[LoggedCall, ...]
    """In the log, but in none of the transcripts."""
    ambiguous: int
    """Calls of the log without an identifier that more than one call fits."""

    @property
    def calls(self) -> int:
        """How many calls the transcripts hold."""
        return sum(map(len, (self.joined, self.silent, self.stopped, self.not_run)))

    @property
    def unjoined_formats(self) -> tuple[AgentFormat, ...]:
        """Agents none of whose calls the log has: most likely it does not watch them."""
        left = {call.source for calls in (self.silent, self.stopped, self.not_run) for call in calls}
        left -= {pair.transcript.source for pair in self.joined}
        return tuple(one for one in AgentFormat if one in left)


def join_traffic(
    calls: Iterable[TranscriptCall], logged: Iterable[LoggedCall], window: Window | None = None
) -> Traffic:
    """Join the calls of transcripts with those of the review log, in whatever order either side comes."""
    mine = sorted(calls, key=_total_order)
    theirs = sorted(logged, key=_total_order)
    join = _Join(mine, theirs, window or Window())
    join.by_call_id()
    join.by_window()
    return join.traffic()


def _total_order(call: TranscriptCall | LoggedCall) -> tuple[str, str, str]:
    """Order calls by time and then by all that tells two apart, so that nothing is left to chance."""
    members = [getattr(call, one.name) for one in fields(call)]
    return call.time or LATE, call.call_id or "", json.dumps(members, sort_keys=True, default=str)


class _Join:
    """The state of one join; indices point into the two sorted sides."""

    def __init__(self, mine: Sequence[TranscriptCall], theirs: Sequence[LoggedCall], window: Window) -> None:
        self._mine = mine
        self._theirs = theirs
        self._window = window
        self._my_times = [_seconds(call.time) for call in mine]
        self._their_times = [_seconds(call.time) for call in theirs]
        self._pairs: dict[int, int] = {}
        self._taken: set[int] = set()
        self._ambiguous = 0

    def by_call_id(self) -> None:
        """Join what has the same identifier.

        A mere counter also needs the same tool and, where either side has it more than once, the time.
        """
        with_id: dict[str, list[int]] = defaultdict(list)
        for index, call in enumerate(self._mine):
            if call.call_id:
                with_id[call.call_id].append(index)
        times_logged = Counter(logged.call_id for logged in self._theirs)
        for their, logged in enumerate(self._theirs):
            call_id = logged.call_id or ""
            again = times_logged[logged.call_id] > 1 or len(with_id.get(call_id, ())) > 1
            candidates = [my for my in with_id.get(call_id, ()) if my not in self._pairs]
            if len(call_id) < UNIQUE_LENGTH:
                candidates = [my for my in candidates if self._alike(my, their)]
                candidates = [my for my in candidates if self._near(my, their) or not again]
            if candidates:
                best = min(candidates, key=lambda my: self._distance(my, their))
                self._pair(best, their)

    def by_window(self) -> None:
        """Join what is left by tool, subject and time: what was at a gate first, then the nearest."""
        left: dict[tuple[str, str], list[int]] = defaultdict(list)
        for my, call in enumerate(self._mine):
            subject = _subject(call.tool, call.input)
            if my not in self._pairs and subject is not None:
                left[subject].append(my)
        candidates: list[tuple[bool, float, int, int]] = []
        for their, logged in enumerate(self._theirs):
            subject = _subject(logged.tool, logged.input)
            if their in self._taken or subject is None:
                continue
            near = [my for my in left.get(subject, ()) if self._fits(my, their)]
            self._ambiguous += len(near) > 1
            candidates.extend((self._dropped(my), self._gap(my, their), my, their) for my in near)
        for _, _, my, their in sorted(candidates):
            if my not in self._pairs and their not in self._taken:
                self._pair(my, their)

    def traffic(self) -> Traffic:
        """Put every call where it belongs."""
        rest = [call for my, call in enumerate(self._mine) if my not in self._pairs]
        return Traffic(
            joined=tuple(
                JoinedCall(self._mine[my], self._theirs[their]) for my, their in sorted(self._pairs.items())
            ),
            silent=tuple(call for call in rest if call.outcome not in _NOT_SILENT),
            stopped=tuple(call for call in rest if call.outcome is CallOutcome.REFUSED),
            not_run=tuple(call for call in rest if call.outcome is CallOutcome.NOT_RUN),
            log_only=tuple(call for their, call in enumerate(self._theirs) if their not in self._taken),
            ambiguous=self._ambiguous,
        )

    def _pair(self, my: int, their: int) -> None:
        self._pairs[my] = their
        self._taken.add(their)

    def _alike(self, my: int, their: int) -> bool:
        return self._mine[my].tool == self._theirs[their].tool

    def _dropped(self, my: int) -> bool:
        """Tell whether a transcript says that nobody was asked; of its calls the log should have none."""
        return self._mine[my].outcome is CallOutcome.NOT_RUN

    def _distance(self, my: int, their: int) -> tuple[bool, bool, float]:
        return not self._alike(my, their), self._dropped(my), self._gap(my, their)

    def _gap(self, my: int, their: int) -> float:
        mine, other = self._my_times[my], self._their_times[their]
        return float("inf") if mine is None or other is None else abs(other - mine)

    def _near(self, my: int, their: int) -> bool:
        mine, other = self._my_times[my], self._their_times[their]
        if mine is None or other is None:
            return False
        return -self._window.before <= other - mine <= self._window.after

    def _fits(self, my: int, their: int) -> bool:
        """Tell whether nothing speaks against a pair: time, working directory, identifiers."""
        mine, other = self._mine[my], self._theirs[their]
        if mine.call_id and other.call_id and max(len(mine.call_id), len(other.call_id)) >= UNIQUE_LENGTH:
            return False
        if mine.cwd and other.cwd and mine.cwd != other.cwd:
            return False
        return self._near(my, their)


_NOT_SILENT = frozenset({CallOutcome.REFUSED, CallOutcome.NOT_RUN})


def _subject(tool: str | None, given: Mapping[str, object]) -> tuple[str, str] | None:
    for name in SUBJECT_MEMBERS:
        value = given.get(name)
        if tool and isinstance(value, str) and value:
            return tool, value
    return None


def _seconds(time: str | None) -> float | None:
    try:
        return datetime.fromisoformat(time).timestamp() if time else None
    except ValueError:
        return None
