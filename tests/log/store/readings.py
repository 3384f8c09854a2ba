"""Readings of all shapes, for laws: they need not be what any log would give."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import polars as pl
from hypothesis import strategies as st

from audit.core.place import Platform
from audit.log.calls import Call, Decider, GateName, Request
from audit.log.cases import (
    Case,
    CwdSource,
    Exactness,
    LineLedger,
    LogFile,
    LogReading,
    Outcome,
    Reject,
    SessionStart,
)
from audit.log.eras import Era, Timeline
from audit.log.store.columns import Values, to_frame
from audit.log.store.frames import LogTables
from audit.log.store.jsontexts import json_texts
from audit.log.store.schema import CALLS as CALL_TABLE
from audit.log.store.schema import CASES as CASE_TABLE
from audit.log.store.schema import REQUESTS as REQUEST_TABLE
from audit.log.store.schema import Table, outcome_column
from audit.log.store.texts import MARK

ALPHABET = st.one_of(
    st.sampled_from(
        ("a", "\n", '"', "\\", "\0", "\x7f", "ä", "😀", MARK, "\ud83d", "\ude00", "\udc80", "null")
    ),
    st.characters(),
)
TEXTS = st.lists(ALPHABET, max_size=4).map("".join)
MAYBE = st.none() | TEXTS
NUMBERS = st.integers(0, 2**40)
COUNTS = st.dictionaries(TEXTS, NUMBERS, max_size=2)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | TEXTS,
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(TEXTS, inner, max_size=2),
    max_leaves=3,
)
PLACE = {
    "cwd": MAYBE,
    "cwd_source": st.sampled_from(CwdSource),
    "cwd_evidence": TEXTS,
    "home": MAYBE,
    "exactness": st.sampled_from(Exactness),
    "reasons": st.lists(TEXTS, max_size=2).map(tuple),
}
LINES = st.lists(NUMBERS, max_size=3).map(tuple)

_NO_TEXTS = {"gate", "outcome", "decider", "paths", "bypass", "by_era", "served", "message", "child"}
_NO_TEXTS |= {"bounds", "answer_bounds", "twins", "lines"}
_MAYBE_TEXTS = [name for name in Request.__struct_fields__ if name not in _NO_TEXTS]

REQUESTS = st.builds(
    Request,
    gate=st.sampled_from(GateName),
    outcome=st.sampled_from(Outcome),
    decider=st.sampled_from(Decider),
    **dict.fromkeys(_MAYBE_TEXTS, MAYBE),
    paths=st.lists(TEXTS, max_size=2).map(tuple),
    bypass=st.booleans(),
    by_era=st.booleans(),
    served=st.booleans(),
    message=st.integers(0, 2**32 - 1),
    child=st.integers(0, 2**32 - 1),
    bounds=st.integers(0, 255),
    answer_bounds=st.integers(-1, 255),
    twins=LINES,
    lines=LINES,
)


@st.composite
def readings(draw: st.DrawFn) -> LogReading:
    """Return any reading whose calls have cases and whose ledger adds up."""
    cases = draw(st.lists(_cases(), max_size=3))
    calls = draw(st.lists(_calls(len(cases)), max_size=3)) if cases else []
    classes = draw(COUNTS)
    eras = st.sampled_from(Era)
    moments = st.lists(TEXTS, max_size=2)
    return LogReading(
        cases=tuple(cases),
        ledger=LineLedger(sum(classes.values()), classes),
        eras=draw(st.dictionaries(eras.map(lambda era: era.name), NUMBERS, max_size=3)),
        rejects=tuple(draw(st.lists(st.builds(Reject, TEXTS, NUMBERS, TEXTS, TEXTS), max_size=2))),
        digest=draw(TEXTS),
        first=draw(MAYBE),
        last=draw(MAYBE),
        calls=tuple(calls),
        files=tuple(draw(st.lists(st.builds(LogFile, TEXTS, NUMBERS, TEXTS, NUMBERS), max_size=2))),
        case_classes=frozenset(draw(st.lists(TEXTS, max_size=2))),
        session_starts=tuple(
            draw(st.lists(st.builds(SessionStart, TEXTS, MAYBE, MAYBE, NUMBERS), max_size=2))
        ),
        home=draw(MAYBE),
        home_source=draw(st.sampled_from(CwdSource)),
        platform=draw(st.none() | st.sampled_from(Platform)),
        platform_source=draw(st.sampled_from(CwdSource)),
        links=tuple(draw(st.lists(st.tuples(TEXTS, TEXTS), max_size=2))),
        unknown_events=draw(COUNTS),
        unknown_members=draw(COUNTS),
        misfits=draw(COUNTS),
        timeline=draw(st.none() | st.builds(Timeline, moments, st.lists(eras, max_size=2), moments)),
    )


def _cases() -> st.SearchStrategy[Case]:
    return st.builds(
        Case,
        id=TEXTS,
        tool=TEXTS,
        input=st.dictionaries(TEXTS, VALUES, max_size=2),
        agent=MAYBE,
        occurrences=NUMBERS,
        lines=NUMBERS,
        first_seen=TEXTS,
        last_seen=TEXTS,
        outcomes=st.dictionaries(st.sampled_from(Outcome), NUMBERS, max_size=3),
        **PLACE,
    )


def _calls(cases: int) -> st.SearchStrategy[Call]:
    return st.builds(
        Call,
        id=MAYBE,
        time=TEXTS,
        tool=TEXTS,
        agent=MAYBE,
        requests=st.lists(REQUESTS, max_size=2).map(tuple),
        case=st.integers(0, cases - 1),
        **PLACE,
    )


def tables_of(reading: LogReading) -> LogTables:
    """Return the tables that hold a reading."""
    requests = [request for call in reading.calls for request in call.requests]
    calls = _columns(CALL_TABLE, reading.calls)
    calls["requests"] = [len(call.requests) for call in reading.calls]
    return LogTables(
        replace(reading, cases=(), calls=()),
        [_case_table(reading.cases)],
        to_frame(CALL_TABLE, calls),
        [to_frame(REQUEST_TABLE, _columns(REQUEST_TABLE, requests))],
    )


def _columns(table: Table, records: Sequence[object]) -> dict[str, Values]:
    return {column.name: [getattr(one, column.name) for one in records] for column in table.columns}


def _case_table(cases: Sequence[Case]) -> pl.DataFrame:
    outcomes = {outcome_column(outcome): outcome for outcome in Outcome}
    columns: dict[str, Values] = {}
    for column in CASE_TABLE.columns:
        if column.name == "input":
            columns["input"] = json_texts([case.input for case in cases])
        elif column.name in outcomes:
            columns[column.name] = [case.outcomes.get(outcomes[column.name]) for case in cases]
        else:
            columns[column.name] = [getattr(case, column.name) for case in cases]
    return to_frame(CASE_TABLE, columns)
