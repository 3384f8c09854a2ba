"""The traps of counting: a move no counter holds, pending as approval, a time-out as refusal."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from audit.core.action import Action
from audit.log.cases import Outcome
from audit.measures.answers import Answered, answered, outcomes
from audit.measures.finding import Finding, finding
from audit.measures.ladder import RUNGS, bypass_ladder
from audit.measures.matrix import change_matrix
from audit.measures.new_prompts import new_prompts
from tests.replay.builders import ALLOW, ASK, DENY, case, check, decided, failed, program, row

ANSWERS = st.sampled_from([ALLOW, ASK, DENY, failed()])
OUTCOMES = st.dictionaries(st.sampled_from(Outcome), st.integers(1, 5), max_size=3)
ROWS = st.lists(
    st.builds(
        lambda before, after, told, times: row(before, after, case("ls", times, told)),
        ANSWERS,
        ANSWERS,
        OUTCOMES,
        st.integers(1, 9),
    ),
    max_size=20,
)


@pytest.mark.parametrize(
    ("told", "expected"),
    [
        ({}, Answered.NEVER),
        ({Outcome.UNANSWERED: 3}, Answered.NEVER),
        ({Outcome.UNAVAILABLE: 3}, Answered.NEVER),
        ({Outcome.POLICY_DENIED: 1}, Answered.NEVER),
        ({Outcome.AUTO_APPROVED: 2}, Answered.NEVER),
        ({Outcome.LINK_ALLOWED: 2, Outcome.LINK_DENIED: 1}, Answered.NEVER),
        ({Outcome.SESSION_APPROVED: 2}, Answered.NEVER),
        ({Outcome.GATE_ERROR: 2}, Answered.NEVER),
        ({Outcome.APPROVED: 1}, Answered.APPROVED),
        ({Outcome.APPROVED_FOR_SESSION: 1, Outcome.UNANSWERED: 2}, Answered.APPROVED),
        ({Outcome.APPROVED: 40, Outcome.DENIED: 1}, Answered.REFUSED),
        ({Outcome.DENIED: 1, Outcome.UNAVAILABLE: 9}, Answered.REFUSED),
        ({Outcome.DENIED: 0, Outcome.APPROVED: 1}, Answered.APPROVED),
    ],
)
def test_only_a_person_answers(told, expected) -> None:
    assert answered(case(outcomes=told)) is expected


MOVES = {
    (DENY, ALLOW): Finding.DENIED_BEFORE,
    (DENY, ASK): Finding.DENIAL_TO_PROMPT,
    (ALLOW, ASK): Finding.NEW_PROMPT,
    (ALLOW, DENY): Finding.NEW_DENIAL,
    (ASK, DENY): Finding.PROMPT_TO_DENIAL,
    (ASK, ALLOW): Finding.NEVER_ANSWERED,
}


@pytest.mark.parametrize(("before", "after"), list(product(Action, Action)))
def test_no_transition_escapes(before: Action, after: Action) -> None:
    expected = Finding.UNCHANGED if before is after else MOVES[before, after]
    assert finding(row(before, after)) is expected


@pytest.mark.parametrize(
    ("told", "expected"),
    [
        ({Outcome.DENIED: 1, Outcome.APPROVED: 5}, Finding.REFUSED_BEFORE),
        ({Outcome.UNAVAILABLE: 5}, Finding.NEVER_ANSWERED),
        ({Outcome.UNANSWERED: 5}, Finding.NEVER_ANSWERED),
        ({Outcome.APPROVED: 5}, Finding.ALWAYS_APPROVED),
    ],
)
def test_the_rung_follows_what_people_answered(told, expected) -> None:
    assert finding(row(ASK, ALLOW, case(outcomes=told))) is expected
    (rung,) = [
        rung
        for rung in bypass_ladder([row(ASK, ALLOW, case("a", 3, told))]).rungs
        if rung.shares.commands.numerator
    ]
    assert (rung.finding, rung.shares.calls.numerator, rung.outcomes) == (expected, 3, told)


def seen(*external: str) -> object:
    return decided(check(ASK), shows=program("cat x", external=external))


def test_coverage_lost_is_found_under_an_equal_decision() -> None:
    assert finding(row(seen("/etc/a"), seen())) is Finding.COVERAGE_LOST
    assert finding(row(seen(), seen("/etc/a"))) is Finding.UNCHANGED


def test_coverage_lost_beside_a_changed_decision_is_counted_there_too() -> None:
    moved = row(
        decided(check(DENY), shows=program("cat x", external=("/etc/a",))),
        decided(check(ASK), shows=program("cat x")),
    )
    ladder = bypass_ladder([moved])
    assert [rung.shares.commands.numerator for rung in ladder.rungs] == [0, 0, 0, 0, 0]
    assert ladder.softened.commands.numerator == 1
    assert ladder.coverage_lost_in_changed.commands.numerator == 1


def test_nothing_is_netted() -> None:
    rows = [row(DENY, ALLOW), row(ALLOW, DENY), row(ASK, ALLOW), row(ALLOW, ASK)]
    ladder, new, matrix = bypass_ladder(rows), new_prompts(rows), change_matrix(rows)
    assert [rung.shares.commands.numerator for rung in ladder.rungs] == [1, 0, 1, 0, 0]
    assert new.total.commands.numerator == 1
    assert new.new_denials.commands.numerator == 1
    assert matrix.changed.commands == 4


def test_prompts_that_are_always_approved_are_debt() -> None:
    rows = [
        row(ALLOW, ASK, case("a", 7, {Outcome.APPROVED: 7})),
        row(ALLOW, ASK, case("b", 2, {Outcome.DENIED: 1})),
        row(ALLOW, ASK, case("c", 1, {Outcome.UNANSWERED: 1})),
        row(DENY, ASK, case("d", 1)),
    ]
    new = new_prompts(rows)
    assert {part.answered: part.shares.calls.numerator for part in new.by_answer} == {
        Answered.APPROVED: 7,
        Answered.REFUSED: 2,
        Answered.NEVER: 1,
    }
    assert new.total.commands.numerator == 3
    assert new.from_denial.commands.numerator == 1


@given(ROWS)
@settings(max_examples=60)
def test_every_row_is_in_one_cell_or_failed(rows) -> None:
    matrix = change_matrix(rows)
    cells = sum(cell.count.commands for cell in matrix.cells)
    assert cells + matrix.failed.commands == len(rows)
    assert sum(cell.count.calls for cell in matrix.cells) == matrix.population.calls
    diagonal = sum(matrix.cell(action, action).commands for action in Action)
    assert matrix.unchanged.commands + matrix.other_reason.commands == diagonal
    assert matrix.changed.commands == matrix.population.commands - diagonal


@given(ROWS)
@settings(max_examples=60)
def test_rungs_are_disjoint_and_hold_every_new_allow(rows) -> None:
    ladder, matrix, new = bypass_ladder(rows), change_matrix(rows), new_prompts(rows)
    allowed_now = [rung for rung in ladder.rungs if rung.finding is not Finding.COVERAGE_LOST]
    assert sum(rung.shares.commands.numerator for rung in allowed_now) == (
        matrix.cell(DENY, ALLOW).commands + matrix.cell(ASK, ALLOW).commands
    )
    assert new.total.commands.numerator == matrix.cell(ALLOW, ASK).commands
    assert sum(part.shares.commands.numerator for part in new.by_answer) == new.total.commands.numerator
    everything = [
        *(rung.shares.calls.numerator for rung in allowed_now),
        *(share.calls.numerator for share in (ladder.softened, new.total, new.new_denials)),
        new.prompts_to_denials.calls.numerator,
    ]
    assert sum(everything) == matrix.changed.calls
    assert len({rung.finding for rung in ladder.rungs}) == len(RUNGS)


@given(st.lists(OUTCOMES, max_size=6))
def test_outcomes_add_up(told) -> None:
    total = outcomes(case(outcomes=one) for one in told)
    assert sum(total.values()) == sum(sum(one.values()) for one in told)


def test_malformed_cases_are_not_allowed_ones() -> None:
    matrix = change_matrix([row(failed(), ALLOW), row(ALLOW, failed()), row(failed(), failed())])
    assert matrix.population.commands == 0
    assert matrix.failed.commands == 3
    assert matrix.failures == {"baseline too-large": 2, "candidate too-large": 2}
