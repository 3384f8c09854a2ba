from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audit.log.cases import Exactness, LineLedger
from audit.protocol.engine import Detail, EngineInfo
from audit.replay.change import ReplayRow
from audit.replay.ledger import Fate, replay_ledger
from audit.replay.run import NotReplayed, Replay
from tests.replay.builders import ASK, case, check, decided, failed

INFO = EngineInfo("fake", "1", tuple(Detail))
ANSWER = decided(check(ASK))


def done(rows: list[ReplayRow], left: list[NotReplayed]) -> Replay:
    return Replay(tuple(rows), tuple(left), (INFO, INFO), Detail.PROGRAM)


def test_every_line_is_in_one_class() -> None:
    replayed = [
        ReplayRow(case("a", 2, lines=5), ANSWER, ANSWER),
        ReplayRow(
            case("b", exactness=Exactness.ASSUMED, reasons=("working directory inferred",)), ANSWER, ANSWER
        ),
        ReplayRow(case("c", exactness=Exactness.PARTIAL, reasons=("unit only",)), ANSWER, ANSWER),
        ReplayRow(case("d", 3), ANSWER, failed()),
    ]
    left = [NotReplayed(case("e…", 4, exactness=Exactness.NOT_REPLAYABLE), ("cut at the field cap",))]
    log = LineLedger(20, {"call": 14, "blank": 4, "other event": 2, "unreadable": 0})
    ledger = replay_ledger(log, {"call"}, done(replayed, left))
    assert {entry.name: (entry.lines, entry.commands, entry.calls) for entry in ledger.entries} == {
        "replayed exactly": (5, 1, 2),
        "replayed on assumptions: working directory inferred": (1, 1, 1),
        "replayed in part: unit only": (1, 1, 1),
        "put to the engines, not decided: candidate too-large": (3, 1, 3),
        "not replayable: cut at the field cap": (4, 1, 4),
        "not a call to replay: blank": (4, 0, 0),
        "not a call to replay: other event": (2, 0, 0),
    }
    assert (ledger.lines, ledger.commands, ledger.calls) == (20, 5, 11)
    assert [entry.lines for entry in ledger.of(Fate.NO_CASE)] == [4, 2]


def test_a_line_that_no_class_holds_is_an_error() -> None:
    rows = [ReplayRow(case("a", lines=2), ANSWER, ANSWER)]
    with pytest.raises(AssertionError, match="2 lines of 3"):
        replay_ledger(LineLedger(3, {"call": 3}), {"call"}, done(rows, []))


@given(st.lists(st.tuples(st.integers(1, 9), st.integers(1, 9), st.sampled_from(Exactness)), max_size=12))
def test_the_parts_add_up_to_the_whole(drawn) -> None:
    rows, left = [], []
    for number, (occurrences, lines, exactness) in enumerate(drawn):
        one = case(f"c{number}", occurrences, lines=lines, exactness=exactness, reasons=(str(number % 2),))
        if exactness is Exactness.NOT_REPLAYABLE:
            left.append(NotReplayed(one, one.reasons))
        else:
            rows.append(ReplayRow(one, ANSWER, ANSWER))
    total = sum(lines for _, lines, _ in drawn)
    ledger = replay_ledger(LineLedger(total + 7, {"call": total, "blank": 7}), {"call"}, done(rows, left))
    assert sum(entry.lines for entry in ledger.entries) == total + 7
    assert sum(entry.commands for entry in ledger.entries) == len(drawn)
    assert len({entry.name for entry in ledger.entries}) == len(ledger.entries)
