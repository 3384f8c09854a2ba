"""What prompts cost people: volume, waiting, bursts, repeats, prompts that are always approved."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from audit.log.calls import Call, GateName, Request
from audit.log.cases import Outcome
from audit.measures.measure import Bound, Share, Unit
from audit.measures.recorded.always_approved import always_approved
from audit.measures.recorded.bursts import Burst, bursts
from audit.measures.recorded.latency import latency
from audit.measures.recorded.per_call import prompts_per_call
from audit.measures.recorded.repeats import Answers, repeats
from audit.measures.recorded.requests import Logged, logged, percentile
from audit.measures.recorded.stamps import UNKNOWN_TIME, Calendar, milliseconds
from audit.measures.recorded.volume import Tally, volume
from tests.measures.recorded.builders import START, at, call, calls, external, request


def of(*requests: Request) -> tuple[Logged, ...]:
    return logged(calls(*requests))


@pytest.mark.parametrize(
    ("stamp", "expected"),
    [
        ("1970-01-01T00:00:01.500Z", 1500),
        ("1970-01-01T00:00:01.500+00:00", 1500),
        ("1970-01-01T02:00:00+02:00", 0),
        (" 1970-01-01 00:00:00 ", 0),
        ("1970-01-01", 0),
        ("1969-12-31T23:59:59.999Z", -1),
        ("0001-01-01T00:00:00+14:00", None),
        ("", None),
        (None, None),
        ("yesterday", None),
        ("2026-13-01T00:00:00Z", None),
    ],
)
def test_stamps_are_read_whatever_their_form(stamp: str | None, expected: int | None) -> None:
    assert milliseconds(stamp) == expected


@pytest.mark.parametrize(
    ("stamp", "month"),
    [(None, UNKNOWN_TIME), ("0001-01-01T00:00:00Z", "0001-01"), ("9999-12-31T23:59:59Z", "9999-12")],
)
def test_every_moment_has_a_period(stamp: str | None, month: str) -> None:
    assert Calendar().period(milliseconds(stamp)).month == month


def test_weeks_are_iso_weeks() -> None:
    period = Calendar().period(milliseconds("2027-01-01T00:00:00Z"))
    assert (period.month, period.week, period.day) == ("2027-01", "2026-W53", "2027-01-01")


@pytest.mark.parametrize(
    ("rising", "per_cent", "expected"),
    [([], 50, None), ([7], 95, 7), ([1, 2], 50, 1), ([1, 2, 3], 50, 2), (list(range(1, 101)), 95, 95)],
)
def test_percentiles_are_values_that_occur(rising: Sequence[int], per_cent: int, expected: object) -> None:
    assert percentile(rising, per_cent) == expected


def test_pending_is_no_approval_and_a_time_out_no_refusal() -> None:
    total = volume(
        of(
            request(outcome=Outcome.APPROVED),
            request(outcome=Outcome.APPROVED_FOR_SESSION),
            request(outcome=Outcome.DENIED),
            request(outcome=Outcome.UNANSWERED),
            request(outcome=Outcome.UNAVAILABLE),
            request(outcome=Outcome.UNAVAILABLE, asked=None, settled=START),
        )
    ).total
    assert (total.asks, total.unanswered, total.unavailable, total.refused) == (6, 1, 2, 1)
    assert total.approval == Share(2, 3, Unit.PROMPT)


@pytest.mark.parametrize(
    "outcome",
    [
        Outcome.POLICY_DENIED,
        Outcome.SESSION_APPROVED,
        Outcome.AUTO_APPROVED,
        Outcome.LINK_ALLOWED,
        Outcome.LINK_DENIED,
        Outcome.INFRASTRUCTURE,
        Outcome.GATE_ERROR,
    ],
)
def test_what_no_person_settled_is_no_ask(outcome: Outcome) -> None:
    total = volume(of(request(outcome=outcome), request())).total
    assert (total.requests, total.asks, total.without_person) == (2, 1, 1)
    assert total.settled == {outcome: 1}
    assert total.approval == Share(1, 1, Unit.PROMPT)


def test_a_line_without_a_stamp_is_counted_under_its_own_period() -> None:
    found = volume(of(request(asked=""), request(asked="nonsense"), request()))
    assert [(month.period, month.asks) for month in found.months] == [("2026-07", 1), (UNKNOWN_TIME, 2)]
    assert found.pace.days == 1


def test_waiting_is_from_question_to_answer() -> None:
    found = latency(
        of(
            request(asked=at(0), settled=at(2)),
            request(asked=at(0), settled=at(10), outcome=Outcome.DENIED),
            external("cat /etc/motd", asked=at(5), settled=at(65)),
            request(outcome=Outcome.UNANSWERED),
            request(outcome=Outcome.UNAVAILABLE, asked=at(0), settled=at(600)),
            request(outcome=Outcome.UNAVAILABLE, asked=None, settled=at(9)),
            request(asked=at(9), settled=at(8)),
            request(asked="?", settled=at(8)),
        )
    )
    assert (found.answered.asks, found.answered.median, found.answered.longest) == (3, 10_000, 60_000)
    assert found.answered.total == 72_000
    assert [(part.surface, part.waits.asks) for part in found.surfaces] == [
        ("bash", 2),
        ("external_directory", 1),
    ]
    assert found.refused.total == 10_000
    assert (found.timed_out.asks, found.timed_out.total) == (1, 600_000)
    assert (found.unanswered, found.unusable) == (1, 2)


def test_a_burst_is_asks_that_follow_at_once() -> None:
    times = [0, 30, 60, 91, 200, 201]
    found = bursts(of(*(request(asked=at(second)) for second in times)), gap_seconds=30)
    first = milliseconds(at(0))
    assert first is not None
    assert found.bursts == 2
    assert found.longest == Burst(3, first, first + 60_000)
    assert found.in_bursts == Share(5, 6, Unit.PROMPT)
    assert found.following == Share(3, 6, Unit.PROMPT)
    assert found.sizes == ((2, 1), (3, 1))


def test_what_nobody_saw_is_in_no_burst() -> None:
    found = bursts(of(*(request(outcome=Outcome.UNAVAILABLE, asked=at(one)) for one in range(5)), request()))
    assert found.in_bursts == Share(0, 1, Unit.PROMPT)
    assert found.longest is None


def test_the_same_question_again() -> None:
    found = repeats(
        of(
            request("make all", asked=at(0)),
            request("make all", asked=at(30), outcome=Outcome.DENIED),
            request("make all", asked=at(0, "2026-07-17"), settled=at(1, "2026-07-17")),
            request("make docs", asked=at(1)),
            request("make docs", asked=at(2), outcome=Outcome.UNANSWERED),
            external("make all", asked=at(3)),
            request("x" * 1000 + "…", era=12, asked=at(4)),  # type: ignore[arg-type]
            request("curl [redacted]", era=12, asked=at(4)),  # type: ignore[arg-type]
        )
    )
    assert (found.asks, found.questions, found.untold, found.most) == (6, 3, 2, 3)
    assert found.repeats == Share(3, 6, Unit.PROMPT)
    assert found.asked_again == Share(2, 3, Unit.DISTINCT_PROMPT)
    assert {part.span: part.repeats for part in found.within} == {
        "within a minute": 2,
        "within an hour": 0,
        "within a day": 0,
        "later than a day": 1,
    }
    told = {part.answers: (part.questions, part.asks) for part in found.answers}
    assert told[Answers.MIXED] == (1, 3)
    assert told[Answers.APPROVED] == (1, 2)
    assert told[Answers.NEVER] == (0, 0)


def test_a_prompt_is_debt_when_it_was_approved_often_enough_and_never_refused() -> None:
    often = [request("make all", asked=at(one), settled=at(one + 2)) for one in range(3)]
    mixed = [request("rm x", asked=at(one)) for one in range(3)]
    found = always_approved(
        of(
            *often,
            request("make all", outcome=Outcome.UNANSWERED),
            *mixed,
            request("rm x", outcome=Outcome.DENIED),
            request("ls", asked=at(1)),
        ),
        least_answers=3,
    )
    assert found.questions == Share(1, 2, Unit.DISTINCT_PROMPT)
    assert found.asks == Share(4, 9, Unit.PROMPT)
    [debt] = found.debts
    assert (debt.value, debt.answers, debt.asks, debt.waited) == ("make all", 3, 4, 6000)
    assert debt.refusals == Bound(3, 3, Unit.PROMPT)


def test_prompts_of_a_call() -> None:
    found_calls = (
        call(external("cat /etc/motd"), request("cat /etc/motd")),
        call(request()),
        call(request(outcome=Outcome.POLICY_DENIED)),
        call(external("ls /x", Outcome.SESSION_APPROVED), request("ls /x")),
    )
    found = prompts_per_call(found_calls, logged(found_calls))
    assert [(part.asks, part.calls) for part in found.distribution] == [(0, 1), (1, 2), (2, 1)]
    assert found.several == Share(1, 3, Unit.CALL)
    assert [part.surfaces for part in found.surfaces] == [("external_directory", "bash")]


# Laws.

STAMPS = st.sampled_from([at(0), at(20), at(400), at(0, "2026-06-30"), at(0, "2026-08-01"), "", "soon"])
REQUESTS = st.builds(
    lambda command, outcome, asked, gate: request(command, outcome, asked, gate=gate),
    st.sampled_from(["make all", "ls /srv", "git push", None]),
    st.sampled_from(Outcome),
    STAMPS,
    st.sampled_from([GateName.TOOL, GateName.BASH_PATH, GateName.BASH_EXTERNAL_DIRECTORY]),
)
CALLS = st.lists(st.lists(REQUESTS, min_size=1, max_size=3).map(lambda these: call(*these)), max_size=12)


@settings(max_examples=60, deadline=None)
@given(CALLS)
def test_totals_are_the_sums_of_their_periods(found: list[Call]) -> None:
    requests = logged(found)
    counted = volume(requests)

    def numbers(tally: Tally) -> tuple[int, ...]:
        return (
            tally.requests,
            tally.asks,
            tally.approved,
            tally.approved_for_session,
            tally.refused,
            tally.unavailable,
            tally.unanswered,
            tally.without_person,
            tally.approval.numerator,
            tally.approval.denominator,
        )

    for periods in (counted.months, counted.weeks, counted.days):
        sums = tuple(map(sum, zip(*map(numbers, periods), strict=True))) or (0,) * 10
        assert sums == numbers(counted.total)
    total = counted.total
    assert total.requests == len(requests) == total.asks + total.without_person
    parts = (total.approved, total.approved_for_session, total.refused, total.unavailable, total.unanswered)
    assert sum(parts) == total.asks
    assert sum(total.settled.values()) == total.without_person


@settings(max_examples=60, deadline=None)
@given(CALLS, st.randoms(use_true_random=False))
def test_the_order_of_calls_does_not_matter(found: list[Call], chance: random.Random) -> None:
    shuffled = list(found)
    chance.shuffle(shuffled)
    one, other = logged(found), logged(shuffled)
    assert volume(one) == volume(other)
    assert latency(one) == latency(other)
    assert bursts(one) == bursts(other)
    assert repeats(one) == repeats(other)
    assert always_approved(one, 2) == always_approved(other, 2)
    assert prompts_per_call(found, one) == prompts_per_call(shuffled, other)


@settings(max_examples=60, deadline=None)
@given(CALLS)
def test_the_parts_of_a_repeat_add_up(found: list[Call]) -> None:
    counted = repeats(logged(found))
    assert counted.repeats.numerator == counted.asks - counted.questions
    assert sum(part.questions for part in counted.answers) == counted.asked_again.numerator
    assert sum(part.repeats for part in counted.within) == counted.between.repeats
    assert counted.between.repeats <= counted.repeats.numerator
