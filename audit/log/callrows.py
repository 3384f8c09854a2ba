"""Calls as rows: what was called, where, and how sure that is, for a whole log at once.

What was called is read call by call where the requests of a call are objects, and column by column where a
call has one request, kept as a row. What depends on the whole log, eras and places, is worked out for all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import polars as pl

from audit.log.calls import GateName, Request
from audit.log.cases import CwdSource, Exactness
from audit.log.cut import FIRST_DAMAGE, MARK, MASK, damage
from audit.log.eras import Feature
from audit.log.inputs import ALIAS, UNIT_ONLY, Called, CallReader, Given
from audit.log.rows import BY_REQUEST, Rows, certainty_of, read_certainty
from audit.log.store.columns import to_frame
from audit.log.store.schema import CALLS, Column, Table
from audit.log.store.texts import from_utf8
from audit.log.wholecommand import FIRST_UNIT_DAY
from audit.log.workdirs import Guess, Whereabouts

NO_PLACE = "no working directory"
_ASSUMED = {
    CwdSource.INFERRED: "working directory inferred",
    CwdSource.SUPPLIED: "working directory supplied",
    CwdSource.AMBIGUOUS: "working directory ambiguous",
}

ENTERED = Table(
    "entered",
    "Calls before their places are known.",
    (
        Column("id", pl.String(), "the host's `toolCallId`", optional=True),
        Column("time", pl.String(), "when the first line was written"),
        Column("end", pl.String(), "when the last line was written"),
        Column("line", pl.Int64(), "its first line"),
        Column("agent", pl.String(), "name of the agent", optional=True),
        Column("named", pl.String(), "the working directory that a request names", optional=True),
        Column("tool", pl.String(), "name of the tool"),
        Column("given", pl.UInt8(), "what `text` is"),
        Column("text", pl.String(), "what the tool was called with"),
        Column("certainty", pl.String(), "see `certainty_of`; the place is left out"),
        Column("requests", pl.Int64(), "number of its requests"),
        Column("lines", pl.Int64(), "number of its lines"),
    ),
)

Group = tuple[str | None, Sequence[Request]]
"""The id of a call and its requests in order of time."""
CwdRule = Callable[[str, str | None], str | None]
"""Returns the working directory that is supplied for a call, from its moment and its agent."""


@dataclass(frozen=True, slots=True)
class Supplied:
    """What the user supplies about places; None where the log's own evidence is to be used."""

    cwd: str | None = None
    home: str | None = None
    cwd_rule: CwdRule | None = None
    """Asked for each call where `cwd` is None; goes before what the log tells."""


_NEEDED = (
    "key",
    "asked",
    "settled",
    "line",
    "answer",
    "agent",
    "cwd",
    "gate",
    "tool",
    "full",
    "full_is_text",
    "message",
    "bounds",
    "as_tool",
    "given",
    "text",
    "certainty",
)


def entered(rows: Rows, groups: Sequence[Group], reader: CallReader) -> pl.DataFrame:
    """Return the calls of the rows that are left, in their order, and then those of groups."""
    few = pl.col("agent", "named", "tool", "certainty").cast(pl.Categorical())
    of_rows = [_of_rows(_with_commands(part, reader)) for part in rows.parts_left(*_NEEDED)]
    return pl.concat([*of_rows, _of_groups(groups, reader).with_columns(few)])


def _of_rows(rows: pl.DataFrame) -> pl.DataFrame:
    settled = pl.col("settled").fill_null("")
    return rows.select(
        id=pl.when(~pl.col("key").str.starts_with(BY_REQUEST)).then("key"),
        time=pl.coalesce("asked", settled),
        end=pl.when(settled != "").then(settled).otherwise(pl.col("asked").fill_null("")),
        line=pl.col("line"),
        agent=pl.col("agent"),
        named=pl.col("cwd"),
        tool=pl.col("as_tool"),
        given=pl.col("given"),
        text=pl.col("text"),
        certainty=pl.col("certainty"),
        requests=pl.lit(1, pl.Int64),
        lines=1 + pl.col("answer").is_not_null().cast(pl.Int64),
    )


def _of_groups(groups: Sequence[Group], reader: CallReader) -> pl.DataFrame:
    called = [reader.read(requests) for _, requests in groups]
    last = [requests[-1] for _, requests in groups]
    return to_frame(
        ENTERED,
        {
            "id": [name for name, _ in groups],
            "time": [requests[0].time for _, requests in groups],
            "end": [request.settled or request.asked or "" for request in last],
            "line": [requests[0].lines[0] for _, requests in groups],
            "agent": [requests[0].agent for _, requests in groups],
            "named": [_named(requests) for _, requests in groups],
            "tool": [one.tool for one in called],
            "given": [int(one.given) for one in called],
            "text": [one.text for one in called],
            "certainty": [certainty_of(one) for one in called],
            "requests": [len(requests) for _, requests in groups],
            "lines": [sum(len(request.lines) for request in requests) for _, requests in groups],
        },
    )


def _named(requests: Iterable[Request]) -> str | None:
    return next((request.cwd for request in requests if request.cwd is not None), None)


def _with_commands(rows: pl.DataFrame, reader: CallReader) -> pl.DataFrame:
    """Fill in what was called where a row names a shell command (13).

    Says for one request column by column what `whole_command` and `damage` say for the requests of a call.
    """
    shell = pl.col("as_tool").is_null()
    time = pl.coalesce("asked", "settled")
    tells_whole = (pl.col("message") != 0) & pl.col("tool").is_in(["bash", *reader.named_whole])
    whole = (
        pl.col("full").is_not_null()
        | pl.col("full_is_text")
        | (pl.col("gate") != GateName.TOOL.value)
        | (time < FIRST_UNIT_DAY)
        | (tells_whole & (time >= reader.eras.since(Feature.FULL_COMMAND)))
    )
    bash = pl.col("tool") == "bash"
    certainty = (
        pl.when(whole & bash)
        .then(pl.lit(_sure()))
        .when(bash)
        .then(pl.lit(_sure(UNIT_ONLY)))
        .when(whole)
        .then(pl.lit(_sure(ALIAS)))
        .otherwise(pl.lit(_sure(UNIT_ONLY, ALIAS)))
    )
    filled = rows.with_columns(
        as_tool=pl.coalesce("as_tool", "tool"),
        given=pl.coalesce("given", pl.lit(int(Given.COMMAND), pl.UInt8)),
        certainty=pl.when(shell).then(certainty.cast(pl.Categorical())).otherwise("certainty"),
        harm=shell & (pl.col("bounds") & 15 >= FIRST_DAMAGE),
    )
    return _with_damage(filled, reader.width).drop("harm")


def _sure(*reasons: str) -> str:
    exactness = Exactness.PARTIAL if reasons else Exactness.EXACT
    return certainty_of(Called("", Given.COMMAND, "", exactness, reasons, True))


def _with_damage(rows: pl.DataFrame, width: int) -> pl.DataFrame:
    text = pl.col("text")
    suspects = rows.with_row_index("at").filter(
        pl.col("harm") & (text.str.contains(MASK, literal=True) | text.str.ends_with(MARK))
    )
    found: dict[int, str] = {}
    for at, written, bounds in suspects.select("at", "text", "bounds").iter_rows():
        harm = damage(from_utf8(written), bounds & 15, width)
        if harm is not None:
            found[at] = certainty_of(Called("", Given.COMMAND, "", Exactness.NOT_REPLAYABLE, (harm,), False))
    if not found:
        return rows
    harmed = pl.DataFrame(
        {"at": list(found), "harmed": list(found.values())}, {"at": pl.UInt32, "harmed": pl.String}
    )
    return (
        rows.with_row_index("at")
        .join(harmed, on="at", how="left", maintain_order="left")
        .with_columns(certainty=pl.coalesce(pl.col("harmed").cast(pl.Categorical()), "certainty"))
        .drop("at", "harmed")
    )


def placed(calls: pl.DataFrame, where: Whereabouts, supplied: Supplied) -> pl.DataFrame:
    """Return calls with the columns of `CALLS` that tell place and certainty."""
    starts = pl.Series(where.moments, dtype=pl.String)
    guessed = _guesses(where.guesses)[starts.search_sorted(calls["time"], side="right")]
    given, named = _supplied(calls, supplied), calls["named"]
    found = pl.DataFrame({"named": named, "given": given, **guessed.to_dict()})
    is_given = pl.col("given").is_not_null() & pl.col("given").ne_missing(pl.col("named"))
    is_named = pl.col("named").is_not_null()

    def first(one: str | pl.Expr, other: str | pl.Expr, rest: str) -> pl.Expr:
        return pl.when(is_given).then(one).when(is_named).then(other).otherwise(rest)

    recorded, ask = _category(CwdSource.RECORDED.value), _category("named by an ask of the call")
    found = found.select(
        cwd=first("given", "named", "cwd"),
        cwd_source=first(_category(CwdSource.SUPPLIED.value), recorded, "cwd_source"),
        cwd_evidence=first(_category(""), ask, "cwd_evidence"),
        guessed=~is_given & ~is_named,
        is_given=is_given,
        home="home",
    )
    own = {name: where.home_of(name) for name in found["cwd"].unique()}
    of_cwd = found["cwd"].cast(pl.String).replace_strict(own, return_dtype=pl.String).cast(pl.Categorical())
    home = pl.when("guessed").then("home").when("is_given").then(_or(supplied.home, of_cwd)).otherwise(of_cwd)
    found = found.select("cwd", "cwd_source", "cwd_evidence", home=home)
    return _judged(calls.drop("named").with_columns(*found))


def _guesses(guesses: Sequence[Guess]) -> pl.DataFrame:
    columns = {
        "cwd": [guess.cwd for guess in guesses],
        "cwd_source": [guess.source.value for guess in guesses],
        "cwd_evidence": [guess.evidence for guess in guesses],
        "home": [guess.home for guess in guesses],
    }
    return pl.DataFrame(columns, dict.fromkeys(columns, pl.Categorical()))


def _category(text: str | None) -> pl.Expr:
    return pl.lit(text, pl.Categorical())


def _or(text: str | None, other: pl.Series) -> pl.Expr | pl.Series:
    return other if text is None else _category(text)


def _supplied(calls: pl.DataFrame, supplied: Supplied) -> pl.Series:
    if supplied.cwd is not None or supplied.cwd_rule is None:
        given = pl.Series([supplied.cwd], dtype=pl.Categorical())
        return given.new_from_index(0, calls.height)
    asked = calls.select("time", "agent").iter_rows()
    return pl.Series([supplied.cwd_rule(time, agent) for time, agent in asked], dtype=pl.Categorical())


def _judged(calls: pl.DataFrame) -> pl.DataFrame:
    """Fill in exactness and reasons, from the certainty of the input and of the place."""
    kinds = calls.select("certainty", "cwd_source").unique(maintain_order=True).with_row_index("kind")
    judged = [
        _judge(*read_certainty(text), CwdSource(source))
        for text, source in kinds.select("certainty", "cwd_source").iter_rows()
    ]
    told = pl.DataFrame(
        {
            "exactness": pl.Series([found.value for found, _ in judged], dtype=CALLS.dtypes["exactness"]),
            "reasons": pl.Series([list(reasons) for _, reasons in judged], dtype=pl.List(pl.String)),
        }
    )
    kind = calls.select("certainty", "cwd_source").join(
        kinds, on=["certainty", "cwd_source"], how="left", maintain_order="left"
    )["kind"]
    return calls.drop("certainty").with_columns(
        *told[kind], pl.col("cwd_source").cast(CALLS.dtypes["cwd_source"])
    )


def _judge(
    exactness: Exactness, needs_place: bool, reasons: tuple[str, ...], source: CwdSource
) -> tuple[Exactness, tuple[str, ...]]:
    """Return how far the replay of a call can be trusted, and why it is not exact (13)."""
    if exactness is Exactness.NOT_REPLAYABLE:
        return exactness, reasons
    if source is CwdSource.UNKNOWN:
        return Exactness.NOT_REPLAYABLE, (NO_PLACE,)
    assumed = _ASSUMED.get(source) if needs_place else None
    if assumed is None:
        return exactness, reasons
    if exactness is Exactness.EXACT:
        return Exactness.ASSUMED, (assumed,)
    return exactness, (*reasons, assumed)
