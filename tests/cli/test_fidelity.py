"""`fidelity`, on the sample and on the logs that the package wrote itself."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.cli.conftest import Run
from tests.log.lines import at, data, prompt, session_start
from tests.real.ground_truth import RealLog
from tests.real.place_files import write_place_file

SAMPLES = Path(__file__).resolve().parents[2] / "data-samples"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in ("review.jsonl", "baseline.json"):
        shutil.copy(SAMPLES / name, tmp_path / name)
    return tmp_path


def test_the_sample_agrees_with_its_policy_except_on_yolo_days(run: Run, folder: Path) -> None:
    del folder
    words = ("fidelity", "review.jsonl", "--policy", "baseline.json", "--home", "/home/dev", "--sessions")
    report = run(*words, "--format", "json").json()
    for mode in (report["static"], report["sessions"]):
        assert mode["agree"] + len(mode["disagreements"]) == mode["of"]
        assert mode["of"] > 150
        assert {one["recorded"] for one in mode["disagreements"]} <= {"automatic approval"}
    assert report["agree"] == report["static"]["agree"]
    assert sum(report["ledger"]["classes"].values()) == report["ledger"]["lines"]


def test_another_policy_disagrees_with_both_explanations(run: Run, folder: Path) -> None:
    (folder / "open.json").write_text('{"permission": {"*": "allow"}}')
    ran = run("fidelity", "review.jsonl", "--policy", "open.json", "--home", "/home/dev", "--format", "json")
    report = ran.json()
    assert report["agree"] < report["of"]
    first = report["disagreements"][0]
    assert first["recorded_because"]
    assert first["replayed_because"]


@pytest.mark.parametrize(("elsewhere", "exact"), [('{"*": "ask", "plant": "deny"}', 0), ('{"*": "ask"}', 1)])
def test_an_uncertain_directory_is_an_uncertain_policy(
    run: Run, tmp_path: Path, elsewhere: str, exact: int
) -> None:
    message = "Current agent requested tool 'plant' with input {\"n\":1}. Allow this call?"
    tool = {"toolName": "plant", "toolInputPreview": 'input {"n":1}', "message": message}
    starts = [session_start(0, "/home/mia/shed"), session_start(2), session_start(4, "/home/mia/shed")]
    (tmp_path / "log.jsonl").write_bytes(data(*starts, prompt("waiting", at(5), **tool)))
    (tmp_path / "garden.json").write_text('{"permission": {"*": "ask"}}')
    (tmp_path / "shed.json").write_text(f'{{"permission": {elsewhere}}}')
    (tmp_path / "place.toml").write_text(
        'version = 1\n[[policy]]\nfile = "garden.json"\ncwd = "/home/mia/garden"\n'
        '[[policy]]\nfile = "shed.json"\ncwd = "/home/mia/shed"\n'
    )
    report = run("fidelity", "log.jsonl", "--places", "place.toml", "--format", "json").json()
    assert (report["agree"], report["of"]) == (exact, exact)


def test_a_policy_has_to_be_given(run: Run, folder: Path) -> None:
    del folder
    ran = run("fidelity", "review.jsonl")
    assert ran.code == 2
    assert "--policy" in ran.err


@pytest.mark.golden
def test_the_real_log_alone_agrees_in_full(run: Run, tmp_path: Path) -> None:
    log = RealLog("20.7.3")
    places = write_place_file(log, tmp_path)
    report = run("fidelity", str(log.review), "--places", str(places), "--format", "json").json()
    assert report["of"] > 700
    assert report["disagreements"] == []


@pytest.mark.golden
@pytest.mark.parametrize(
    ("name", "core", "least"),
    [
        ("148-after", "5.16.0-after-148", 250),
        ("307-after", "9.1.0-after-307", 160),
        ("533-after", "18.1.1-after-533", 190),
    ],
)
@pytest.mark.parametrize("with_traffic", [False, True], ids=["log alone", "with traffic"])
def test_the_former_logs_agree_in_full_under_their_own_revisions(
    run: Run, tmp_path: Path, name: str, core: str, least: int, with_traffic: bool
) -> None:
    log = RealLog(name)
    places = write_place_file(log, tmp_path)
    traffic = ("--traffic", str(log.folder / "calls.jsonl.gz")) if with_traffic else ()
    words = ("--core", core, *traffic, "--format", "json")
    report = run("fidelity", str(log.review), "--places", str(places), *words).json()
    assert report["of"] >= least * (2 if with_traffic else 1)
    assert report["disagreements"] == []


@pytest.mark.golden
def test_the_real_log_with_its_traffic_agrees_in_full(run: Run, tmp_path: Path) -> None:
    log = RealLog("20.7.3")
    places = write_place_file(log, tmp_path)
    words = ("--traffic", str(log.folder / "calls.jsonl.gz"), "--sessions", "--format", "json")
    report = run("fidelity", str(log.review), "--places", str(places), *words).json()
    assert report["static"]["of"] > 3000
    assert report["sessions"]["of"] == 4800
    for mode in (report["static"], report["sessions"]):
        assert mode["disagreements"] == []
