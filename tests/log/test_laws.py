"""Laws of reading: what holds for every log, however it is cut up."""

from __future__ import annotations

import random
from typing import Any

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st

from audit.log.cases import LogReading
from tests.log.lines import asked, at, data, external_message, gate, line, read, session_start
from tests.log.test_forwarding import eight

REJECTS = (b"", b"  ", b"null", b"{}", b'{"event":', b"\0\0", b"Segmentation fault", b'{"event":""}')


def conversation(seed: int) -> list[bytes]:
    """Return the lines of a small log, in order of time, with something of everything."""
    chance = random.Random(seed)  # noqa: S311 - a repeatable log
    lines: list[tuple[str, bytes]] = []
    second = 0.0
    for number in range(chance.randrange(1, 12)):
        second += chance.choice((0.0, 0.001, 1.0, 100.0, 4000.0))
        made = _some(chance, f"t{chance.randrange(9)}" if chance.random() < 0.2 else f"c{number}", second)
        lines += [(_stamp(text) or at(second), text) for text in made]
    lines.sort(key=lambda item: item[0])
    return [text for _, text in lines]


def _stamp(text: bytes) -> str:
    return text[14:38].decode() if text.startswith(b'{"timestamp') else ""


def _some(chance: random.Random, call: str, second: float) -> list[bytes]:
    command = chance.choice(("make", "mint tea", "cat /srv/a", "echo 'ä'"))
    answer = chance.choice(("approved", "approved_for_session", "denied", None))
    external: dict[str, Any] = {"message": external_message(command, "/srv/a")}
    common = {"toolCallId": call, "toolName": "bash", "command": command}
    kinds = [
        lambda: asked(command, call, second, answer),
        lambda: asked(command, call, second, answer, **external),
        lambda: asked(command, call, second, answer, requestId=f"perm-{call}", message=None, surface="bash"),
        lambda: [gate("blocked", at(second), **common, resolution="policy_denied", origin="global")],
        lambda: [gate("session_approved", at(second), **common, tokens=["a"])],
        lambda: [gate("blocked", at(second), toolName="bash", command=command, resolution="gate_error")],
        lambda: asked(command, call, second)[1:],
        lambda: [session_start(second, f"/home/mia/{chance.choice('ab')}")],
        lambda: [line("weather.changed", at(second), wind=chance.randrange(3))],
        lambda: [chance.choice(REJECTS)],
        lambda: [text.replace(b'"t1"', f'"{call}"'.encode()) for text in eight()] if second < 1 else [],
    ]
    return list(chance.choice(kinds)())


def told(reading: LogReading) -> dict[str, Any]:
    """Return all of a reading that does not name files or count copies."""
    classes = {
        name: count
        for name, count in reading.ledger.classes.items()
        if name not in {"duplicate line", "blank"}
    }
    return {
        "cases": reading.cases,
        "classes": classes,
        "eras": reading.eras,
        "calls": [
            (call.id, call.time, call.cwd, call.case, [_without_lines(request) for request in call.requests])
            for call in reading.calls
        ],
        "ends": (reading.first, reading.last),
        "unknown": reading.unknown_events,
        "rejects": sorted((reject.why, reject.text) for reject in reading.rejects),
    }


def _without_lines(request: Any) -> Any:
    return msgspec.structs.replace(request, lines=(), twins=())


def _clear(lines: list[bytes]) -> list[int]:
    """Return the places between two lines of different moments.

    Files that begin or end in the same millisecond have no order that the log would tell.
    """
    moments = [_stamp(text) for text in lines]
    between = [place for place in range(1, len(lines)) if len({"", *moments[place - 1 : place + 1]}) == 3]
    return [0, *between, len(lines)]


logs = st.integers(0, 10**6).map(conversation)


@given(logs)
@settings(max_examples=60, deadline=None)
def test_every_line_is_in_exactly_one_class(lines: list[bytes]) -> None:
    reading = read(data(lines))
    assert reading.ledger.lines == len(lines)
    in_requests = [number for call in reading.calls for number in call.lines]
    assert len(in_requests) == len(set(in_requests))
    assert sum(case.lines for case in reading.cases) == len(in_requests)
    classes = reading.ledger.classes
    assert sum(classes[name] for name in reading.case_classes) == len(in_requests)
    entries = sum(reading.eras.values())
    assert entries + classes.get("blank", 0) + len(reading.rejects) + classes.get("duplicate line", 0) == len(
        lines
    )
    rest = sum(
        count
        for name, count in classes.items()
        if name.startswith(("other event", "transport", "orphan", "link decision", "debug stream"))
    )
    assert entries == len(in_requests) + rest


@given(logs, st.data())
@settings(max_examples=60, deadline=None)
def test_cutting_a_log_into_files_in_any_order_changes_nothing(
    lines: list[bytes], choices: st.DataObject
) -> None:
    places = sorted(choices.draw(st.lists(st.sampled_from(_clear(lines)), max_size=3)))
    starts, ends = [0, *places], [*places, len(lines)]
    pieces = [data(lines[start:end]) for start, end in zip(starts, ends, strict=True)]
    order = choices.draw(st.permutations(pieces))
    whole, split = read(data(lines)), read(*order)
    assert told(split) == told(whole)
    assert split.ledger.lines == whole.ledger.lines


@given(logs)
@settings(max_examples=60, deadline=None)
def test_reading_a_log_twice_changes_nothing(lines: list[bytes]) -> None:
    content = data(lines)
    once, twice = read(content), read(content, content)
    assert told(twice) == told(once)
    assert twice.digest == once.digest


@given(logs, st.data())
@settings(max_examples=60, deadline=None)
def test_a_copy_of_a_part_changes_nothing(lines: list[bytes], choices: st.DataObject) -> None:
    start, end = sorted(choices.draw(st.sampled_from(_clear(lines))) for _ in range(2))
    whole = data(lines)
    for files in ((whole, data(lines[start:end])), (data(lines[start:end]), whole)):
        assert told(read(*files)) == told(read(whole))
    rotated = (data(lines[:end]), data(lines[start:]))
    assert told(read(*rotated)) == told(read(whole))


@given(logs, st.data())
@settings(max_examples=60, deadline=None)
def test_cutting_a_file_at_any_byte_loses_at_most_the_last_line(
    lines: list[bytes], choices: st.DataObject
) -> None:
    content = data(lines)
    end = choices.draw(st.integers(0, len(content)))
    cut = read(content[:end])
    complete = content[:end].count(b"\n")
    kept = read(b"".join(text + b"\n" for text in content.split(b"\n")[:complete]))
    left = content[:end].rpartition(b"\n")[2]
    assert cut.ledger.lines == complete + bool(left)
    if left and len(cut.rejects) > len(kept.rejects):
        assert told(cut)["calls"] == told(kept)["calls"]
    elif not left:
        assert told(cut) == told(kept)


@given(logs)
@settings(max_examples=30, deadline=None)
def test_the_digest_names_the_contents_and_not_their_order(lines: list[bytes]) -> None:
    one, other = data(lines), data([b"x", *lines])
    assert read(one, other).digest == read(other, one, other).digest != read(one).digest
