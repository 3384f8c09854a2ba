"""Session files of Pi."""

from __future__ import annotations

import pytest

from audit.log.transcripts.model import AgentFormat, CallOutcome, EntryKind, TranscriptCall

from .builders import SHOP, only, pi_call, pi_entry, pi_header, pi_result, read


def test_a_call_has_all_that_the_file_says() -> None:
    assert only(
        pi_header(), pi_call("toolu_0000001", "bash", command="npm test"), pi_result("toolu_0000001")
    ) == (
        TranscriptCall(
            source=AgentFormat.PI,
            session="0198-pi",
            call_id="toolu_0000001",
            time="2026-07-14T08:00:01.000Z",
            cwd=SHOP,
            tool="bash",
            input={"command": "npm test"},
            agent=None,
            parent_session=None,
            outcome=CallOutcome.RAN,
        )
    )


@pytest.mark.parametrize(
    ("words", "error", "outcome"),
    [
        ("3 passed", False, CallOutcome.RAN),
        ("Command exited with code 1", True, CallOutcome.FAILED),
        ("[pi-permission-system] User denied bash command 'npm publish'.", True, CallOutcome.REFUSED),
        ("User denied tool 'write'.", True, CallOutcome.REFUSED),
        ("Agent 'scout' is not permitted to run 'mcp' command 'x'.", True, CallOutcome.REFUSED),
        ("Tool execution was blocked by an extension", True, CallOutcome.REFUSED),
        ("Skipped due to queued user message.", True, CallOutcome.NOT_RUN),
        ("Operation aborted", True, CallOutcome.UNKNOWN),
        # Only an error can be a refusal; a command may print anything.
        ("[pi-permission-system] said a file", False, CallOutcome.RAN),
    ],
)
def test_outcomes(words: str, error: bool, outcome: CallOutcome) -> None:
    call = only(
        pi_header(),
        pi_call("toolu_0000001", "bash", command="x"),
        pi_result("toolu_0000001", words, 2, error),
    )
    assert call.outcome is outcome


def test_a_call_without_a_result_is_of_unknown_outcome() -> None:
    assert only(pi_header(), pi_call("toolu_0000001", "bash", command="x")).outcome is CallOutcome.UNKNOWN


@pytest.mark.parametrize(
    "origin",
    [
        {"parentSession": "/home/dev/.pi/agent/sessions/--shop--/2026-07-13T07-00-00-000Z_0197-old.jsonl"},
        {"branchedFrom": "C:\\Users\\dev\\sessions\\2026-07-13T07-00-00-000Z_0197-old.jsonl"},
        {"parentSession": "0197-old"},
    ],
)
def test_a_fork_names_its_origin(origin: dict[str, str]) -> None:
    assert only(pi_header(**origin), pi_call("toolu_0000001", "read", path="a")).parent_session == "0197-old"


def test_the_first_version_has_neither_version_nor_identifiers() -> None:
    header = {
        "type": "session",
        "id": "v1",
        "timestamp": "2025-12-03T14:00:00.000Z",
        "cwd": SHOP,
        "provider": "x",
    }
    part = {"type": "toolCall", "id": "toolu_0000001", "name": "ls", "arguments": {"path": "src"}}
    entry = {
        "type": "message",
        "timestamp": "2025-12-03T14:00:02Z",
        "message": {"role": "assistant", "content": [part]},
    }
    call = only(header, entry)
    assert (call.session, call.tool, call.time) == ("v1", "ls", "2025-12-03T14:00:02.000Z")


def test_an_entry_says_which_agent_is_in_force() -> None:
    reading = read(
        pi_header(),
        pi_call("toolu_0000001", "ls", 1),
        pi_entry("custom", 2, customType="active_agent", data={"name": "builder"}),
        pi_call("toolu_0000002", "ls", 3),
        pi_entry("custom", 4, customType="active_agent", data={"name": None}),
        pi_call("toolu_0000003", "ls", 5),
        pi_header("another"),
        pi_call("toolu_0000004", "ls", 6),
    )
    assert [call.agent for call in reading.calls] == [None, "builder", None, None]
    assert [call.session for call in reading.calls] == ["0198-pi"] * 3 + ["another"]


def test_commands_of_the_user_are_no_tool_calls() -> None:
    typed = pi_entry("message", message={"role": "bashExecution", "command": "npm test", "exitCode": 0})
    reading = read(pi_header(), typed)
    assert reading.calls == ()
    assert reading.ledger.classes[EntryKind.OTHER] == 1


def test_several_calls_of_one_answer_stay_in_order() -> None:
    parts = [
        {"type": "toolCall", "id": f"toolu_000000{n}", "name": "read", "arguments": {"path": f"f{n}"}}
        for n in (3, 1, 2)
    ]
    reading = read(pi_header(), pi_entry("message", message={"role": "assistant", "content": parts}))
    assert [call.input["path"] for call in reading.calls] == ["f3", "f1", "f2"]
    assert reading.ledger.classes[EntryKind.CALLS] == 1


@pytest.mark.parametrize(
    ("entry", "kind"),
    [
        (pi_entry("telepathy"), "pi: telepathy"),
        (pi_entry("message", message={"role": "oracle", "content": "x"}), "pi: message/oracle"),
    ],
)
def test_unknown_kinds_are_counted_by_name(entry: dict[str, object], kind: str) -> None:
    reading = read(pi_header(), entry)
    assert reading.unknown_kinds == {kind: 1}
    assert reading.ledger.classes[EntryKind.UNKNOWN_KIND] == 1


def test_arguments_that_are_no_object_are_kept() -> None:
    part = {"type": "toolCall", "id": "toolu_0000001", "name": "notes", "arguments": "milk"}
    call = only(pi_header(), pi_entry("message", message={"role": "assistant", "content": [part]}))
    assert call.input == {"arguments": "milk"}


def test_an_identifier_that_is_used_again_takes_the_result_that_follows_it() -> None:
    reading = read(
        pi_header(),
        pi_call("call_0", "bash", 1, command="npm test"),
        pi_result("call_0", "ok", 2),
        pi_call("call_0", "bash", 3, command="npm test"),
        pi_result("call_0", "Command exited with code 1", 4, error=True),
    )
    assert [call.outcome for call in reading.calls] == [CallOutcome.RAN, CallOutcome.FAILED]
