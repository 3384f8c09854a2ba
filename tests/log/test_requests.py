"""Lines joined to requests and calls."""

from __future__ import annotations

from typing import Any

import pytest

from audit.log.calls import Decider
from audit.log.cases import Outcome
from tests.log.lines import (
    asked,
    at,
    data,
    external_message,
    gate,
    outcomes,
    prompt,
    read,
    unit_message,
)

PATH_MESSAGE = "Current agent requested tool 'read' for path 'k.pem'. Allow this path access?"
CALL_MESSAGE = "Current agent requested tool 'read' for path 'k.pem'. Allow this call?"
READ = {"toolName": "read", "toolCallId": "t1"}


def test_a_waiting_line_and_its_answer_are_one_request() -> None:
    reading = read(data(asked("make", pattern=None)))
    (call,) = reading.calls
    (request,) = call.requests
    assert (request.asked, request.settled) == (at(0), at(1))
    assert (request.outcome, request.decider) == (Outcome.APPROVED, Decider.PERSON)
    assert (request.command, request.pattern, request.lines) == ("make", "*", (1, 2))
    assert (call.id, call.tool, call.outcome) == ("t1", "bash", Outcome.APPROVED)


def test_gates_of_one_call_share_an_id_and_are_told_by_their_sentences() -> None:
    path = {**READ, "path": "k.pem", "message": PATH_MESSAGE}
    tool = {**READ, "toolInputPreview": "for path 'k.pem'", "message": CALL_MESSAGE}
    reading = read(
        data(
            prompt("waiting", at(0), **path),
            prompt("approved", at(3), **path, resolution="approved_for_session"),
            prompt("waiting", at(3), **tool),
            prompt("denied", at(5), **tool, resolution="denied_with_reason", denialReason="no"),
        )
    )
    assert outcomes(reading) == [[("path", "approved_for_session"), ("tool", "denied")]]
    (call,) = reading.calls
    assert [request.lines for request in call.requests] == [(1, 2), (3, 4)]
    assert call.requests[1].reason == "no"
    assert call.outcome is Outcome.DENIED
    (case,) = reading.cases
    assert (case.occurrences, case.lines) == (1, 4)
    assert case.outcomes == {Outcome.APPROVED_FOR_SESSION: 1, Outcome.DENIED: 1}


def test_parallel_calls_are_not_paired_by_neighbourhood() -> None:
    first, second = asked("make a", "a", 0), asked("make b", "b", 0.5, answer="denied")
    reading = read(data(first[0], second[0], second[1], first[1]))
    assert outcomes(reading) == [[("tool", "approved")], [("tool", "denied")]]


def test_the_same_sentence_twice_pairs_the_oldest_first() -> None:
    reading = read(data(asked(answer=None), asked(answer=None, second=2), asked(second=5)[1]))
    assert [r.settled for call in reading.calls for r in call.requests] == [at(6), None]


def test_a_waiting_line_without_an_end_is_no_decision() -> None:
    reading = read(data(asked(answer=None)))
    assert outcomes(reading) == [[("tool", "unanswered")]]
    assert reading.calls[0].requests[0].decider is Decider.OPEN


def test_an_answer_without_its_ask_is_an_orphan() -> None:
    reading = read(data(asked()[1], asked(call="t2")))
    assert reading.ledger.classes["orphan: answer without its ask"] == 1
    assert [call.id for call in reading.calls] == ["t2"]


def test_empty_and_odd_ids_do_not_join_calls() -> None:
    odd = asked("make a", "call_1|fc:2", 0)
    empty = asked("make b", "", 3)
    reading = read(data(odd, empty))
    assert [call.id for call in reading.calls] == ["call_1|fc:2", None]
    assert outcomes(reading) == [[("tool", "approved")], [("tool", "approved")]]


@pytest.mark.parametrize(
    ("event", "members", "expected"),
    [
        ("blocked", {"resolution": "policy_denied", "origin": "global"}, ("tool", Outcome.POLICY_DENIED)),
        ("blocked", {"resolution": "confirmation_unavailable"}, ("tool", Outcome.UNAVAILABLE)),
        ("blocked", {"resolution": "gate_error", "error": "broken"}, ("unknown", Outcome.GATE_ERROR)),
        ("blocked", {"resolution": "policy_denied", "path": ".env"}, ("bash_path", Outcome.POLICY_DENIED)),
        (
            "blocked",
            {"resolution": "policy_denied", "externalPaths": ["/srv"]},
            ("bash_external_directory", Outcome.POLICY_DENIED),
        ),
        ("session_approved", {"tokens": ["k.pem"]}, ("bash_path", Outcome.SESSION_APPROVED)),
        ("session_approved", {"tokens": "[redacted]"}, ("bash_path", Outcome.SESSION_APPROVED)),
        (
            "session_approved",
            {"externalPaths": ["/srv"]},
            ("bash_external_directory", Outcome.SESSION_APPROVED),
        ),
        ("session_approved", {"sessionApprovalPattern": "make *"}, ("tool", Outcome.SESSION_APPROVED)),
        ("auto_approved", {"origin": "yolo", "resolution": "auto_approved"}, ("tool", Outcome.AUTO_APPROVED)),
    ],
)
def test_lines_that_settle_without_asking(
    event: str, members: dict[str, Any], expected: tuple[str, Outcome]
) -> None:
    line = gate(event, at(), toolCallId="t1", source="tool_call", toolName="bash", command="make", **members)
    assert outcomes(read(data(line))) == [[(expected[0], str(expected[1]))]]


def test_both_producers_of_a_session_approval_are_told_apart() -> None:
    common = {"toolCallId": "t1", "toolName": "bash", "command": "cat /srv/a", "externalPaths": ["/srv/a"]}
    bypass = gate("session_approved", at(), **common, resolution="session_approved")
    hit = gate(
        "session_approved",
        at(1),
        **common,
        message=external_message("cat /srv/a", "/srv/a"),
        sessionApprovalPattern="/srv/*",
    )
    (call,) = read(data(bypass, hit)).calls
    assert [request.bypass for request in call.requests] == [True, False]
    assert [request.session_pattern for request in call.requests] == [None, "/srv/*"]


def test_two_automatic_approvals_of_one_call_are_two_gates() -> None:
    common = {"toolCallId": "t1", "toolName": "read", "resolution": "auto_approved", "path": "/srv/a"}
    outside = (
        "Current agent requested tool 'read' for path '/srv/a' outside working directory '/home/mia/garden'. "
        "Allow this external directory access?"
    )
    reading = read(
        data(
            gate("auto_approved", at(0), **common, message=outside),
            gate("auto_approved", at(0), **common, message=CALL_MESSAGE, origin="yolo"),
        )
    )
    assert outcomes(reading) == [[("external_directory", "auto_approved"), ("tool", "auto_approved")]]
    assert reading.cases[0].occurrences == 1


def test_an_infrastructure_read_may_be_followed_by_the_tool_gate() -> None:
    free = gate("infrastructure_auto_allowed", at(0), **READ, path="/home/mia/.pi/agent/x")
    reading = read(data(free, prompt("waiting", at(1), **READ, message=CALL_MESSAGE)))
    assert outcomes(reading) == [[("external_directory", "infrastructure"), ("tool", "unanswered")]]


def test_skill_inputs_are_no_tool_calls() -> None:
    message = "Current agent requested skill 'prune'. Allow loading this skill?"
    common = {
        "source": "skill_input",
        "requestId": "skill-input-1-a-2",
        "toolCallId": None,
        "toolName": None,
        "skillName": "prune",
        "message": message,
    }
    lines = [
        prompt("waiting", at(0), **common),
        prompt("approved", at(1), **common, resolution="approved"),
        gate("blocked", at(2), source="skill_input", skillName="x", resolution="missing_agent_context"),
    ]
    reading = read(data(lines))
    assert outcomes(reading) == [[("skill_input", "approved")], [("skill_input", "gate_error")]]
    assert reading.ledger.classes == {"not replayable: skill input, not a tool call": 3}


def test_a_blocked_skill_read_has_no_id_and_is_a_call() -> None:
    line = gate("blocked", at(), source="skill_read", skillName="x", path="/s/x", resolution="policy_denied")
    (call,) = read(data(line)).calls
    assert (call.id, call.tool, call.requests[0].gate) == (None, "read", "skill_read")


# From E10 on the request id is the ask's own; from E11 on there is no sentence; from E12 on, who decided.

PERM = "perm-00000000-0000-4000-8000-00000000000"


def structured(event: str, second: float, number: int, **members: Any) -> bytes:
    given = {"requestId": f"{PERM}{number}", "surface": "bash", "matchedPattern": "*", "command": "make"}
    return prompt(event, at(second, 12), **given | members)


def decided(**decision: Any) -> dict[str, Any]:
    return {"decidedBy": decision}


def test_from_e10_on_asks_are_joined_by_their_own_id() -> None:
    reading = read(
        data(
            structured("waiting", 0, 1, surface="path_read", path="k"),
            structured("waiting", 0, 2),
            structured("approved", 1, 2, resolution="approved", **decided(kind="user", via="dialog")),
            structured("denied", 2, 1, surface="path_read", resolution="denied", **decided(kind="user")),
        )
    )
    assert outcomes(reading) == [[("bash_path", "denied"), ("tool", "approved")]]


@pytest.mark.parametrize(
    ("event", "decision", "outcome", "decider", "link"),
    [
        ("approved", {"kind": "user", "via": "select"}, "approved", "person", None),
        (
            "approved",
            {"kind": "authorizer", "name": "owl", "verdict": "allow"},
            "link_allowed",
            "link",
            "owl",
        ),
        ("denied", {"kind": "authorizer", "name": "owl", "verdict": "deny"}, "link_denied", "link", "owl"),
        ("denied", {"kind": "unavailable", "reason": "no one"}, "unavailable", "nobody", None),
        ("denied", {"kind": "user"}, "denied", "person", None),
    ],
)
def test_decided_by_says_who_decided(
    event: str, decision: dict[str, Any], outcome: str, decider: str, link: str | None
) -> None:
    for nested in (decision, {"kind": "forwarded", "decision": {"kind": "forwarded", "decision": decision}}):
        resolution = event if decision["kind"] != "unavailable" else "confirmation_unavailable"
        answer = structured(event, 1, 1, resolution=resolution, decidedBy=nested)
        (call,) = read(data(structured("waiting", 0, 1), answer)).calls
        (request,) = call.requests
        assert (request.outcome, request.decider, request.link) == (outcome, decider, link)


@pytest.mark.parametrize(("kind", "outcome"), [("rule", "link_allowed"), ("yolo", "auto_approved")])
def test_what_the_parent_session_allows_by_itself_is_no_persons_answer(kind: str, outcome: str) -> None:
    by = {"kind": "forwarded", "responderSessionId": "s", "decision": {"kind": kind}}
    answer = structured("approved", 1, 1, resolution="approved", decidedBy=by)
    (call,) = read(data(structured("waiting", 0, 1), answer)).calls
    assert call.requests[0].outcome == outcome


def test_a_forwarded_decision_without_content_is_a_persons() -> None:
    answer = structured(
        "denied", 1, 1, resolution="denied", decidedBy={"kind": "forwarded", "decision": None}
    )
    (call,) = read(data(structured("waiting", 0, 1), answer)).calls
    assert call.requests[0].outcome is Outcome.DENIED


def link_line(event: str, second: float, **members: Any) -> bytes:
    return gate("x", at(second, 9), **members).replace(b"permission_request.x", event.encode())


@pytest.mark.parametrize(
    ("event", "members", "answer", "outcome"),
    [
        ("ai_guard.decision", {"verdict": "allow"}, "approved", "link_allowed"),
        ("ai_guard.decision", {"verdict": "allow", "emittedVerdict": "defer"}, "approved", "approved"),
        ("auto_review.decision", {"outcome": "DENY"}, "denied", "link_denied"),
        ("auto_review.decision", {"outcome": "deny"}, "approved", "approved"),
        ("auto_review.circuit_open", {"outcome": "defer"}, "approved", "approved"),
        ("model_judge.decision", {"verdict": "allow"}, "approved_for_session", "approved_for_session"),
        ("command_judge.decision", {"verdict": "allow", "requestId": None}, "approved", "link_allowed"),
    ],
)
def test_before_e12_a_links_decision_between_ask_and_answer_is_what_decided(
    event: str, members: dict[str, Any], answer: str, outcome: str
) -> None:
    lines = asked("make", answer=answer, era=9)
    between = link_line(event, 0.5, **{"requestId": "t1", "command": "make"} | members)
    reading = read(data(lines[0], between, lines[1]))
    assert reading.calls[0].requests[0].outcome == outcome
    assert reading.ledger.classes[f"link decision: {event}"] == 1
    assert not reading.unknown_events


def test_a_links_decision_outside_the_ask_decides_nothing() -> None:
    late = link_line("ai_guard.decision", 5, requestId="t1", verdict="allow")
    reading = read(data(asked("make", era=9), late))
    assert reading.calls[0].requests[0].outcome is Outcome.APPROVED


def test_a_links_allow_does_not_count_at_an_external_gate() -> None:
    command = "cat /srv/a"
    lines = asked(command, era=9, message=external_message(command, "/srv/a"))
    between = link_line("ai_guard.decision", 0.5, requestId="t1", verdict="allow")
    reading = read(data(lines[0], between, lines[1]))
    assert outcomes(reading) == [[("bash_external_directory", "approved")]]


def test_chain_records_and_prompts_of_other_extensions_are_other_events() -> None:
    rpc = gate("rpc_prompt", at(0), requestId="x", surface="deploy", message="Go?", approved=True)
    chain = link_line("authorizer_chain_resolved", 1, requestId="t1", links=["owl"])
    reading = read(data(rpc, chain))
    assert reading.ledger.classes == {
        "other event: permission_request.rpc_prompt": 1,
        "other event: authorizer_chain_resolved": 1,
    }
    assert not reading.calls


def test_the_debug_stream_is_a_class_of_its_own() -> None:
    line = gate("waiting", at(), toolCallId="t1").replace(b'"stream":"review"', b'"stream":"debug"')
    reading = read(data(line))
    assert reading.ledger.classes == {"debug stream: permission_request.waiting": 1}


def test_agent_and_times_reach_the_case() -> None:
    message = unit_message("make", subject="Agent 'ann'")
    lines = [asked("make", f"t{n}", n * 10, agentName="ann", message=message) for n in range(3)]
    (case,) = read(data(*lines)).cases
    assert (case.agent, case.occurrences, case.lines) == ("ann", 3, 6)
    assert (case.first_seen, case.last_seen) == (at(0), at(21))


def test_a_host_that_counts_its_calls_anew_in_each_session_has_its_calls_told_apart() -> None:
    external = {"message": external_message("cat /srv/a", "/srv/a")}
    lines = [
        asked("cat /srv/a", "call_1", 0, **external),
        asked("cat /srv/a", "call_1", 2),
        asked("cat /srv/a", "call_1", 10, **external),
        asked("make", "call_1", 20),
        asked("mint", "call_1", 30),
        asked("mint", "call_1", 40, toolName="exec_command"),
    ]
    reading = read(data(*lines))
    assert [len(call.requests) for call in reading.calls] == [2, 1, 1, 1, 1]
    assert {call.id for call in reading.calls} == {"call_1"}
