from __future__ import annotations

import pytest

from audit.core.action import Action
from audit.core.bash.wrappers import Wrapper
from audit.core.gates import FLOORS, Gate
from audit.log.cases import Exactness, Outcome
from audit.measures.candidate_sets import candidate_sets
from audit.measures.causes import causes
from audit.measures.fidelity import fidelity, recorded
from audit.measures.measure import Bound, Count, Share, Unit
from audit.measures.prompt_rate import Prompts, prompt_rate
from audit.measures.selectivity import selectivity
from audit.replay.change import Compared
from audit.replay.promotion import WordFacts
from tests.replay.builders import ALLOW, ASK, DENY, case, check, decided, failed, program, row


def test_a_zero_comes_with_its_bound_and_the_bound_is_no_rate() -> None:
    zero = Share(0, 812, Unit.COMMAND)
    assert zero.bound == Bound(3, 812, Unit.COMMAND)
    assert zero.numerator == 0
    assert Share(1, 812, Unit.COMMAND).bound is None
    assert Share(0, 0, Unit.COMMAND).bound is None
    assert Share(0, 2, Unit.COMMAND).bound == Bound(2, 2, Unit.COMMAND)


@pytest.mark.parametrize(("whole", "small"), [(0, True), (29, True), (30, False)])
def test_a_small_denominator_is_known(whole: int, small: bool) -> None:
    assert Share(0, whole, Unit.CALL).is_small is small


def test_the_prompt_rate_by_command_and_by_call() -> None:
    rows = [
        row(ASK, ALLOW, case("a", 10)),
        row(ALLOW, ASK, case("b", 2)),
        row(ASK, ASK, case("c", 1)),
        row(DENY, DENY, case("d", 4)),
        row(failed(), ASK, case("e", 100)),
    ]
    rate = prompt_rate(rows)
    assert rate.population == Count(4, 17)
    assert (rate.baseline.asks.commands.numerator, rate.baseline.asks.calls.numerator) == (2, 11)
    assert (rate.candidate.asks.commands.numerator, rate.candidate.asks.calls.numerator) == (2, 3)
    assert rate.difference == Count(0, -8)
    assert rate.stops_asking.calls.numerator == 10
    assert rate.starts_asking.calls.numerator == 2
    assert rate.baseline.denials.calls == Share(4, 17, Unit.CALL)


def test_two_gates_that_ask_are_two_prompts() -> None:
    path = check(ASK, "path", gate=Gate.BASH_PATH)
    rate = prompt_rate([row(decided(path, check(ALLOW)), decided(path, check(ASK)), case("a", 3))])
    assert rate.difference == Count(0, 0)
    assert (rate.baseline.prompts, rate.candidate.prompts) == (Prompts(1, 3), Prompts(2, 6))
    assert rate.difference_prompts == Prompts(1, 3)


def shown(side: Action = ASK, **what: object) -> object:
    return decided(check(side), shows=program("cat x", **what))  # type: ignore[arg-type]


def test_candidate_sets_count_members_and_commands() -> None:
    rows = [
        row(shown(external=("/etc/a", "/etc/b")), shown(external=("/etc/b",)), case("a", 5)),
        row(shown(), shown(DENY, external=("/srv/c",)), case("b", 2)),
        row(shown(external=("/etc/a",)), shown(), case("c")),
        row(shown(candidates=("./k",)), shown(promoted=("seed",)), case("d")),
        row(shown(), shown(), case("e")),
        row(ASK, ASK, case("f", tool="read", given={"path": "x"})),
    ]
    sets = candidate_sets(rows)
    assert sets.population == Count(5, 10)
    assert (sets.external.changed.commands.numerator, sets.external.lost, sets.external.gained) == (3, 2, 1)
    assert (sets.candidates.lost, sets.candidates.gained) == (1, 1)
    assert sets.freshly_external.commands.numerator == 1
    assert sets.vanished.commands.numerator == 1
    assert sets.any_changed.calls.numerator == 9
    assert sets.any_changed_and_decision.calls.numerator == 2
    assert sets.units.changed.commands.numerator == 0


def test_equal_sizes_of_different_sets_are_a_change() -> None:
    sets = candidate_sets([row(shown(external=("/a",)), shown(external=("/b",)))])
    assert (sets.external.lost, sets.external.gained) == (1, 1)
    assert sets.freshly_external.commands.numerator == 0


def test_selectivity_counts_surviving_words() -> None:
    words = ("seed", "tray")
    chosen = selectivity(
        [
            row(shown(survivors=words), shown(survivors=words, promoted=("seed",))),
            row(shown(survivors=("x",)), shown(survivors=("x",))),
        ]
    )
    assert chosen.population.commands == 2
    assert chosen.baseline.by_rule == Share(0, 3, Unit.WORD)
    assert chosen.candidate.by_rule == Share(1, 3, Unit.WORD)
    assert chosen.candidate.commands.commands.numerator == 1


def test_selectivity_tells_what_words_name_and_what_they_change() -> None:
    one, other = (
        row(shown(survivors=("seed",)), shown(survivors=("seed",)), case("a", 3)),
        row(shown(survivors=("x",)), shown(survivors=("x",)), case("b")),
    )
    known = {one.case.id: WordFacts(4, 1, 2, True), other.case.id: WordFacts(1, 1, 0, False)}
    chosen = selectivity([one, other], (None, known))
    assert chosen.baseline.changed is None
    candidate = chosen.candidate
    assert (candidate.asked, candidate.existing, candidate.unknown) == (5, 2, 2)
    assert candidate.changed is not None
    assert (candidate.changed.commands.numerator, candidate.changed.calls.numerator) == (1, 3)


def test_causes_exclude_each_other_and_keep_floors_apart() -> None:
    external = check(ASK, "external_directory", gate=Gate.BASH_EXTERNAL_DIRECTORY)
    floor = check(ASK, pattern=FLOORS[Wrapper.INDIRECTION])
    rows = [
        row(decided(external, check(ASK)), decided(check(ASK)), case("a", 4)),
        row(decided(floor), decided(floor), case("b")),
        row(ALLOW, ASK, case("c")),
    ]
    found = causes(rows)
    assert (found.baseline, found.candidate) == (Count(2, 5), Count(3, 6))
    told = {
        (cause.surface, cause.floor): (cause.baseline.commands.numerator, cause.candidate.commands.numerator)
        for cause in found.causes
    }
    assert told == {
        ("external_directory", None): (1, 0),
        ("bash", FLOORS[Wrapper.INDIRECTION]): (1, 1),
        ("bash", None): (0, 2),
    }


@pytest.mark.parametrize(
    ("told", "expected"),
    [
        ({Outcome.APPROVED: 1}, ASK),
        ({Outcome.UNANSWERED: 1}, ASK),
        ({Outcome.UNAVAILABLE: 1}, ASK),
        ({Outcome.POLICY_DENIED: 2}, DENY),
        ({Outcome.POLICY_DENIED: 1, Outcome.APPROVED: 1}, None),
        ({Outcome.SESSION_APPROVED: 1}, None),
        ({}, None),
    ],
)
def test_what_the_log_recorded(told, expected) -> None:
    assert recorded(case(outcomes=told)) is expected


def test_fidelity_leaves_out_what_the_log_does_not_tell() -> None:
    def one(baseline: Action, told: dict[Outcome, int], exactness: Exactness = Exactness.EXACT) -> Compared:
        return row(baseline, ALLOW, case(outcomes=told, exactness=exactness))

    found = fidelity(
        [
            one(ASK, {Outcome.APPROVED: 1}),
            one(ALLOW, {Outcome.DENIED: 1}),
            one(DENY, {Outcome.POLICY_DENIED: 1}, Exactness.ASSUMED),
            one(ASK, {Outcome.APPROVED: 1}, Exactness.PARTIAL),
            one(ASK, {Outcome.APPROVED: 1, Outcome.POLICY_DENIED: 1}),
            one(ASK, {Outcome.AUTO_APPROVED: 1}),
            row(failed(), ALLOW, case(outcomes={Outcome.APPROVED: 1})),
        ]
    )
    assert found.agree == Share(2, 3, Unit.COMMAND)
    assert (found.mixed, found.untold) == (1, 2)


def test_an_empty_input_gives_empty_populations_and_no_bound() -> None:
    rate = prompt_rate([])
    assert rate.population == Count(0, 0)
    assert rate.baseline.asks.commands.bound is None
    assert rate.baseline.asks.commands.is_small
    assert fidelity([]).agree == Share(0, 0, Unit.COMMAND)
    assert causes([]).causes == ()
