"""A reading to tables and back, without loss."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from operator import attrgetter
from typing import Any

import msgspec
import polars as pl

from audit.errors import IngestError
from audit.log.calls import Call, Request
from audit.log.cases import Case, LogReading, Outcome, Reject, SessionStart
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

PART_ROWS = 1 << 17
"""Rows of one frame: what is held in memory beside the reading."""
BATCH_ROWS = 1 << 13
"""Rows that are turned into columns at a time, few enough to stay in the processor's caches."""

Part = tuple[Table, pl.DataFrame]
Columns = Mapping[str, Values]

_JSON = msgspec.json.Encoder()
_FROM_JSON = msgspec.json.Decoder()


def to_frames(reading: LogReading) -> Iterator[Part]:
    """Yield the tables of a reading, each in one or more parts, made as they are asked for."""
    requests = (request for call in reading.calls for request in call.requests)
    yield from _parts(CASES, reading.cases, _case_columns)
    yield from _parts(CALLS, reading.calls, _call_columns)
    yield from _parts(REQUESTS, requests, _request_columns)
    yield from _parts(REJECTS, reading.rejects, _plain(REJECTS))
    yield from _parts(SESSION_STARTS, reading.session_starts, _plain(SESSION_STARTS))


def rows_of(reading: LogReading) -> int:
    """Return the number of rows of all tables together."""
    requests = sum(len(call.requests) for call in reading.calls)
    records = (reading.cases, reading.calls, reading.rejects, reading.session_starts)
    return requests + sum(map(len, records))


def from_frames(frames: Mapping[str, pl.DataFrame], manifest: Manifest) -> LogReading:
    """Return the reading that tables and manifest describe.

    Raises `IngestError` where a table is missing, is not as the schema says, or does not fit the others.
    """
    check_frames(frames)
    cases = tuple(_cases(frames[CASES.name]))
    return LogReading(
        cases=cases,
        ledger=manifest.ledger,
        eras=manifest.eras,
        rejects=tuple(_records(REJECTS, frames, Reject)),
        digest=manifest.digest,
        first=manifest.first,
        last=manifest.last,
        calls=tuple(_calls(frames, len(cases))),
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


def check_frames(frames: Mapping[str, pl.DataFrame]) -> None:
    """Raise `IngestError` unless there is every table, with the columns of the schema."""
    for table in TABLES:
        frame = frames.get(table.name)
        if frame is None:
            raise IngestError(f"the table `{table.name}` is missing")
        if frame.schema != table.dtypes:
            raise IngestError(f"the table `{table.name}` has other columns than its format says")
        for column in table.columns:
            if not column.optional and frame[column.name].null_count():
                raise IngestError(f"values are missing in `{column.name}` of the table `{table.name}`")


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


def _to_json(values: Sequence[Mapping[str, object]]) -> list[str]:
    try:
        texts = _JSON.encode_lines(values).decode().split("\n")
    except UnicodeEncodeError:
        return [json.dumps(value, ensure_ascii=False) for value in values]
    # A number that JSON lacks would have become null.
    return [
        json.dumps(value, ensure_ascii=False) if "null" in text else text
        for value, text in zip(values, texts, strict=False)
    ]


def _from_json(texts: Sequence[str]) -> list[Any]:
    try:
        return _FROM_JSON.decode_lines("\n".join(texts))
    except (msgspec.DecodeError, UnicodeEncodeError):
        return list(map(json.loads, texts))


def _columns(table: Table, frame: pl.DataFrame) -> dict[str, list[Any]]:
    return {column.name: from_series(column, frame[column.name]) for column in table.columns}


def _records(table: Table, frames: Mapping[str, pl.DataFrame], kind: Callable[..., Any]) -> Iterator[Any]:
    columns = _columns(table, frames[table.name])
    return map(kind, *columns.values())


def _cases(frame: pl.DataFrame) -> Iterator[Case]:
    columns = _columns(CASES, frame)
    outcomes: list[dict[Outcome, int]] = [{} for _ in range(frame.height)]
    for outcome, name in _OUTCOMES.items():
        del columns[name]
        counted = frame[name].is_not_null().arg_true()
        for row, requests in zip(counted.to_list(), frame[name].gather(counted).to_list(), strict=True):
            outcomes[row][outcome] = requests
    columns |= {"input": _from_json(columns["input"]), "outcomes": outcomes}
    names = list(columns)
    for row in zip(*columns.values(), strict=True):
        yield Case(**dict(zip(names, row, strict=True)))


def _calls(frames: Mapping[str, pl.DataFrame], cases: int) -> Iterator[Call]:
    columns = _columns(CALLS, frames[CALLS.name])
    total, last_case = sum(columns["requests"]), max(columns["case"], default=-1)
    if total != frames[REQUESTS.name].height or last_case >= cases:
        raise IngestError("the tables do not belong together")
    requests = _records(REQUESTS, frames, Request)
    columns["requests"] = [tuple(islice(requests, count)) for count in columns["requests"]]
    return map(Call, *(columns[name] for name in _CALL_NAMES))
