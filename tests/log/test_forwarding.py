"""Asks of subagents, answered in another session."""

from __future__ import annotations

from typing import Any

import pytest

from audit.log.calls import Decider
from audit.log.cases import Outcome
from tests.log.lines import asked, at, data, line, outcomes, prompt, read, unit_message

FORWARDED = "1784023200000-ab12cd34-77"
PERM = "perm-00000000-0000-4000-8000-000000000009"
WHO = {"requesterAgentName": "ann", "requesterSessionId": "child", "targetSessionId": "parent"}
SENTENCE = unit_message("make", subject="Agent 'ann'")
SERVED = {
    "requestId": FORWARDED,
    "toolCallId": None,
    "toolName": None,
    "agentName": "ann",
    "message": f"Subagent 'ann' requested permission.\nSession ID: child\n\n{SENTENCE}",
}


def traffic(event: str, second: float, id: str = FORWARDED, **members: Any) -> bytes:  # noqa: A002
    return line(f"forwarded_permission.{event}", at(second), requestId=id, **WHO | members)


def eight(answer: str = "approved", **child: Any) -> list[bytes]:
    """Return all lines of one forwarded ask where both sessions write to one log."""
    asks = asked("make", answer=answer, agentName="ann", message=SENTENCE, **child)
    event = "approved" if answer.startswith("approved") else "denied"
    return [
        asks[0],
        traffic("request_created", 0.1),
        traffic("prompted", 0.2),
        prompt("waiting", at(0.3), **SERVED),
        prompt(event, at(0.6), **SERVED, resolution=answer),
        traffic(event, 0.7, resolution=answer),
        traffic("response_received", 0.8, approved=event == "approved"),
        asks[1],
    ]


def test_eight_lines_are_one_ask() -> None:
    reading = read(data(eight()))
    assert outcomes(reading) == [[("tool", "approved")]]
    (call,) = reading.calls
    (request,) = call.requests
    assert (call.id, call.agent, request.forwarded) == ("t1", "ann", FORWARDED)
    assert request.lines == (1, 8)
    assert request.twins == (4, 5)
    assert reading.ledger.classes["transport: forwarded twin"] == 2
    assert sum(count for name, count in reading.ledger.classes.items() if "forwarded_perm" in name) == 4


def test_two_children_ask_at_once_and_each_keeps_its_answer() -> None:
    one = eight()
    other = [
        text.replace(b'"t1"', b'"t2"')
        .replace(FORWARDED.encode(), b"1784023200001-zz-78")
        .replace(b"make", b"mint")
        for text in eight("denied")
    ]
    mixed = [text for pair in zip(one, other, strict=True) for text in pair]
    reading = read(data(mixed))
    assert outcomes(reading) == [[("tool", "approved")], [("tool", "denied")]]
    assert [call.requests[0].twins for call in reading.calls] == [(7, 9), (8, 10)]


def test_a_log_of_the_parent_alone_counts_its_lines() -> None:
    reading = read(data(eight()[2:6]))
    assert outcomes(reading) == [[("tool", "approved")]]
    (case,) = reading.cases
    assert (case.tool, case.input, case.agent) == ("bash", {"command": "make"}, "ann")
    assert reading.ledger.classes["transport: forwarded_permission.prompted"] == 1


@pytest.mark.parametrize(
    ("events", "outcome"),
    [
        (["prompted", "approved"], Outcome.APPROVED),
        (["prompted", "denied"], Outcome.DENIED),
        (["prompted"], Outcome.UNANSWERED),
        (["auto_approved"], Outcome.LINK_ALLOWED),
        (["auto_denied"], Outcome.LINK_DENIED),
    ],
)
def test_an_old_parent_alone_leaves_only_transport(events: list[str], outcome: Outcome) -> None:
    lines = [traffic(event, second) for second, event in enumerate(events)]
    reading = read(data(lines))
    (call,) = reading.calls
    assert [request.outcome for request in call.requests] == [outcome]
    assert reading.ledger.classes == {"not replayable: nothing but the forwarding": len(events)}


def test_a_time_out_is_not_a_persons_refusal() -> None:
    asks = asked("make", answer="denied", agentName="ann", message=SENTENCE, second=0)
    reading = read(
        data(asks[0], traffic("request_created", 0.1), traffic("response_timed_out", 0.9), asks[1])
    )
    (request,) = reading.calls[0].requests
    assert (request.outcome, request.decider) == (Outcome.UNAVAILABLE, Decider.NOBODY)


@pytest.mark.parametrize(
    ("event", "answer", "outcome"),
    [("auto_approved", "approved", Outcome.LINK_ALLOWED), ("auto_denied", "denied", Outcome.LINK_DENIED)],
)
def test_what_the_parents_policy_answers_is_no_persons_answer(
    event: str, answer: str, outcome: Outcome
) -> None:
    asks = asked("make", answer=answer, agentName="ann", message=SENTENCE)
    reading = read(data(asks[0], traffic("request_created", 0.1), traffic(event, 0.2), asks[1]))
    assert reading.calls[0].requests[0].outcome is outcome


def test_a_request_is_linked_to_the_ask_that_its_sentence_ends_with() -> None:
    earlier = asked("make", "t1", 0, agentName="ann", message=SENTENCE)
    later_sentence = unit_message("mint", subject="Agent 'ann'")
    later = asked("mint", "t2", 0.05, agentName="ann", message=later_sentence)
    served = [
        traffic("request_created", 0.1),
        prompt("waiting", at(0.3), **SERVED),
        prompt("approved", at(0.6), **SERVED, resolution="approved"),
    ]
    reading = read(data(earlier[0], later[0], served, earlier[1], later[1]))
    assert {call.id: call.requests[0].forwarded for call in reading.calls} == {"t1": FORWARDED, "t2": None}


def test_from_e10_on_child_and_parent_share_an_id() -> None:
    child = {"requestId": PERM, "agentName": "ann", "surface": "bash", "command": "make", "toolCallId": "t1"}
    parent = {**child, "toolCallId": None, "toolName": None, "command": None, "forwarded": True}
    reading = read(
        data(
            prompt("waiting", at(0, 11), **child),
            traffic("request_created", 0.1, PERM),
            prompt("waiting", at(0.2, 11), **parent),
            prompt("denied", at(0.5, 11), **parent, resolution="denied"),
            prompt("denied", at(0.6, 11), **child, resolution="denied"),
        )
    )
    assert outcomes(reading) == [[("tool", "denied")]]
    assert reading.calls[0].requests[0].lines == (1, 5)
    assert reading.ledger.classes["transport: forwarded twin"] == 2


def test_a_parent_alone_from_e11_on_does_not_tell_the_command() -> None:
    parent = {"requestId": PERM, "agentName": "ann", "surface": "bash", "toolCallId": None, "toolName": None}
    reading = read(
        data(
            prompt("waiting", at(0, 11), **parent, forwarded=True),
            prompt("approved", at(1, 11), **parent, forwarded=True, resolution="approved"),
        )
    )
    assert outcomes(reading) == [[("tool", "approved")]]
    assert reading.ledger.classes == {"not replayable: no command": 2}
