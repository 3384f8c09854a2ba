"""Where calls were made: working directory and home, each with its source (review-log.md 13).

Session starts cut the log into stretches. In a stretch the project that started it is at work, and any
earlier project that may still be: one that a line shortly before the start is of, or may be of, or one whose
directory an ask names later. One directory at work makes an inference, several make it ambiguous. What an ask
itself names is recorded.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

from audit.core.place import Platform
from audit.log.cases import CwdSource
from audit.log.part import PlaceLine

QUIET = timedelta(hours=1)
"""A session without a line for so long before the next one starts is taken to have ended."""
REACH = timedelta(hours=12)
"""How far back an ask of an earlier project shows that its session was at work."""

_WINDOWS = re.compile(r"[A-Za-z]:[\\/]|\\\\")
ASKS_BETWEEN = "other asks between two session starts"
_NEVER = "~"
"""Sorts after every moment."""
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Guess:
    """The working directory at a moment, with its source, and which evidence it rests on."""

    cwd: str | None
    source: CwdSource
    evidence: str
    home: str | None


NOWHERE = Guess(None, CwdSource.UNKNOWN, "", None)


@dataclass(slots=True)
class _Stretch:
    """The time from one session start to the next."""

    start: str
    own: set[str]
    """The directory of the session that starts it; empty where the log does not tell."""
    evidence: str
    home: str | None
    asks: Counter[str] = field(default_factory=Counter)
    """Directories that asks in this stretch name."""
    last: str = ""
    """The last moment of a call in it."""
    earlier: dict[str, str] = field(default_factory=dict)
    """Directories of earlier sessions that may still be at work, with the last moment that shows it."""

    def at_work_at(self, moment: str) -> dict[str, str]:
        """Return the directories that may still be at work when the next session starts."""
        # A call that names no directory may be of any of them.
        seen = {cwd: max(shown, self.last) for cwd, shown in self.earlier.items()}
        seen |= dict.fromkeys(self.own, max(self.last, self.start))
        end = _moment(moment)
        return {cwd: shown for cwd, shown in seen.items() if shown and end - _moment(shown) <= QUIET}


class Whereabouts:
    """Answers where a call without evidence of its own was made."""

    def __init__(self, places: Sequence[PlaceLine]) -> None:
        self.starts = starts = _starts(places)
        self._stretches = [_Stretch("", set(), "", None)]
        for line in starts:
            own = {line.cwd} if line.cwd is not None else set()
            self._stretches.append(_Stretch(line.at, own, line.evidence, line.home))
        self._starts = [line.at for line in starts]
        self._homes = _homes(starts)
        self._guesses: list[Guess] = []

    @property
    def moments(self) -> list[str]:
        """Return the moments at which stretches begin; before the first there is one more."""
        return self._starts

    @property
    def guesses(self) -> list[Guess]:
        """Return where a call of each stretch was made, as far as the log tells."""
        return self._guesses

    @property
    def homes(self) -> frozenset[str]:
        """Return every home directory that a session start shows."""
        return frozenset(self._homes.values()) - {""}

    def note(self, stretch: int, last: str, asks: Mapping[str, int]) -> None:
        """Take in the calls of a stretch: the last moment of one, and how many name which directory."""
        self._stretches[stretch].last = last
        self._stretches[stretch].asks.update(asks)

    def settle(self) -> None:
        """Work out each stretch, once the calls are noted."""
        before = self._stretches[0]
        self._own_by_asks(before)
        for stretch in self._stretches[1:]:
            stretch.earlier = before.at_work_at(stretch.start)
            self._own_by_asks(stretch)
            before = stretch
        self._reach_back()
        self._guesses = [self._guess(stretch) for stretch in self._stretches]

    @staticmethod
    def _own_by_asks(stretch: _Stretch) -> None:
        """Without a directory from the start itself, take those that its asks name."""
        if not stretch.own:
            named = set(stretch.asks)
            stretch.own = named - stretch.earlier.keys() or named
            stretch.evidence = ASKS_BETWEEN

    def _reach_back(self) -> None:
        """Let a late ask of an earlier project show that its session was at work all the time."""
        moments = [_moment(stretch.start) for stretch in self._stretches]
        free: dict[str, int] = {}
        """For each directory, the first stretch that is not yet known to have it at work."""
        for index, stretch in enumerate(self._stretches):
            for cwd in stretch.asks.keys() - stretch.own:
                first = bisect_left(moments, moments[index] - REACH, 1, index) if index else 0
                for at in range(max(first, free.get(cwd, 0)), index + 1):
                    self._stretches[at].earlier.setdefault(cwd, "")
            free |= dict.fromkeys(stretch.asks.keys() | stretch.own, index + 1)

    def _guess(self, stretch: _Stretch) -> Guess:
        at_work = stretch.own | stretch.earlier.keys()
        if not stretch.own:
            return NOWHERE
        if len(stretch.own) == 1:
            cwd = next(iter(stretch.own))
        else:
            cwd = min(stretch.asks, key=lambda name: (-stretch.asks[name], name))
        uncertain = len(at_work) > 1 or (stretch.evidence == ASKS_BETWEEN and bool(stretch.earlier))
        source = CwdSource.AMBIGUOUS if uncertain else CwdSource.INFERRED
        return Guess(cwd, source, stretch.evidence, self.home_of(cwd))

    def home_of(self, cwd: str | None) -> str | None:
        """Return the home directory that goes with a working directory, or the only one there is."""
        if cwd in self._homes:
            return self._homes[cwd] or None
        only = self.homes
        return next(iter(only)) if len(only) == 1 else None


def _starts(places: Iterable[PlaceLine]) -> list[PlaceLine]:
    """Return the lines in order of time, each once."""
    once: dict[tuple[str, str | None, str | None], PlaceLine] = {}
    for line in sorted(places, key=lambda line: (line.at, line.pos)):
        once.setdefault((line.at, line.cwd, line.home), line)
    return list(once.values())


def _homes(starts: Iterable[PlaceLine]) -> dict[str | None, str]:
    """Return the home of each working directory; empty where session starts disagree."""
    homes: dict[str | None, str] = {}
    for line in starts:
        if line.home is not None and homes.setdefault(line.cwd, line.home) != line.home:
            homes[line.cwd] = ""
    return homes


def platform_of(places: Iterable[PlaceLine]) -> Platform | None:
    """Return the platform that paths of session starts show; None where they show none or two."""
    found = {
        Platform.WIN32 if _WINDOWS.match(path) else Platform.POSIX
        for line in places
        for path in (line.cwd, line.home)
        if path
    }
    return found.pop() if len(found) == 1 else None


def _moment(text: str) -> datetime:
    try:
        return datetime.fromisoformat(text)
    except ValueError:
        return _EPOCH
