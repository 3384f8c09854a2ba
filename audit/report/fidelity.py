"""How faithful the replay is to the log: a report of every request that is decided otherwise."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass

from audit.core.explain import gate_sentence
from audit.log.cases import LineLedger, LogReading
from audit.measures.measure import Count, Share, Unit
from audit.replay.agreement import Agreement, Disagreement
from audit.report.sections import Code, Group, Page, Section, Shown, Table, listing, plural, share_with_unit

SCHEMA_VERSION = 1


@dataclass(frozen=True, slots=True)
class Drift:
    """One request that the replay decides otherwise, with both explanations."""

    call: str | None
    time: str
    tool: str
    input: Mapping[str, object]
    cwd: str | None
    gate: str
    recorded: str
    recorded_because: str
    replayed: str | None
    replayed_because: str
    lines: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class ModeResult:
    """What one mode of replay gave; `agree` and `disagreements` add up to `of`."""

    agree: int
    of: int
    disagreements: tuple[Drift, ...]
    left_out: Mapping[str, int]
    assumed_agree: int
    """Agreement beside the headline: calls replayed on assumptions, most often of an inferred place."""
    assumed_of: int
    assumed_disagreements: tuple[Drift, ...]


@dataclass(frozen=True, slots=True)
class FidelityReport:
    """Everything `fidelity` says; the first mode is the headline."""

    log: str
    """Digest of the log's content."""
    ledger: LineLedger
    eras: Mapping[str, int]
    """Entries per era of the log's format."""
    policies: Mapping[str, str]
    """Digest of each policy in force, by name."""
    core: str
    tool_version: str
    command: str
    modes: Mapping[str, ModeResult]


def mode_result(agreement: Agreement, assumed: Agreement, reading: LogReading) -> ModeResult:
    """Return what the tallies of a mode say, disagreements with both explanations."""
    return ModeResult(
        agree=agreement.agree,
        of=agreement.of,
        disagreements=tuple(_drift(one, reading) for one in agreement.disagreements),
        left_out=agreement.left_out_by_reason,
        assumed_agree=assumed.agree,
        assumed_of=assumed.of,
        assumed_disagreements=tuple(_drift(one, reading) for one in assumed.disagreements),
    )


def _drift(one: Disagreement, reading: LogReading) -> Drift:
    case = reading.cases[one.call.case]
    request = one.request
    told = f"{request.outcome.value} at the {request.gate.value} gate"
    if request.pattern is not None:
        told += f", matched {request.pattern}"
    looked_at = request.command or request.path or request.target or request.skill
    if looked_at is not None:
        told += f", for {looked_at}"
    return Drift(
        call=one.call.id,
        time=one.call.time,
        tool=case.tool,
        input=case.input,
        cwd=case.cwd,
        gate=request.gate.value,
        recorded=one.recorded.value,
        recorded_because=told,
        replayed=None if one.replayed is None else one.replayed.value,
        replayed_because="no such gate" if one.result is None else gate_sentence(one.result),
        lines=request.lines,
    )


def fidelity_to_json(report: FidelityReport) -> str:
    """Return the report as JSON in ASCII.

    `agree`, `of` and `disagreements` are those of the first mode; each mode has them under its name, too.
    """
    modes = {name: _mode_data(result) for name, result in report.modes.items()}
    headline = next(iter(modes.values()))
    document = {
        "schema_version": SCHEMA_VERSION,
        "kind": "fidelity",
        "log": report.log,
        "core": report.core,
        "policies": dict(report.policies),
        "tool_version": report.tool_version,
        "command": report.command,
        "ledger": {"lines": report.ledger.lines, "classes": dict(report.ledger.classes)},
        "eras": dict(report.eras),
        **headline,
        **modes,
    }
    return json.dumps(document, indent=2) + "\n"


def _mode_data(result: ModeResult) -> dict[str, object]:
    return {
        "agree": result.agree,
        "of": result.of,
        "disagreements": [_drift_data(drift) for drift in result.disagreements],
        "left_out": dict(result.left_out),
        "assumed": {
            "agree": result.assumed_agree,
            "of": result.assumed_of,
            "disagreements": [_drift_data(drift) for drift in result.assumed_disagreements],
        },
    }


def _drift_data(drift: Drift) -> dict[str, object]:
    return {
        "call": drift.call,
        "time": drift.time,
        "tool": drift.tool,
        "input": dict(drift.input),
        "cwd": drift.cwd,
        "gate": drift.gate,
        "recorded": drift.recorded,
        "recorded_because": drift.recorded_because,
        "replayed": drift.replayed,
        "replayed_because": drift.replayed_because,
        "lines": list(drift.lines),
    }


def fidelity_page(report: FidelityReport) -> Page:
    """Return the report as a page, before any format is chosen."""
    opening = (
        "A request is one gate of one call. It agrees when the policy in force, replayed on the call, "
        "decides what the log recorded at that gate.",
    )
    head = Table(
        ("", ""),
        (
            (("Log",), (f"{report.ledger.lines:,} lines, SHA-256 ", Code(report.log))),
            (
                ("Eras of the log's format",),
                (listing(f"{era} in {plural(entries, 'line')}" for era, entries in report.eras.items()),),
            ),
            (("Core",), (report.core,)),
            *(((f"Policy {name}",), ("SHA-256 ", Code(digest))) for name, digest in report.policies.items()),
            (("Made again by",), (Code(report.command),)),
        ),
        texts=frozenset({0, 1}),
    )
    sections = (
        Section("What was replayed", opening, (head,)),
        *(_mode_section(name, result) for name, result in report.modes.items()),
    )
    return Page(
        "Fidelity: the log against its replay", sections, (f"permission-audit {report.tool_version}",)
    )


def _mode_section(name: str, result: ModeResult) -> Section:
    exact = share_with_unit(Share(result.agree, result.of, Unit.REQUEST))
    opening = f"Of calls replayed exactly, {exact} agree."
    if result.assumed_of:
        assumed = share_with_unit(Share(result.assumed_agree, result.assumed_of, Unit.REQUEST))
        opening += f" Of calls replayed on assumptions, {assumed} agree."
    notes = tuple(
        (f"Left out: {plural(count, 'request')}, because {why}.",) for why, count in result.left_out.items()
    )
    groups = tuple(
        Group(title, tuple(_shown(drift) for drift in drifts), tuple(Count(1, 1) for _ in drifts))
        for title, drifts in (
            ("Decided otherwise", result.disagreements),
            ("Decided otherwise, on assumptions", result.assumed_disagreements),
        )
        if drifts
    )
    return Section(f"Replay: {name}", (opening,), notes=notes, groups=groups)


def _lines(numbers: tuple[int, ...]) -> str:
    return f"{'line' if len(numbers) == 1 else 'lines'} {', '.join(map(str, numbers))}"


def _shown(drift: Drift) -> Shown:
    text = drift.input.get("command") or drift.input.get("path") or json.dumps(dict(drift.input))
    return Shown(
        f"{drift.tool} {text}" if drift.tool != "bash" else str(text),
        (
            f"{drift.time}, {_lines(drift.lines)}, in ",
            Code(drift.cwd or "an unknown folder"),
        ),
        (
            ("recorded: ", Code(drift.recorded_because)),
            ("replayed: ", Code(drift.replayed_because)),
        ),
    )
