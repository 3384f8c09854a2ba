"""What a broken engine costs: its open questions, never a decision."""

from __future__ import annotations

import pytest

from audit.core.call import shell
from audit.core.place import Place
from audit.engines.pipes import KEPT_ERRORS
from audit.engines.process import IN_FLIGHT, Patience, ProcessEngine
from audit.errors import EngineError
from audit.protocol.engine import Decided, Detail, Failed, FailureKind, Question
from tests.engines.misbehaving_kinds import ODD_KINDS

PLACE = Place("/srv/project", "/home/user")
SHORT = Patience(hello=20, answer=1.0)


def ask(engine: ProcessEngine, *commands: str) -> list[object]:
    engine.define("p", {"permission": {}})
    return engine.answers([Question(shell(command), PLACE, "p") for command in commands])


def test_a_decent_engine_answers_more_than_are_in_flight(misbehaving) -> None:
    given = ask(misbehaving("decent"), *(f"ls {number}" for number in range(IN_FLIGHT * 3 + 1)))
    assert all(isinstance(answer, Decided) for answer in given)


@pytest.mark.parametrize("kind", ODD_KINDS)
def test_a_decision_that_does_not_fit_is_a_failure_of_that_question(misbehaving, kind: str) -> None:
    engine = misbehaving(kind)
    before, odd, after = ask(engine, "ls", "odd", "ls")
    assert isinstance(before, Decided)
    assert isinstance(odd, Failed)
    assert odd.kind is FailureKind.INTERNAL or kind == "unknown-failure"
    assert isinstance(after, Decided)
    assert engine.restarts == 0


@pytest.mark.parametrize("kind", ["crash", "garbage", "bytes", "hang", "twice", "stranger"])
def test_a_breach_fails_what_is_open_and_restarts_once(misbehaving, kind: str) -> None:
    engine = misbehaving(kind, SHORT)
    assert isinstance(ask(engine, "ls")[0], Decided)
    first = ask(engine, "odd", "ls", "ls")
    assert isinstance(first[1], Failed)
    assert engine.restarts == 1
    assert isinstance(ask(engine, "ls")[0], Decided)
    again = ask(engine, "odd", "ls")
    assert isinstance(again[1], Failed)
    assert engine.restarts == 1
    gone = ask(engine, "ls")
    assert isinstance(gone[0], Failed)
    assert "twice" in gone[0].message


def test_what_it_said_last_is_told_and_no_more(misbehaving) -> None:
    [failure] = ask(misbehaving("crash"), "odd")
    assert isinstance(failure, Failed)
    assert failure.message.endswith("cannot go on")
    assert "code 7" in failure.message
    assert len(failure.message) < KEPT_ERRORS + 200


def test_a_refusal_keeps_its_kind(misbehaving) -> None:
    engine = misbehaving("refusal")
    [refused] = ask(engine, "odd")
    assert refused == Failed(FailureKind.UNSUPPORTED, "not this one")
    assert engine.restarts == 0


def test_a_policy_that_an_engine_refuses(misbehaving) -> None:
    refusal = misbehaving("no-policy").define("p", {"permission": {}})
    assert refusal == Failed(FailureKind.POLICY, "too strict for me")


def test_a_slow_start_is_waited_for(misbehaving) -> None:
    assert misbehaving("slow").info.engine == "odd"


@pytest.mark.parametrize(
    ("kind", "says"),
    [
        ("silent", "wrote nothing"),
        ("early-end", "code 3"),
        ("no-hello", "not JSON"),
        ("newer", "protocol 2"),
    ],
)
def test_an_engine_without_a_hello_is_an_error(misbehaving, kind: str, says: str) -> None:
    with pytest.raises(EngineError, match=says):
        misbehaving(kind, Patience(hello=1.0 if kind == "silent" else 20))


@pytest.mark.parametrize(
    ("kind", "details"),
    [
        ("coarse", (Detail.DECISION,)),
        ("gates", (Detail.DECISION, Detail.GATES)),
        ("unknown-detail", (Detail.DECISION,)),
    ],
)
def test_details_are_those_both_sides_know(misbehaving, kind: str, details: tuple[Detail, ...]) -> None:
    engine = misbehaving(kind)
    assert engine.info.details == details
    [answer] = ask(engine, "ls")
    assert isinstance(answer, Decided)
    assert answer.decision.program is None
    assert bool(answer.decision.gates) == (Detail.GATES in details)
