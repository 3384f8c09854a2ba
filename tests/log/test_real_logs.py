"""Logs that the real package wrote, against what really happened.

The logs lie outside the repository, in `../shared` beside it; without them these tests are skipped.
"""

from __future__ import annotations

import json
from collections import Counter
from functools import cache
from typing import Any

import pytest

from audit.files import open_logs
from audit.log.calls import Call
from audit.log.cases import CwdSource, Exactness, LogReading, Outcome
from audit.log.previews import PATH_TOOLS
from audit.log.read import read_logs
from tests.real.ground_truth import NAMES, RealLog

ANSWERS = {
    "once": Outcome.APPROVED,
    "session": Outcome.APPROVED_FOR_SESSION,
    "deny": Outcome.DENIED,
    "deny_reason": Outcome.DENIED,
    "none": Outcome.UNANSWERED,
}
SETTLED = {
    "policy_deny": Outcome.POLICY_DENIED,
    "session_approved": Outcome.SESSION_APPROVED,
    "auto_approved": Outcome.AUTO_APPROVED,
    "confirmation_unavailable": Outcome.UNAVAILABLE,
    "unanswered": Outcome.UNANSWERED,
}
STOPPING = {Outcome.DENIED, Outcome.UNAVAILABLE, Outcome.POLICY_DENIED}
"""How the last request ended, in these logs, of a call that did not run (review-log.md 10.5)."""
BYPASSES = {
    "permission_request.infrastructure_auto_allowed": Outcome.INFRASTRUCTURE,
    "permission_request.session_approved": Outcome.SESSION_APPROVED,
}


@cache
def reading(name: str) -> LogReading:
    return read_logs(open_logs([str(RealLog(name).review)]))


@cache
def truth(name: str) -> list[dict[str, Any]]:
    return list(RealLog(name).calls())


@cache
def calls_by_line(name: str) -> dict[int, Call]:
    return {line: call for call in reading(name).calls for line in call.lines}


def logged(name: str) -> list[tuple[dict[str, Any], Call]]:
    """Return each call that left a line, as it was and as it was read."""
    return [(call, calls_by_line(name)[call["lines"][0]]) for call in truth(name) if call["lines"]]


def expected_requests(call: dict[str, Any]) -> list[tuple[str, Outcome]]:
    answers = {prompt["gate"]: ANSWERS[prompt["answer"]] for prompt in call.get("prompts", ())}
    requests = []
    for gate in call["gates"]:
        resolution = gate.get("resolution", "")
        if resolution.startswith("user_"):
            requests.append((gate["gate"], answers[gate["gate"]]))
        elif resolution in SETTLED:
            requests.append((gate["gate"], SETTLED[resolution]))
        elif gate.get("event"):
            requests.append((gate["gate"], BYPASSES[gate["event"]]))
    return requests


@pytest.mark.parametrize("name", NAMES)
def test_every_line_is_in_one_class_and_the_sums_are_right(name: str) -> None:
    log = reading(name)
    manifest = json.loads((RealLog(name).folder / "MANIFEST.json").read_text(encoding="utf-8"))
    assert log.ledger.lines == manifest["counts"]["lines"]
    lines = [line for call in log.calls for line in call.lines]
    assert len(lines) == len(set(lines))
    assert sum(case.lines for case in log.cases) == len(lines)
    assert sum(count for name, count in log.ledger.classes.items() if name in log.case_classes) == len(lines)
    starts = manifest["counts"]["lines_by_event"]["config.resolved"]
    assert log.ledger.classes["other event: config.resolved"] == starts
    assert len(lines) + starts == log.ledger.lines
    assert sum(log.eras.values()) == log.ledger.lines
    assert not log.rejects
    assert not log.unknown_events
    assert not log.unknown_members


@pytest.mark.parametrize("name", NAMES)
def test_calls_and_their_requests_are_those_that_were_made(name: str) -> None:
    pairs = logged(name)
    for was, call in pairs:
        assert [(request.gate, request.outcome) for request in call.requests] == expected_requests(was), was
        assert sorted(call.lines) == was["lines"]
        assert call.id in {was["call_id"], None}
        assert (call.tool, call.agent) == (was["call"]["tool"], was["agent"])
        assert (call.outcome in STOPPING) == (was["outcome"] == "blocked")
        assert (call.outcome is Outcome.UNANSWERED) == (was["outcome"] == "unanswered")
    inputs = [
        json.loads(line) for line in (RealLog(name).folder / "inputs.jsonl").read_text("utf-8").splitlines()
    ]
    typed = [calls_by_line(name)[was["lines"][0]] for was in inputs if was["lines"]]
    assert {call.tool for call in typed} <= {"skill"}
    assert len(reading(name).calls) == len(pairs) + len(typed)
    silent = [was for was in truth(name) if not was["lines"]]
    assert not {was["call_id"] for was in silent} & {call.id for call in reading(name).calls}


@pytest.mark.parametrize("name", NAMES)
def test_prompts_are_those_that_people_saw(name: str) -> None:
    for was, call in logged(name):
        prompts = {prompt["gate"]: prompt for prompt in was.get("prompts", ())}
        patterns = {gate["gate"]: gate.get("matched_pattern") for gate in was["gates"]}
        for request in call.requests:
            prompt = prompts.get(request.gate)
            if prompt is not None:
                assert (request.asked, request.settled) == (prompt["waiting"], prompt.get("answered"))
                assert (request.reason or "") == prompt.get("reason", "").strip()
            if request.pattern is not None:
                assert request.pattern == patterns[request.gate]


@pytest.mark.parametrize(
    ("name", "unknown", "ambiguous"),
    [("148-after", 10, 219), ("307-after", 51, 124), ("533-after", 0, 654), ("20.7.3", 0, 963)],
)
def test_a_working_directory_is_right_or_said_to_be_uncertain(
    name: str, unknown: int, ambiguous: int
) -> None:
    found = Counter((call.cwd_source, call.cwd == was["cwd"]) for was, call in logged(name))
    assert found[CwdSource.RECORDED, False] == 0
    assert found[CwdSource.INFERRED, False] == 0
    assert found[CwdSource.UNKNOWN, False] <= unknown
    assert found[CwdSource.AMBIGUOUS, False] + found[CwdSource.AMBIGUOUS, True] <= ambiguous
    assert found[CwdSource.RECORDED, True]
    assert found[CwdSource.INFERRED, True]


@pytest.mark.parametrize(
    ("name", "links"), [("148-after", 0), ("307-after", 0), ("533-after", 0), ("20.7.3", 3)]
)
def test_home_platform_and_links_are_those_of_the_host(name: str, links: int) -> None:
    log = reading(name)
    one = truth(name)[0]
    assert (log.home, log.platform) == (one["home"], one["platform"])
    assert len(log.links) == links
    for path, real in log.links:
        assert one["realpath"][path] == real


@pytest.mark.parametrize("name", NAMES)
def test_an_input_that_is_said_to_be_known_is_the_one_that_was_given(name: str) -> None:
    log = reading(name)
    exact = 0
    for was, call in logged(name):
        if call.exactness not in {Exactness.EXACT, Exactness.ASSUMED}:
            continue
        exact += 1
        given, case = was["call"]["input"], log.cases[call.case]
        if call.tool == "bash":
            assert case.input == {"command": given["command"]}
        elif call.tool in PATH_TOOLS:
            assert case.input == {key: given[key] for key in ("path",) if key in given}
        else:
            # Previews collapse blanks, which no decision about these tools looks at.
            assert "".join(json.dumps(case.input).split()) == "".join(json.dumps(given).split()) or (
                _squeezed(case.input) == _squeezed(given)
            )
    assert exact


def _squeezed(value: object) -> str:
    return "".join(json.dumps(value).replace("\\n", "").replace("\\t", "").split())
