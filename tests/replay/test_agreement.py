"""Recorded requests against a replay that knows no approvals for the session."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest

from audit.core.call import ToolCall
from audit.core.decide import Decision, Judge, Undecided
from audit.core.place import Place
from audit.core.policy.compose import PolicySources, compose
from audit.core.revision import LATEST
from audit.replay.agreement import Agreement, LeftOut
from tests.log.lines import CWD, HOME, asked, at, data, gate, prompt, read, unit_message

OUTSIDE = {"*": "ask", "external_directory": {"*": "ask", "/srv/*": "deny"}}
COMMAND = "head /srv/list.csv"


def shell_bypass(second: float = 0) -> bytes:
    members: dict[str, Any] = {"source": "tool_call", "toolCallId": "t1", "toolName": "bash"}
    members |= {"agentName": None, "command": COMMAND, "externalPaths": ["/srv/list.csv"]}
    return gate("session_approved", at(second), **members, resolution="session_approved")


def session_hit(second: float = 0) -> bytes:
    message = (
        "Current agent requested tool 'read' for path '/srv/list.csv' outside working directory "
        f"'{CWD}'. Allow this external directory access?"
    )
    members: dict[str, Any] = {"source": "tool_call", "toolCallId": "t1", "toolName": "read"}
    members |= {"agentName": None, "path": "/srv/list.csv", "message": message}
    members |= {"resolution": "session_approved", "sessionApprovalPattern": "/*"}
    return gate("session_approved", at(second), **members)


def asked_to_read(answer: str, path: str = "/srv/list.csv") -> list[bytes]:
    preview = f"for path '{path}'"
    message = f"Current agent requested tool 'read' (matched '*') {preview}. Allow this call?"
    members: dict[str, Any] = {"toolName": "read", "message": message, "toolInputPreview": preview}
    return [
        prompt("waiting", at(0), **members),
        prompt("approved", at(1), **members, resolution=answer),
    ]


def compare(
    *lines: bytes | list[bytes],
    policy: dict[str, Any] = OUTSIDE,
    approved: tuple[tuple[str, str], ...] = (),
) -> Agreement:
    reading = read(data(*lines))
    agreement = Agreement.empty()
    ruleset, place = compose(PolicySources(policy), None), Place(CWD, HOME)
    granted = ruleset.with_session(approved)
    for call in reading.calls:
        case = reading.cases[call.case]
        alone, in_session = (
            Judge(rules, place, LATEST).decide(ToolCall(case.tool, case.input))
            for rules in (ruleset, granted)
        )
        agreement.compare(call, alone, partial(_same, in_session))
    return agreement


def _same(decision: Decision | Undecided) -> Decision | Undecided:
    return decision


@pytest.mark.parametrize(
    ("lines", "agree", "left_out"),
    [
        # The folder was approved for the session, and the rule that denies it no longer stops the call.
        ([shell_bypass(), *asked(COMMAND)], 0, 2),
        ([session_hit(), *asked_to_read("approved")], 0, 2),
        # Nothing says so here: the policy is not the one that was in force.
        (asked(COMMAND), 0, 0),
        (asked("make seed"), 1, 0),
    ],
)
def test_gates_behind_an_approved_denial_are_not_compared(
    lines: list[bytes], agree: int, left_out: int
) -> None:
    found = compare(*lines)
    assert (found.agree, found.left_out[LeftOut.SESSION_ONLY]) == (agree, left_out)
    assert found.of + left_out == len(read(data(*lines)).calls[0].requests)


def test_gates_behind_an_approved_ask_are_compared() -> None:
    policy = {"*": "ask", "external_directory": "ask"}
    found = compare(shell_bypass(), asked(COMMAND), policy=policy)
    assert (found.agree, found.left_out[LeftOut.SESSION_ONLY]) == (1, 1)


CHAIN = asked("make seed", message=unit_message("make seed", full="make seed && rm -r out"))
PEM = {"*": "ask", "path": {"*": "allow", "*.pem": "deny"}}


@pytest.mark.parametrize(
    ("lines", "policy", "approved", "left_out"),
    [
        # An approval goes before the rule that denies one unit; the other was asked for.
        (CHAIN, {"*": "ask", "bash": {"*": "ask", "rm *": "deny"}}, ("bash", "rm *"), 1),
        (CHAIN, {"*": "ask", "bash": {"*": "ask", "rm *": "deny"}}, ("bash", "make *"), 0),
        # An approval at the path gate of a tool lets later calls through without a line.
        (asked_to_read("approved", "keys/a.pem"), PEM, ("path", f"{CWD}/keys/*"), 1),
        (asked_to_read("approved", "keys/a.pem"), PEM, ("path", f"{CWD}/src/*"), 0),
    ],
)
def test_what_only_the_session_explains_is_not_compared(
    lines: list[bytes], policy: dict[str, Any], approved: tuple[str, str], left_out: int
) -> None:
    found = compare(lines, policy=policy, approved=(approved,))
    assert found.left_out[LeftOut.SESSION_ONLY] == left_out
    assert len(found.disagreements) == 1 - left_out
