"""Every value of every switch has a witness, and every switch one module that asks for it."""

from __future__ import annotations

import ast
from itertools import combinations, islice
from pathlib import Path

import pytest

from audit.core.call import shell
from audit.core.decide import Decision, decide
from audit.core.policy.compose import PolicySources, compose
from audit.core.reading import ASKED_LATER
from audit.core.revision import REVISIONS, SWITCHES, changed_switches
from audit.core.switches import Switch
from audit.core.witnesses import WITNESSES, witness_of
from tests.core.bash.generate import commands
from tests.core.builders import Case

MIXED = {
    "*": "allow",
    "bash": {"*": "allow", "rm *": "deny", "git*": "ask"},
    "path": {"*": "allow", "a*": "ask", "~/*": "deny"},
    "external_directory": {"*": "ask", "/tmp/*": "allow"},  # noqa: S108
}

CORE = Path(__file__).resolve().parents[3] / "audit" / "core"

PAIRS = [
    pytest.param(one, other, id=f"{name}:{one.value}:{other.value}")
    for name, switch in SWITCHES.items()
    for one, other in combinations(switch, 2)
]


@pytest.mark.parametrize(("one", "other"), PAIRS)
def test_two_values_come_out_differently_on_a_witness(one: Switch, other: Switch) -> None:
    witness = witness_of(one, other)
    assert witness is not None
    outcomes = witness.outcome(one), witness.outcome(other)
    assert all(isinstance(outcome, Decision) for outcome in outcomes)
    assert outcomes[0] != outcomes[1]
    assert len(changed_switches(witness.core(one), witness.core(other))) == 1


def test_every_switch_has_witnesses_and_every_witness_is_needed() -> None:
    assert list(WITNESSES) == list(SWITCHES)
    for name, witnesses in WITNESSES.items():
        needed = {id(witness_of(one, other)) for one, other in combinations(SWITCHES[name], 2)}
        assert needed == {id(witness) for witness in witnesses}, name


def test_every_switch_is_asked_for_in_exactly_one_module() -> None:
    not_asking = {"switches.py", "revision.py", "witnesses.py"}
    modules = [path for path in CORE.rglob("*.py") if path.name not in not_asking]
    enums = {switch.__name__: name for name, switch in SWITCHES.items()}
    askers: dict[str, set[str]] = {name: set() for name in SWITCHES}
    for path in modules:
        tree = ast.parse(path.read_text(encoding="utf-8"))
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom) and node.module == "audit.core.switches":
                for alias in node.names:
                    askers[enums[alias.name]].add(path.name)
    assert {name: sorted(paths) for name, paths in askers.items() if len(paths) != 1} == {}


def test_what_only_rules_and_gates_ask_for_leaves_readings_alone() -> None:
    for name in ASKED_LATER - {"shell-aliases"}:
        for witness in WITNESSES[name]:
            programs = [outcome.program for outcome in map(witness.outcome, SWITCHES[name])]
            assert programs.count(programs[0]) == len(programs), name
    readings = {
        name
        for name in SWITCHES.keys() - ASKED_LATER
        if any(
            one.outcome(first).program != one.outcome(last).program
            for one in WITNESSES[name]
            for first, last in combinations(SWITCHES[name], 2)
        )
    }
    by_marks = {"effects", "unresolved-redirect", "wrapper-transparency", "unparsed-floor", "win-fold"}
    assert SWITCHES.keys() - ASKED_LATER - readings <= by_marks


@pytest.mark.parametrize("name", REVISIONS)
def test_a_syntax_tree_serves_every_revision(name: str) -> None:
    one, other = Case(MIXED).judge(), Case(MIXED, revision=REVISIONS[name]).judge()
    for command in islice(commands(4), 300):
        call = shell(command)
        assert other.decide(call, other.read(call, one.read(call))) == other.decide(call)
        if one.reads_like(other):
            assert other.decide(call, one.read(call)) == other.decide(call)


def test_no_module_asks_for_a_name_or_a_version() -> None:
    for path in CORE.rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        if path.name not in {"revision.py", "witnesses.py"}:
            assert "revision.name" not in text, path
            assert "REVISIONS[" not in text, path


@pytest.mark.parametrize("name", REVISIONS)
def test_every_witness_is_decided_in_every_registered_revision(name: str) -> None:
    for witness in (one for witnesses in WITNESSES.values() for one in witnesses):
        ruleset = compose(PolicySources(witness.permission, config=witness.config))
        assert isinstance(decide(witness.call, ruleset, witness.place, REVISIONS[name]), Decision)
