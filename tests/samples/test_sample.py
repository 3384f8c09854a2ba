"""The sample log is what its generator makes, and every class of a ledger shows in it."""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

import pytest
from shoplog.calls import CWD
from shoplog.lines import WIDTH

SAMPLES = Path(__file__).parents[2] / "data-samples"
LOG = SAMPLES / "review.jsonl"

Entry = dict[str, Any]


def raw_lines() -> list[str]:
    return LOG.read_text(encoding="utf-8").removesuffix("\n").split("\n")


def parsed() -> tuple[list[Entry], list[str]]:
    """Return the entries and the lines that are none."""
    entries, rest = [], []
    for line in raw_lines():
        try:
            entries.append(json.loads(line))
        except ValueError:
            rest.append(line)
    return entries, rest


@pytest.fixture(scope="module")
def entries() -> list[Entry]:
    return parsed()[0]


def prompts(entries: list[Entry]) -> list[Entry]:
    kinds = ("waiting", "approved", "denied")
    return [entry for entry in entries if entry["event"] in [f"permission_request.{kind}" for kind in kinds]]


def made(path: Path, *arguments: str) -> bytes:
    command = [sys.executable, "-B", str(SAMPLES / "generate.py"), "-o", str(path), *arguments]
    subprocess.run(command, check=True)
    return path.read_bytes()


def test_the_generator_makes_the_committed_bytes(tmp_path: Path) -> None:
    assert made(tmp_path / "log.jsonl") == LOG.read_bytes()


def test_another_seed_makes_another_log_and_a_scale_a_smaller_one(tmp_path: Path) -> None:
    other = made(tmp_path / "log.jsonl", "--seed", "7", "--scale", "20")
    assert 0 < other.count(b"\n") < LOG.read_bytes().count(b"\n") // 3
    assert other == made(tmp_path / "again.jsonl", "--seed", "7", "--scale", "20")


def test_every_line_is_an_entry_but_for_the_accidents() -> None:
    entries, rest = parsed()
    assert 3_500 < len(entries) < 4_500
    assert len([line for line in rest if not line.strip()]) == 2
    assert len([line for line in rest if line.strip()]) == 5
    for entry in entries:
        assert list(entry)[:4] == ["timestamp", "extension", "stream", "event"]


def test_entries_stand_in_order_of_time(entries: list[Entry]) -> None:
    stamps = [entry["timestamp"] for entry in entries]
    assert stamps == sorted(stamps)
    assert (stamps[0][:10], stamps[-1][:10]) == ("2026-06-03", "2026-09-09")


def test_every_event_of_a_ledger_occurs(entries: list[Entry]) -> None:
    events = Counter((entry["event"].rsplit(".", 1)[-1], entry.get("resolution")) for entry in entries)
    for event in (
        ("resolved", None),
        ("waiting", None),
        ("approved", "approved"),
        ("approved", "approved_for_session"),
        ("denied", "denied"),
        ("denied", "denied_with_reason"),
        ("denied", "confirmation_unavailable"),
        ("blocked", "confirmation_unavailable"),
        ("blocked", "policy_denied"),
        ("blocked", "gate_error"),
        ("session_approved", "session_approved"),
        ("auto_approved", "auto_approved"),
        ("infrastructure_auto_allowed", None),
        ("request_created", None),
        ("response_timed_out", None),
        ("no_serving_session", None),
        ("decision", None),
    ):
        assert events[event] > 0, event


def test_every_tool_is_asked_about(entries: list[Entry]) -> None:
    asked = {entry["toolName"] for entry in entries if entry["event"] == "permission_request.waiting"}
    assert asked >= {
        "bash",
        "read",
        "write",
        "edit",
        "grep",
        "find",
        "ls",
        "mcp",
        "skill",
        "web_fetch",
        "web_search",
    }
    assert any(entry["source"] == "skill_input" for entry in prompts(entries))


def test_later_lines_are_structured_and_cut(entries: list[Entry]) -> None:
    for entry in prompts(entries):
        structured = entry["timestamp"] >= "2026-08-16"
        assert ("message" in entry, "surface" in entry) == (not structured, structured)
        decided = entry["timestamp"] >= "2026-08-17" and not entry["event"].endswith("waiting")
        assert ("decidedBy" in entry) == decided
    commands = [entry["command"] for entry in entries if entry.get("command")]
    cut = {text for text in commands if text.endswith("\u2026")}
    assert len(cut) >= 2
    assert {len(text) for text in cut} == {WIDTH + 1}
    assert any(len(text) > WIDTH + 1 for text in commands), "earlier lines keep the whole command"


def test_secrets_are_masked_in_the_last_stretch(entries: list[Entry]) -> None:
    masked = [entry for entry in entries if "[redacted]" in str(entry.get("command"))]
    assert masked
    assert min(entry["timestamp"] for entry in masked) >= "2026-09"
    assert any("Bearer $SHOP_TOKEN" in str(entry.get("command")) for entry in entries)


def test_some_asks_wait_for_ever(entries: list[Entry]) -> None:
    """Requests of one call share an id before the structured eras, so waiting and terminal are counted."""
    balance: Counter[str] = Counter()
    for entry in prompts(entries):
        balance[entry["requestId"]] += 1 if entry["event"].endswith("waiting") else -1
    left = [request for request, count in balance.items() if count > 0]
    assert 5 < len(left) < 40


def test_forwarded_asks_leave_up_to_eight_lines(entries: list[Entry]) -> None:
    created = {e["requestId"]: e for e in entries if e["event"] == "forwarded_permission.request_created"}
    lines: defaultdict[str, list[str]] = defaultdict(list)
    for entry in entries:
        if entry.get("requestId") in created:
            lines[entry["requestId"]].append(entry["event"])
    sizes = Counter(len(events) for events in lines.values())
    # The child's own waiting and terminal lines have the call's id before the structured eras.
    assert {4, 6, 8} <= set(sizes)
    assert {e["requesterAgentName"] for e in created.values()} == {"reviewer", "scout"}


def test_the_log_names_one_project(entries: list[Entry]) -> None:
    starts = [entry for entry in entries if entry["event"] == "config.resolved"]
    assert {entry["projectConfigPath"].split("/.pi/")[0] for entry in starts} == {CWD}
    assert all(
        f"'{CWD}'" in e["message"] for e in prompts(entries) if "outside working" in e.get("message", "")
    )


def test_frequency_has_a_head_and_a_tail(entries: list[Entry]) -> None:
    counts = Counter(e["command"] for e in entries if e["event"].endswith("waiting") and e.get("command"))
    ranked = [count for _, count in counts.most_common()]
    assert len(ranked) > 250
    assert ranked[0] >= 20
    assert ranked.count(1) > 80


def test_people_answer_by_what_is_asked(entries: list[Entry]) -> None:
    answers: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for entry in prompts(entries):
        if entry.get("command") and entry["resolution"] not in (None, "confirmation_unavailable"):
            answers[entry["command"]][entry["event"].rsplit(".", 1)[-1]] += 1
    assert set(answers["git push --force"]) == {"denied"}
    assert set(answers["git stash drop"]) == {"approved", "denied"}
    # Where it is the first part of a worse chain, a harmless command is refused as well.
    assert answers["npm test"]["approved"] > 9 * answers["npm test"]["denied"]
