"""Read review logs: the public entry point of this layer."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from hashlib import sha256
from itertools import chain

import polars as pl

from audit.core.place import Platform
from audit.errors import EmptyLog, NoUsableLine
from audit.log.callrows import CwdRule, Supplied
from audit.log.caserows import CaseParts
from audit.log.cases import (
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
from audit.log.eras import Era, Timeline, timeline
from audit.log.forwarding import TWIN, settle_forwarded
from audit.log.gather import FileRead, Gathered, Gatherer
from audit.log.linkdecisions import credit_links
from audit.log.otherlines import unknown_event
from audit.log.rows import Rows
from audit.log.source import LogSource
from audit.log.store.frames import LogTables
from audit.log.stretches import Progress, parts_of
from audit.log.symlinks import links_of
from audit.log.tables import call_tables
from audit.log.workdirs import Whereabouts, platform_of

EXACT = "replayed exactly"
ASSUMED = "replayed on assumptions"
PARTIAL = "replayed in part"
NOT_REPLAYABLE = "not replayable: "
BLANK = "blank"
DUPLICATE = "duplicate line"
ORPHAN = "orphan: answer without its ask"
UNPARSABLE = "unparsable: "

_CLASSES = {Exactness.EXACT: EXACT, Exactness.ASSUMED: ASSUMED, Exactness.PARTIAL: PARTIAL}


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
    return read_tables(sources, options).reading()


def read_tables(sources: Iterable[LogSource], options: ReadOptions | None = None) -> LogTables:
    """Read all sources into tables; their order does not matter and no line counts twice."""
    options = options or ReadOptions()
    with collector_at_rest():
        files, log = _gather(sources, options)
        return _Reader(log, options).reading(files)


def require_usable(reading: LogReading) -> None:
    """Raise `EmptyLog` or `NoUsableLine` for a reading that holds no entry."""
    lines = reading.ledger.lines
    if lines == reading.ledger.classes.get(BLANK, 0):
        raise EmptyLog("the log is empty", "give a review log, one JSON object a line")
    unusable = reading.ledger.classes.get(BLANK, 0) + len(reading.rejects)
    if lines - unusable - reading.ledger.classes.get(DUPLICATE, 0) <= 0:
        raise NoUsableLine(
            f"{reading.ledger.none_is} an entry of a review log",
            f"the first is {reading.rejects[0].why}" if reading.rejects else "",
        )


def _gather(sources: Iterable[LogSource], options: ReadOptions) -> tuple[list[FileRead], Gathered]:
    gatherer = Gatherer()
    files: list[FileRead] = []
    for part in parts_of(sources, files, options.field_width, options.progress):
        gatherer.add(part)
    return files, gatherer.finish(files)


class _Reader:
    """Turns gathered lines into calls, cases and a ledger."""

    def __init__(self, log: Gathered, options: ReadOptions) -> None:
        self._log = log
        self._options = options
        self._eras = timeline(log.marks.first)
        self._classes: Counter[str] = Counter()

    def reading(self, files: list[FileRead]) -> LogTables:
        """Return the tables."""
        log = self._log
        eras = _count_eras(log, self._eras)
        self._classes[TWIN] += settle_forwarded(log)
        credit_links(log)
        unknown_events = _unknown_events(log)
        first = min(_moments(log), default=None)
        self._class_rest()
        options = self._options
        supplied = Supplied(options.cwd, options.home, options.cwd_rule)
        tables = call_tables(log, self._eras, supplied, options.field_width)
        case_classes = self._class_cases(tables.cases)
        lines = sum(file.lines for file in files)
        home, home_source = self._home(tables.where)
        platform, platform_source = self._platform()
        facts = LogReading(
            cases=(),
            ledger=LineLedger(lines, {name: count for name, count in sorted(self._classes.items()) if count}),
            eras=eras,
            rejects=self._rejects(),
            digest=_digest(files),
            first=first,
            last=log.last or None,
            files=tuple(LogFile(file.name, file.lines, file.digest, file.before) for file in log.files),
            case_classes=case_classes,
            session_starts=tuple(
                SessionStart(line.at, line.cwd, line.home, line.pos)
                for line in tables.where.starts
                if line.start
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
        return LogTables(facts, tables.cases, tables.calls, tables.requests)

    def _class_cases(self, cases: CaseParts) -> frozenset[str]:
        """Class the lines of cases; return the classes."""
        names: set[str] = set()
        for exactness, reason, lines in cases.lines():
            name = _CLASSES.get(exactness, NOT_REPLAYABLE + reason)
            names.add(name)
            self._classes[name] += lines
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
    _count_rows(log.rows, starts, spans)
    for line in log.others:
        spans[bisect_right(starts, line.at), line.bounds] += 1
    for orphan in log.orphans:
        spans[bisect_right(starts, orphan.at), orphan.bounds] += 1
    counts: Counter[Era] = Counter()
    for (seen, bounds), count in spans.items():
        counts[eras.between(seen, bounds >> 4, bounds & 15)] += count
    return {era.name: counts[era] for era in sorted(counts)}


def _count_rows(rows: Rows, starts: list[str], spans: Counter[tuple[int, int]]) -> None:
    marks = pl.Series(starts, dtype=pl.String)
    asked = rows.left(pl.coalesce("asked", "settled").alias("time"), "bounds")
    settled = rows.left(pl.col("settled").alias("time"), pl.col("answer_bounds").alias("bounds"))
    for lines in (asked, settled.filter(pl.col("bounds") >= 0)):
        seen = marks.search_sorted(lines["time"].fill_null(""), side="right")
        for at, bounds, count in lines.group_by(seen.alias("seen"), "bounds").len().iter_rows():
            spans[at, bounds] += count


def _unknown_events(log: Gathered) -> dict[str, int]:
    events = Counter(filter(None, map(unknown_event, log.others)))
    return {name: events[name] for name in sorted(events)}


def _moments(log: Gathered) -> Iterator[str]:
    """Yield every moment that may be the first of the log."""
    times = log.rows.left(pl.coalesce("asked", "settled").alias("time")).filter(pl.col("time") != "")
    yield from times["time"].bottom_k(1) if times.height else ()
    yield from (requests[0].time for requests in log.calls.values() if requests[0].time)
    yield from (request.time for request in log.loners if request.time)
    yield from (line.at for line in log.others if line.at)
    yield from (orphan.at for orphan in log.orphans if orphan.at)


def _digest(files: list[FileRead]) -> str:
    together = sha256()
    for digest in sorted({file.digest for file in files}):
        together.update(bytes.fromhex(digest))
    return together.hexdigest()
