"""Transcripts beside the log: the true denominators, sessions, and policies that changed."""

from __future__ import annotations

import json
import shutil
from collections import Counter
from pathlib import Path

import pytest

from tests.cli.conftest import Run
from tests.log.lines import asked, at, data
from tests.real.ground_truth import NAMES, RealLog
from tests.real.place_files import write_place_file

SAMPLES = Path(__file__).resolve().parents[2] / "data-samples"
POLICIES = ("--policy", "baseline.json", "--candidate-policy", "candidate.json")
PLACE = ("--cwd", "/home/dev/shop", "--home", "/home/dev")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in ("review.jsonl", "baseline.json", "candidate.json"):
        shutil.copy(SAMPLES / name, tmp_path / name)
    shutil.copytree(SAMPLES / "transcripts", tmp_path / "transcripts")
    return tmp_path


def test_every_call_is_in_one_place(run: Run, folder: Path) -> None:
    del folder
    words = ("impact", "review.jsonl", *POLICIES, *PLACE, "--traffic", "transcripts", "--format", "json")
    report = run(*words).json()
    traffic = report["header"]["log"]["traffic"]
    assert traffic["joined"] + traffic["silent"] + traffic["stopped"] + traffic["not_run"] == traffic["calls"]
    calls = report["ledger"]["calls"]
    assert calls == traffic["joined"] + traffic["silent"] + traffic["log_only"]
    assert "silent_allows" not in {caution["kind"] for caution in report["cautions"]}


@pytest.mark.parametrize(("days", "outside"), [("2026-09", False), ("2026-07-0", True)])
def test_silence_outside_the_logs_time_is_a_caution(run: Run, folder: Path, days: str, outside: bool) -> None:
    log = folder / "review.jsonl"
    lines = log.read_text(encoding="utf-8").splitlines(keepends=True)
    kept = [line for line in lines if line[14:].startswith("2026") and line[14 : 14 + len(days)] <= days]
    log.write_text("".join(kept), encoding="utf-8")
    words = ("impact", "review.jsonl", *POLICIES, *PLACE, "--traffic", "transcripts/pi", "--format", "json")
    kinds = {caution["kind"] for caution in run(*words).json()["cautions"]}
    assert ("silent_outside_log" in kinds) is outside


def test_a_join_that_might_have_been_another_is_told(run: Run, folder: Path) -> None:
    call = {"call": {"tool": "bash", "input": {"command": "make seed"}}, "cwd": "/home/dev/shop"}
    made = [{**call, "time": at(second)} for second in (0, 1)]
    (folder / "calls.jsonl").write_text("".join(json.dumps(one) + "\n" for one in made))
    (folder / "log.jsonl").write_bytes(data(asked("make seed")))
    words = ("impact", "log.jsonl", *POLICIES, *PLACE, "--traffic", "calls.jsonl")
    traffic = run(*words, "--format", "json").json()["header"]["log"]["traffic"]
    assert (traffic["joined"], traffic["silent"], traffic["ambiguous"]) == (1, 1, 1)
    assert "for 1 call of the log several of the transcripts fit" in " ".join(run(*words).out.split())


def test_transcripts_alone_are_an_input(run: Run, folder: Path) -> None:
    del folder
    report = run("impact", *POLICIES, *PLACE, "--traffic", "transcripts/pi", "--format", "json").json()
    assert report["header"]["log"]["lines"] == 0
    assert report["matrix"]["population"]["calls"] == report["header"]["log"]["traffic"]["silent"] > 100


def test_sessions_meet_no_more_prompts_than_calls_alone(run: Run, folder: Path) -> None:
    del folder
    report = run("impact", "review.jsonl", *POLICIES, *PLACE, "--sessions", "--format", "json").json()
    for side in ("baseline", "candidate"):
        assert 0 < report["sessions"][side]["dynamic"] <= report["sessions"][side]["static"]


def test_the_baseline_follows_the_policies_that_were_in_force(run: Run, folder: Path) -> None:
    (folder / "place.toml").write_text(
        'version = 1\nhome = "/home/dev"\n[[cwd]]\npath = "/home/dev/shop"\n'
        '[[policy]]\nfile = "baseline.json"\nto = 2026-08-01T00:00:00Z\n'
        '[[policy]]\nfile = "candidate.json"\nfrom = 2026-08-01T00:00:00Z\n'
    )
    words = ("impact", "review.jsonl", "--places", "place.toml", "--candidate-policy", "candidate.json")
    report = run(*words, "--format", "json").json()
    changed = report["changes"]
    assert changed
    both = run("impact", "review.jsonl", *POLICIES, *PLACE, "--format", "json").json()
    assert len(changed) < len(both["changes"])


def test_what_is_no_transcript_is_one_sentence(run: Run, folder: Path) -> None:
    (folder / "notes.jsonl").write_text('{"hello": 1}\n')
    ran = run("impact", *POLICIES, *PLACE, "--traffic", "notes.jsonl")
    assert ran.code == 7
    assert "the only line is not of a transcript" in ran.err


@pytest.mark.golden
@pytest.mark.parametrize("name", NAMES)
def test_silent_allows_of_the_real_logs_are_found(run: Run, tmp_path: Path, name: str) -> None:
    log = RealLog(name)
    silent = sum(call["outcome"] == "allowed" and not call["lines"] for call in log.calls())
    places = write_place_file(log, tmp_path)
    candidate = min((log.folder / "policies").glob("*.json"))
    words = ("--places", str(places), "--candidate-policy", str(candidate), "--format", "json")
    report = run("impact", str(log.review), "--traffic", str(log.folder / "calls.jsonl.gz"), *words).json()
    traffic = report["header"]["log"]["traffic"]
    assert traffic["calls"] == sum(1 for _ in log.calls())
    assert traffic["silent"] == silent


@pytest.mark.golden
def test_the_dynamic_replay_decides_as_the_package_did(run: Run, tmp_path: Path) -> None:
    log = RealLog("20.7.3")
    places = write_place_file(log, tmp_path)
    words = ("--places", str(places), "--traffic", str(log.folder / "calls.jsonl.gz"), "--sessions")
    ran = run("fidelity", str(log.review), *words, "--decisions", "decisions.jsonl", "--format", "json")
    assert ran.code == 0, ran.err
    lines = (tmp_path / "decisions.jsonl").read_text("utf-8").splitlines()
    decided = {record["call_id"]: record["sessions"] for record in map(json.loads, lines)}
    agree = Counter(decided.get(call["call_id"]) == call["decision"] for call in log.calls())
    assert agree == {True: 11_954}
