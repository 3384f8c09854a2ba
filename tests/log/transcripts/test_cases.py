"""Cases of transcripts alone."""

from __future__ import annotations

from pathlib import Path

from audit.log.cases import CwdSource, Exactness
from audit.log.read import read_logs
from audit.log.source import source_of
from audit.log.transcripts.cases import ELSEWHERE, transcript_cases
from audit.log.transcripts.model import TranscriptCall
from audit.log.transcripts.read import read_transcripts
from audit.log.transcripts.traffic import join_traffic, logged_calls

from .builders import SHOP, claude_call, codex_call, codex_header, pi_call, pi_header, pi_result, read

SAMPLES = Path(__file__).parents[3] / "data-samples"


def some() -> tuple[TranscriptCall, ...]:
    return read(
        pi_header(),
        pi_call("toolu_0000001", "bash", 1, command="npm test"),
        pi_call("toolu_0000002", "bash", 4, command="npm test"),
        pi_call("toolu_0000003", "bash", 5, command="npm test"),
        pi_result("toolu_0000003", "Skipped due to queued user message.", 6, error=True),
        claude_call("toolu_0000004", "Bash", {"command": "npm test", "description": "tests"}),
        codex_header(),
        codex_call("call_00000005", "exec_command", {"cmd": "npm test", "workdir": "/srv"}),
        codex_header("nowhere", cwd=None),
        codex_call("call_00000006", "exec_command", {"cmd": "ls"}),
    ).calls


def test_the_same_call_of_any_agent_is_one_case() -> None:
    first, elsewhere, nowhere = transcript_cases(some())
    assert (first.tool, first.input, first.cwd, first.cwd_source) == (
        "bash",
        {"command": "npm test"},
        SHOP,
        CwdSource.RECORDED,
    )
    assert (first.occurrences, first.first_seen, first.last_seen) == (
        3,
        "2026-07-14T08:00:01.000Z",
        "2026-07-14T09:00:01.000Z",
    )
    assert (first.exactness, first.reasons, first.outcomes) == (Exactness.EXACT, (), {})
    assert (elsewhere.exactness, elsewhere.reasons) == (Exactness.PARTIAL, (ELSEWHERE,))
    assert (nowhere.exactness, nowhere.cwd_source) == (Exactness.NOT_REPLAYABLE, CwdSource.UNKNOWN)


def test_occurrences_are_the_calls_that_were_not_dropped() -> None:
    assert sum(case.occurrences for case in transcript_cases(some())) == len(some()) - 1


def test_whole_commands_agree_with_the_sample_log_and_its_cases() -> None:
    log = read_logs([source_of("review.jsonl", (SAMPLES / "review.jsonl").read_bytes())])
    files = sorted((SAMPLES / "transcripts" / "pi").glob("*.jsonl"))
    reading = read_transcripts([source_of(one.name, one.read_bytes()) for one in files])
    traffic = join_traffic(reading.calls, logged_calls(log.calls, log.cases))
    shells = [pair for pair in traffic.joined if pair.transcript.tool == "bash"]
    assert len(shells) > 100
    assert all(pair.logged.input["command"] == pair.transcript.input["command"] for pair in shells)
    logged = {case.id for case in log.cases}
    commands = [case for case in transcript_cases(pair.transcript for pair in shells) if case.agent is None]
    assert {case.id in logged for case in commands} == {True}
