"""What the agent called, as far as its lines tell."""

from __future__ import annotations

from typing import Any

import pytest

from audit.log.cases import Case, Exactness
from audit.log.previews import NOTHING, Reading, Shown, shown_members, shown_path
from audit.log.read import ReadOptions
from tests.log.lines import asked, at, data, external_message, gate, prompt, read, session_start, unit_message

PERM = "perm-00000000-0000-4000-8000-000000000001"
WHOLE = "cd beds && make seed"


def case_of(*lines: bytes | list[bytes], options: ReadOptions | None = None, call: str = "t1") -> Case:
    reading = read(data(session_start(-600, era=0), *lines), options=options)
    return reading.cases[next(found.case for found in reading.calls if found.id == call)]


def unit(second: float = 0, era: int = 8, full: str | None = None, call: str = "t1") -> list[bytes]:
    return asked("make seed", call, second, era=era, message=unit_message("make seed", full=full))


def test_the_sentence_names_the_whole_command() -> None:
    case = case_of(unit(full=WHOLE))
    assert (case.input, case.exactness) == ({"command": WHOLE}, Exactness.ASSUMED)


def test_another_gate_of_the_call_names_the_whole_command() -> None:
    for other in (
        asked(WHOLE, message=external_message(WHOLE, "/srv")),
        gate(
            "session_approved",
            at(-5),
            toolCallId="t1",
            toolName="bash",
            command=WHOLE,
            externalPaths=["/srv"],
        ),
        gate("session_approved", at(-5), toolCallId="t1", toolName="bash", command=WHOLE, tokens=["k"]),
    ):
        case = case_of(other, unit(5))
        assert case.input == {"command": WHOLE}
        assert "unit only" not in case.reasons


@pytest.mark.parametrize(
    ("lines", "partial"),
    [
        (unit(era=4), False),
        (unit(era=5), True),
        ([*unit(second=-60, era=5, full=WHOLE, call="t0"), *unit(era=5)], False),
        (unit(era=8), True),
        (
            [*asked("sh -c x", "t0", -60, message=unit_message("sh -c x", "<opaque-bash-wrapper>")), *unit()],
            False,
        ),
        (asked("make seed", era=11, requestId=PERM, message=None, surface="bash"), True),
    ],
    ids=["E4", "E5", "E5 with a suffix before", "E8 without", "E6 seen before", "E11"],
)
def test_a_unit_alone_is_whole_only_where_that_is_known(lines: list[bytes], partial: bool) -> None:
    case = case_of(lines)
    assert case.input == {"command": "make seed"}
    assert (case.exactness is Exactness.PARTIAL) == partial
    assert ("unit only" in case.reasons) == partial


def test_a_unit_and_a_whole_command_of_one_text_are_two_cases() -> None:
    whole = asked(
        "make seed", "t2", 30, message=external_message("make seed", "/srv", cwd="/home/mia/garden")
    )
    reading = read(data(session_start(-5), unit(), whole))
    assert len(reading.cases) == 2
    assert len({case.id for case in reading.cases}) == 2


@pytest.mark.parametrize(
    ("command", "era", "reason"),
    [
        ("x" * 1000 + "…", 11, "cut at the field cap"),
        ("\N{SEEDLING}" * 500 + "…", 11, "cut at the field cap"),
        ("x" * 999 + "…", 11, None),
        ("x" * 1000 + "…", 8, None),
        ("TOKEN=[redacted] make", 12, "masked"),
        ("echo [redacted]", 8, "masked"),
    ],
)
def test_cut_and_masked_commands_are_not_replayable(command: str, era: int, reason: str | None) -> None:
    if era > 10:
        lines = asked(command, era=era, requestId=PERM, message=None, surface="external_directory")
    else:
        lines = asked(command, era=era, message=external_message(command, "/srv"))
    case = case_of(lines)
    assert (case.exactness is Exactness.NOT_REPLAYABLE) == (reason is not None)
    if reason is not None:
        assert case.reasons == (reason,)
        assert read(data(lines)).ledger.classes == {f"not replayable: {reason}": 2}


def test_the_field_width_of_an_installation_can_be_supplied() -> None:
    lines = asked("x" * 50 + "…", era=11, requestId=PERM, message=None, surface="bash")
    assert case_of(lines, options=ReadOptions(field_width=50)).reasons == ("cut at the field cap",)


def test_a_session_hit_of_e3_does_not_tell_the_command() -> None:
    line = gate(
        "session_approved", at(0, 3), toolCallId="t1", toolName="bash", sessionApprovalPattern="make *"
    )
    assert case_of(line).reasons == ("no command",)


def test_a_shell_alias_is_known_but_not_its_argument_names() -> None:
    case = case_of(unit(-60, full=WHOLE, call="t0"), asked("make", toolName="exec_command"))
    assert (case.tool, case.input) == ("exec_command", {"command": "make"})
    assert case.exactness is Exactness.PARTIAL
    assert case.reasons[:2] == ("unit only", "argument names of a shell alias")


def tool(name: str, preview: str | None = None, **members: Any) -> bytes:
    shown = (
        f" with {preview}" if preview and preview.startswith("input") else f" {preview}" if preview else ""
    )
    message = f"Current agent requested tool '{name}'{shown}. Allow this call?"
    return prompt(
        "waiting", at(), **{"toolName": name, "toolInputPreview": preview, "message": message} | members
    )


@pytest.mark.parametrize(
    ("line", "given", "exactness", "reasons"),
    [
        (tool("read", "for path 'a b', offset 3"), {"path": "a b"}, Exactness.ASSUMED, ()),
        (tool("ls", "for current working directory"), {}, Exactness.ASSUMED, ()),
        (tool("grep", "for pattern 'x'"), {}, Exactness.ASSUMED, ()),
        (tool("read"), {}, Exactness.NOT_REPLAYABLE, ("no path",)),
        (tool("read", "for path '[redacted]'"), {}, Exactness.NOT_REPLAYABLE, ("masked",)),
        (tool("plant", 'input {"n":1}'), {"n": 1}, Exactness.EXACT, ()),
        (tool("plant", 'input {"path":"x"}'), {"path": "x"}, Exactness.ASSUMED, ()),
        (tool("plant"), {}, Exactness.EXACT, ()),
        (tool("plant", 'input {"n":"xx…'), {}, Exactness.PARTIAL, ("input known in part",)),
        (tool("plant", 'input {"key":"[redacted]"}'), {"key": "[redacted]"}, Exactness.PARTIAL, ()),
        (
            gate(
                "blocked",
                at(),
                toolCallId="t1",
                toolName="plant",
                origin="global",
                resolution="policy_denied",
            ),
            {},
            Exactness.PARTIAL,
            ("input not logged",),
        ),
        (
            prompt("waiting", at(), toolName="mcp", target="seeds:list", message="Current agent asked"),
            {"tool": "seeds:list"},
            Exactness.PARTIAL,
            ("MCP target only",),
        ),
        (
            prompt(
                "waiting", at(), toolName="mcp", target="mcp_connect_seeds", message="Current agent asked"
            ),
            {"connect": "seeds"},
            Exactness.PARTIAL,
            ("MCP target only",),
        ),
        (
            gate(
                "blocked", at(0, 12), toolCallId="t1", toolName="mcp", path=".env", resolution="policy_denied"
            ),
            {"path": ".env"},
            Exactness.PARTIAL,
            ("input known in part",),
        ),
    ],
)
def test_inputs_of_tools(
    line: bytes, given: dict[str, object], exactness: Exactness, reasons: tuple[str, ...]
) -> None:
    case = case_of(line)
    assert case.input == given
    assert case.exactness is exactness
    assert set(reasons) <= set(case.reasons)


@pytest.mark.parametrize(
    ("name", "preview", "shown"),
    [
        ("read", "for path 'a'", Shown(Reading.WHOLE, "a")),
        ("read", "for path 'it's, offset 2', offset 3, limit 9", Shown(Reading.WHOLE, "it's, offset 2")),
        (
            "write",
            "for 'a (1 line, 2 characters)' (1 line, 5 characters)",
            Shown(Reading.WHOLE, "a (1 line, 2 characters)"),
        ),
        ("edit", "for 'a' with edit input", Shown(Reading.WHOLE, "a")),
        (
            "edit",
            "for 'a' (3 replacements: edit #1 replaces 1 line with 2 lines, plus 2 additional edits)",
            Shown(Reading.WHOLE, "a"),
        ),
        ("grep", "for pattern 'x', path 'y', path 'lib'", Shown(Reading.WHOLE, "lib")),
        ("find", "for glob '*.py', current working directory", Shown(Reading.WHOLE)),
        ("ls", "for path '/srv'", Shown(Reading.WHOLE, "/srv")),
        ("read", "for path 'aaaa…", NOTHING),
        ("write", "for 'aaaa…", NOTHING),
        ("edit", "something else", NOTHING),
        ("grep", "something else", NOTHING),
    ],
)
def test_summaries_of_path_tools(name: str, preview: str, shown: Shown) -> None:
    assert shown_path(name, preview) == shown


@pytest.mark.parametrize(
    ("preview", "reading"),
    [
        ('input {"a":[1,2]}', Reading.WHOLE),
        ("input [1]", Reading.PART),
        ('input {"a":"b…', Reading.PART),
        ("for the garden", Reading.PART),
        ('input {"token":"[redacted]"}', Reading.PART),
        ("input " + "[" * 100_000, Reading.PART),
    ],
)
def test_previews_of_other_tools(preview: str, reading: Reading) -> None:
    assert shown_members(preview).reading is reading


def test_a_command_is_never_taken_apart_at_quotes() -> None:
    command = "echo 'a' (matched 'b'). Allow this command?"
    case = case_of(asked(command, message=unit_message(command, "echo *", full=f"cd x; {command}")))
    assert case.input == {"command": f"cd x; {command}"}
