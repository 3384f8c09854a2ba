"""Eras told from the data."""

from __future__ import annotations

from typing import Any

import pytest

from tests.log.lines import (
    asked,
    at,
    data,
    external_message,
    gate,
    line,
    prompt,
    read,
    session_start,
    unit_message,
)

PERM = "perm-00000000-0000-4000-8000-000000000001"
E2_START = line("config.resolved", at(0, 2), extensionConfigPath="/opt/x/config.json", projectConfigPath=None)


def blocked(**members: Any) -> bytes:
    return gate("blocked", at(), **{"toolCallId": "b", "toolName": "bash", "source": "tool_call"} | members)


@pytest.mark.parametrize(
    ("era", "text"),
    [
        ("E0", blocked(command="dd", resolution="policy_denied")),
        ("E1", prompt("waiting", at(), command="dd", message="Current agent requested something")),
        ("E2", E2_START),
        ("E3", session_start()),
        ("E3", gate("session_approved", at(), toolCallId="t", toolName="read", path="/srv/a")),
        ("E3", blocked(command="cat /a", externalPaths=["/a"], resolution="policy_denied")),
        ("E3", asked("cat /a", answer=None, message=external_message("cat /a", "/a"))[0]),
        ("E3", gate("infrastructure_auto_allowed", at(), toolCallId="t", toolName="read", path="/a")),
        ("E4", blocked(command="dd", origin="global", resolution="policy_denied")),
        (
            "E4",
            gate("session_approved", at(), toolCallId="t", toolName="bash", command="cat k", tokens=["k"]),
        ),
        ("E4", gate("rpc_prompt", at(), requestId="x", surface=None, message="?", approved=True)),
        (
            "E4",
            asked(
                "cat k",
                answer=None,
                message="Current agent requested tool 'bash' for path 'k'. Allow this path access?",
            )[0],
        ),
        (
            "E5",
            asked(
                "id",
                answer=None,
                message="Current agent requested bash command 'id' (inside subshell). Allow this command?",
            )[0],
        ),
        ("E5", asked("id", answer=None, message=unit_message("id", full="cd x; id"))[0]),
        ("E6", blocked(resolution="gate_error", error="x")),
        ("E6", asked("sh -c x", answer=None, message=unit_message("sh -c x", "<opaque-bash-wrapper>"))[0]),
        (
            "E6",
            asked("cat l", answer=None, message=external_message("cat l", "/a/l (resolves to '/b')"))[0],
        ),
        ("E7", gate("auto_approved", at(), toolCallId="t", toolName="bash", command="x", origin="yolo")),
        ("E8", asked("nice x", answer=None, message=unit_message("nice x", "<indirection-bash-wrapper>"))[0]),
        ("E8", line("forwarded_permission.session_recorded", at(), requestId="1-a-2")),
        ("E9", line("project_trust.skipped", at(), cwd="/a", phase="session_start")),
        ("E9", line("ai_guard.decision", at(), requestId="t", verdict="defer")),
        ("E10", asked("make", answer=None, requestId=PERM)[0]),
        ("E10", line("authorizer_chain_resolved", at(), requestId=PERM, links=[])),
        ("E11", asked("make", answer=None, requestId=PERM, message=None, surface="bash")[0]),
        ("E12", blocked(requestId=PERM, command="x", decidedBy={"kind": "rule"}, surface="bash")),
        ("E12", line("child_node_absent", at(), childSessionId="c", parentSessionId=None)),
    ],
)
def test_one_line_shows_at_least_its_era(era: str, text: bytes) -> None:
    assert read(data(text)).eras == {era: 1}


def test_what_was_seen_before_holds_for_plain_lines_after() -> None:
    plain = [asked("make", f"t{n}", n * 100, answer=None) for n in range(3)]
    newer = [
        asked("id", "n1", 50, answer=None, message=unit_message("id", full="cd x && id")),
        asked("nice x", "n2", 150, answer=None, message=unit_message("nice x", "<indirection-bash-wrapper>")),
    ]
    assert read(data(plain[0], newer[0], plain[1], newer[1], plain[2])).eras == {"E1": 1, "E5": 2, "E8": 2}


def test_an_older_release_beside_a_newer_one_keeps_its_era() -> None:
    structured = asked("make", "n", 0, requestId=PERM, message=None, surface="bash", answer=None)
    reading = read(
        data(
            structured,
            blocked(requestId=PERM, command="x", surface="bash", decidedBy={"kind": "rule"}),
            asked("make", "o", 10, answer=None),
            blocked(toolCallId="p", command="dd", resolution="confirmation_unavailable"),
        )
    )
    assert reading.eras == {"E7": 1, "E9": 1, "E12": 2}


def test_answers_and_transport_count_as_entries() -> None:
    reading = read(data(asked("make"), line("forwarded_permission.prompted", at(5), requestId="1-a-2"), b"x"))
    assert sum(reading.eras.values()) == 3


@pytest.mark.parametrize(
    ("before", "day", "gate_name"),
    [
        ([], 2, "external_directory"),
        ([], 4, "path"),
        (
            [gate("session_approved", at(0, 3), toolCallId="s", toolName="read", path="/a", resolution="x")],
            3,
            "path",
        ),
        ([session_start(0, era=3)], 3, "external_directory"),
        ([blocked(origin="global", resolution="policy_denied", command="x", message="m")], 12, "path"),
    ],
)
def test_a_block_with_a_path_and_no_sentence_is_told_by_era(
    before: list[bytes], day: int, gate_name: str
) -> None:
    plain = gate(
        "blocked", at(9, day), toolCallId="t1", toolName="read", path="k.pem", resolution="policy_denied"
    )
    reading = read(data(before, plain))
    assert next(call for call in reading.calls if call.id == "t1").requests[0].gate == gate_name
