"""Read review logs: the public entry point of this layer."""

from __future__ import annotations

import zlib
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from hashlib import sha256
from itertools import chain

from msgspec.structs import replace

from audit.core.place import Platform
from audit.errors import EmptyLog, LogError, NoUsableLine
from audit.log.calls import Call, GateName, Request
from audit.log.cases import (
    Case,
    CwdSource,
    Exactness,
    LineLedger,
    LogFile,
    LogReading,
    Reject,
    SessionStart,
)
from audit.log.collector import collector_at_rest
from audit.log.cut import DEFAULT_WIDTH
from audit.log.dedup import CaseBook
from audit.log.eras import Era, Timeline, timeline
from audit.log.forwarding import TWIN, settle_forwarded
from audit.log.gather import FileRead, Gathered, Gatherer
from audit.log.inputs import CallReader
from audit.log.linkdecisions import credit_links
from audit.log.otherlines import unknown_event
from audit.log.pairing import calls_of
from audit.log.part import FILE_SHIFT
from audit.log.source import LogSource, blocks_of, lines_of
from audit.log.stretch import BY_REQUEST, StretchReader
from audit.log.symlinks import links_of
from audit.log.workdirs import Guess, Whereabouts, platform_of

EXACT = "replayed exactly"
ASSUMED = "replayed on assumptions"
PARTIAL = "replayed in part"
NOT_REPLAYABLE = "not replayable: "
BLANK = "blank"
DUPLICATE = "duplicate line"
ORPHAN = "orphan: answer without its ask"
UNPARSABLE = "unparsable: "

Progress = Callable[[int], None]
"""Called with the number of bytes read so far."""
CwdRule = Callable[[str, str | None], str | None]
"""Returns the working directory that is supplied for a call, from its moment and its agent."""


@dataclass(frozen=True, slots=True)
class ReadOptions:
    """What the user supplies beside the logs; what is None is taken from the log where it tells."""

    cwd: str | None = None
    home: str | None = None
    platform: Platform | None = None
    cwd_rule: CwdRule | None = None
    """Asked for each call where `cwd` is None; goes before what the log tells."""
    field_width: int = DEFAULT_WIDTH
    """`reviewLogFieldMaxWidth` of the installation that wrote the log."""
    progress: Progress | None = None


def read_logs(sources: Iterable[LogSource], options: ReadOptions | None = None) -> LogReading:
    """Read all sources into one reading; their order does not matter and no line counts twice."""
    options = options or ReadOptions()
    with collector_at_rest():
        files, log = _gather(sources, options)
        return _Reader(log, options).reading(files)


def require_usable(reading: LogReading) -> LogReading:
    """Return a reading that holds an entry; raise `EmptyLog` or `NoUsableLine` for any other."""
    lines = reading.ledger.lines
    if lines == reading.ledger.classes.get(BLANK, 0):
        raise EmptyLog("the log is empty", "give a review log, one JSON object a line")
    unusable = reading.ledger.classes.get(BLANK, 0) + len(reading.rejects)
    if lines - unusable - reading.ledger.classes.get(DUPLICATE, 0) <= 0:
        raise NoUsableLine(
            f"none of the {lines} lines is an entry of a review log",
            f"the first is {reading.rejects[0].why}" if reading.rejects else "",
        )
    return reading


def _gather(sources: Iterable[LogSource], options: ReadOptions) -> tuple[list[FileRead], Gathered]:
    gatherer = Gatherer()
    files: list[FileRead] = []
    reader = StretchReader()
    for block, before in _numbered(sources, files, options.progress):
        part = reader.read(lines_of(block), before)
        file = files[-1]
        file.first = file.first or part.first
        file.last = max(file.last, part.last)
        gatherer.add(part)
    return files, gatherer.finish(files)


def _numbered(
    sources: Iterable[LogSource], files: list[FileRead], progress: Progress | None
) -> Iterator[tuple[bytes, int]]:
    """Yield the blocks of all sources, each with the position before it, and keep the books of the files."""
    done = 0
    for source in sources:
        file = FileRead(source.name)
        base = len(files) << FILE_SHIFT
        files.append(file)
        digest = sha256()
        for block in _blocks(source):
            digest.update(block)
            before = base + file.lines
            file.lines += block.count(b"\n") + (not block.endswith(b"\n"))
            yield block, before
            done += len(block)
            if progress is not None:
                progress(done)
        file.digest = digest.hexdigest()


def _blocks(source: LogSource) -> Iterator[bytes]:
    try:
        with source.open() as stream:
            yield from blocks_of(stream)
    except (OSError, EOFError, zlib.error) as error:
        raise LogError(f"`{source.name}` cannot be read to its end: {error}") from None


class _Reader:
    """Turns gathered lines into calls, cases and a ledger."""

    def __init__(self, log: Gathered, options: ReadOptions) -> None:
        self._log = log
        self._options = options
        self._eras = timeline(log.marks.first)
        self._classes: Counter[str] = Counter()
        self._book = CaseBook()

    def reading(self, files: list[FileRead]) -> LogReading:
        """Return the reading."""
        log = self._log
        eras = _count_eras(log, self._eras)
        self._classes[TWIN] += settle_forwarded(log)
        credit_links(log.calls, log.links)
        unknown_events = _unknown_events(log)
        first = min(_moments(log), default=None)
        self._class_rest()
        calls, where = self._calls()
        cases = self._book.cases()
        case_classes = self._class_cases(cases)
        lines = sum(file.lines for file in files)
        home, home_source = self._home(where)
        platform, platform_source = self._platform()
        return LogReading(
            cases=cases,
            ledger=LineLedger(lines, {name: count for name, count in sorted(self._classes.items()) if count}),
            eras=eras,
            rejects=self._rejects(),
            digest=_digest(files),
            first=first,
            last=log.last or None,
            calls=calls,
            files=tuple(LogFile(file.name, file.lines, file.digest, file.before) for file in log.files),
            case_classes=case_classes,
            session_starts=tuple(
                SessionStart(line.at, line.cwd, line.home, line.pos) for line in where.starts if line.start
            ),
            home=home,
            home_source=home_source,
            platform=platform,
            platform_source=platform_source,
            links=links_of(log.resolved),
            unknown_events=unknown_events,
            unknown_members=dict(sorted((+log.unknown_members).items())),
            misfits=dict(sorted(log.misfits.items())),
            timeline=self._eras,
        )

    def _calls(self) -> tuple[tuple[Call, ...], Whereabouts]:
        """Return all calls in order of time, entered into the book of cases."""
        log = self._log
        grouped: list[tuple[str, int, str | None, list[Request]]] = []
        for key, found in log.calls.items():
            requests = self._with_gates(found)
            if len(requests) == 1:
                apart = [requests]
            else:
                apart = [[one] for one in requests] if key == BY_REQUEST else list(calls_of(requests))
            name = None if key.startswith(BY_REQUEST) else key
            grouped += [(group[0].time, group[0].lines[0], name, group) for group in apart]
        grouped += [(loner.time, loner.lines[0], None, [loner]) for loner in log.loners]
        log.calls.clear()
        grouped.sort(key=lambda group: group[:2])
        where = Whereabouts(log.places)
        where.note((time, _named(requests)) for time, _, _, requests in grouped)
        where.settle()
        reader = CallReader(self._eras, log.named_whole, self._options.field_width)
        enter = self._book.enter
        calls: list[Call] = []
        grouped.reverse()
        while grouped:
            time, _, name, requests = grouped.pop()
            calls.append(enter(name, requests, reader.read(requests), self._place(where, time, requests)))
        return tuple(calls), where

    def _with_gates(self, requests: list[Request]) -> list[Request]:
        """Tell path gates from external gates where only the era can (section 9)."""
        if not any(request.by_era for request in requests):
            return requests
        return [
            replace(request, gate=GateName.EXTERNAL_DIRECTORY)
            if request.by_era and not self._eras.plain_block_is_path(request.time)
            else request
            for request in requests
        ]

    def _place(self, where: Whereabouts, time: str, requests: list[Request]) -> Guess:
        options = self._options
        supplied = options.cwd
        if supplied is None and options.cwd_rule is not None:
            supplied = options.cwd_rule(time, requests[0].agent)
        named = _named(requests)
        if supplied is not None and supplied != named:
            return Guess(supplied, CwdSource.SUPPLIED, "", options.home or where.home_of(supplied))
        if named is None:
            return where.at(time)
        return Guess(named, CwdSource.RECORDED, "named by an ask of the call", where.home_of(named))

    def _class_cases(self, cases: tuple[Case, ...]) -> frozenset[str]:
        names: set[str] = set()
        for case in cases:
            name = _class_of(case)
            names.add(name)
            self._classes[name] += case.lines
        return frozenset(names)

    def _class_rest(self) -> None:
        """Class the lines that belong to no call, and let go of them."""
        log = self._log
        self._classes[BLANK] += log.blank
        self._classes[DUPLICATE] += log.copies
        self._classes[ORPHAN] += len(log.orphans)
        for line in log.others:
            self._classes[line.klass] += 1
        for rejected in log.rejected:
            self._classes[UNPARSABLE + rejected.why] += 1
        for done in (log.others, log.forwards, log.links, log.orphans):
            done.clear()

    def _rejects(self) -> tuple[Reject, ...]:
        files = self._log.files
        starts = [file.before for file in files]
        rejects: list[Reject] = []
        for rejected in self._log.rejected:
            file = files[bisect_left(starts, rejected.pos) - 1]
            text = rejected.text.decode("utf-8", "surrogateescape")
            rejects.append(Reject(file.name, rejected.pos - file.before, rejected.why, text))
        return tuple(rejects)

    def _home(self, where: Whereabouts) -> tuple[str | None, CwdSource]:
        if self._options.home is not None:
            return self._options.home, CwdSource.SUPPLIED
        if not where.homes:
            return None, CwdSource.UNKNOWN
        if len(where.homes) > 1:
            return None, CwdSource.AMBIGUOUS
        return next(iter(where.homes)), CwdSource.INFERRED

    def _platform(self) -> tuple[Platform | None, CwdSource]:
        if self._options.platform is not None:
            return self._options.platform, CwdSource.SUPPLIED
        platform = platform_of(self._log.places)
        return platform, CwdSource.UNKNOWN if platform is None else CwdSource.INFERRED


def _named(requests: list[Request]) -> str | None:
    """Return the working directory that a request of a call names."""
    for request in requests:
        if request.cwd is not None:
            return request.cwd
    return None


def _class_of(case: Case) -> str:
    if case.exactness is Exactness.EXACT:
        return EXACT
    if case.exactness is Exactness.ASSUMED:
        return ASSUMED
    if case.exactness is Exactness.PARTIAL:
        return PARTIAL
    return NOT_REPLAYABLE + case.reasons[0]


def _count_eras(log: Gathered, eras: Timeline) -> dict[str, int]:
    """Return entries per era; copies do not count."""
    spans: Counter[tuple[int, int]] = Counter()
    """Lines by the number of marks that had been seen by then, and their bounds."""
    starts = eras.starts
    for requests in chain(log.calls.values(), (log.loners,)):
        for request in requests:
            spans[bisect_right(starts, request.asked or request.settled or ""), request.bounds] += 1
            if request.answer_bounds >= 0:
                spans[bisect_right(starts, request.settled or ""), request.answer_bounds] += 1
    for line in log.others:
        spans[bisect_right(starts, line.at), line.bounds] += 1
    for orphan in log.orphans:
        spans[bisect_right(starts, orphan.at), orphan.bounds] += 1
    counts: Counter[Era] = Counter()
    for (seen, bounds), count in spans.items():
        counts[eras.between(seen, bounds >> 4, bounds & 15)] += count
    return {era.name: counts[era] for era in sorted(counts)}


def _unknown_events(log: Gathered) -> dict[str, int]:
    events = Counter(filter(None, map(unknown_event, log.others)))
    return {name: events[name] for name in sorted(events)}


def _moments(log: Gathered) -> Iterator[str]:
    """Yield every moment that may be the first of the log."""
    yield from (requests[0].time for requests in log.calls.values() if requests[0].time)
    yield from (request.time for request in log.loners if request.time)
    yield from (line.at for line in log.others if line.at)
    yield from (orphan.at for orphan in log.orphans if orphan.at)


def _digest(files: list[FileRead]) -> str:
    together = sha256()
    for digest in sorted({file.digest for file in files}):
        together.update(bytes.fromhex(digest))
    return together.hexdigest()
