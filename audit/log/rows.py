"""Requests that are the only one of their call, as rows of a frame: most of a log is of that kind.

A row has the columns of the table of requests, the key of its call, and what the request tells by itself of
what was called. Rows cross from one process to another, and are sorted and counted, without an object each.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from operator import attrgetter

import polars as pl

from audit.log.calls import GateName, Request
from audit.log.cases import Exactness
from audit.log.eras import Marks, timeline
from audit.log.inputs import Called, CallReader
from audit.log.store.columns import Values, from_series, to_frame
from audit.log.store.schema import REQUESTS, Column, Table

BY_REQUEST = "\0"
"""Begins the key of lines that have a request id and no call id; alone, that of prompts without any id."""

_LATER: Mapping[str, object] = {"by_era": False, "forwarded": None, "twins": ()}
"""What only the lines of other calls can tell of a request, as it stands before that."""
_NAMES = tuple(name for name in Request.__struct_fields__ if name not in {*_LATER, "lines"})
_TEXTS = ("command", "full")
"""The longest texts; mostly they are what the tool was called with, and are kept once."""
_CALLED = ("as_tool", "given", "text", "certainty")


def _is_text(name: str) -> str:
    return f"{name}_is_text"


ROWS = Table(
    "rows",
    "Requests that are the only one of their call.",
    (
        Column("key", pl.String(), "key of the call"),
        *(column for column in REQUESTS.columns if column.name in _NAMES),
        Column("line", pl.Int64(), "its first line"),
        Column("answer", pl.Int64(), "line of its answer", optional=True),
        Column("as_tool", pl.String(), "tool that was called; null where eras have to tell", optional=True),
        Column("given", pl.UInt8(), "what `text` is", optional=True),
        Column(
            "text",
            pl.String(),
            "what the tool was called with, or what is known of a shell command",
            optional=True,
        ),
        Column("certainty", pl.String(), "see `certainty_of`", optional=True),
        *(Column(_is_text(name), pl.Boolean(), f"`{name}` is `text` and left out") for name in _TEXTS),
    ),
)

_FEW = pl.col(
    *("resolution", "link", "tool", "agent", "surface", "pattern", "session_pattern", "context"),
    *("target", "skill", "cwd", "as_tool", "certainty"),
)
"""Columns of a few texts that come again and again: as categories they take a quarter of the room."""
EMPTY = ROWS.dtypes.to_frame().with_columns(_FEW.cast(pl.Categorical()))

_values = attrgetter(*_NAMES)
_PART = 1 << 16
_SEPARATOR = "\x1f"
_NOTHING_CALLED = (None, None, None, None)


def certainty_of(called: Called) -> str:
    """Return in one text how sure the input of a call is."""
    return _SEPARATOR.join((called.exactness, "1" if called.needs_place else "", *called.reasons))


def read_certainty(text: str) -> tuple[Exactness, bool, tuple[str, ...]]:
    """Return exactness, whether the decision depends on the working directory, and the reasons."""
    exactness, needs_place, *reasons = text.split(_SEPARATOR)
    return Exactness(exactness), bool(needs_place), tuple(reasons)


class RowMaker:
    """Makes rows of requests; `width` is that of the log's fields."""

    def __init__(self, width: int) -> None:
        self._reader = CallReader(timeline(Marks().first), (), width)

    def rows(self, requests: Mapping[str, Request]) -> pl.DataFrame:
        """Return a row for each request, under the key of its call."""
        if not requests:
            return EMPTY
        made = requests.values()
        columns: dict[str, Values] = dict(zip(_NAMES, zip(*map(_values, made), strict=True), strict=True))
        columns |= dict(zip(_CALLED, zip(*map(self._called, made), strict=True), strict=True))
        columns |= {
            "key": list(requests),
            "line": [request.lines[0] for request in made],
            "answer": [request.lines[1] if len(request.lines) > 1 else None for request in made],
        }
        return to_frame(ROWS, _texts_once(columns)).with_columns(_FEW.cast(pl.Categorical()))

    def _called(self, request: Request) -> tuple[str | None, int | None, str | None, str | None]:
        if tells_command(request):
            return _NOTHING_CALLED
        called = self._reader.read([request])
        return called.tool, called.given, called.text, certainty_of(called)


def _texts_once(columns: Mapping[str, Values]) -> dict[str, Values]:
    """Fill in what is known of shell commands, and leave out what is the same."""
    named = zip(columns["text"], columns["full"], columns["command"], strict=True)
    texts = [text if text is not None else command if full is None else full for text, full, command in named]
    once: dict[str, Values] = {"text": texts}
    for name in _TEXTS:
        same = [value is not None and value == text for value, text in zip(columns[name], texts, strict=True)]
        once[_is_text(name)] = same
        once[name] = [None if is_text else value for value, is_text in zip(columns[name], same, strict=True)]
    return {**columns, **once}


def text_of(name: str) -> pl.Expr:
    """Return a column of which texts were left out where they are what was called."""
    return pl.when(_is_text(name)).then("text").otherwise(name).alias(name)


def tells_command(request: Request) -> bool:
    """Tell whether a request names a shell command: whether that is the whole one may depend on the era."""
    return (
        request.command is not None and request.tool is not None and request.gate is not GateName.SKILL_INPUT
    )


def requests_in(rows: pl.DataFrame) -> Iterator[tuple[str, Request]]:
    """Yield key and request of each row."""
    rows = rows.cast(ROWS.dtypes).with_columns(map(text_of, _TEXTS))
    columns = {column.name: from_series(column, rows[column.name]) for column in ROWS.columns}
    lines = zip(columns["line"], columns["answer"], strict=True)
    columns["lines"] = [(line,) if answer is None else (line, answer) for line, answer in lines]
    columns |= {name: [value] * rows.height for name, value in _LATER.items()}
    values = (columns[name] for name in Request.__struct_fields__)
    yield from zip(columns["key"], map(Request, *values), strict=True)


class Rows:
    """Rows of a whole log; those taken out stay where they are and are passed over."""

    def __init__(self, parts: Iterable[pl.DataFrame] = ()) -> None:
        self.frame = pl.concat([EMPTY, *parts], rechunk=True)
        self._out = pl.repeat(False, self.frame.height, dtype=pl.Boolean, eager=True)

    def take(self, rows: pl.Expr) -> Iterator[tuple[str, Request]]:
        """Take rows out; return key and request of each."""
        wanted = self._among_left(rows)
        self._out = self._out | wanted
        return requests_in(self.frame.filter(wanted))

    def drop_copies(self) -> int:
        """Take out all but the first of the rows that say the same; return the number of their lines."""
        alike = self.frame.with_row_index("row").filter(pl.col("key").is_duplicated()).sort("line")
        says = [name for name in ROWS.dtypes if name not in {"line", "answer", "paths"}]
        first = pl.struct(*says, pl.col("paths").list.join("\0")).is_first_distinct()
        copies = alike.filter(~first)
        self._out = self._out.scatter(copies["row"], True)
        return copies.height + copies["answer"].count()

    def renumber(self, offsets: Sequence[int], per_file: int) -> None:
        """Turn positions, of which each file has so many, into numbers of lines over all files."""
        before = dict(enumerate(offsets))
        self.frame = self.frame.with_columns(
            (pl.col(name) // per_file).replace_strict(before, return_dtype=pl.Int64) + pl.col(name) % per_file
            for name in ("line", "answer")
        )

    def left(self, *columns: str | pl.Expr) -> pl.DataFrame:
        """Return columns of the rows that were not taken out."""
        return self.frame.select(*columns).filter(~self._out)

    def parts_left(self, *columns: str) -> Iterator[pl.DataFrame]:
        """Yield what `left` returns, part by part."""
        narrow = self.frame.select(*columns)
        for start in range(0, narrow.height, _PART):
            yield narrow.slice(start, _PART).filter(~self._out.slice(start, _PART))

    def requests(self, numbers: pl.Series) -> pl.DataFrame:
        """Return some rows as rows of the table of requests."""
        rows = self.frame.select(*_NAMES, "line", "answer", "text", *map(_is_text, _TEXTS))[numbers]
        # Lists of an array are made at once, those of `concat_list` one by one.
        both = pl.concat_arr("line", "answer").arr.to_list()
        lines = pl.when(pl.col("answer").is_null()).then(pl.concat_list("line")).otherwise(both)
        later = {name: pl.lit(value) for name, value in _LATER.items() if name != "twins"}
        twins = pl.Series("twins", [[]], dtype=REQUESTS.dtypes["twins"]).new_from_index(0, rows.height)
        whole = rows.with_columns(*map(text_of, _TEXTS), **later, lines=lines, twins=twins)
        return whole.select(REQUESTS.dtypes.names()).cast(REQUESTS.dtypes)

    def _among_left(self, rows: pl.Expr) -> pl.Series:
        return self.frame.select(rows.fill_null(False).alias("rows")).to_series() & ~self._out
