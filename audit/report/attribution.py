"""The causes of changes as plain data, as a page and as JSON."""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from audit.measures.finding import Finding
from audit.measures.measure import Count, Shares, count
from audit.replay.attribution import Attribution, Factor
from audit.replay.change import Compared
from audit.report.blocks import header, ledger
from audit.report.examples import text_of
from audit.report.json import body_digest, members
from audit.report.model import Report
from audit.report.sections import (
    Code,
    Group,
    Line,
    Page,
    Section,
    Shown,
    Table,
    both,
    counted,
    plural,
)
from audit.report.words import CHANGES

SCHEMA_VERSION = 1
"""Of the machine form. A whole number that only grows."""
ALTERNATIVES = 3
"""Sets of which each makes the change, that a page shows of one cause."""


@dataclass(frozen=True, slots=True)
class Changed:
    """A row that is not answered alike, with the smallest sets that make it so."""

    row: Compared
    finding: Finding
    attribution: Attribution


@dataclass(frozen=True, slots=True)
class CauseCount:
    """All changes with the same smallest sets."""

    causes: tuple[tuple[str, ...], ...]
    """Factors in words; of several sets each makes the change by itself."""
    decision_only: bool
    """They give the candidate's decision, and not all that it says beside it."""
    shares: Shares
    """Of all changes."""
    findings: dict[Finding, Count]
    changes: tuple[tuple[str, Finding, int, str], ...]
    """Case, finding, calls and call of each change, the most frequent first."""


@dataclass(frozen=True, slots=True)
class AttributionReport:
    """What both sides are, in what they differ, and which difference makes which change."""

    comparison: Report
    factors: tuple[str, ...]
    changes: Count
    causes: tuple[CauseCount, ...]
    """The one with the most changes first; what no factor and no pair makes comes last."""


def build_attribution(
    comparison: Report, factors: Sequence[Factor], changed: Sequence[Changed]
) -> AttributionReport:
    """Count changes by their causes."""
    groups: dict[Attribution, list[Changed]] = {}
    for one in changed:
        groups.setdefault(one.attribution, []).append(one)
    whole = count(one.row for one in changed)
    counts = [_counted(attribution, found, whole) for attribution, found in groups.items()]
    counts.sort(
        key=lambda one: (
            not one.causes,
            -one.shares.commands.numerator,
            -one.shares.calls.numerator,
            one.causes,
        )
    )
    return AttributionReport(comparison, tuple(factor.text for factor in factors), whole, tuple(counts))


def _counted(attribution: Attribution, changed: Sequence[Changed], whole: Count) -> CauseCount:
    by_finding: dict[Finding, list[Changed]] = {}
    for one in changed:
        by_finding.setdefault(one.finding, []).append(one)
    order = sorted(changed, key=lambda one: (-one.row.case.occurrences, text_of(one.row.case)))
    return CauseCount(
        causes=tuple(tuple(factor.text for factor in cause) for cause in attribution.causes),
        decision_only=attribution.decision_only,
        shares=count(one.row for one in changed).of(whole),
        findings={kind: count(one.row for one in by_finding[kind]) for kind in Finding if kind in by_finding},
        changes=tuple(
            (one.row.case.id, one.finding, one.row.case.occurrences, text_of(one.row.case)) for one in order
        ),
    )


def attribution_page(report: AttributionReport) -> Page:
    """Return the report as a page."""
    return Page(
        "Causes of changes",
        (header(report.comparison), ledger(report.comparison), _factors(report), _causes(report)),
        ("Report digest ", Code(body_digest(_body(report)))),
    )


def attribution_json(report: AttributionReport) -> str:
    """Return the report as JSON in ASCII, ending with a line feed."""
    body = _body(report)
    return json.dumps({**body, "digest": body_digest(body)}, indent=2) + "\n"


def _body(report: AttributionReport) -> dict[str, object]:
    comparison = members(report.comparison)
    return {
        "schema_version": SCHEMA_VERSION,
        "kind": "attribute",
        "header": comparison["header"],
        "ledger": comparison["ledger"],
        "factors": list(report.factors),
        "changes": members(report.changes),
        "causes": [_cause(one) for one in report.causes],
    }


def _cause(one: CauseCount) -> dict[str, object]:
    return {
        "causes": [list(cause) for cause in one.causes],
        "decision_only": one.decision_only,
        "shares": members(one.shares),
        "findings": {kind.value: members(found) for kind, found in one.findings.items()},
        "changes": [
            {"case": case, "finding": kind.value, "calls": calls, "call": text}
            for case, kind, calls, text in one.changes
        ],
    }


def _factors(report: AttributionReport) -> Section:
    rows = tuple(((Code(factor),),) for factor in report.factors)
    return Section(
        "3. In what the two sides differ",
        (
            "Each switch of the core and each edit of the policy is a factor. From the baseline, one is "
            "flipped at a time, and then every pair."
            if rows
            else "The two sides do not differ.",
        ),
        (Table(("factor",), rows),) if rows else (),
    )


def _causes(report: AttributionReport) -> Section:
    rows = tuple((_named(one), *both(one.shares), *_moves(one)) for one in report.causes)
    groups = tuple(_group(one) for one in report.causes)
    return Section(
        "4. What causes which changes",
        (
            f"Of {counted(report.changes)} that the two sides do not answer alike, the smallest set of "
            "factors that gives the whole answer of the candidate, what it sees of the command included; "
            "where none does, the smallest that gives its decision. Shares are of these changes.",
        ),
        (Table(("cause", "distinct commands", "calls", "pass now", "stopped now", "other"), rows),)
        if rows
        else (),
        (
            (
                "Pass now: allowed, and was not. Stopped now: asked or denied, and was allowed, or denied "
                "and was asked. Other: asked and was denied, or decided alike for another reason or on "
                "another reading of the command. In distinct commands.",
            ),
        )
        if rows
        else (),
        groups=groups,
    )


def _named(one: CauseCount) -> Line:
    if not one.causes:
        return ("no factor and no pair by itself",)
    parts: list[str | Code] = []
    for cause in one.causes[:ALTERNATIVES]:
        parts.append("; or " if parts else "")
        for at, factor in enumerate(cause):
            parts += [" with " if at else "", Code(factor)]
    left = len(one.causes) - ALTERNATIVES
    more = f"; or one of {left:,} more" if left > 0 else ""
    return (*parts, more, " (the decision alone)" if one.decision_only else "")


_PASS = {
    Finding.DENIED_BEFORE,
    Finding.REFUSED_BEFORE,
    Finding.NEVER_ANSWERED,
    Finding.ALWAYS_APPROVED,
}
_STOPPED = {Finding.NEW_PROMPT, Finding.NEW_DENIAL, Finding.PROMPT_TO_DENIAL}


def _moves(one: CauseCount) -> tuple[Line, ...]:
    def of(kinds: Collection[Finding]) -> Line:
        return (f"{sum(found.commands for kind, found in one.findings.items() if kind in kinds):,}",)

    return of(_PASS), of(_STOPPED), of(set(Finding) - _PASS - _STOPPED)


def _group(one: CauseCount) -> Group:
    shown = tuple(
        Shown(text, (f"{plural(calls, 'call')}: {CHANGES[kind].lower()}",), ())
        for _, kind, calls, text in one.changes
    )
    title = "".join(part.text if isinstance(part, Code) else part for part in _named(one))
    return Group(title, shown, tuple(Count(1, calls) for _, _, calls, _ in one.changes))
