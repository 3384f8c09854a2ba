"""Readings and reports as polars frames, for notebooks."""

from __future__ import annotations

import polars as pl

from audit.log.cases import LogReading
from audit.measures.answers import APPROVALS, REFUSALS
from audit.report.examples import text_of
from audit.report.model import Report

CASE_SCHEMA = {
    "case": pl.String,
    "tool": pl.String,
    "text": pl.String,
    "agent": pl.String,
    "cwd": pl.String,
    "exactness": pl.String,
    "calls": pl.Int64,
    "first_seen": pl.String,
    "last_seen": pl.String,
    "approved": pl.Int64,
    "refused": pl.Int64,
}
"""Columns of `cases_frame`; `approved` and `refused` count the answers of people."""

CHANGE_SCHEMA = {
    "case": pl.String,
    "finding": pl.String,
    "calls": pl.Int64,
    "tool": pl.String,
    "text": pl.String,
}
"""Columns of `changes_frame`: one row for each distinct command that is not unchanged."""


def cases_frame(reading: LogReading) -> pl.DataFrame:
    """Return one row for each case of a reading, in order of first appearance."""
    rows = [
        (
            case.id,
            case.tool,
            text_of(case),
            case.agent,
            case.cwd,
            case.exactness.value,
            case.occurrences,
            case.first_seen,
            case.last_seen,
            sum(count for outcome, count in case.outcomes.items() if outcome in APPROVALS),
            sum(count for outcome, count in case.outcomes.items() if outcome in REFUSALS),
        )
        for case in reading.cases
    ]
    return pl.DataFrame(rows, schema=CASE_SCHEMA, orient="row")


def prompts_frame(reading: LogReading) -> pl.DataFrame:
    """Return one row for each prompt: when it opened, at which gate, and how it ended."""
    rows = [
        (request.asked, request.gate.value, request.outcome.value, call.tool)
        for call in reading.calls
        for request in call.requests
        if request.asked is not None
    ]
    schema = {"asked": pl.String, "gate": pl.String, "outcome": pl.String, "tool": pl.String}
    frame = pl.DataFrame(rows, schema=schema, orient="row")
    return frame.with_columns(pl.col("asked").str.to_datetime(time_zone="UTC"))


def changes_frame(report: Report) -> pl.DataFrame:
    """Return one row for each distinct command that a comparison did not find unchanged."""
    rows = [
        (change.case, change.finding.value, change.calls, change.tool, change.command)
        for change in report.changes
    ]
    return pl.DataFrame(rows, schema=CHANGE_SCHEMA, orient="row")
