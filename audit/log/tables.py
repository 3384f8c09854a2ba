"""From gathered lines to the tables of calls, requests and cases."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain

import msgspec
import polars as pl

from audit.log.callrows import Group, Supplied, entered, placed
from audit.log.calls import GateName, Request
from audit.log.caserows import CaseParts, with_case
from audit.log.eras import Timeline
from audit.log.gather import Gathered
from audit.log.inputs import CallReader
from audit.log.pairing import calls_of
from audit.log.rows import BY_REQUEST, Rows
from audit.log.store.columns import to_frame
from audit.log.store.frames import PART_ROWS
from audit.log.store.schema import CALLS, REQUESTS
from audit.log.store.texts import from_utf8
from audit.log.workdirs import Whereabouts


@dataclass(frozen=True, slots=True)
class CallTables:
    """Calls in order of time, their requests in the same order, and the cases they are of."""

    calls: pl.DataFrame
    requests: RequestParts
    cases: CaseParts
    where: Whereabouts


def call_tables(log: Gathered, eras: Timeline, supplied: Supplied, width: int) -> CallTables:
    """Return the tables of all calls. `width` is that of the log's fields."""
    groups = _groups(log, eras)
    reader = CallReader(eras, log.named_whole, width)
    calls = entered(log.rows, groups, reader).with_row_index("entry").sort("time", "line", "entry")
    where = _where(log, calls)
    calls = with_case(placed(calls, where, supplied))
    requests = RequestParts(log.rows, groups, calls["entry"])
    outcomes = requests.outcomes(calls["case"])
    cases = CaseParts(calls, outcomes)
    return CallTables(calls.select(CALLS.dtypes.names()), requests, cases, where)


class RequestParts:
    """The table of requests in parts, each made when it is asked for."""

    def __init__(self, rows: Rows, groups: Sequence[Group], entries: pl.Series) -> None:
        """`entries` are the numbers of the calls in order of time: those of rows, then those of groups."""
        self._rows = rows
        self._objects = _as_frame(list(chain.from_iterable(requests for _, requests in groups)))
        lone = rows.left(pl.int_range(pl.len(), dtype=pl.UInt32).alias("at"))["at"]
        sizes = enumerate((len(requests) for _, requests in groups), len(lone))
        of_objects = [entry for entry, size in sizes for _ in range(size)]
        numbered = pl.DataFrame(
            {
                "entry": [*range(len(lone)), *of_objects],
                "at": pl.concat([lone, pl.int_range(len(of_objects), dtype=pl.UInt32, eager=True)]),
            },
            {"entry": pl.UInt32, "at": pl.UInt32},
        ).with_columns(lone=pl.int_range(pl.len()) < len(lone))
        order = pl.DataFrame({"entry": entries}).with_row_index("call")
        self._order = numbered.join(order, on="entry").sort("call", "at")

    def outcomes(self, cases: pl.Series) -> pl.DataFrame:
        """Return the outcome of each request with its case; `cases` has that of each call."""
        lone, of_objects = self._order.filter("lone"), self._order.filter(~pl.col("lone"))
        return pl.concat(
            pl.DataFrame({"case": cases.gather(numbers["call"]), "outcome": outcomes.gather(numbers["at"])})
            for numbers, outcomes in (
                (lone, self._rows.frame["outcome"]),
                (of_objects, self._objects["outcome"]),
            )
        )

    def __iter__(self) -> Iterator[pl.DataFrame]:
        for numbers in self._order.iter_slices(PART_ROWS):
            lone, of_objects = numbers.filter("lone")["at"], numbers.filter(~pl.col("lone"))["at"]
            found = pl.concat([self._rows.requests(lone), self._objects[of_objects]], rechunk=True)
            yield found if of_objects.is_empty() else found[_places(numbers["lone"])]


def _places(first: pl.Series) -> pl.Series:
    """Return where rows lie in a frame that has those told by a mask first, then the others."""
    return pl.select(
        pl.when(first).then(first.cum_sum()).otherwise(first.sum() + (~first).cum_sum()) - 1
    ).to_series()


def _groups(log: Gathered, eras: Timeline) -> list[Group]:
    """Return the calls whose requests are objects."""
    groups: list[Group] = []
    for key, found in log.calls.items():
        requests = _with_gates(found, eras)
        apart = [[one] for one in requests] if key == BY_REQUEST else calls_of(requests)
        name = None if key.startswith(BY_REQUEST) else key
        groups += [(name, group) for group in apart]
    groups += [(None, _with_gates([loner], eras)) for loner in log.loners]
    return groups


def _with_gates(requests: Sequence[Request], eras: Timeline) -> Sequence[Request]:
    """Tell path gates from external gates where only the era can (section 9)."""
    if not any(request.by_era for request in requests):
        return requests
    return [
        msgspec.structs.replace(request, gate=GateName.EXTERNAL_DIRECTORY)
        if request.by_era and not eras.plain_block_is_path(request.time)
        else request
        for request in requests
    ]


def _as_frame(requests: Sequence[Request]) -> pl.DataFrame:
    if not requests:
        return REQUESTS.dtypes.to_frame()
    columns = zip(*map(msgspec.structs.astuple, requests), strict=True)
    return to_frame(REQUESTS, dict(zip(Request.__struct_fields__, columns, strict=True)))


def _where(log: Gathered, calls: pl.DataFrame) -> Whereabouts:
    """Return where calls were made, told by session starts and by what calls themselves name."""
    where = Whereabouts(log.places)
    starts = pl.Series(where.moments, dtype=pl.String)
    stretched = calls.select("time", "named", stretch=starts.search_sorted(calls["time"], side="right"))
    lasts = dict(stretched.group_by("stretch").agg(pl.col("time").last()).iter_rows())
    asks: dict[int, dict[str, int]] = {}
    named = stretched.drop_nulls("named").group_by("stretch", "named", maintain_order=True).len()
    for stretch, cwd, count in named.iter_rows():
        asks.setdefault(stretch, {})[from_utf8(cwd)] = count
    for stretch, last in lasts.items():
        where.note(stretch, last, asks.get(stretch, {}))
    where.settle()
    return where
