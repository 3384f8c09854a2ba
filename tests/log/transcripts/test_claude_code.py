"""Project transcripts of Claude Code."""

from __future__ import annotations

from typing import Any

import pytest

from audit.log.transcripts.model import AgentFormat, CallOutcome, EntryKind, TranscriptCall

from .builders import SHOP, claude, claude_call, claude_result, only, read

MAPPED: list[tuple[str, dict[str, Any], str, dict[str, Any]]] = [
    ("Bash", {"command": "npm test", "description": "tests", "timeout": 9}, "bash", {"command": "npm test"}),
    ("Read", {"file_path": "/a", "offset": 3, "limit": 9}, "read", {"path": "/a", "offset": 3, "limit": 9}),
    ("Write", {"file_path": "/a", "content": "x"}, "write", {"path": "/a", "content": "x"}),
    (
        "Edit",
        {"file_path": "/a", "old_string": "x", "new_string": "y", "replace_all": False},
        "edit",
        {"path": "/a", "edits": [{"oldText": "x", "newText": "y"}]},
    ),
    (
        "MultiEdit",
        {
            "file_path": "/a",
            "edits": [{"old_string": "x", "new_string": "y"}, {"old_string": "u", "new_string": ""}],
        },
        "edit",
        {"path": "/a", "edits": [{"oldText": "x", "newText": "y"}, {"oldText": "u", "newText": ""}]},
    ),
    ("NotebookEdit", {"notebook_path": "/n.ipynb", "new_source": "x"}, "edit", {"path": "/n.ipynb"}),
    (
        "Grep",
        {"pattern": "a", "path": "src", "output_mode": "count"},
        "grep",
        {"pattern": "a", "path": "src"},
    ),
    ("Glob", {"pattern": "*.ts"}, "find", {"pattern": "*.ts"}),
    ("LS", {"path": "/a"}, "ls", {"path": "/a"}),
    ("Skill", {"skill": "release", "args": "x"}, "skill", {"name": "release"}),
    ("Skill", {"command": "release"}, "skill", {"name": "release"}),
    (
        "WebFetch",
        {"url": "https://till.example", "prompt": "x"},
        "WebFetch",
        {"url": "https://till.example", "prompt": "x"},
    ),
    ("TodoWrite", {"todos": []}, "TodoWrite", {"todos": []}),
    (
        "mcp__db__drop_table",
        {"table": "carts"},
        "mcp",
        {"tool": "drop_table", "server": "db", "arguments": {"table": "carts"}},
    ),
    ("mcp__plugin_shop_db__list__all", {}, "mcp", {"tool": "list__all", "server": "plugin_shop_db"}),
    ("mcp__db", {}, "mcp", {"tool": "db"}),
]


@pytest.mark.parametrize(("name", "given", "tool", "expected"), MAPPED)
def test_tools_in_the_permission_systems_terms(
    name: str, given: dict[str, Any], tool: str, expected: dict[str, Any]
) -> None:
    call = only(claude_call("toolu_0000001", name, given))
    assert (call.tool, call.input) == (tool, expected)


def test_a_call_has_all_that_the_line_says() -> None:
    assert only(
        claude_call("toolu_0000001", "LS", {"path": "src"}), claude_result("toolu_0000001")
    ) == TranscriptCall(
        source=AgentFormat.CLAUDE_CODE,
        session="claude-1",
        call_id="toolu_0000001",
        time="2026-07-14T09:00:01.000Z",
        cwd=SHOP,
        tool="ls",
        input={"path": "src"},
        outcome=CallOutcome.RAN,
    )


NO = "The user doesn't want to proceed with this tool use. The tool use was rejected."


@pytest.mark.parametrize(
    ("words", "error", "more", "outcome"),
    [
        ("ok", None, {}, CallOutcome.RAN),
        ("ok", False, {}, CallOutcome.RAN),
        (NO, False, {}, CallOutcome.RAN),
        ("Exit code 1", True, {}, CallOutcome.FAILED),
        ("<tool_use_error>File has not been read yet.</tool_use_error>", True, {}, CallOutcome.FAILED),
        (NO, True, {}, CallOutcome.REFUSED),
        ("whatever", True, {"toolUseResult": "User rejected tool use"}, CallOutcome.REFUSED),
        ("whatever", True, {"toolUseResult": {"stdout": "x"}}, CallOutcome.FAILED),
        ("whatever", True, {"toolDenialKind": "automode-blocked"}, CallOutcome.REFUSED),
        ("Permission to use Bash with command rm x has been denied.", True, {}, CallOutcome.REFUSED),
        (
            "Claude requested permissions to use Bash, but you haven't granted it yet.",
            True,
            {},
            CallOutcome.REFUSED,
        ),
        ("PreToolUse:Bash hook error: no", True, {}, CallOutcome.REFUSED),
    ],
)
def test_outcomes(words: str, error: bool | None, more: dict[str, Any], outcome: CallOutcome) -> None:
    call = only(
        claude_call("toolu_0000001", "Bash", {"command": "x"}),
        claude_result("toolu_0000001", words, 2, error, **more),
    )
    assert call.outcome is outcome


def test_a_text_in_parts_is_read_too() -> None:
    result = claude_result("toolu_0000001", error=True)
    result["message"]["content"][0]["content"] = [{"type": "text", "text": NO}]
    assert only(claude_call("toolu_0000001", "Bash", {"command": "x"}), result).outcome is CallOutcome.REFUSED


def test_a_subagent_in_its_own_file_has_its_kind_from_the_call_that_started_it() -> None:
    reading = read(
        claude_call("toolu_task0001", "Task", {"subagent_type": "reviewer", "prompt": "x"}),
        claude_call("toolu_0000002", "Bash", {"command": "ls"}, 2, isSidechain=True, agentId="a1b2c3d4"),
        claude_result(
            "toolu_task0001", "fine", 3, toolUseResult={"status": "completed", "agentId": "a1b2c3d4"}
        ),
    )
    [started, inner] = reading.calls
    assert (started.tool, started.agent, started.parent_session) == ("Task", None, None)
    assert (inner.agent, inner.session, inner.parent_session) == ("reviewer", "a1b2c3d4", "claude-1")


def test_a_subagent_nobody_names_keeps_its_identifier() -> None:
    call = only(claude_call("toolu_0000002", "Bash", {"command": "ls"}, isSidechain=True, agentId="a1b2c3d4"))
    assert call.agent == "a1b2c3d4"


def test_an_old_sidechain_has_no_name() -> None:
    call = only(claude_call("toolu_0000002", "Bash", {"command": "ls"}, isSidechain=True))
    assert (call.agent, call.session, call.parent_session) == (None, "claude-1", "claude-1")


def progress(number: int = 2) -> dict[str, Any]:
    part = {"type": "tool_use", "id": "toolu_0000002", "name": "Bash", "input": {"command": "ls"}}
    message = {"type": "assistant", "message": {"role": "assistant", "content": [part]}}
    data = {"type": "agent_progress", "agentId": "a1b2c3d4", "message": message}
    return claude("progress", number, data=data, parentToolUseID="toolu_task0001")


def test_progress_of_a_subagent_counts_once_beside_its_own_file() -> None:
    start = claude_call("toolu_task0001", "Agent", {"prompt": "x"})
    own = claude_call("toolu_0000002", "Bash", {"command": "ls"}, 2, isSidechain=True, agentId="a1b2c3d4")
    alone = read(start, progress())
    both = read(start, progress(), own)
    assert [call.agent for call in alone.calls] == [None, "general-purpose"]
    assert both.calls == alone.calls
    assert both.ledger.classes[EntryKind.DUPLICATE] == 1


def test_a_forked_session_names_its_origin() -> None:
    origin = {"sessionId": "claude-0", "messageUuid": "u1"}
    assert (
        only(claude_call("toolu_0000001", "LS", {"path": "a"}, forkedFrom=origin)).parent_session
        == "claude-0"
    )


@pytest.mark.parametrize(
    ("entry", "kind"),
    [
        ({"type": "summary", "summary": "Cart totals", "leafUuid": "u9"}, EntryKind.OTHER),
        ({"type": "file-history-snapshot", "messageId": "m", "snapshot": {}}, EntryKind.OTHER),
        (claude("system", subtype="turn_duration", durationMs=9), EntryKind.OTHER),
        (claude("user", message={"role": "user", "content": "please"}), EntryKind.OTHER),
        (claude("user", message={"role": "user", "content": ["please"]}), EntryKind.OTHER),
        (claude("progress", data={"type": "hook_progress"}), EntryKind.OTHER),
        (claude("dream"), EntryKind.UNKNOWN_KIND),
    ],
)
def test_lines_without_calls(entry: dict[str, Any], kind: EntryKind) -> None:
    reading = read(entry)
    assert reading.ledger.classes[kind] == 1
    assert list(reading.formats) == [AgentFormat.CLAUDE_CODE]
