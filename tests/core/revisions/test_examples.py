"""The revision examples of core-bash.md 16.4: what one change did to one command.

Both sides were run from builds of the change and of its parent. A line of `examples.jsonl` names the switch,
its value on both sides, the revision in which it was changed, and what each side says of a field; a field
that it does not name is the same on both.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from audit.core.action import Action
from audit.core.bash.units import Unit
from audit.core.call import shell
from audit.core.decide import Decision, decide
from audit.core.gates import Gate
from audit.core.place import Place, Platform, listed
from audit.core.policy.compose import PolicySources, compose
from audit.core.revision import SWITCHES, Revision, revision

HOME = "/home/u"
PLACES = {
    "posix": Place("/w/p", HOME),
    "win32": Place("C:\\Proj\\App", "C:\\Users\\u", Platform.WIN32),
    "linked": Place("/w/p", HOME, links=(("/w/p/link", "/etc"), ("/tmp", "/private/tmp"))),  # noqa: S108
    "filled": Place(
        "/w/f",
        HOME,
        links=(("/w/f/outside-link", "/etc"), ("/w/f/alias", "/w/f/id_rsa")),
        entries=listed(["/w/f/id_rsa", "/w/f/src", "/w/f/outside-link", "/w/f/alias"]),
    ),
}
LINES = [
    json.loads(line)
    for line in (Path(__file__).parent / "examples.jsonl").read_text(encoding="utf-8").splitlines()
]
POLICIES = {line["policy_named"]: line["permission"] for line in LINES if "policy_named" in line}
ROWS = [pytest.param(line, id=line["name"]) for line in LINES if "name" in line]


def side(row: dict[str, Any], value: str) -> Revision:
    return revision(row["in"]).with_values({row["switch"]: SWITCHES[row["switch"]](value)})


def shown(row: dict[str, Any], core: Revision) -> dict[str, Any]:
    ruleset = compose(PolicySources(POLICIES[row["policy"]]))
    decision = decide(shell(row["command"]), ruleset, PLACES[row["place"]], core)
    assert isinstance(decision, Decision)
    assert decision.program is not None
    has_forms = core.switches()["rule-values"] != "raw"
    return {
        "units": [_unit(unit) for unit in decision.program.units],
        "external": [path.value for path in decision.program.external],
        "rules": [
            [found.token, *(found.path.match_values if has_forms else ())]
            for found in decision.program.candidates
        ],
        "verdict": _verdict(decision),
    }


def _unit(unit: Unit) -> str:
    marks = [mark.value for mark in (unit.context, unit.wrapper) if mark is not None]
    return f"{unit.text} [{', '.join(marks)}]" if marks else unit.text


def _verdict(decision: Decision) -> list[str | None]:
    """Return the first gate that does not allow, or the command gate."""
    checks = [gate for gate in decision.gates if gate.action in (Action.ASK, Action.DENY)]
    gate = checks[0] if checks else decision.gates[-1]
    assert checks or gate.gate is Gate.TOOL
    return [gate.surface, gate.action, gate.value, gate.matched_pattern]


def unmarked(told: list[str], cell: list[str]) -> list[str]:
    """Leave out the contexts of units where the row, of a release without them, does so too."""
    return [text if text in cell else text.partition(" [")[0] for text in told]


@pytest.mark.parametrize("row", ROWS)
def test_both_sides_of_a_change(row: dict[str, Any]) -> None:
    sides = shown(row, side(row, row["before"])), shown(row, side(row, row["after"]))
    for field in ("units", "external", "rules", "verdict"):
        told = [one[field] for one in sides]
        if field in row:
            if field == "units":
                told = [unmarked(units, cell) for units, cell in zip(told, row[field], strict=True)]
            assert told == row[field], field
        elif (field, row["before"]) != ("units", "whole"):  # which reported no units
            assert told[0] == told[1], field


def test_there_are_seventy_eight() -> None:
    assert [line["name"] for line in LINES if "name" in line] == [f"R{number}" for number in range(1, 79)]
