"""The sample transcripts are what their generator makes, and they fit the sample log."""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from audit.core.call import ToolCall
from audit.core.decide import Decision, Judge
from audit.core.place import Place
from audit.core.policy.compose import PolicySources, compose
from audit.core.policy.document import read_config
from audit.core.revision import LATEST
from audit.log.source import source_of
from audit.log.transcripts.model import AgentFormat, CallOutcome, EntryKind, TranscriptCall, TranscriptReading
from audit.log.transcripts.read import read_transcripts
from audit.log.transcripts.traffic import LoggedCall, Traffic, join_traffic

from .builders import SHOP

SAMPLES = Path(__file__).parents[3] / "data-samples"
FOLDER = SAMPLES / "transcripts"
TOOLS = ("bash", "read", "write", "edit", "grep", "find", "ls", "mcp", "skill", "web_fetch", "web_search")
SAME_TOOL = {(tool, tool) for tool in TOOLS}
DAYS = ("2026-07-14", "2026-07-15", "2026-07-16")


def files(folder: Path) -> dict[str, bytes]:
    return {str(one.relative_to(folder)): one.read_bytes() for one in sorted(folder.rglob("*.jsonl"))}


def made(folder: Path, *arguments: str) -> dict[str, bytes]:
    command = [sys.executable, "-B", str(FOLDER / "generate.py"), "-o", str(folder), *arguments]
    subprocess.run(command, check=True)
    return files(folder)


def logged() -> list[LoggedCall]:
    """Return the calls of the sample log, by their identifiers alone."""
    first: dict[str, LoggedCall] = {}
    for line in (SAMPLES / "review.jsonl").read_bytes().splitlines():
        try:
            entry = json.loads(line)
        except ValueError:
            continue
        if entry.get("toolCallId"):
            call = LoggedCall(entry["toolCallId"], entry["timestamp"], entry["toolName"])
            first.setdefault(entry["toolCallId"], call)
    return list(first.values())


@pytest.fixture(scope="module")
def reading() -> TranscriptReading:
    return read_transcripts([source_of(name, content) for name, content in files(FOLDER).items()])


@pytest.fixture(scope="module")
def traffic(reading: TranscriptReading) -> Traffic:
    return join_traffic(reading.calls, logged())


def test_the_generator_makes_the_committed_bytes(tmp_path: Path) -> None:
    assert made(tmp_path) == files(FOLDER)


def test_another_seed_makes_other_files(tmp_path: Path) -> None:
    other = made(tmp_path, "--seed", "7")
    assert len(other) == len(files(FOLDER))
    assert not set(other) & set(files(FOLDER))


def test_every_agent_outcome_and_class_shows(reading: TranscriptReading) -> None:
    assert set(reading.formats) == set(AgentFormat) - {AgentFormat.PLAIN}
    assert {call.outcome for call in reading.calls} == set(CallOutcome)
    shown = {kind for kind, count in reading.ledger.classes.items() if count}
    assert set(EntryKind) - shown == {EntryKind.BLANK, EntryKind.FOREIGN}
    assert set(reading.unknown_kinds) == {"pi: weather"}
    assert len(reading.rejects) == 1


def test_repeated_sessions_count_once(reading: TranscriptReading) -> None:
    assert reading.ledger.classes[EntryKind.DUPLICATE] > 50
    identifiers = Counter(call.call_id for call in reading.calls)
    assert max(identifiers.values()) == 1
    parents = Counter(bool(session.parent) for session in reading.sessions)
    assert parents == {True: 3, False: 9}


def test_the_log_has_no_call_of_these_days_that_the_transcripts_lack(traffic: Traffic) -> None:
    assert not [one for one in traffic.log_only if str(one.time).startswith(DAYS)]
    assert all(str(pair.logged.time).startswith(DAYS) for pair in traffic.joined)
    assert len(traffic.joined) > 100


def test_what_both_have_is_the_same_call(traffic: Traffic) -> None:
    assert {(pair.logged.tool, pair.transcript.tool) for pair in traffic.joined} <= SAME_TOOL


def test_the_log_saw_the_smaller_part(traffic: Traffic) -> None:
    assert traffic.unjoined_formats == (AgentFormat.CLAUDE_CODE, AgentFormat.CODEX)
    assert (traffic.ambiguous, _of_pi(traffic.stopped)) == (0, 0)
    assert _of_pi(traffic.not_run) > 0
    assert _of_pi(traffic.silent) > len(traffic.joined)


def _of_pi(calls: tuple[TranscriptCall, ...]) -> int:
    return sum(call.source is AgentFormat.PI for call in calls)


def test_the_policy_allows_what_the_log_never_saw(traffic: Traffic) -> None:
    text = (SAMPLES / "baseline.json").read_text(encoding="utf-8")
    document = read_config(text, "baseline.json")
    judge = Judge(compose(PolicySources(document.permission)), Place(SHOP, "/home/dev"), LATEST)
    silent = [call for call in (*traffic.silent, *traffic.not_run) if call.source is AgentFormat.PI]
    decisions = {call.call_id: judge.decide(ToolCall(call.tool, call.input)) for call in silent}
    assert {one.action.value for one in decisions.values() if isinstance(one, Decision)} == {"allow"}
    assert all(isinstance(one, Decision) for one in decisions.values())
