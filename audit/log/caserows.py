"""Cases: distinct calls, each in its working directory, with how often and what people answered."""

from __future__ import annotations

from collections.abc import Iterator

import polars as pl

from audit.log.caseids import case_id, digest
from audit.log.cases import CwdSource, Exactness, Outcome
from audit.log.inputs import Given, input_of
from audit.log.store.frames import PART_ROWS
from audit.log.store.jsontexts import json_texts
from audit.log.store.schema import CASES, outcome_column
from audit.log.store.texts import MARK, from_utf8, to_utf8

KEY = ["tool", "given", "text", "partial", "agent", "cwd"]
"""What makes a call distinct. A unit whose whole command is not known is another case than a whole
command of the same text."""

_RANK_OF_SOURCE = {
    CwdSource.RECORDED.value: 0,
    CwdSource.SUPPLIED.value: 1,
    CwdSource.INFERRED.value: 2,
    CwdSource.AMBIGUOUS.value: 3,
    CwdSource.UNKNOWN.value: 4,
}
_NAMED = {Given.COMMAND: "command", Given.PATH: "path", Given.SKILL: "name"}
"""Kinds of text that are the one member of an input."""
_AS_JSON = ("tool", "text", "agent", "cwd")


def with_case(calls: pl.DataFrame) -> pl.DataFrame:
    """Return calls, in order of time, with `case`: cases are numbered in order of first appearance."""
    partial = pl.col("exactness").cast(pl.String) == Exactness.PARTIAL.value
    keyed = calls.with_columns(partial=partial).with_row_index("row")
    first = keyed.select(pl.col("row").first().over(KEY)).to_series()
    return keyed.with_columns(first.rank("dense").cast(pl.Int64).alias("case") - 1)


class CaseParts:
    """The table of cases in parts, the texts of each made when it is asked for.

    The least certain call of a case says how far it can be trusted.
    """

    def __init__(self, calls: pl.DataFrame, outcomes: pl.DataFrame) -> None:
        """`calls` are those of `with_case`; `outcomes` has the case and the outcome of each request."""
        counted = _counted(calls)
        called = calls.select(KEY)[counted["row"]]
        sure = calls.select("exactness", "reasons")[counted["least_sure"]]
        place = calls.select("cwd_source", "cwd_evidence", "home")[counted["least_placed"]]
        self._cases = _with_outcomes(pl.concat([counted, called, sure, place], how="horizontal"), outcomes)

    def __iter__(self) -> Iterator[pl.DataFrame]:
        if not self._cases.height:
            yield CASES.dtypes.to_frame()
        for cases in self._cases.iter_slices(PART_ROWS):
            yield _with_texts(cases.with_columns(pl.col("tool", "agent", "cwd").cast(pl.String))).select(
                pl.col(name).cast(dtype) for name, dtype in CASES.dtypes.items()
            )

    def lines(self) -> Iterator[tuple[Exactness, str, int]]:
        """Yield how many lines there are of each exactness and first reason; the reason is empty for none."""
        reason = pl.col("reasons").list.first().fill_null("")
        counts = self._cases.group_by("exactness", reason).agg(pl.col("lines").sum())
        for exactness, why, lines in counts.iter_rows():
            yield Exactness(exactness), why, lines


def _counted(calls: pl.DataFrame) -> pl.DataFrame:
    """Return the counts of each case, and the rows of the calls that tell the rest of it."""
    exactness = pl.col("exactness").to_physical().cast(pl.UInt8)
    source = pl.col("cwd_source").cast(pl.String).replace_strict(_RANK_OF_SOURCE, return_dtype=pl.UInt8)
    return (
        calls.select(
            "case",
            "row",
            "lines",
            "time",
            "end",
            source=source,
            doubt=exactness * len(_RANK_OF_SOURCE) + source,
        )
        .group_by("case", maintain_order=True)
        .agg(
            pl.col("row").first(),
            occurrences=pl.len().cast(pl.Int64),
            lines=pl.col("lines").sum(),
            first_seen=pl.col("time").first(),
            last_seen=pl.col("end").max(),
            least_sure=pl.col("row").get(pl.col("doubt").arg_max()),
            least_placed=pl.col("row").get(pl.col("source").arg_max()),
        )
    )


def _with_texts(cases: pl.DataFrame) -> pl.DataFrame:
    """Fill in `id` and `input`, both made of JSON texts."""
    quoted = cases.select(_quoted(name) for name in _AS_JSON)
    told = quoted.select(
        pl.concat_str(
            pl.lit("["),
            "tool",
            pl.lit(","),
            cases["given"],
            pl.lit(","),
            "text",
            pl.lit(","),
            cases["partial"].cast(pl.String),
            pl.lit(","),
            "agent",
            pl.lit(","),
            "cwd",
            pl.lit("]"),
        )
    ).to_series()
    marked = cases.select(
        pl.any_horizontal(pl.col(name).str.contains(MARK, literal=True).fill_null(False) for name in _AS_JSON)
    ).to_series()
    digests = pl.Series(list(map(digest, told.cast(pl.Binary).to_list())), dtype=pl.Binary)
    ids = digests.bin.encode("hex")
    rows = marked.arg_true()
    own = [case_id(_read(value) for value in case) for case in cases.select(KEY)[rows].iter_rows()]
    return cases.with_columns(id=ids.scatter(rows, own), input=_inputs(cases, quoted["text"]))


def _quoted(name: str) -> pl.Expr:
    """Return a column as JSON values."""
    object_of_one = pl.struct(pl.col(name).alias("v")).struct.json_encode()
    return object_of_one.str.slice(5).str.head(-1).alias(name)


def _read(value: object) -> object:
    return from_utf8(value) if isinstance(value, str) else value


def _inputs(cases: pl.DataFrame, quoted: pl.Series) -> pl.Series:
    """Return the input of each case as JSON; `quoted` are the texts as JSON values."""
    begins = {int(kind): f'{{"{member}":' for kind, member in _NAMED.items()}
    begin = pl.col("given").replace_strict(begins, default=None, return_dtype=pl.String)
    inputs = cases.select(pl.concat_str(begin, quoted, pl.lit("}"))).to_series()
    rest = inputs.is_null().arg_true()
    if len(rest):
        few = cases.select("given", "text")[rest]
        made = json_texts([input_of(Given(kind), from_utf8(text)) for kind, text in few.iter_rows()])
        inputs = inputs.scatter(rest, [to_utf8(text) for text in made])
    return inputs


def _with_outcomes(cases: pl.DataFrame, requests: pl.DataFrame) -> pl.DataFrame:
    counts = requests.group_by("case", "outcome").agg(pl.len().cast(pl.Int64).alias("n"))
    for outcome in Outcome:
        of_one = counts.filter(pl.col("outcome").cast(pl.String) == outcome.value)
        column = pl.Series(outcome_column(outcome), [None], dtype=pl.Int64).new_from_index(0, cases.height)
        cases = cases.with_columns(column.scatter(of_one["case"], of_one["n"]))
    return cases
