"""Values of columns to a frame and back, without loss."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum
from itertools import accumulate, chain, pairwise, repeat
from typing import Any

import polars as pl

from audit.log.store.schema import Column, Table
from audit.log.store.texts import MARK, from_utf8, to_utf8

PROBE = 1 << 10
"""Values looked at to tell whether a column repeats itself."""

Values = Sequence[Any] | pl.Series

_MARKED = (
    pl.col(pl.String()).str.contains(MARK, literal=True).any(),
    pl.col(pl.List(pl.String())).explode().str.contains(MARK, literal=True).any(),
)


def to_frame(table: Table, values: Mapping[str, Values]) -> pl.DataFrame:
    """Return a frame with the columns of a table, each from its values."""
    try:
        frame = pl.DataFrame([_series(column, values[column.name]) for column in table.columns])
    except UnicodeEncodeError:
        marked = True
    else:
        marked = any(frame.select(_MARKED).row(0))
    if marked:
        frame = pl.DataFrame([_series(column, _written(values[column.name])) for column in table.columns])
    return frame


def from_series(column: Column, series: pl.Series) -> list[Any]:
    """Return the values that a series of a column stands for."""
    if column.words is not None:
        return _words(series, column.words)
    if isinstance(column.dtype, pl.List):
        return _tuples(series)
    return _flat(series)


def _series(column: Column, values: Values) -> pl.Series:
    if column.words is not None:
        return pl.Series(column.name, values, dtype=pl.String()).cast(column.dtype)
    if isinstance(column.dtype, pl.List):
        return _lists(column.name, values, column.dtype)
    return pl.Series(column.name, values, dtype=column.dtype)


def _lists(name: str, values: Values, dtype: pl.List) -> pl.Series:
    """Build each distinct list once; most are empty, or the same few reasons."""
    numbers: dict[tuple[Any, ...], int] = {(): 0}
    picks = [numbers.setdefault(value, len(numbers)) for value in values]
    distinct = list(numbers)[1:]
    lists = _filled_lists(name, distinct, dtype)
    if len(distinct) == len(values):
        return lists
    return pl.concat([pl.Series(name, [[]], dtype=dtype), lists]).gather(picks)


def _filled_lists(name: str, values: Values, dtype: pl.List) -> pl.Series:
    """Build lists, none of them empty, from flat values: much cheaper than a sequence for each."""
    rows = list(chain.from_iterable(map(repeat, range(len(values)), map(len, values))))
    row = pl.Series("row", rows, dtype=pl.UInt32()).set_sorted()
    flat = pl.Series(name, list(chain.from_iterable(values)), dtype=dtype.inner)
    return pl.DataFrame([row, flat]).group_by("row", maintain_order=True).agg(name)[name]


def _written(values: Values) -> list[Any]:
    """Return values with every text in them as it is written."""
    return [
        to_utf8(value)
        if isinstance(value, str)
        else tuple(to_utf8(item) if isinstance(item, str) else item for item in value)
        if isinstance(value, tuple)
        else value
        for value in values
    ]


def _flat(series: pl.Series) -> list[Any]:
    values = series.to_list()
    if series.dtype != pl.String():
        return values
    if series.str.contains(MARK, literal=True).any():
        values = [None if value is None else from_utf8(value) for value in values]
    return _shared(values)


def _shared(values: list[Any]) -> list[Any]:
    """Let equal texts of a column be one object where the same few come again and again."""
    if len(set(values[:PROBE])) > PROBE // 8:
        return values
    known: dict[Any, Any] = {}
    return [known.setdefault(value, value) for value in values]


def _tuples(series: pl.Series) -> list[tuple[Any, ...]]:
    lengths = series.list.len()
    flat = _flat(series.filter(lengths > 0).explode())
    ends = accumulate(lengths.to_list(), initial=0)
    return [tuple(flat[start:end]) for start, end in pairwise(ends)]


def _words(series: pl.Series, words: type[StrEnum]) -> list[StrEnum]:
    members = list(words)
    return [members[code] for code in series.to_physical().to_list()]
