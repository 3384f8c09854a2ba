"""A reading to tables and back, without loss."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from operator import attrgetter
from typing import Any

import msgspec
import polars as pl

from audit.errors import IngestError
from audit.log.calls import Call, Request
from audit.log.cases import Case, LogReading, Outcome, Reject, SessionStart
from audit.log.collector import collector_at_rest
from audit.log.store.columns import Values, from_series, to_frame
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
"""Rows of one frame: what is held in memory beside the reading."""
BATCH_ROWS = 1 << 13
"""Rows that are turned into columns at a time, few enough to stay in the processor's caches."""

Part = tuple[Table, pl.DataFrame]
Frames = Mapping[str, Iterable[pl.DataFrame]]
"""The parts of each table, by its name."""
Columns = Mapping[str, Values]

_JSON = msgspec.json.Encoder()
_FROM_JSON = msgspec.json.Decoder()
_EXACT_JSON = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode
_NULL = re.compile(b"[:,[]null[],}]")


def to_frames(reading: LogReading) -> Iterator[Part]:
    """Yield the tables of a reading, each in one or more parts, made as they are asked for.

    Records that nobody else holds are let go as soon as their table is made.
    """
    cases, calls, rest = reading.cases, reading.calls, (reading.rejects, reading.session_starts)
    del reading
    yield from _parts(CASES, cases, _case_columns)
    del cases
    yield from _parts(CALLS, calls, _call_columns)
    yield from _parts(REQUESTS, (request for call in calls for request in call.requests), _request_columns)
    del calls
    for table, records in zip((REJECTS, SESSION_STARTS), rest, strict=True):
        yield from _parts(table, records, _plain(table))


def rows_of(reading: LogReading) -> int:
    """Return the number of rows of all tables together."""
    requests = sum(len(call.requests) for call in reading.calls)
    records = (reading.cases, reading.calls, reading.rejects, reading.session_starts)
    return requests + sum(map(len, records))


def from_frames(frames: Frames, manifest: Manifest) -> LogReading:
    """Return the reading that tables and manifest describe; each frame is let go as soon as it is read.

    Raises `IngestError` where a table is missing, is not as the schema says, or does not fit the others.
    """
    for table in TABLES:
        if table.name not in frames:
            raise IngestError(f"the table `{table.name}` is missing")
    with collector_at_rest():
        cases = tuple(_cases(frames))
        calls = tuple(_calls(frames, len(cases)))
    return LogReading(
        cases=cases,
        ledger=manifest.ledger,
        eras=manifest.eras,
        rejects=tuple(_records(REJECTS, frames, Reject)),
        digest=manifest.digest,
        first=manifest.first,
        last=manifest.last,
        calls=calls,
        files=manifest.inputs,
        case_classes=frozenset(manifest.case_classes),
        session_starts=tuple(_records(SESSION_STARTS, frames, SessionStart)),
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


def _parts(
    table: Table, records: Iterable[Any], columns: Callable[[Sequence[Any]], Columns]
) -> Iterator[Part]:
    batches: list[pl.DataFrame] = []
    left = iter(records)
    made = False
    while batch := list(islice(left, BATCH_ROWS)):
        batches.append(to_frame(table, columns(batch)))
        if len(batches) * BATCH_ROWS >= PART_ROWS:
            yield table, pl.concat(batches, rechunk=True)
            made = True
            batches = []
    if batches or not made:
        yield table, pl.concat([pl.DataFrame(schema=table.dtypes), *batches], rechunk=True)


def _plain(table: Table) -> Callable[[Sequence[Any]], Columns]:
    """Return what takes the columns of a table from attributes of the same names."""
    names = [column.name for column in table.columns]
    values_of = attrgetter(*names)
    return lambda records: dict(zip(names, zip(*map(values_of, records), strict=True), strict=True))


_REQUEST_NAMES = Request.__struct_fields__


def _request_columns(requests: Sequence[Request]) -> Columns:
    rows = map(msgspec.structs.astuple, requests)
    return dict(zip(_REQUEST_NAMES, zip(*rows, strict=True), strict=True))


_CALL_NAMES = Call.__struct_fields__


def _call_columns(calls: Sequence[Call]) -> Columns:
    rows = map(msgspec.structs.astuple, calls)
    columns: dict[str, Values] = dict(zip(_CALL_NAMES, zip(*rows, strict=True), strict=True))
    return columns | {"requests": list(map(len, columns["requests"]))}


_OUTCOMES = {outcome: outcome_column(outcome) for outcome in Outcome}
_CASE_NAMES = tuple(
    column.name for column in CASES.columns if column.name not in {"input", *_OUTCOMES.values()}
)
_CASE_VALUES = attrgetter(*_CASE_NAMES)


def _case_columns(cases: Sequence[Case]) -> Columns:
    columns: dict[str, Values] = dict(
        zip(_CASE_NAMES, zip(*map(_CASE_VALUES, cases), strict=True), strict=True)
    )
    counts: dict[str, list[int | None]] = {name: [None] * len(cases) for name in _OUTCOMES.values()}
    for row, case in enumerate(cases):
        for outcome, requests in case.outcomes.items():
            counts[_OUTCOMES[outcome]][row] = requests
    return columns | counts | {"input": _to_json([case.input for case in cases])}


def _to_json(values: Sequence[Mapping[str, object]]) -> Values:
    try:
        lines = _JSON.encode_lines(values).split(b"\n")[: len(values)]
    except UnicodeEncodeError:
        return list(map(_EXACT_JSON, values))
    # A number that JSON lacks has become null.
    for row, line in enumerate(lines):
        if b"null" in line and _NULL.search(line):
            lines[row] = _EXACT_JSON(values[row]).encode("utf-8")
    return pl.Series(lines, dtype=pl.Binary()).cast(pl.String())


def _from_json(texts: Sequence[str]) -> list[Any]:
    try:
        return list(map(_FROM_JSON.decode, texts))
    except (msgspec.DecodeError, UnicodeEncodeError):
        return list(map(json.loads, texts))


def _columns(table: Table, frames: Frames) -> Iterator[dict[str, list[Any]]]:
    """Yield the values of a table, part by part."""
    for frame in frames[table.name]:
        if frame.schema != table.dtypes:
            raise IngestError(f"the table `{table.name}` has other columns than its format says")
        for column in table.columns:
            if not column.optional and frame[column.name].null_count():
                raise IngestError(f"values are missing in `{column.name}` of the table `{table.name}`")
        yield {column.name: from_series(column, frame[column.name]) for column in table.columns}


def _records(table: Table, frames: Frames, kind: Callable[..., Any]) -> Iterator[Any]:
    for columns in _columns(table, frames):
        yield from map(kind, *columns.values())


def _cases(frames: Frames) -> Iterator[Case]:
    for columns in _columns(CASES, frames):
        columns["input"] = _from_json(columns["input"])
        columns["outcomes"] = _outcomes({outcome: columns.pop(name) for outcome, name in _OUTCOMES.items()})
        names = list(columns)
        for row in zip(*columns.values(), strict=True):
            yield Case(**dict(zip(names, row, strict=True)))


def _outcomes(counts: Mapping[Outcome, Sequence[int | None]]) -> list[dict[Outcome, int]]:
    rows = zip(*counts.values(), strict=True)
    return [{outcome: n for outcome, n in zip(counts, row, strict=True) if n is not None} for row in rows]


def _calls(frames: Frames, cases: int) -> Iterator[Call]:
    requests = _records(REQUESTS, frames, Request)
    for columns in _columns(CALLS, frames):
        counts = columns["requests"]
        columns["requests"] = [tuple(islice(requests, count)) for count in counts]
        if list(map(len, columns["requests"])) != counts or max(columns["case"], default=-1) >= cases:
            raise IngestError("the tables do not belong together")
        yield from map(Call, *(columns[name] for name in _CALL_NAMES))
    if next(requests, None) is not None:
        raise IngestError("the tables do not belong together")
