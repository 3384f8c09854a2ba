"""Plain call files: one call a line."""

from __future__ import annotations

import json

from audit.log.source import source_of
from audit.log.transcripts.model import AgentFormat, CallOutcome, EntryKind
from audit.log.transcripts.read import read_transcripts
from audit.log.transcripts.reading import with_transcripts
from tests.log.lines import asked, at, data, read


def line(**members: object) -> str:
    call = {"tool": "bash", "input": {"command": "git status"}}
    return json.dumps({"call_id": "call-000001", "time": "2026-07-14T10:00:00Z", "call": call, **members})


def test_a_call_is_read_with_all_that_it_says() -> None:
    text = line(session="s1", cwd="/home/dev/shop", agent="scout", outcome="allowed", later=1)
    reading = read_transcripts([source_of("calls.jsonl", text.encode())])
    [call] = reading.calls
    assert (call.source, call.session, call.cwd, call.agent) == (
        AgentFormat.PLAIN,
        "s1",
        "/home/dev/shop",
        "scout",
    )
    assert call.time == "2026-07-14T10:00:00.000Z"
    assert call.input == {"command": "git status"}
    assert call.outcome is CallOutcome.RAN
    assert reading.ledger.classes[EntryKind.CALLS] == 1


def test_what_is_no_call_is_counted_apart() -> None:
    lines = ["", "{nothing", json.dumps({"call": 1, "time": "x"}), line(call={"input": {}}), line()]
    reading = read_transcripts([source_of("calls.jsonl", "\n".join(lines).encode())])
    assert len(reading.calls) == 1
    assert sum(reading.ledger.classes.values()) == reading.ledger.lines == 5
    assert len(reading.rejects) == 2


def test_the_same_file_twice_counts_once() -> None:
    data = (line() + "\n" + line(call_id="call-000002")).encode()
    reading = read_transcripts([source_of("a.jsonl", data), source_of("b.jsonl", data)])
    assert len(reading.calls) == 2


def test_calls_of_one_moment_stay_in_the_order_of_their_lines() -> None:
    log = data(asked("git status", "z-000001"), asked("git fetch", "a-000001", answer="denied"))
    made = [
        line(call_id=call_id, time=at(0), session="s1") for call_id in ("z-000001", "m-000001", "a-000001")
    ]
    transcripts = read_transcripts([source_of("calls.jsonl", "\n".join(made).encode())])
    both = with_transcripts(read(log), transcripts).reading
    assert [call.id for call in both.calls] == ["z-000001", "m-000001", "a-000001"]
