"""Lines that are no entries, and entries that are not as documented."""

from __future__ import annotations

import pytest

from audit.errors import EmptyLog, NoUsableLine
from audit.log.read import require_usable
from tests.log.lines import asked, at, data, gate, line, outcomes, prompt, read, unit_message

WHOLE = prompt("waiting", at(), command="make", message=unit_message("make"))


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (WHOLE[:60], "cut short"),
        (WHOLE[:-1], "cut short"),
        (WHOLE[:-2], "cut short"),
        (WHOLE + WHOLE, "text after the object"),
        (b"\0\0\0" + WHOLE[40:], "not JSON"),
        (WHOLE[30:], "not JSON"),
        (b"Segmentation fault", "not JSON"),
        (b'{"event": "\xff\xfe"}', "not UTF-8"),
        (b"null", "not an object"),
        (b"[]", "not an object"),
        (b'"permission_request.waiting"', "not an object"),
        (b"{}", "no event"),
        (b'{"event": 7}', "no event"),
        (b'{"event": ""}', "no event"),
        (b"[" * 100_000, "not JSON"),
    ],
)
def test_each_kind_of_reject_has_its_class_and_its_place(text: bytes, why: str) -> None:
    reading = read(data(asked(), text, asked(call="t2", second=9)))
    assert reading.ledger.classes[f"unparsable: {why}"] == 1
    (reject,) = reading.rejects
    assert (reject.file, reject.line, reject.why) == ("log0", 3, why)
    assert reject.text.encode("utf-8", "surrogateescape") == text
    assert len(reading.calls) == 2


def test_blank_lines_are_no_rejects() -> None:
    reading = read(b"\n  \r\n" + data(asked()) + b"\n")
    assert reading.ledger.classes["blank"] == 3
    assert not reading.rejects


def test_a_byte_order_mark_and_carriage_returns_do_no_harm() -> None:
    reading = read(b"\xef\xbb\xbf" + b"\r\n".join(asked()) + b"\r\n")
    assert outcomes(reading) == [[("tool", "approved")]]


@pytest.mark.parametrize("escape", [r"\ud83d", "\ud83d"])
def test_half_a_character_is_kept(escape: str) -> None:
    lines = data(asked("echo HALF")).decode().replace("HALF", escape).encode("utf-8", "surrogatepass")
    (case,) = read(lines).cases
    assert case.input == {"command": "echo \ud83d"}


def test_unknown_members_and_events_are_counted_and_cost_nothing() -> None:
    reading = read(
        data(
            asked(mood="calm", colour={"hue": 1}),
            line("weather.changed", at(5), wind=3),
            line("weather.changed", at(6)),
        )
    )
    assert reading.unknown_members == {"mood": 2, "colour": 2, "wind": 1}
    assert reading.unknown_events == {"weather.changed": 2}
    assert reading.ledger.classes["other event: weather.changed"] == 2
    assert outcomes(reading) == [[("tool", "approved")]]


def test_members_of_a_wrong_type_are_dropped_and_named() -> None:
    reading = read(data(asked(agentName=7, externalPaths=5)))
    assert reading.misfits == {"agentName": 2, "externalPaths": 2}
    assert outcomes(reading) == [[("tool", "approved")]]
    assert reading.calls[0].agent is None


def test_members_may_stand_in_any_order_and_any_may_be_missing() -> None:
    waiting = b'{"command":"ls","toolCallId":"t1","event":"permission_request.waiting","toolName":"bash"}'
    bare = b'{"event":"permission_request.blocked"}'
    reading = read(data(waiting, bare))
    assert sorted(outcomes(reading)) == [[("tool", "unanswered")], [("unknown", "gate_error")]]
    assert reading.first is None


@pytest.mark.parametrize(
    ("stamp", "moment"),
    [
        ("2026-07-14T12:00:00.000+02:00", "2026-07-14T10:00:00.000Z"),
        ("2026-07-14T10:00:00", "2026-07-14T10:00:00.000Z"),
        ("yesterday", ""),
        ("0001-01-01T00:00:00.000+10:00", ""),
    ],
)
def test_moments_are_brought_to_one_form(stamp: str, moment: str) -> None:
    (call,) = read(data(gate("blocked", stamp, toolCallId="t1", toolName="bash", command="ls"))).calls
    assert call.time == moment


def test_a_log_without_an_entry_is_refused() -> None:
    with pytest.raises(EmptyLog):
        require_usable(read(b"\n \n"))
    with pytest.raises(EmptyLog):
        require_usable(read())
    with pytest.raises(NoUsableLine):
        require_usable(read(b"hello\n{}\n\n"))
    require_usable(read(data(asked())))
