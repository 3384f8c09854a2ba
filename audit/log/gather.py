"""Put the parts of all files together, so that nothing depends on how the log was cut up.

Lines of one call that lie in several parts are joined again. A line counts once, however many copies of
it the input holds: lines with an id are told by what they say, lines without one by their bytes, and of
those as many count as the file that has most of them has.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass, field
from typing import Protocol, TypeVar

import msgspec
import polars as pl

from audit.log.calls import Request
from audit.log.eras import Marks
from audit.log.pairing import join_again
from audit.log.part import (
    FILE_SHIFT,
    LINE_MASK,
    Answer,
    ForwardLine,
    LinkLine,
    OtherLine,
    Part,
    PlaceLine,
    Rejected,
)
from audit.log.rows import Rows
from audit.log.store.texts import to_utf8


@dataclass(slots=True)
class FileRead:
    """One source, read."""

    name: str
    lines: int = 0
    digest: str = ""
    """SHA-256 of its bytes, in hexadecimal digits."""
    first: str = ""
    last: str = ""
    """A moment near its beginning and its last one, to put files in order."""
    before: int = 0
    """Lines of the files before it."""


@dataclass(slots=True)
class Gathered:
    """All lines of a log, those of gates joined; positions are numbers of lines over all files."""

    files: list[FileRead] = field(default_factory=list)
    rows: Rows = field(default_factory=Rows)
    """Calls with one request; see `take_out`."""
    calls: dict[str, list[Request]] = field(default_factory=dict)
    """All other calls."""
    loners: list[Request] = field(default_factory=list)
    orphans: list[Answer] = field(default_factory=list)
    copies: int = 0
    """Lines that another line says already."""
    others: list[OtherLine] = field(default_factory=list)
    forwards: list[ForwardLine] = field(default_factory=list)
    links: list[LinkLine] = field(default_factory=list)
    places: list[PlaceLine] = field(default_factory=list)
    rejected: list[Rejected] = field(default_factory=list)
    blank: int = 0
    marks: Marks = field(default_factory=Marks)
    resolved: dict[tuple[str, str], str] = field(default_factory=dict)
    named_whole: set[str] = field(default_factory=set)
    unknown_members: Counter[str] = field(default_factory=Counter)
    misfits: Counter[str] = field(default_factory=Counter)
    last: str = ""

    def take_out(self, rows: pl.Expr) -> set[str]:
        """Turn rows into calls of objects, to look at them one by one; return their keys."""
        keys: set[str] = set()
        for key, request in self.rows.take(rows):
            self.calls.setdefault(key, []).append(request)
            keys.add(key)
        return keys


class Gatherer:
    """Takes parts in any order."""

    def __init__(self) -> None:
        self._all = Gathered()
        self._again: set[str] = set()
        """Keys whose lines lie in more than one part, or whose answers have no ask in theirs."""
        self._answers: dict[str, list[Answer]] = {}
        self._rows: list[pl.DataFrame] = []
        self._loners: list[tuple[Request, int]] = []

    def add(self, part: Part) -> None:
        """Take a part over."""
        together = self._all
        self._rows.append(part.rows)
        calls = together.calls
        seen = calls.keys() & part.calls.keys()
        if seen:
            self._again |= seen
            for key in seen:
                calls[key] += part.calls.pop(key)
        calls.update(part.calls)
        for key, answers in part.answers.items():
            self._answers.setdefault(key, []).extend(answers)
        together.copies += len(part.copies)
        self._loners += part.loners
        together.others += part.others
        together.forwards += part.forwards
        together.links += part.links
        together.places += part.places
        together.rejected += part.rejected
        together.blank += part.blank
        together.marks.merge(part.marks.first)
        for link, moment in part.resolved.items():
            together.resolved[link] = min(moment, together.resolved.get(link, moment))
        together.named_whole |= part.named_whole
        together.unknown_members += part.unknown_members
        together.misfits += part.misfits
        together.last = max(together.last, part.last)

    def finish(self, files: list[FileRead]) -> Gathered:
        """Put files in order, join what lies apart, and leave copies out."""
        together = self._all
        together.files = sorted(files, key=lambda file: (file.first, file.last, file.digest))
        before = 0
        for file in together.files:
            file.before = before
            before += file.lines
        together.rows = Rows(self._rows)
        self._rows.clear()
        if len(files) > 1:
            self._renumber([file.before for file in files])
        self._rows_apart()
        self._join_again()
        self._once()
        return together

    def _renumber(self, offsets: list[int]) -> None:
        """Turn positions into numbers of lines over all files."""

        def number(pos: int) -> int:
            return offsets[pos >> FILE_SHIFT] + (pos & LINE_MASK)

        def renumbered(request: Request) -> Request:
            return msgspec.structs.replace(request, lines=tuple(map(number, request.lines)))

        together = self._all
        together.rows.renumber(offsets, LINE_MASK + 1)
        for key, requests in together.calls.items():
            together.calls[key] = [renumbered(request) for request in requests]
        self._loners = [(renumbered(request), content) for request, content in self._loners]
        for answers in self._answers.values():
            for answer in answers:
                answer.pos = number(answer.pos)
        lines: Iterable[OtherLine | ForwardLine | LinkLine | PlaceLine | Rejected]
        for lines in (together.others, together.forwards, together.links, together.places, together.rejected):
            for line in lines:
                line.pos = number(line.pos)

    def _rows_apart(self) -> None:
        """Leave out copies of rows; take those out whose call has more lines elsewhere."""
        together = self._all
        together.copies += together.rows.drop_copies()
        elsewhere = list(together.calls.keys() | self._answers.keys())
        self._again |= together.take_out(
            pl.col("key").is_duplicated() | pl.col("key").is_in(list(map(to_utf8, elsewhere)))
        )

    def _join_again(self) -> None:
        """Join the lines of each call that lie in several parts, or whose answers found no ask."""
        together = self._all
        for key in self._again | self._answers.keys():
            joined = join_again(together.calls.get(key, ()), self._answers.get(key, ()))
            together.copies += len(joined.copies)
            together.orphans += joined.answers
            if joined.requests:
                together.calls[key] = joined.requests
            else:
                together.calls.pop(key, None)

    def _once(self) -> None:
        """Leave out copies of lines that are told by their bytes."""
        together = self._all
        file_of = _file_finder(together.files)
        others, copies = _without_copies(
            together.others,
            file_of,
            lambda line: (line.at, line.klass, line.content),
            lambda line: line.owned,
        )
        loners, more = _without_copies(
            [_Loner(request, request.lines[0], content) for request, content in self._loners],
            file_of,
            lambda line: (line.request.time, line.content),
            lambda _: False,
        )
        rejected, yet_more = _rejected_once(together.rejected, file_of, together.files)
        together.others = others
        together.loners = [loner.request for loner in loners]
        together.rejected = rejected
        together.copies += copies + more + yet_more


def _rejected_once(
    lines: list[Rejected], file_of: Callable[[int], int], files: list[FileRead]
) -> tuple[list[Rejected], int]:
    """Leave out copies of lines that are no entries: the same text beside the same entry of another file."""
    lines.sort(key=lambda line: line.pos)
    seen: dict[Hashable, int] = {}
    digests: dict[str, int] = {}
    kept: list[Rejected] = []
    for line in lines:
        file = file_of(line.pos)
        if digests.setdefault(files[file - 1].digest, file) != file:
            continue
        keys = [
            (line.text, side, near) for side, near in enumerate((line.after, line.ahead)) if near is not None
        ]
        if all(seen.get(key, file) == file for key in keys):
            kept.append(line)
            seen.update(dict.fromkeys(keys, file))
    return kept, len(lines) - len(kept)


@dataclass(frozen=True, slots=True)
class _Loner:
    request: Request
    pos: int
    content: int


class _Placed(Protocol):
    @property
    def pos(self) -> int: ...


T = TypeVar("T", bound=_Placed)


def _file_finder(files: list[FileRead]) -> Callable[[int], int]:
    starts = [file.before for file in files]
    return lambda pos: bisect_left(starts, pos)


def _without_copies(
    lines: list[T],
    file_of: Callable[[int], int],
    says: Callable[[T], Hashable],
    owned: Callable[[T], bool],
) -> tuple[list[T], int]:
    """Return the lines that count, in order, and how many do not."""
    lines.sort(key=lambda line: line.pos)
    most: dict[Hashable, int] = {}
    here: dict[Hashable, int] = {}
    file = -1
    kept: list[T] = []
    for line in lines:
        if file_of(line.pos) != file:
            file = file_of(line.pos)
            here.clear()
        key = says(line)
        count = here[key] = here.get(key, 0) + 1
        if count > most.get(key, 0) and not (owned(line) and key in most):
            most[key] = count
            kept.append(line)
    return kept, len(lines) - len(kept)
