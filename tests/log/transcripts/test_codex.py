"""Rollouts of Codex, old and new."""

from __future__ import annotations

import json
from typing import Any

import pytest

from audit.log.transcripts.model import AgentFormat, CallOutcome, EntryKind, TranscriptCall

from .builders import SHOP, codex, codex_call, codex_event, codex_header, codex_output, only, read

PATCH = "*** Begin Patch\n{}\n*** End Patch\n"
UPDATE = PATCH.format("*** Update File: src/cart/total.ts\n@@\n-a\n+b")
ADD = PATCH.format("*** Add File: notes.md\n+one\n+\n+two")
TWO = PATCH.format("*** Update File: a.ts\n@@\n-a\n+b\n*** Delete File: b.ts")
MOVE = PATCH.format("*** Update File: a.ts\n*** Move to: b.ts\n@@\n-a\n+b")

MAPPED: list[tuple[str, dict[str, Any], dict[str, Any], str, dict[str, Any]]] = [
    ("shell", {"command": ["bash", "-lc", "git status && ls"]}, {}, "bash", {"command": "git status && ls"}),
    ("shell", {"command": ["/bin/zsh", "-c", "ls"], "workdir": SHOP}, {}, "bash", {"command": "ls"}),
    ("shell", {"command": ["bash", "-e", "-c", "ls"]}, {}, "bash", {"command": "bash -e -c ls"}),
    ("shell", {"command": ["rg", "-n", "total price"]}, {}, "bash", {"command": "rg -n 'total price'"}),
    (
        "container.exec",
        {"command": ["sh", "-c", "ls"], "workdir": "/srv"},
        {},
        "bash",
        {"command": "ls", "workdir": "/srv"},
    ),
    (
        "shell_command",
        {"command": "npm test", "workdir": "web"},
        {},
        "bash",
        {"command": "npm test", "workdir": "web"},
    ),
    ("exec_command", {"cmd": "npm test", "yield_time_ms": 9}, {}, "bash", {"command": "npm test"}),
    (
        "shell",
        {"command": ["powershell.exe", "-Command", "dir"]},
        {},
        "shell",
        {"command": ["powershell.exe", "-Command", "dir"]},
    ),
    (
        "shell",
        {"command": ["apply_patch", UPDATE]},
        {},
        "edit",
        {"path": "src/cart/total.ts", "patch": UPDATE},
    ),
    ("apply_patch", {"input": ADD}, {}, "write", {"path": "notes.md", "content": "one\n\ntwo\n"}),
    ("apply_patch", {"input": TWO}, {}, "apply_patch", {"input": TWO}),
    ("apply_patch", {"input": MOVE}, {}, "apply_patch", {"input": MOVE}),
    ("read_file", {"file_path": "/a", "limit": 9}, {}, "read", {"path": "/a", "limit": 9}),
    ("list_dir", {"dir_path": "/a"}, {}, "ls", {"path": "/a"}),
    ("grep_files", {"pattern": "x", "include": "*.ts"}, {}, "grep", {"pattern": "x", "glob": "*.ts"}),
    ("view_image", {"path": "/a.png"}, {}, "read", {"path": "/a.png"}),
    ("mcp__db__query", {"q": "x"}, {}, "mcp", {"tool": "query", "server": "db", "arguments": {"q": "x"}}),
    ("query", {}, {"namespace": "mcp__db"}, "mcp", {"tool": "query", "server": "db"}),
    ("query", {}, {"namespace": "mcp__db__"}, "mcp", {"tool": "query", "server": "db"}),
    ("update_plan", {"plan": []}, {}, "update_plan", {"plan": []}),
]


@pytest.mark.parametrize(("name", "given", "more", "tool", "expected"), MAPPED)
def test_tools_in_the_permission_systems_terms(
    name: str, given: dict[str, Any], more: dict[str, Any], tool: str, expected: dict[str, Any]
) -> None:
    call = only(codex_header(), codex_call("call_00000001", name, given, **more))
    assert (call.tool, call.input) == (tool, expected)


def test_a_call_has_all_that_the_file_says() -> None:
    call = only(
        codex_header(),
        codex_call("call_00000001", "exec_command", {"cmd": "ls"}),
        codex_output("call_00000001", "Exit code: 0\nWall time: 1 seconds\nOutput:\nsrc"),
    )
    assert call == TranscriptCall(
        source=AgentFormat.CODEX,
        session="0198-codex",
        call_id="call_00000001",
        time="2026-07-14T10:00:01.000Z",
        cwd=SHOP,
        tool="bash",
        input={"command": "ls"},
        outcome=CallOutcome.RAN,
    )


def structured(code: int) -> str:
    return json.dumps({"output": "Exit code: 7", "metadata": {"exit_code": code, "duration_seconds": 0.1}})


@pytest.mark.parametrize(
    ("output", "outcome"),
    [
        (structured(0), CallOutcome.RAN),
        (structured(2), CallOutcome.FAILED),
        ("Exit code: 1\nWall time: 1 seconds\nOutput:\nExit code: 0", CallOutcome.FAILED),
        (
            "Chunk ID: 1\nProcess exited with code 0\nOutput:\nProcess exited with code 3",
            CallOutcome.RAN,
        ),
        ("exec command rejected by user", CallOutcome.REFUSED),
        ("`git push` rejected: blocked by policy", CallOutcome.REFUSED),
        ("Exit code: 0\nOutput:\ngrep: rejected: blocked by policy", CallOutcome.RAN),
        ("aborted by user after 2.1s", CallOutcome.FAILED),
        ("aborted", CallOutcome.UNKNOWN),
        ("", CallOutcome.UNKNOWN),
        ("Plan updated", CallOutcome.RAN),
        ({"content": "no such tool", "success": False}, CallOutcome.FAILED),
        ({"content": "patch rejected by user", "success": False}, CallOutcome.REFUSED),
        ({"content": "fine", "success": True}, CallOutcome.RAN),
        ([{"type": "input_text", "text": "Script completed\nOutput:\n"}], CallOutcome.RAN),
    ],
)
def test_outcomes_by_output(output: Any, outcome: CallOutcome) -> None:
    call = only(
        codex_header(),
        codex_call("call_00000001", "shell", {"command": ["ls"]}),
        codex_output("call_00000001", output),
    )
    assert call.outcome is outcome


@pytest.mark.parametrize(
    ("event", "outcome"),
    [
        ({"type": "exec_command_end", "exit_code": 3}, CallOutcome.FAILED),
        ({"type": "exec_command_end", "exit_code": -1, "status": "declined"}, CallOutcome.REFUSED),
        ({"type": "patch_apply_end", "success": True}, CallOutcome.RAN),
        ({"type": "patch_apply_end", "success": False}, CallOutcome.FAILED),
    ],
)
@pytest.mark.parametrize("first", [True, False])
def test_a_status_goes_before_the_text(event: dict[str, Any], outcome: CallOutcome, first: bool) -> None:
    told = [
        codex("event_msg", {**event, "call_id": "call_00000001"}, 2),
        codex_output(
            "call_00000001", "Exit code: 0\nOutput:\n" if outcome is not CallOutcome.RAN else "Exit code: 1"
        ),
    ]
    call = only(
        codex_header(),
        codex_call("call_00000001", "shell", {"command": ["ls"]}),
        *(told if first else told[::-1]),
    )
    assert call.outcome is outcome


def completed(item: dict[str, Any], number: int = 2) -> dict[str, Any]:
    return codex_event("item_completed", number, item=item)


EXECUTED: list[tuple[dict[str, Any], str, dict[str, Any], CallOutcome]] = [
    (
        {
            "type": "CommandExecution",
            "command": ["/bin/zsh", "-lc", "rg total"],
            "cwd": f"file://{SHOP}",
            "status": "completed",
        },
        "bash",
        {"command": "rg total"},
        CallOutcome.RAN,
    ),
    (
        {
            "type": "CommandExecution",
            "command": ["bash", "-lc", "ls"],
            "cwd": "file:///srv/a%20b",
            "status": "declined",
        },
        "bash",
        {"command": "ls", "workdir": "/srv/a b"},
        CallOutcome.REFUSED,
    ),
    (
        {"type": "FileChange", "changes": {"/a.md": {"type": "add", "content": "x"}}, "status": "failed"},
        "write",
        {"path": "/a.md", "content": "x"},
        CallOutcome.FAILED,
    ),
    (
        {
            "type": "FileChange",
            "changes": {"/a.md": {"type": "update", "unified_diff": "x"}},
            "status": "completed",
        },
        "edit",
        {"path": "/a.md"},
        CallOutcome.RAN,
    ),
    (
        {
            "type": "McpToolCall",
            "server": "db",
            "tool": "query",
            "arguments": {"q": "x"},
            "status": "completed",
        },
        "mcp",
        {"tool": "query", "server": "db", "arguments": {"q": "x"}},
        CallOutcome.RAN,
    ),
    (
        {
            "type": "McpToolCall",
            "server": "db",
            "tool": "query",
            "error": {"message": "user rejected MCP tool call"},
        },
        "mcp",
        {"tool": "query", "server": "db"},
        CallOutcome.REFUSED,
    ),
    (
        {"type": "DynamicToolCall", "tool": "notes", "arguments": {"add": "milk"}, "status": "completed"},
        "notes",
        {"add": "milk"},
        CallOutcome.RAN,
    ),
]


@pytest.mark.parametrize(("item", "tool", "expected", "outcome"), EXECUTED)
def test_what_a_script_called_is_a_call_of_its_own(
    item: dict[str, Any], tool: str, expected: dict[str, Any], outcome: CallOutcome
) -> None:
    script = {
        "type": "custom_tool_call",
        "name": "exec",
        "call_id": "call_outer001",
        "input": "await tools.x()",
    }
    reading = read(codex_header(), codex("response_item", script), completed({**item, "id": "exec-0000001"}))
    [outer, inner] = reading.calls
    assert (outer.tool, outer.input) == ("exec", {"input": "await tools.x()"})
    assert (inner.call_id, inner.tool, inner.input, inner.outcome) == (
        "exec-0000001",
        tool,
        expected,
        outcome,
    )


def test_an_event_of_a_call_that_an_item_shows_is_no_second_call() -> None:
    item = {
        "type": "CommandExecution",
        "id": "call_00000001",
        "command": ["bash", "-lc", "ls"],
        "status": "failed",
    }
    call = only(codex_header(), codex_call("call_00000001", "exec_command", {"cmd": "ls"}), completed(item))
    assert call.outcome is CallOutcome.FAILED


def test_what_the_user_ran_is_no_call() -> None:
    item = {"type": "CommandExecution", "id": "exec-0000001", "command": ["ls"], "source": "user_shell"}
    assert read(codex_header(), completed(item)).calls == ()


def test_an_event_says_which_server_a_tool_belongs_to() -> None:
    invocation = {"server": "db", "tool": "query", "arguments": {"q": "x"}}
    call = only(
        codex_header(),
        codex_call("call_00000001", "db__query", {"q": "x"}),
        codex_event(
            "mcp_tool_call_end",
            call_id="call_00000001",
            invocation=invocation,
            result={"Ok": {"isError": True}},
        ),
    )
    assert (call.tool, call.input) == ("mcp", {"tool": "query", "server": "db", "arguments": {"q": "x"}})
    assert call.outcome is CallOutcome.FAILED


def test_other_calls_of_the_model() -> None:
    reading = read(
        codex_header(),
        codex(
            "response_item",
            {"type": "web_search_call", "status": "completed", "action": {"type": "search", "query": "x"}},
        ),
        codex(
            "response_item",
            {"type": "custom_tool_call", "name": "apply_patch", "call_id": "call_00000001", "input": UPDATE},
        ),
        codex(
            "response_item",
            {
                "type": "local_shell_call",
                "call_id": "call_00000002",
                "action": {"command": ["ls"], "working_directory": "/srv"},
            },
        ),
        codex(
            "response_item",
            {"type": "function_call", "name": "free", "call_id": "call_00000003", "arguments": "no json"},
        ),
    )
    assert [(call.tool, call.input) for call in reading.calls] == [
        ("web_search", {"type": "search", "query": "x"}),
        ("edit", {"path": "src/cart/total.ts", "patch": UPDATE}),
        ("bash", {"command": "ls", "workdir": "/srv"}),
        ("free", {"input": "no json"}),
    ]


OLD_HEADER = {"id": "old-1", "timestamp": "2025-08-18T01:16:13.522Z", "instructions": None}


@pytest.mark.parametrize(
    "told",
    [
        f"<environment_context>\n  <cwd>{SHOP}</cwd>\n</environment_context>",
        f"<environment_context>\nCurrent working directory: {SHOP}\nx",
    ],
)
def test_the_old_shape(told: str) -> None:
    reading = read(
        OLD_HEADER,
        {"record_type": "state"},
        {"type": "message", "id": None, "role": "user", "content": [{"type": "input_text", "text": told}]},
        {"type": "reasoning", "id": "rs", "summary": []},
        {
            "type": "function_call",
            "id": "fc",
            "name": "shell",
            "arguments": '{"command":["bash","-lc","ls"]}',
            "call_id": "call_00000001",
        },
        {"type": "function_call_output", "call_id": "call_00000001", "output": structured(0)},
    )
    [call] = reading.calls
    assert (call.session, call.cwd, call.time, call.outcome) == ("old-1", SHOP, None, CallOutcome.RAN)
    assert call.input == {"command": "ls"}
    assert list(reading.formats) == [AgentFormat.CODEX]
    assert {kind: count for kind, count in reading.ledger.classes.items() if count} == {
        EntryKind.SESSION: 1,
        EntryKind.OTHER: 3,
        EntryKind.CALLS: 1,
        EntryKind.RESULTS: 1,
    }


def test_a_turn_may_be_elsewhere() -> None:
    reading = read(
        codex_header(),
        codex_call("call_00000001", "exec_command", {"cmd": "ls"}),
        codex("turn_context", {"cwd": "/srv", "approval_policy": "never"}, 2),
        codex_call("call_00000002", "exec_command", {"cmd": "ls"}, 3),
    )
    assert [call.cwd for call in reading.calls] == [SHOP, "/srv"]


SPAWN = {"subagent": {"thread_spawn": {"parent_thread_id": "p", "depth": 1, "agent_role": "explorer"}}}


@pytest.mark.parametrize(
    ("header", "agent", "parent"),
    [
        ({}, None, None),
        ({"forked_from_id": "p"}, None, "p"),
        ({"source": SPAWN}, "explorer", "p"),
        ({"source": {"subagent": "review"}, "parent_thread_id": "p"}, "review", "p"),
        ({"agent_nickname": "Otto", "agent_role": "worker"}, "worker", None),
    ],
)
def test_who_asked(header: dict[str, Any], agent: str | None, parent: str | None) -> None:
    call = only(codex_header(**header), codex_call("call_00000001", "exec_command", {"cmd": "ls"}))
    assert (call.agent, call.parent_session) == (agent, parent)


def test_a_fork_that_repeats_the_headers_before_it_stays_itself() -> None:
    call = only(
        codex_header("child", forked_from_id="parent"),
        codex_header("parent", forked_from_id="grandparent", cwd="/srv"),
        codex_header("grandparent", cwd="/opt"),
        codex_call("call_00000001", "exec_command", {"cmd": "ls"}),
    )
    assert (call.session, call.cwd, call.parent_session) == ("child", SHOP, "parent")


@pytest.mark.parametrize(
    ("entry", "kind"),
    [
        (codex("telepathy", {}), "codex: telepathy"),
        (codex("response_item", {"type": "dream"}), "codex: dream"),
        (codex_event("dream"), "codex: event_msg/dream"),
    ],
)
def test_unknown_kinds_are_counted_by_name(entry: dict[str, Any], kind: str) -> None:
    reading = read(codex_header(), entry)
    assert reading.unknown_kinds == {kind: 1}
    assert reading.ledger.classes[EntryKind.UNKNOWN_KIND] == 1
