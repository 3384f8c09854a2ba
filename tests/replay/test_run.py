from __future__ import annotations

import os
import subprocess
import sys
from functools import partial

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from audit.errors import EngineError
from audit.log.cases import Exactness
from audit.protocol.engine import Decided, Detail, Failed, FailureKind
from audit.replay import run
from audit.replay.arm import Arm, PlaceRule, Side
from audit.replay.change import ChangeClass, compare
from audit.replay.run import NO_WORKING_DIRECTORY, replay
from tests.replay.builders import ALLOW, ASK, FakeEngine, arm, arms, case, check, decided

LAX = {"*": "ask", "bash": {"*": "allow", "rm *": "ask"}}
STRICT = {"*": "ask", "bash": {"*": "ask", "ls *": "allow", "rm *": "deny"}, "path": {"seed*": "deny"}}

WORDS = st.sampled_from(
    ["ls", "rm -r beds", "cat seeds.txt", "cd ..; cat seedlist", "echo 'a' | sh", "a=1", ""]
)


def fake(side: Side, engine: FakeEngine) -> Arm:
    return Arm(side, partial(_same, engine), "p", "d", PlaceRule("/home/mia"))


def _same(engine: FakeEngine) -> FakeEngine:
    return engine


class Bomb(FakeEngine):
    """An engine that ends its process on one command, and breaks on another."""

    def answer(self, question):
        command = question.call.input["command"]
        if command == "die":
            os._exit(3)
        if command == "break":
            raise RuntimeError("no such table")
        return decided(check(ALLOW))


@given(st.lists(WORDS, unique=True, max_size=6))
@settings(max_examples=30, deadline=None)
def test_a_self_comparison_is_empty(commands: list[str]) -> None:
    done = replay([case(command) for command in commands], *arms(STRICT, STRICT), processes=1)
    assert len(done.rows) == len(commands)
    for compared in compare(done.rows):
        assert compared.change.kind is ChangeClass.UNCHANGED
        assert compared.change.program is None


def test_both_arms_answer_the_same_cases_in_order() -> None:
    cases = [case("ls -l"), case("rm beds"), case("echo seed")]
    rows = replay(cases, *arms(LAX, STRICT)).rows
    assert [row.case for row in rows] == cases
    assert [(row.baseline.decision.action, row.candidate.decision.action) for row in rows] == [
        ("allow", "allow"),
        ("ask", "deny"),
        ("allow", "deny"),
    ]


def test_the_number_of_processes_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run, "CHUNK", 7)
    cases = [case(f"cat seed{number} ../b{number}") for number in range(40)]
    ticks: list[tuple[int, int]] = []
    alone = replay(cases, *arms(LAX, STRICT), processes=1)
    spread = replay(
        cases, *arms(LAX, STRICT), processes=2, progress=lambda done, total: ticks.append((done, total))
    )
    assert spread == alone
    assert ticks[-1] == (40, 40)
    assert ticks == sorted(ticks)


def test_what_cannot_be_replayed_keeps_its_reason() -> None:
    cut = case("cat lo…", exactness=Exactness.NOT_REPLAYABLE, reasons=("cut at the field cap",))
    nowhere = case("ls", cwd=None)
    done = replay([cut, nowhere, case("ls -a")], *arms(LAX, STRICT))
    assert [(left.case, left.reasons) for left in done.not_replayed] == [
        (cut, ("cut at the field cap",)),
        (nowhere, (NO_WORKING_DIRECTORY,)),
    ]
    assert len(done.rows) == 1


def test_nothing_to_replay_is_an_empty_result() -> None:
    done = replay([], *arms(LAX, STRICT), processes=2)
    assert (done.rows, done.not_replayed) == ((), ())
    assert done.detail is Detail.PROGRAM


def test_a_case_twice_is_refused() -> None:
    with pytest.raises(ValueError, match="twice"):
        replay([case("ls"), case("ls")], *arms(LAX, LAX))


def test_arms_in_different_places_are_refused() -> None:
    with pytest.raises(EngineError, match="different places"):
        replay([], arm(Side.BASELINE, LAX), arm(Side.CANDIDATE, LAX, home="/home/eli"))


def test_the_finest_common_detail_is_used() -> None:
    coarse = FakeEngine({"ls": decided(check(ASK))}, (Detail.DECISION, Detail.GATES))
    done = replay([case("ls")], fake(Side.BASELINE, coarse), fake(Side.CANDIDATE, FakeEngine()), processes=1)
    assert done.detail is Detail.GATES


def test_engines_with_nothing_in_common_are_refused() -> None:
    mute = FakeEngine(details=())
    with pytest.raises(EngineError, match="in common"):
        replay([], fake(Side.BASELINE, mute), fake(Side.CANDIDATE, mute))


def test_an_engine_that_breaks_fails_its_case_only() -> None:
    bomb = Bomb()
    rows = replay(
        [case("break"), case("ls")], fake(Side.BASELINE, bomb), fake(Side.CANDIDATE, bomb), processes=1
    ).rows
    assert rows[0].baseline == Failed(FailureKind.INTERNAL, "RuntimeError: no such table")
    assert isinstance(rows[1].candidate, Decided)


def test_a_process_that_ends_costs_one_case(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run, "CHUNK", 2)
    cases = [case("ls"), case("die"), case("ls -a"), case("ls -b")]
    rows = replay(cases, fake(Side.BASELINE, Bomb()), fake(Side.CANDIDATE, Bomb()), processes=2).rows
    assert [isinstance(row.baseline, Failed) for row in rows] == [False, True, False, False]


def test_an_unknown_policy_fails_and_is_no_decision() -> None:
    baseline, candidate = arms(LAX, LAX)
    lost = Arm(Side.CANDIDATE, candidate.opening, "q", "d", candidate.places)
    (only,) = replay([case("ls")], baseline, lost).rows
    assert isinstance(only.baseline, Decided)
    assert only.candidate == Failed(FailureKind.POLICY, "no policy is named `q`")


def test_a_replay_process_loads_the_core_and_the_protocol_only() -> None:
    listing = "import audit.replay.worker, sys; print(*sorted(sys.modules))"
    loaded = subprocess.run(
        [sys.executable, "-c", listing], capture_output=True, text=True, check=True
    ).stdout
    ours = {name for name in loaded.split() if name.startswith("audit.")}
    layers = {name.split(".")[1] for name in ours}
    assert layers <= {"core", "protocol", "replay", "errors"}
    assert not {"polars", "msgspec", "rich", "click", "jsonschema"} & set(loaded.split())
