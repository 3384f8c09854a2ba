"""A reading as tables, and back to records without loss."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from operator import attrgetter
from typing import Any

import msgspec
import polars as pl

from audit.errors import IngestError
from audit.log.calls import Call, Request
from audit.log.cases import Case, LogReading, Outcome, Reject, SessionStart
from audit.log.collector import collector_at_rest
from audit.log.store.columns import from_series, to_frame
from audit.log.store.manifest import Manifest
from audit.log.store.schema import (
    CALLS,
    CASES,
    REJECTS,
    REQUESTS,
    SESSION_STARTS,
    TABLES,
    Table,
    outcome_column,
)

PART_ROWS = 1 << 15
"""Rows that are written to one file."""
BATCH_ROWS = 1 << 13
"""Rows that become records at a time, few enough to stay in the processor's caches."""

Part = tuple[Table, pl.DataFrame]
Frames = Mapping[str, Iterable[pl.DataFrame]]
"""The parts of each table, by its name."""

_FROM_JSON = msgspec.json.Decoder()


@dataclass(frozen=True, slots=True)
class LogTables:
    """A reading whose cases, calls and requests are tables."""

    facts: LogReading
    """All the rest; it has neither cases nor calls."""
    cases: Iterable[pl.DataFrame]
    """In parts, which may be made as they are asked for."""
    calls: pl.DataFrame
    """Its texts may stand as categories."""
    requests: Iterable[pl.DataFrame]
    """In parts, as the cases."""

    def reading(self) -> LogReading:
        """Return the reading with cases and calls as records."""
        with collector_at_rest():
            cases = tuple(_cases(self.cases))
            return replace(self.facts, cases=cases, calls=tuple(_calls(self.calls, self.requests)))

    def parts(self) -> Iterator[Part]:
        """Yield all tables of an ingest folder, each in one or more parts."""
        calls = self.calls.iter_slices(PART_ROWS) if self.calls.height else [self.calls]
        for table, frames in ((CASES, self.cases), (CALLS, calls), (REQUESTS, self.requests)):
            yield from ((table, frame.cast(table.dtypes)) for frame in frames)
        yield REJECTS, _frame_of(REJECTS, self.facts.rejects)
        yield SESSION_STARTS, _frame_of(SESSION_STARTS, self.facts.session_starts)

    @property
    def rows(self) -> int:
        """Number of the rows of all tables together."""
        rest = len(self.facts.rejects) + len(self.facts.session_starts)
        return self.case_count + self.calls.height + int(self.calls["requests"].sum()) + rest

    @property
    def case_count(self) -> int:
        """Number of the cases: each has a call."""
        return 0 if self.calls.is_empty() else int(self.calls.select(pl.col("case").max()).item()) + 1


def from_frames(frames: Frames, manifest: Manifest) -> LogTables:
    """Return what tables and manifest describe.

    Raises `IngestError` where a table is missing, is not as the schema says, or does not fit the others.
    """
    parts = {table.name: _checked(table, frames) for table in TABLES}
    cases, requests = parts[CASES.name], parts[REQUESTS.name]
    calls = pl.concat(parts[CALLS.name])
    counts = calls["requests"]
    fit = counts.sum() == _height(requests) and (counts >= 0).all()
    if not fit or not calls["case"].is_between(0, _height(cases) - 1).all():
        raise IngestError("the tables do not belong together")
    facts = LogReading(
        cases=(),
        ledger=manifest.ledger,
        eras=manifest.eras,
        rejects=tuple(_records(REJECTS, parts[REJECTS.name], Reject)),
        digest=manifest.digest,
        first=manifest.first,
        last=manifest.last,
        files=manifest.inputs,
        case_classes=frozenset(manifest.case_classes),
        session_starts=tuple(_records(SESSION_STARTS, parts[SESSION_STARTS.name], SessionStart)),
        home=manifest.home,
        home_source=manifest.home_source,
        platform=manifest.platform,
        platform_source=manifest.platform_source,
        links=manifest.links,
        unknown_events=manifest.unknown_events,
        unknown_members=manifest.unknown_members,
        misfits=manifest.misfits,
        timeline=manifest.timeline,
    )
    return LogTables(facts, cases, calls, requests)


def _checked(table: Table, frames: Frames) -> list[pl.DataFrame]:
    """Return the parts of a table; raise `IngestError` where one is not as the schema says."""
    if table.name not in frames:
        raise IngestError(f"the table `{table.name}` is missing")
    parts: list[pl.DataFrame] = []
    for frame in frames[table.name]:
        if frame.schema != table.dtypes:
            raise IngestError(f"the table `{table.name}` has other columns than its format says")
        for column in table.columns:
            if not column.optional and frame[column.name].null_count():
                raise IngestError(f"values are missing in `{column.name}` of the table `{table.name}`")
        parts.append(frame)
    return parts


def _height(parts: Iterable[pl.DataFrame]) -> int:
    return sum(part.height for part in parts)


def _frame_of(table: Table, records: Sequence[Any]) -> pl.DataFrame:
    """Return records as a table that has columns named like their attributes."""
    names = [column.name for column in table.columns]
    values = [list(map(attrgetter(name), records)) for name in names]
    return to_frame(table, dict(zip(names, values, strict=True)))


_OUTCOMES = {outcome: outcome_column(outcome) for outcome in Outcome}
_CALL_NAMES = Call.__struct_fields__


def _columns(table: Table, parts: Iterable[pl.DataFrame]) -> Iterator[dict[str, list[Any]]]:
    """Yield the values of a table, batch by batch."""
    for part in parts:
        for batch in part.cast(table.dtypes).iter_slices(BATCH_ROWS):
            yield {column.name: from_series(column, batch[column.name]) for column in table.columns}


def _records(table: Table, parts: Iterable[pl.DataFrame], kind: Callable[..., Any]) -> Iterator[Any]:
    for columns in _columns(table, parts):
        yield from map(kind, *columns.values())


def _cases(parts: Iterable[pl.DataFrame]) -> Iterator[Case]:
    for columns in _columns(CASES, parts):
        columns["input"] = _from_json(columns["input"])
        columns["outcomes"] = _outcomes({outcome: columns.pop(name) for outcome, name in _OUTCOMES.items()})
        names = list(columns)
        for row in zip(*columns.values(), strict=True):
            yield Case(**dict(zip(names, row, strict=True)))


def _from_json(texts: Sequence[str]) -> list[Any]:
    try:
        return list(map(_FROM_JSON.decode, texts))
    except (msgspec.DecodeError, UnicodeEncodeError):
        return list(map(json.loads, texts))


def _outcomes(counts: Mapping[Outcome, Sequence[int | None]]) -> list[dict[Outcome, int]]:
    rows = zip(*counts.values(), strict=True)
    return [{outcome: n for outcome, n in zip(counts, row, strict=True) if n is not None} for row in rows]


def _calls(calls: pl.DataFrame, requests: Iterable[pl.DataFrame]) -> Iterator[Call]:
    of_all = _records(REQUESTS, requests, Request)
    for columns in _columns(CALLS, [calls]):
        columns["requests"] = [tuple(islice(of_all, count)) for count in columns["requests"]]
        yield from map(Call, *(columns[name] for name in _CALL_NAMES))
