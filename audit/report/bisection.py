"""Where changes appear as plain data, as a page and as JSON."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass

from audit.measures.finding import Finding, finding
from audit.measures.measure import Count, count
from audit.replay.bisection import Bisection
from audit.replay.change import Compared, is_changed
from audit.report.blocks import header, ledger
from audit.report.examples import text_of
from audit.report.json import body_digest, members
from audit.report.model import Report
from audit.report.sections import Code, Group, Line, Page, Section, Shown, Table, counted, plural
from audit.report.words import CHANGES

SCHEMA_VERSION = 1
"""Of the machine form. A whole number that only grows."""


@dataclass(frozen=True, slots=True)
class ChangeAt:
    """One change, at the step where it appears."""

    case: str
    finding: Finding
    calls: int
    call: str


@dataclass(frozen=True, slots=True)
class Step:
    """One engine of the list."""

    spec: str
    replayed: bool
    changed: Count | None
    """What it answers otherwise than the first; None where it was not replayed."""
    appears: tuple[ChangeAt, ...]
    """Changes of the last step that are there from this one on, by finding, the most frequent first."""
    passing: Count
    """Changes that this step has and the last has not."""


@dataclass(frozen=True, slots=True)
class BisectionReport:
    """The first engine against the last, and every step between them."""

    comparison: Report
    steps: tuple[Step, ...]


def build_bisection(comparison: Report, specs: Sequence[str], found: Bisection) -> BisectionReport:
    """Tell for each step what appears there."""
    last = {row.case.id: row for row in found.steps[len(specs) - 1]}
    steps: list[Step] = []
    for number, spec in enumerate(specs):
        rows = found.steps.get(number)
        new = [last[case] for case, step in found.appears.items() if step == number]
        gone = {case for case, at in found.passing.items() if number in at}
        steps.append(
            Step(
                spec,
                rows is not None or number == 0,
                None if rows is None else count(filter(is_changed, rows)),
                tuple(_sorted(new)),
                count(row for row in rows or () if row.case.id in gone),
            )
        )
    return BisectionReport(comparison, tuple(steps))


def _sorted(rows: Sequence[Compared]) -> list[ChangeAt]:
    order = list(Finding)
    made = [ChangeAt(row.case.id, finding(row), row.case.occurrences, text_of(row.case)) for row in rows]
    return sorted(made, key=lambda one: (order.index(one.finding), -one.calls, one.call, one.case))


def bisection_page(report: BisectionReport) -> Page:
    """Return the report as a page."""
    return Page(
        "Where changes appear",
        (header(report.comparison), ledger(report.comparison), _steps(report), _appear(report)),
        ("Report digest ", Code(body_digest(_body(report)))),
    )


def bisection_json(report: BisectionReport) -> str:
    """Return the report as JSON in ASCII, ending with a line feed."""
    body = _body(report)
    return json.dumps({**body, "digest": body_digest(body)}, indent=2) + "\n"


def _body(report: BisectionReport) -> dict[str, object]:
    comparison = members(report.comparison)
    return {
        "schema_version": SCHEMA_VERSION,
        "kind": "bisect",
        "header": comparison["header"],
        "ledger": comparison["ledger"],
        "steps": [members(step) for step in report.steps],
    }


def _steps(report: BisectionReport) -> Section:
    rows = tuple(_step(step, number) for number, step in enumerate(report.steps))
    return Section(
        "3. The steps",
        (
            "The first engine is the baseline of all. The last was held against it, and then the middle of "
            "every span whose ends do not answer alike; a span whose ends do is taken to hold no change of "
            "its own and was not replayed. Counts are of distinct commands that are answered otherwise than "
            "by the first, what is seen of a command included.",
        ),
        (Table(("engine", "changed", "appear here to stay", "changed here only for a time"), rows),),
    )


def _step(step: Step, number: int) -> tuple[Line, ...]:
    if not number:
        return (Code(step.spec),), ("baseline",), ("",), ("",)
    if step.changed is None:
        return (Code(step.spec),), ("not replayed",), ("",), ("",)
    kept = f"{len(step.appears):,}"
    return (Code(step.spec),), (f"{step.changed.commands:,}",), (kept,), (f"{step.passing.commands:,}",)


def _appear(report: BisectionReport) -> Section:
    groups = [_group(step, kind) for step in report.steps for kind in Finding if _of(step, kind)]
    return Section(
        "4. What appears where",
        (
            "For each step, its changes by what they mean, first against last, the most frequent first."
            if groups
            else "No change appears.",
        ),
        groups=tuple(groups),
    )


def _of(step: Step, kind: Finding) -> list[ChangeAt]:
    return [one for one in step.appears if one.finding is kind]


def _group(step: Step, kind: Finding) -> Group:
    found = _of(step, kind)
    counts = tuple(Count(1, one.calls) for one in found)
    title = f"{step.spec}: {CHANGES[kind].lower()}, {counted(sum(counts, Count()))}"
    shown = tuple(Shown(one.call, (plural(one.calls, "call"),), ()) for one in found)
    return Group(title, shown, counts)
