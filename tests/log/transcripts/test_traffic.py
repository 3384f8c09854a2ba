"""Transcripts beside the review log."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from audit.log.cases import Case, CwdSource, Exactness
from audit.log.transcripts.model import AgentFormat, CallOutcome, TranscriptCall
from audit.log.transcripts.traffic import LoggedCall, Window, join_traffic, logged_calls

from .builders import SHOP


def in_log(
    call_id: str | None = None,
    second: int = 0,
    tool: str = "bash",
    input: Mapping[str, object] | None = None,  # noqa: A002 - as the record names it
    cwd: str | None = None,
) -> LoggedCall:
    given = {"command": "npm test"} if input is None else input
    return LoggedCall(call_id, moment(second), tool, given, cwd)


def moment(second: int) -> str:
    return f"2026-07-14T08:{second // 60:02d}:{second % 60:02d}.000Z"


def call(call_id: str, second: int = 0, command: str = "npm test", **more: Any) -> TranscriptCall:
    made = TranscriptCall(
        source=AgentFormat.PI,
        session="s",
        call_id=call_id,
        time=moment(second),
        cwd=SHOP,
        tool="bash",
        input={"command": command},
        outcome=CallOutcome.RAN,
    )
    return replace(made, **more)


def test_calls_are_joined_by_identifier_whatever_the_time() -> None:
    traffic = join_traffic(
        [call("toolu_0000001"), call("toolu_0000002", 5)], [in_log("toolu_0000002", 3000, "other", {})]
    )
    [pair] = traffic.joined
    assert pair.transcript.call_id == "toolu_0000002"
    assert [one.call_id for one in traffic.silent] == ["toolu_0000001"]
    assert traffic.calls == 2


@pytest.mark.parametrize(
    ("logged", "joined"),
    [
        (in_log(second=10), True),
        (in_log(second=129), True),
        (in_log(second=131), False),
        (in_log(second=5), True),
        (in_log(second=4), False),
        (in_log(second=10, cwd=SHOP), True),
        (in_log(second=10, cwd="/srv"), False),
        (in_log(second=10, tool="exec_command"), False),
        (in_log(second=10, input={"command": "npm run build"}), False),
        (in_log(second=10, input={}), False),
        (in_log("toolu_elsewhere", second=10), False),
        (in_log("7", second=10), False),
    ],
)
def test_without_an_identifier_tool_subject_and_time_decide(logged: LoggedCall, joined: bool) -> None:
    traffic = join_traffic([call("toolu_0000001", 10)], [logged])
    assert (len(traffic.joined), len(traffic.log_only)) == (joined, not joined)


def test_the_window_is_a_choice() -> None:
    one, other = [call("toolu_0000001", 10)], [in_log(second=200)]
    assert not join_traffic(one, other).joined
    assert join_traffic(one, other, Window(0, 600)).joined


def test_the_nearest_pair_goes_first_and_doubt_is_counted() -> None:
    calls = [call("toolu_0000001", 0), call("toolu_0000002", 60)]
    traffic = join_traffic(calls, [in_log(second=61), in_log(second=62)])
    assert [(pair.transcript.time, pair.logged.time) for pair in traffic.joined] == [
        (moment(0), moment(62)),
        (moment(60), moment(61)),
    ]
    assert traffic.ambiguous == 2


@pytest.mark.parametrize("second", [1, 30])
@pytest.mark.parametrize("call_id", ["", "call_0", "toolu_0000001"])
def test_a_call_that_was_dropped_before_any_gate_is_joined_last(call_id: str, second: int) -> None:
    dropped = call(call_id, second, outcome=CallOutcome.NOT_RUN)
    logged = in_log(call_id or None, second)
    for outcome in set(CallOutcome) - {CallOutcome.NOT_RUN}:
        kept = call(call_id, 1, outcome=outcome)
        traffic = join_traffic([dropped, kept], [logged])
        assert ([pair.transcript for pair in traffic.joined], traffic.not_run) == ([kept], (dropped,))
    assert [pair.transcript for pair in join_traffic([dropped], [logged]).joined] == [dropped]


@pytest.mark.parametrize(("tool", "joined"), [("bash", 1), ("read", 0)])
def test_a_counter_that_occurs_once_on_each_side_needs_the_tool_alone(tool: str, joined: int) -> None:
    traffic = join_traffic([call("tc_7", 0)], [in_log("tc_7", 900, tool, {})])
    assert len(traffic.joined) == joined


def test_a_counter_that_comes_again_needs_tool_and_time() -> None:
    calls = [call("call_0", 0), call("call_0", 600, "npm run build"), call("call_0", 900, tool="read")]
    logged = [in_log("call_0", 601, input={"command": "npm run build"}), in_log("call_0", 901)]
    traffic = join_traffic(calls, logged)
    [pair] = traffic.joined
    assert pair.transcript.time == moment(600)
    assert len(traffic.log_only) == 1


def test_what_nobody_logged_is_told_apart() -> None:
    calls = [
        call("toolu_0000001"),
        call("toolu_0000002", outcome=CallOutcome.UNKNOWN),
        call("toolu_0000003", outcome=CallOutcome.FAILED),
        call("toolu_0000004", outcome=CallOutcome.REFUSED),
        call("toolu_0000005", outcome=CallOutcome.NOT_RUN),
    ]
    traffic = join_traffic(calls, [])
    assert [one.call_id[-1] for one in traffic.silent] == ["1", "2", "3"]
    assert [one.call_id[-1] for one in traffic.stopped] == ["4"]
    assert [one.call_id[-1] for one in traffic.not_run] == ["5"]
    assert traffic.calls == 5


def test_agents_that_the_log_does_not_watch_stand_out() -> None:
    calls = [call("toolu_0000001"), call("toolu_0000002", source=AgentFormat.CODEX)]
    traffic = join_traffic(calls, [in_log("toolu_0000001")])
    assert traffic.unjoined_formats == (AgentFormat.CODEX,)


SECONDS = st.integers(0, 1) | st.integers(0, 300)
CALLS = st.lists(
    st.builds(
        call,
        st.sampled_from(["", "call_0", "toolu_0000001", "toolu_0000002", "toolu_0000003"]),
        SECONDS,
        st.sampled_from(["npm test", "npm run build"]),
        outcome=st.sampled_from(list(CallOutcome)),
        source=st.sampled_from(list(AgentFormat)),
        session=st.sampled_from(["s", "t"]),
        cwd=st.sampled_from([None, SHOP]),
        agent=st.sampled_from([None, "ann"]),
    ),
    max_size=8,
)
LOGGED = st.lists(
    st.builds(
        in_log,
        st.sampled_from([None, "call_0", "toolu_0000001", "toolu_0000002"]),
        SECONDS,
        input=st.sampled_from([{"command": "npm test"}, {"command": "npm run build"}, {}]),
        cwd=st.sampled_from([None, SHOP]),
    ),
    max_size=8,
)


@settings(max_examples=80, deadline=None)
@given(CALLS, LOGGED)
def test_every_call_of_both_sides_is_in_one_place(
    calls: list[TranscriptCall], logged: list[LoggedCall]
) -> None:
    traffic = join_traffic(calls, logged)
    mine = [pair.transcript for pair in traffic.joined] + [
        *traffic.silent,
        *traffic.stopped,
        *traffic.not_run,
    ]
    theirs = [pair.logged for pair in traffic.joined] + list(traffic.log_only)
    assert sorted(map(repr, mine)) == sorted(map(repr, calls))
    assert sorted(map(repr, theirs)) == sorted(map(repr, logged))
    assert traffic.calls == len(calls)
    unjoined = {one.source for one in calls} - {pair.transcript.source for pair in traffic.joined}
    assert set(traffic.unjoined_formats) == unjoined


PLAIN = replace(call("", 1), source=AgentFormat.PLAIN)
DROPPED = replace(PLAIN, outcome=CallOutcome.NOT_RUN)


@settings(max_examples=80, deadline=None)
@given(CALLS, LOGGED)
@example([*[call("")] * 6, PLAIN, DROPPED], [in_log(second=1)])
@example([call("", agent="b"), call("", agent="a"), call("", parent_session="r")], [in_log()])
def test_the_order_of_calls_does_not_matter(calls: list[TranscriptCall], logged: list[LoggedCall]) -> None:
    assert join_traffic(calls, logged) == join_traffic(calls[::-1], logged[::-1])


@dataclass(frozen=True)
class Pointing:
    id: str | None
    time: str
    cwd: str | None
    case: int


def test_calls_of_a_reading_of_the_log() -> None:
    case = Case(
        id="0" * 12,
        tool="bash",
        input={"command": "npm test"},
        agent=None,
        cwd=SHOP,
        cwd_source=CwdSource.RECORDED,
        exactness=Exactness.EXACT,
        reasons=(),
        occurrences=1,
        lines=2,
        first_seen=moment(3),
        last_seen=moment(3),
    )
    made = Pointing(None, moment(3), SHOP, 1)
    [one] = logged_calls([made], [replace(case, input={}), case])
    assert one == LoggedCall(None, moment(3), "bash", {"command": "npm test"}, SHOP)
    assert len(join_traffic([call("toolu_0000001", 2)], [one]).joined) == 1
