"""The revisions and switches of the core as pages and as data, with what each value does to its witnesses."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping

from audit.core.action import Action
from audit.core.decide import Decision, Undecided
from audit.core.gates import GateResult
from audit.core.revision import LATEST, REVISIONS, SWITCHES, Revision, changed_switches
from audit.core.switches import Evidence, Switch
from audit.core.witnesses import WITNESSES, Witness
from audit.protocol.messages import decision_message
from audit.report.sections import Code, Line, Page, Section, Table, listing

SCHEMA_VERSION = 1
"""Of the machine form. A whole number that only grows."""

EVIDENCE = {
    Evidence.RUN: "R: both sides of the step were built and run, and the core agrees with what they said",
    Evidence.STATED: "S: read in source or notes and implemented as stated; parity was never measured",
}
LEFT_OUT = {
    "salvage": "parts that failed to parse are parsed again (2026-09-15, issue 875): known in outline only",
    "hosted-arguments": "substitutions inside arguments (2026-09-19, issue 945): known in outline only",
    "wrapper-transparency, later": "full option grammars, wrappers that refuse, `time (...)`: not specified",
}
"""Changes after 20.7.3 that no switch stands for, and why."""

_READINGS = (
    (
        "effects=directional: a rule for path or external_directory speaks on the surfaces for reading and "
        "writing too; the description does not say what it means there.",
    ),
    ("Paths in the input of other tools than a shell have the forms of paths in commands.",),
)


def question(switch: type[Switch]) -> str:
    """Return what a switch is about, in one paragraph."""
    return " ".join((switch.__doc__ or "").split())


def _marked(text: str) -> Line:
    """Return one of our texts with what stands between backticks as code."""
    parts = text.split("`")
    return tuple(Code(part) if at % 2 else part for at, part in enumerate(parts) if part)


def cores_page() -> Page:
    """Return all revisions and switches on one page."""
    return Page(
        "Core revisions and switches",
        (_revisions(), *(_summary(name) for name in SWITCHES), _left_out()),
        (f"The default is {LATEST.name}; NAME+SWITCH=VALUE derives a revision that no release has",),
    )


def _revisions() -> Section:
    rows: list[tuple[Line, ...]] = []
    before: Revision | None = None
    for one in REVISIONS.values():
        rows.append(((Code(one.name),), (one.stands_for,), (_changes(before, one),)))
        before = one
    return Section(
        "Revisions",
        (
            "Oldest first. A preset such as r9 stands for a range and has the values of its last release; "
            "the others are single states of which decisions are recorded.",
        ),
        (
            Table(
                ("revision", "stands for", "changed since the one before"), tuple(rows), frozenset({0, 1, 2})
            ),
        ),
    )


def _changes(before: Revision | None, after: Revision) -> str:
    if before is None:
        began = {name: next(iter(switch)) for name, switch in SWITCHES.items()}
        changed = {name: value for name, value in after.settings().items() if value is not began[name]}
        return "all switches at their first value, but " + _values_of(changed)
    changed = {name: value for name, (_, value) in changed_switches(before, after).items()}
    return _values_of(changed) or "nothing"


def _values_of(changed: Mapping[str, Switch]) -> str:
    return listing(f"{name}={value.value}" for name, value in changed.items())


def _summary(name: str) -> Section:
    switch = SWITCHES[name]
    rows = tuple(
        (
            (Code(value.value),),
            (value.since or "-",),
            (value.evidence.value,),
            _marked(value.meaning),
            (listing(told),),
        )
        for value, told in zip(switch, _telling(name), strict=True)
    )
    return Section(
        name,
        _marked(question(switch)),
        (Table(("value", "since", "known", "meaning", "witness"), rows, frozenset(range(5))),),
        notes=tuple(map(_witness_line, WITNESSES[name])),
    )


def _telling(name: str) -> list[list[str]]:
    """Return what tells the values of a switch apart: as few facts about their outcomes as that takes."""
    told: list[list[str]] = [[] for _ in SWITCHES[name]]
    for witness in WITNESSES[name]:
        outcomes = [witness.outcome(value) for value in SWITCHES[name]]
        for fact in (_verdict, _outside, _units, _candidates):
            longer = [[*before, fact(outcome)] for before, outcome in zip(told, outcomes, strict=True)]
            if len(set(map(tuple, longer))) > len(set(map(tuple, told))):
                told = longer
    return told


def _witness_line(witness: Witness) -> Line:
    return ("witness ", Code(_call(witness)), " under ", Code(_policy(witness)), *_where(witness))


def _where(witness: Witness) -> Line:
    """Return what is special about the place and the revision of a witness."""
    place = witness.place
    line: Line = (f", {place.platform}, in ", Code(place.cwd))
    if place.links:
        line += (", where ", Code(place.links[0][0]), " leads to ", Code(place.links[0][1]))
    if place.entries.known:
        line += (", where ", Code(listing(sorted(place.entries.known))), " exists")
    return line if witness.revision == LATEST.name else (*line, ", in revision ", Code(witness.revision))


def _call(witness: Witness) -> str:
    if witness.call.tool == "bash":
        return str(witness.call.input["command"])
    return f"{witness.call.tool} {json.dumps(witness.call.input)}"


def _policy(witness: Witness) -> str:
    shown: Mapping[str, object] = {**witness.config, "permission": witness.permission}
    return json.dumps(shown)


def _deciding(decision: Decision) -> GateResult:
    stops = [
        gate for gate in decision.gates if gate.action is decision.action and gate.action is not Action.ALLOW
    ]
    return stops[0] if stops else decision.gates[-1]


def _verdict(outcome: Decision | Undecided) -> str:
    if isinstance(outcome, Undecided):
        return outcome.message
    gate = _deciding(outcome)
    said = f"{outcome.action} on {gate.surface}"
    return said if gate.matched_pattern is None else f"{said} by {gate.matched_pattern}"


def _outside(outcome: Decision | Undecided) -> str:
    program = outcome.program if isinstance(outcome, Decision) else None
    values = [path.value for path in program.external] if program else []
    return "outside " + (" ".join(values) or "nothing")


def _units(outcome: Decision | Undecided) -> str:
    program = outcome.program if isinstance(outcome, Decision) else None
    return "units " + (" · ".join(unit.text for unit in program.units) if program else "-")


def _candidates(outcome: Decision | Undecided) -> str:
    program = outcome.program if isinstance(outcome, Decision) else None
    forms = (form for one in program.candidates for form in one.path.match_values) if program else ()
    return "forms " + " ".join(forms)


def switch_page(name: str) -> Page:
    """Return everything about one switch."""
    return Page(
        name,
        (_values(name), *(_effect(name, number) for number in range(len(WITNESSES[name]))), _source(name)),
        ("Written by python docs/generate.py from the core itself; do not edit",),
    )


def _values(name: str) -> Section:
    rows = tuple(
        (
            (Code(value.value),),
            _marked(value.meaning),
            (value.since or "-",),
            (listing(map(str, value.issues)) or "-",),
            (value.evidence.value,),
            (listing(_with_value(name, value)) or "none",),
        )
        for value in SWITCHES[name]
    )
    heads = ("value", "what it means", "since", "issues", "evidence", "revisions")
    return Section("Values", _marked(question(SWITCHES[name])), (Table(heads, rows, frozenset(range(6))),))


def _with_value(name: str, value: Switch) -> Iterable[str]:
    return (one.name for one in REVISIONS.values() if one.settings()[name] is value)


def _effect(name: str, number: int) -> Section:
    witness = WITNESSES[name][number]
    title = "Witness" if len(WITNESSES[name]) == 1 else f"Witness {number + 1}"
    rows = tuple(_outcome(value, witness.outcome(value)) for value in SWITCHES[name])
    heads = ("value", "decision", "surface", "value asked", "pattern", "units", "outside paths", "candidates")
    return Section(
        title,
        ("All else being equal, this is what each value makes of ", *_witness_line(witness)[1:], "."),
        (Table(heads, rows, frozenset(range(len(heads)))),),
    )


def _outcome(value: Switch, outcome: Decision | Undecided) -> tuple[Line, ...]:
    if isinstance(outcome, Undecided):
        return ((Code(value.value),), (outcome.message,), *[("-",)] * 6)
    gate = _deciding(outcome)
    program = outcome.program
    return (
        (Code(value.value),),
        (outcome.action.value,),
        (gate.surface or "-",),
        (Code(gate.value or ""),),
        ("-",) if gate.matched_pattern is None else (Code(gate.matched_pattern),),
        _codes(unit.text for unit in program.units) if program else ("-",),
        _codes(path.value for path in program.external) if program else ("-",),
        _codes("; ".join(one.path.match_values) for one in program.candidates) if program else ("-",),
    )


def _codes(texts: Iterable[str]) -> Line:
    line: Line = ()
    for text in texts:
        line += (", ", Code(text)) if line else (Code(text),)
    return line or ("-",)


def _source(name: str) -> Section:
    known = sorted({value.evidence for value in SWITCHES[name]})
    notes = [(EVIDENCE[one],) for one in known]
    return Section("Where it is known from", (f"{_place_of(name)}.",), notes=tuple(notes))


def _place_of(name: str) -> str:
    """Return where a switch is described: later values stand in a table of their own."""
    if name == "deny-objects":
        return "Golden vectors of 9.1.0 and 18.0.2; core-bash.md does not name it"
    names = list(SWITCHES)
    if names.index(name) >= names.index("option-split"):
        return "core-bash.md, section 16.2"
    moved_on = LATEST.settings()[name] is not REVISIONS["later"].settings()[name]
    return "core-bash.md, sections 16.1 and 16.2" if moved_on else "core-bash.md, section 16.1"


def _left_out() -> Section:
    return Section(
        "What is left out, and how gaps were read",
        ("Evidence. ", "; ".join(EVIDENCE.values()), "."),
        notes=(*((f"{name}: {why}",) for name, why in LEFT_OUT.items()), *_READINGS),
    )


def index_page() -> Page:
    """Return the list of all switches, for the folder of their pages."""
    rows = tuple(
        (
            (name,),
            _marked(question(switch)),
            _codes(value.value for value in switch),
            (Code(LATEST.switches()[name]),),
            (listing(sorted({value.evidence.value for value in switch})),),
        )
        for name, switch in SWITCHES.items()
    )
    heads = ("switch", "what it is about", "values", LATEST.name, "evidence")
    return Page(
        "Switches of the core",
        (
            Section(
                "All switches",
                (
                    "One page each, NAME.md in this folder. ",
                    Code("permission-audit cores"),
                    " shows the same.",
                ),
                (Table(heads, rows, frozenset(range(5))),),
            ),
            _revisions(),
            _left_out(),
        ),
        ("Written by python docs/generate.py from the core itself; do not edit",),
    )


def cores_json() -> str:
    """Return all revisions, switches, witnesses and their outcomes as JSON, ending with a line feed."""
    content = {
        "schema_version": SCHEMA_VERSION,
        "kind": "cores",
        "default": LATEST.name,
        "revisions": [
            {"name": one.name, "stands_for": one.stands_for, "switches": one.switches()}
            for one in REVISIONS.values()
        ],
        "switches": [_switch_data(name) for name in SWITCHES],
        "left_out": LEFT_OUT,
    }
    return json.dumps(content, indent=2) + "\n"


def _switch_data(name: str) -> dict[str, object]:
    return {
        "name": name,
        "about": question(SWITCHES[name]),
        "values": [
            {
                "value": value.value,
                "meaning": value.meaning,
                "since": value.since or None,
                "issues": value.issues,
                "evidence": value.evidence.value,
                "revisions": list(_with_value(name, value)),
            }
            for value in SWITCHES[name]
        ],
        "witnesses": [_witness_data(name, witness) for witness in WITNESSES[name]],
    }


def _witness_data(name: str, witness: Witness) -> dict[str, object]:
    place = witness.place
    return {
        "revision": witness.revision,
        "call": {"tool": witness.call.tool, "input": witness.call.input},
        "policy": {"permission": witness.permission, "config": witness.config},
        "place": {
            "cwd": place.cwd,
            "home": place.home,
            "platform": place.platform.value,
            "realpath": dict(place.links),
            "entries": sorted(place.entries.known) or None,
        },
        "outcomes": {value.value: _outcome_data(witness.outcome(value)) for value in SWITCHES[name]},
    }


def _outcome_data(outcome: Decision | Undecided) -> dict[str, object]:
    if isinstance(outcome, Undecided):
        return {"failure": outcome.kind, "message": outcome.message}
    answer = decision_message(None, outcome)
    return {member: value for member, value in answer.items() if member not in {"type", "id"}}
