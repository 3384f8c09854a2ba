"""Reading: classes of lines, damage, duplicates, and what must hold for any input."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from audit.log.moments import utc_time
from audit.log.source import LogSource, source_of
from audit.log.transcripts.model import AgentFormat, CallOutcome, EntryKind, TranscriptReading
from audit.log.transcripts.read import read_transcripts

from .builders import (
    claude,
    claude_call,
    claude_result,
    codex_call,
    codex_header,
    codex_output,
    pi_call,
    pi_entry,
    pi_header,
    pi_result,
    read,
    source,
)


def content(one: LogSource) -> bytes:
    with one.open() as stream:
        return stream.read()


def classes(reading: TranscriptReading) -> dict[str, int]:
    return {kind: count for kind, count in reading.ledger.classes.items() if count}


PI = (
    pi_header(),
    pi_call("toolu_0000001", "bash", 1, command="npm test"),
    pi_result("toolu_0000001", "ok", 2),
)
CLAUDE = (claude_call("toolu_0000011", "Bash", {"command": "npm test"}), claude_result("toolu_0000011"))
CODEX = (
    codex_header(),
    codex_call("call_00000021", "exec_command", {"cmd": "npm test"}),
    codex_output("call_00000021", "Exit code: 0"),
)


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        ("", EntryKind.BLANK),
        ("   ", EntryKind.BLANK),
        ('{"type":"mess', EntryKind.REJECT),
        ("Segmentation fault", EntryKind.REJECT),
        (b"\0\0\0\0", EntryKind.REJECT),
        (b'{"type":"session","id":"\xff"}', EntryKind.REJECT),
        ("[1]", EntryKind.REJECT),
        ('"text"', EntryKind.REJECT),
        ("[" * 100_000, EntryKind.REJECT),
        (pi_entry("message", message={"role": 5}), EntryKind.REJECT),
        ({"msg": "some other log"}, EntryKind.FOREIGN),
        ({"type": "thread.started", "thread_id": "x"}, EntryKind.FOREIGN),
    ],
)
def test_each_line_has_a_class(line: Any, kind: EntryKind) -> None:
    reading = read(*PI, line)
    expected = {EntryKind.SESSION: 1, EntryKind.CALLS: 1, EntryKind.RESULTS: 1, kind: 1}
    assert classes(reading) == expected
    assert [reject.line for reject in reading.rejects] == ([4] if kind is EntryKind.REJECT else [])


def test_a_reject_says_where_and_why() -> None:
    [reject] = read_transcripts([source(*PI, "x" * 500, name="damaged.jsonl")]).rejects
    assert (reject.file, reject.line, reject.text) == ("damaged.jsonl", 4, "x" * 200)
    assert reject.why.startswith("no JSON")


def test_half_a_surrogate_pair_is_kept() -> None:
    line = json.dumps(pi_call("toolu_0000001", "bash", command="echo \ud83d"))
    assert "\\ud83d" in line
    [call] = read(pi_header(), line).calls
    assert call.input == {"command": "echo \ud83d"}


def test_a_source_may_hold_the_sessions_of_several_agents() -> None:
    reading = read(*CODEX, *PI, *CLAUDE, *PI[:1])
    assert reading.formats == {AgentFormat.PI: 4, AgentFormat.CLAUDE_CODE: 2, AgentFormat.CODEX: 3}
    assert [call.source for call in reading.calls] == ["pi", "claude-code", "codex"]
    assert [session.calls for session in reading.sessions] == [1, 1, 1]
    assert [call.outcome for call in reading.calls] == [CallOutcome.RAN] * 3


def test_line_ends_do_not_matter() -> None:
    plain = source(*PI)
    other = source_of("other", content(plain).replace(b"\n", b"\r\n").removesuffix(b"\r\n"))
    assert read_transcripts([plain, other]).ledger.classes[EntryKind.DUPLICATE] == 3
    assert read_transcripts([other]).calls == read_transcripts([plain]).calls


def test_the_same_file_twice_counts_once() -> None:
    once = read_transcripts([source(*PI, "bad")])
    twice = read_transcripts([source(*PI, "bad", name="b"), source(*PI, "bad", name="a")])
    assert (twice.calls, twice.sessions, twice.digest) == (once.calls, once.sessions, once.digest)
    assert (twice.ledger.lines, twice.ledger.classes[EntryKind.DUPLICATE]) == (8, 4)
    assert [reject.file for reject in twice.rejects] == ["a"]


def test_a_longer_copy_adds_only_what_is_new() -> None:
    more = (pi_call("toolu_0000002", "ls", 3, path="src"), pi_result("toolu_0000002", "x", 4))
    reading = read_transcripts([source(*PI, *more), source(*PI)])
    assert [call.call_id for call in reading.calls] == ["toolu_0000001", "toolu_0000002"]
    expected = {EntryKind.SESSION: 2, EntryKind.CALLS: 2, EntryKind.RESULTS: 2, EntryKind.DUPLICATE: 2}
    assert classes(reading) == expected


def test_a_call_belongs_to_the_session_it_was_made_in_not_to_its_fork() -> None:
    origin = source(*PI)
    header = pi_header("fork", parentSession="0198-pi")
    header["timestamp"] = "2026-07-14T09:30:00.000Z"
    own = pi_call("toolu_0000009", "ls", 9, path="src")
    fork = source(header, *PI[1:], own, name="fork")
    for sources in ([origin, fork], [fork, origin]):
        assert [call.session for call in read_transcripts(sources).calls] == ["0198-pi", "fork"]


def test_a_resumed_session_repeats_the_lines_under_its_own_name() -> None:
    resumed = [claude_call("toolu_0000011", "Bash", {"command": "npm test"}, sessionId="claude-2")]
    resumed.append(claude_result("toolu_0000011", sessionId="claude-2"))
    resumed.append(claude_call("toolu_0000012", "LS", {"path": "src"}, 5, sessionId="claude-2"))
    reading = read_transcripts([source(*resumed, name="b"), source(*CLAUDE, name="a")])
    assert [call.session for call in reading.calls] == ["claude-1", "claude-2"]
    assert reading.ledger.classes[EntryKind.DUPLICATE] == 2


def test_the_same_identifier_with_another_content_is_another_call() -> None:
    other = claude_call("toolu_0000011", "Bash", {"command": "npm run build"}, 3)
    assert len(read(*CLAUDE, other).calls) == 2


def test_a_counter_as_identifier_means_one_call_only_at_one_time() -> None:
    first = pi_call("call_0", "bash", 1, command="npm test")
    later = pi_call("call_0", "bash", 3, command="npm test")
    assert len(read(pi_header(), first, later, first).calls) == 2


def test_calls_without_an_identifier_are_told_apart_by_time() -> None:
    search = {"type": "web_search_call", "status": "completed", "action": {"type": "search", "query": "x"}}
    lines = [
        {"timestamp": f"2026-07-14T10:00:0{n}Z", "type": "response_item", "payload": search}
        for n in (1, 2, 1)
    ]
    assert len(read(codex_header(), *lines).calls) == 2


def test_a_result_in_another_file_is_found() -> None:
    parts = [source(*PI[:2], name="a"), source(PI[2], name="b")]
    assert read_transcripts(parts).calls[0].outcome is CallOutcome.RAN
    assert not read_transcripts(parts[1:]).calls


def test_nothing_is_a_reading_too() -> None:
    reading = read_transcripts([])
    assert (reading.calls, reading.ledger.lines, reading.formats) == ((), 0, {})


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("2026-07-14T08:00:00.123Z", "2026-07-14T08:00:00.123Z"),
        ("2026-07-14T08:00:00Z", "2026-07-14T08:00:00.000Z"),
        ("2026-07-14T10:00:00.123456+02:00", "2026-07-14T08:00:00.123Z"),
        ("2026-07-14T08:00:00.1234567Z", "2026-07-14T08:00:00.123Z"),
        ("2026-07-14T08:00:00.5", "2026-07-14T08:00:00.500Z"),
        (1784016000123, "2026-07-14T08:00:00.123Z"),
        (1784016000, "2026-07-14T08:00:00.000Z"),
        ("yesterday", None),
        ("", None),
        (1e300, None),
        (None, None),
        (True, None),
    ],
)
def test_moments(value: Any, expected: str | None) -> None:
    assert utc_time(value) == expected


# Laws

TESTED = {"time": "2026-07-14T10:00:00Z", "call": {"tool": "bash", "input": {"command": "npm test"}}}
PLAIN = (TESTED, {**TESTED, "outcome": "allowed"}, {**TESTED, "agent": "ann"})
ENTRIES: list[Any] = [
    *PI,
    *CLAUDE,
    *CODEX,
    pi_header("another"),
    pi_call("toolu_0000002", "read", 7, path="a"),
    pi_call("call_0", "bash", 8, command="npm test"),
    pi_entry("telepathy", 9),
    claude("dream"),
    claude_call("toolu_0000001", "Bash", {"command": "npm test"}, 3, sessionId="claude-2"),
    codex_header("child", forked_from_id="0198-codex"),
    {"record_type": "state"},
    *PLAIN,
    {"other": 1},
    "",
    "broken {",
]
FILES = st.lists(st.lists(st.sampled_from(ENTRIES), max_size=8), max_size=4)


def sources_of(files: list[list[Any]]) -> list[LogSource]:
    return [source(*entries, name=f"{number}.jsonl") for number, entries in enumerate(files)]


@settings(max_examples=60, deadline=None)
@given(FILES)
def test_the_lines_add_up(files: list[list[Any]]) -> None:
    reading = read_transcripts(sources_of(files))
    counts = reading.ledger.classes
    assert reading.ledger.lines == sum(map(len, files)) == sum(counts.values())
    assert counts[EntryKind.UNKNOWN_KIND] == sum(reading.unknown_kinds.values())
    assert counts[EntryKind.REJECT] == len(reading.rejects)
    entries = reading.ledger.lines - sum(counts[kind] for kind in ("blank", "reject", "unknown format"))
    assert sum(reading.formats.values()) <= entries
    assert sum(session.calls for session in reading.sessions) == len(reading.calls)


@settings(max_examples=60, deadline=None)
@given(FILES, st.randoms(use_true_random=False))
def test_the_order_of_files_does_not_matter(files: list[list[Any]], chance: Any) -> None:
    sources = sources_of(files)
    mixed = list(sources)
    chance.shuffle(mixed)
    assert read_transcripts(mixed) == read_transcripts(sources)


@settings(max_examples=60, deadline=None)
@given(FILES)
def test_reading_twice_changes_nothing(files: list[list[Any]]) -> None:
    sources = sources_of(files)
    once, twice = read_transcripts(sources), read_transcripts(sources + sources)
    assert (twice.calls, twice.sessions, twice.formats, twice.unknown_kinds, twice.digest) == (
        once.calls,
        once.sessions,
        once.formats,
        once.unknown_kinds,
        once.digest,
    )
    assert twice.ledger.lines == 2 * once.ledger.lines
    kinds = [kind for kind in EntryKind if kind is not EntryKind.DUPLICATE]
    assert [twice.ledger.classes[kind] for kind in kinds] == [once.ledger.classes[kind] for kind in kinds]


WHOLE = content(source(*PI, *CLAUDE, *CODEX))


@settings(max_examples=80, deadline=None)
@given(st.integers(0, len(WHOLE)))
def test_a_cut_loses_at_most_the_last_line(at: int) -> None:
    cut = source_of("cut", WHOLE[:at])
    whole = source_of("whole", WHOLE[: WHOLE.rfind(b"\n", 0, at) + 1])
    lost, kept = read_transcripts([cut]), read_transcripts([whole])
    assert lost.calls[: len(kept.calls)] == kept.calls or len(lost.calls) == len(kept.calls)
    assert len(lost.calls) - len(kept.calls) in (0, 1)
    assert lost.ledger.lines - kept.ledger.lines in (0, 1)
    assert len(lost.rejects) <= 1
