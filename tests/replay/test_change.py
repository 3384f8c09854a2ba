from __future__ import annotations

from itertools import product

import pytest

from audit.core.action import Action
from audit.core.gates import Gate
from audit.replay.change import ChangeClass, Differs, ProgramChange, deciding, program_change, prompts
from tests.replay.builders import ALLOW, ASK, DENY, check, decided, failed, program, row


@pytest.mark.parametrize(("baseline", "candidate"), list(product(Action, Action)))
def test_each_pair_of_decisions_is_its_cell(baseline: Action, candidate: Action) -> None:
    change = row(baseline, candidate).change
    assert (change.baseline, change.candidate) == (baseline, candidate)
    assert change.kind is (ChangeClass.UNCHANGED if baseline is candidate else ChangeClass.DECISION)


@pytest.mark.parametrize(
    ("baseline", "candidate", "differs"),
    [
        (check(ASK, pattern="*"), check(ASK, pattern="git *"), {Differs.PATTERN}),
        (check(ALLOW, pattern=None), check(ALLOW, pattern="git *"), {Differs.PATTERN}),
        (check(ASK), check(ASK, surface="path", gate=Gate.BASH_PATH), {Differs.GATE, Differs.SURFACE}),
        (check(ASK, value="rm a"), check(ASK, value="rm b"), {Differs.VALUE}),
        (check(ALLOW, value="ls a"), check(ALLOW, value="ls b"), set()),
        (check(ASK), check(ASK), set()),
    ],
)
def test_the_reason_of_an_equal_decision(baseline, candidate, differs) -> None:
    change = row(decided(baseline), decided(candidate)).change
    assert set(change.differs) == differs
    assert change.kind is (ChangeClass.OTHER_REASON if differs else ChangeClass.UNCHANGED)


def test_a_second_prompt_for_the_same_decision_is_no_silence() -> None:
    path = check(ASK, surface="path", pattern="*.pem", gate=Gate.BASH_PATH)
    change = row(decided(path, check(ALLOW)), decided(path, check(ASK))).change
    assert change.kind is ChangeClass.OTHER_REASON
    assert Differs.STOPS in change.differs


def test_fewer_paths_asked_about_is_another_reason() -> None:
    both = check(ASK, "external_directory", gate=Gate.BASH_EXTERNAL_DIRECTORY, paths=("/srv/a", "/srv/b"))
    one = check(ASK, "external_directory", gate=Gate.BASH_EXTERNAL_DIRECTORY, paths=("/srv/b",))
    assert row(decided(both), decided(one)).change.differs == (Differs.VALUE,)


@pytest.mark.parametrize(
    ("baseline", "candidate"), [(failed(), ALLOW), (ALLOW, failed()), (failed(), failed())]
)
def test_a_failure_is_never_a_decision(baseline, candidate) -> None:
    change = row(baseline, candidate).change
    assert change.kind is ChangeClass.FAILED
    assert (change.baseline is None) == (baseline is not ALLOW)
    assert (change.candidate is None) == (candidate is not ALLOW)


def test_the_gate_behind_a_decision() -> None:
    path = check(ASK, "path", gate=Gate.BASH_PATH)
    denied = decided(path, check(DENY)).decision
    assert deciding(denied) == check(DENY)
    assert prompts(denied) == 1
    assert deciding(decided(check(ALLOW, "path", gate=Gate.BASH_PATH), check(ALLOW)).decision) == check(ALLOW)
    assert deciding(decided().decision) is None


def test_a_session_approval_asks_nobody() -> None:
    granted = decided(
        check(ASK).__class__(Gate.TOOL, check(ASK).outcome, ASK, "bash", "ls", source="session")
    )
    assert prompts(granted.decision) == 0
    assert granted.decision.action is ALLOW


def test_programs_are_compared_as_sets_with_repeats() -> None:
    before = program("a", units=("rm x", "rm x", "ls"), external=("/etc/a",), promoted=("id_rsa",))
    after = program("a", units=("ls", "rm x"), candidates=("./b",))
    assert program_change(before, after) == ProgramChange(
        units_lost=("rm x",),
        external_lost=("/etc/a",),
        external_vanished=True,
        candidates_lost=("id_rsa",),
        candidates_gained=("./b",),
    )
    assert program_change(before, after).lost == ("rm x", "/etc/a", "id_rsa")
    assert program_change(after, before).freshly_external
    assert program_change(before, before) is None
    assert program_change(None, after) is None


def test_another_order_of_units_is_no_change() -> None:
    assert program_change(program("a", units=("x", "y")), program("a", units=("y", "x"))) is None
