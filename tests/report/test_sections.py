from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audit.measures.measure import Count, Share, Unit
from audit.report.sections import (
    Group,
    Shown,
    bound_note,
    counted,
    difference,
    few_note,
    percent,
    plural,
    share,
    share_with_unit,
)


@pytest.mark.parametrize(
    ("part", "whole", "text"),
    [
        (1, 3, "33.3%"),
        (0, 3, "0.0%"),
        (3, 3, "100.0%"),
        (1, 100_000, "<0.1%"),
        (99_999, 100_000, ">99.9%"),
        (-1, 3, "-33.3%"),
        (0, 0, "-"),
    ],
)
def test_percentages_never_round_to_nothing_or_all(part: int, whole: int, text: str) -> None:
    assert percent(part, whole) == text


@given(st.integers(0, 5000), st.integers(1, 5000))
def test_a_share_shows_both_integers(part: int, whole: int) -> None:
    part = min(part, whole)
    assert share(Share(part, whole, Unit.CALL)).startswith(f"{part:,} of {whole:,} (")
    assert f"of {plural(whole, 'call')} (" in share_with_unit(Share(part, whole, Unit.CALL))


def test_an_empty_whole_has_no_percentage() -> None:
    assert share(Share(0, 0, Unit.CALL)) == "0 of 0"
    assert share_with_unit(Share(0, 0, Unit.CALL)) == "0 of 0 calls"
    assert difference(0, 0) == "0 of 0"


def test_differences_carry_their_sign() -> None:
    assert difference(5, 200) == "+5 of 200 (+2.5 pp)"
    assert difference(-5, 200) == "-5 of 200 (-2.5 pp)"
    assert difference(0, 200) == "0 of 200 (0.0 pp)"


def test_a_bound_is_called_a_bound() -> None:
    bound = Share(0, 1000, Unit.COMMAND).bound
    assert bound is not None
    (sentence,) = bound_note(bound)
    assert "up to 3 in 1,000 (0.3%)" in str(sentence)
    assert "upper bound and not a rate" in str(sentence)


def test_a_cut_list_says_by_how_much() -> None:
    shown = tuple(Shown(str(number), (), ()) for number in range(4))
    group = Group("t", shown, (Count(5, 9), Count(1, 2), Count(1, 1), Count(1, 1)))
    assert group.rest(4) is None
    line = group.rest(1)
    assert line is not None
    assert str(line[0]).startswith("and 3 more shapes with 3 distinct commands (4 calls);")


def test_a_small_whole_is_warned_about() -> None:
    few, many, none = (Share(0, whole, Unit.CALL) for whole in (29, 30, 0))
    assert few_note((many, none)) == ()
    ((sentence,),) = few_note((many, few))
    assert "fewer than 30, down to 29 calls" in str(sentence)


def test_plurals() -> None:
    assert counted(Count(1, 1)) == "1 distinct command (1 call)"
    assert counted(Count(1200, 0)) == "1,200 distinct commands (0 calls)"
