"""The log tells the command of a shell alias, and the policy the name of its argument."""

from __future__ import annotations

from functools import partial

import pytest

from audit.core.policy.compose import PolicySources
from audit.engines.inprocess import open_core
from audit.log.cases import Exactness
from audit.log.inputs import ALIAS
from audit.protocol.engine import Decided
from audit.replay.arm import Arm, PlaceRule, Side
from audit.replay.run import replay

from .builders import ALLOW, ASK, DENY, HOME, case


def arm(side: Side, action: str, argument: str | None) -> Arm:
    tools = {"shellTools": {"run": {"commandArgument": argument}}} if argument else {}
    sources = PolicySources(
        permission={"bash": {"*": "ask", "rm *": "deny", "git *": action}, "run": "ask"}, config=tools
    )
    return Arm(side, partial(open_core, "20.7.3", {"p": sources}), "p", action, PlaceRule(HOME))


@pytest.mark.parametrize("arguments", [("cmd", "cmd"), ("cmd", "script"), ("cmd", None)])
def test_a_command_of_an_alias_reaches_the_bash_rules(arguments: tuple[str, str | None]) -> None:
    cases = [
        case(command, tool="run", exactness=Exactness.PARTIAL, reasons=(ALIAS,))
        for command in ("git log", "rm -r x")
    ]
    sides = arm(Side.BASELINE, "allow", arguments[0]), arm(Side.CANDIDATE, "ask", arguments[1])
    found = []
    for row in replay(cases, *sides, processes=1).rows:
        assert isinstance(row.baseline, Decided)
        assert isinstance(row.candidate, Decided)
        found.append((row.baseline.decision.action, row.candidate.decision.action))
    unaliased = arguments[1] is None
    assert found == [(ALLOW, ASK), (DENY, ASK if unaliased else DENY)]
