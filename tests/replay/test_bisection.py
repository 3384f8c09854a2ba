"""Bisection: where a change appears, whatever happens between."""

from __future__ import annotations

import pytest

from audit.core.action import Action
from audit.core.decide import Decision
from audit.protocol.engine import Decided, Detail, EngineInfo
from audit.replay.bisection import bisect
from audit.replay.change import ReplayRow
from audit.replay.run import Replay
from tests.replay.builders import case

INFO = EngineInfo("audit-core", "x", (Detail.DECISION,))
LETTERS = {"a": Action.ALLOW, "?": Action.ASK, "d": Action.DENY}


def decided(letter: str) -> Decided:
    action = LETTERS[letter]
    return Decided(Decision(action, action, ()))


class Steps:
    """Engines whose answers to each case are letters, one a step."""

    def __init__(self, *cases: str) -> None:
        self._cases = {f"case{number}": letters for number, letters in enumerate(cases)}
        self.asked: list[int] = []

    def __call__(self, step: int) -> Replay:
        self.asked.append(step)
        rows = tuple(
            ReplayRow(case(id=name), decided(letters[0]), decided(letters[step]))
            for name, letters in self._cases.items()
        )
        return Replay(rows, (), (INFO, INFO), Detail.DECISION)


@pytest.mark.parametrize(
    ("letters", "appears"),
    [("aaaa", None), ("a???", 1), ("aa??", 2), ("aaa?", 3), ("ad??", 2), ("a?a?", 1)],
)
def test_a_change_appears_where_it_begins_to_stay(letters: str, appears: int | None) -> None:
    # In the last list the steps 1 and 3 answer alike, so the one between them is not looked at.
    found = bisect(Steps(letters), len(letters))
    assert found.appears.get("case0") == appears


def test_steps_between_equal_ends_are_not_replayed() -> None:
    steps = Steps("a" * 40 + "?" * 24)
    found = bisect(steps, 64)
    assert found.appears == {"case0": 40}
    assert len(steps.asked) == len(set(steps.asked)) <= 8


def test_a_change_for_a_time_is_told_apart() -> None:
    found = bisect(Steps("a??a", "aaa?"), 4)
    assert found.appears == {"case1": 3}
    assert found.passing["case0"] == tuple(step for step in sorted(found.steps) if step in {1, 2})


def test_clusters_appear_each_at_its_own_step() -> None:
    found = bisect(Steps("a?????", "aaa???", "aaaaa?", "ad????"), 6)
    assert found.appears == {"case0": 1, "case1": 3, "case2": 5, "case3": 2}
