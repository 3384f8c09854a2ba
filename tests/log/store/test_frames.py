"""Tables hold all of a reading, whatever is in it."""

from __future__ import annotations

import dataclasses
import math
from typing import Any

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from audit.errors import IngestError
from audit.log.calls import Call, Request
from audit.log.cases import Case, LogReading, Reject, SessionStart
from audit.log.store import frames as frames_module
from audit.log.store.frames import from_frames
from audit.log.store.manifest import (
    Manifest,
    Supplied,
    manifest_in,
    manifest_of,
    manifest_text,
    read_document,
)
from audit.log.store.schema import CALLS, CASES, REJECTS, REQUESTS, SESSION_STARTS, TABLES
from audit.log.store.texts import MARK, from_utf8, to_utf8
from tests.log.lines import asked, data, read
from tests.log.store.readings import TEXTS, readings, tables_of

SUPPLIED = Supplied(cwd="/home/mia", field_width=400)


def frames_of(reading: LogReading) -> dict[str, pl.DataFrame]:
    """Return each table whole."""
    parts: dict[str, list[pl.DataFrame]] = {}
    for table, frame in tables_of(reading).parts():
        parts.setdefault(table.name, []).append(frame)
    return {name: pl.concat(frames) for name, frames in parts.items()}


def written_and_read(reading: LogReading) -> Manifest:
    """Return the manifest of a reading after it was text."""
    text = manifest_text(manifest_of(reading, SUPPLIED, {}, "1.2.3"))
    return manifest_in(read_document(text.encode().decode(), 1))


def there_and_back(reading: LogReading) -> LogReading:
    return back(frames_of(reading), reading)


def back(frames: dict[str, pl.DataFrame], reading: LogReading) -> LogReading:
    tables = from_frames({name: [frame] for name, frame in frames.items()}, written_and_read(reading))
    return tables.reading()


@given(readings())
@settings(max_examples=40, deadline=None)
def test_every_reading_comes_back_as_it_was(reading: LogReading) -> None:
    frames = frames_of(reading)
    assert back(frames, reading) == reading


@given(TEXTS)
def test_every_text_is_written_as_utf8_and_comes_back(text: str) -> None:
    written = to_utf8(text)
    assert from_utf8(written.encode().decode()) == text
    assert (written == text) == (MARK not in text and not any("\ud800" <= unit <= "\udfff" for unit in text))


@given(TEXTS, TEXTS)
def test_no_two_texts_are_written_alike(one: str, other: str) -> None:
    assert (to_utf8(one) == to_utf8(other)) == (one == other)


def test_bytes_that_are_no_text_survive() -> None:
    reading = read(data(asked("make"), [b'{"event": "\xff\xfe', b'{"half": "\\ud83d"}', b"\xed\xa0\x80"]))
    assert any("\udcff" in reject.text for reject in reading.rejects)
    assert there_and_back(reading) == reading


def test_a_lone_surrogate_in_a_command_survives() -> None:
    escaped = [line.replace(b"SPLIT", b"\\ud83d") for line in asked("echo SPLIT")]
    reading = read(data(escaped, asked(f"echo {MARK}", "t2", 5.0)))
    assert {case.input["command"] for case in reading.cases} == {"echo \ud83d", f"echo {MARK}"}
    assert there_and_back(reading) == reading


@pytest.mark.parametrize("number", [math.inf, -math.inf, 2**80, -0.0, 1e-300, 0, True])
def test_numbers_of_an_input_survive(number: float) -> None:
    reading = read(data(asked("make")))
    case = dataclasses.replace(reading.cases[0], input={"limit": number, "text": "null"})
    [back] = there_and_back(dataclasses.replace(reading, cases=(case,))).cases
    assert repr(back.input["limit"]) == repr(number)


def test_many_rows_make_several_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(frames_module, "PART_ROWS", 4)
    monkeypatch.setattr(frames_module, "BATCH_ROWS", 2)
    reading = read(data(*(asked(f"make {number}", f"t{number}", number) for number in range(10))))
    parts = [frame.height for table, frame in tables_of(reading).parts() if table is CALLS]
    assert parts == [4, 4, 2]
    assert sum(frame.height for frame in frames_of(reading).values()) == tables_of(reading).rows
    assert there_and_back(reading) == reading


_COUNTED: dict[str, set[str]] = {
    "policy": set(),  # which policy was in force is told by a place file, after the reading
    "outcomes": {column.name for column in CASES.columns if column.name.startswith("requests_")},
}


@pytest.mark.parametrize(
    ("kind", "table"),
    [(Case, CASES), (Call, CALLS), (Request, REQUESTS), (Reject, REJECTS), (SessionStart, SESSION_STARTS)],
)
def test_every_field_of_a_record_has_its_column(kind: Any, table: Any) -> None:
    fields = kind.__struct_fields__ if kind in {Call, Request} else tuple(kind.__dataclass_fields__)
    columns = [column.name for column in table.columns]
    wanted = {column for field in fields for column in _COUNTED.get(field, {field})}
    assert set(columns) == wanted
    if kind is not Case:
        assert set(columns) == set(fields)
    if kind in {Request, Reject, SessionStart}:
        assert columns == list(fields), "rows are built from columns in this order"


def test_a_manifest_holds_every_other_field_of_a_reading() -> None:
    tables = {"cases", "calls", "rejects", "session_starts"}
    added_later = {"traffic"}
    renamed = {"files": "inputs"}
    fields = {renamed.get(field.name, field.name) for field in dataclasses.fields(LogReading)}
    own = {"format", "version", "tool", "supplied", "tables"}
    assert set(Manifest.__struct_fields__) - own == fields - tables - added_later


def test_every_column_has_a_meaning_of_its_own() -> None:
    for table in TABLES:
        assert table.meaning
        meanings = [column.meaning for column in table.columns]
        assert all(meanings)
        assert len(set(meanings)) == len(meanings)


def test_an_optional_column_alone_may_miss_values() -> None:
    frames = frames_of(read(data(asked("make"))))
    frames["cases"] = frames["cases"].with_columns(id=pl.lit(None, dtype=pl.String))
    with pytest.raises(IngestError, match="values are missing in `id`"):
        back(frames, read(data(asked("make"))))


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda frames: frames.pop("requests"), "table `requests` is missing"),
        (lambda frames: frames.update(calls=frames["calls"].drop("time")), "`calls` has other columns"),
        (lambda frames: frames.update(calls=frames["calls"].reverse().select(pl.all().reverse())), None),
        (lambda frames: frames.update(requests=frames["requests"].clear()), "do not belong together"),
        (lambda frames: frames.update(cases=frames["cases"].clear()), "do not belong together"),
    ],
    ids=["missing table", "missing column", "unchanged", "fewer requests", "fewer cases"],
)
def test_tables_that_do_not_fit_are_refused(change: Any, says: str | None) -> None:
    reading = read(data(asked("make"), asked("mint", "t2", 5.0)))
    frames = frames_of(reading)
    change(frames)
    if says is None:
        assert back(frames, reading) == reading
    else:
        with pytest.raises(IngestError, match=says):
            back(frames, reading)


@given(st.lists(st.lists(TEXTS, max_size=2).map(tuple), max_size=9))
@settings(max_examples=20, deadline=None)
def test_lists_keep_their_rows(paths: list[tuple[str, ...]]) -> None:
    reading = read(data(*(asked(f"make {number}", f"t{number}", number) for number in range(len(paths)))))
    cases = tuple(
        dataclasses.replace(case, reasons=reasons) for case, reasons in zip(reading.cases, paths, strict=True)
    )
    back = there_and_back(dataclasses.replace(reading, cases=cases))
    assert [case.reasons for case in back.cases] == paths
