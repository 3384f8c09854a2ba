"""`impact`, end to end on the sample log, and on every input that cannot be used."""

from __future__ import annotations

import gzip
import json
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.cli.conftest import Run
from tests.engines.conftest import MISBEHAVING, spec

ROOT = Path(__file__).resolve().parents[2]
SAMPLES = ROOT / "data-samples"
PLACE = ("--cwd", "/home/dev/shop", "--home", "/home/dev", "--platform", "posix")
LINE = (
    '{"timestamp":"2026-07-20T10:00:00.000Z","extension":"pi-permission-system","stream":"review",'
    '"event":"permission_request.blocked","source":"tool_call","toolCallId":"c1","toolName":"bash",'
    '"agentName":null,"command":"rm -r build","message":"Current agent requested bash command '
    "'rm -r build' (matched 'rm *'). Allow this command?\","
    '"origin":"global","resolution":"policy_denied"}\n'
)


@pytest.fixture
def folder(tmp_path: Path, policy: str) -> Path:
    """Return the folder where commands run, with the sample and a policy in it."""
    del policy
    for name in ("review.jsonl", "baseline.json", "candidate.json"):
        shutil.copy(SAMPLES / name, tmp_path / name)
    return tmp_path


SAMPLE = (
    "impact",
    "review.jsonl",
    "--policy",
    "baseline.json",
    "--candidate-policy",
    "candidate.json",
    *PLACE,
)


def test_the_ledger_and_the_matrix_add_up(run: Run, folder: Path) -> None:
    report = run(*SAMPLE, "--format", "json").json()
    lines = (folder / "review.jsonl").read_bytes().count(b"\n")
    assert report["schema_version"] >= 1
    assert report["header"]["log"]["lines"] == lines
    assert sum(report["ledger"]["classes"].values()) == lines
    cells = report["matrix"]["cells"]
    assert sum(cell["count"]["commands"] for cell in cells) == report["matrix"]["population"]["commands"]
    assert report["matrix"]["population"]["commands"] > 500


def test_a_comparison_with_itself_is_empty(run: Run, folder: Path) -> None:
    del folder
    words = ("impact", "review.jsonl", "--policy", "baseline.json", *PLACE, "--format", "json")
    report = run(*words).json()
    assert report["changes"] == []
    assert all(
        cell["baseline"] == cell["candidate"] or cell["count"]["commands"] == 0
        for cell in report["matrix"]["cells"]
    )


def test_the_same_input_gives_the_same_bytes(run: Run, folder: Path) -> None:
    for number in ("1", "2"):
        ran = run(*SAMPLE, "--format", "json", "-o", f"report{number}.json")
        assert ran.code == 0
        assert ran.out == ""
    assert (folder / "report1.json").read_bytes() == (folder / "report2.json").read_bytes()


def test_packed_logs_and_standard_input_read_the_same(run: Run, folder: Path) -> None:
    data = (folder / "review.jsonl").read_bytes()
    (folder / "packed.jsonl.gz").write_bytes(gzip.compress(data))
    rest = ("--policy", "baseline.json", "--candidate-policy", "candidate.json", *PLACE, "--format", "json")
    plain = run("impact", "review.jsonl", *rest).json()
    packed = run("impact", "packed.jsonl.gz", *rest).json()
    piped = run("impact", "-", *rest, given=data).json()
    piped_packed = run("impact", "-", *rest, given=gzip.compress(data)).json()
    twice = run("impact", "*.jsonl*", *rest).json()
    for other in (packed, piped, piped_packed):
        assert other["matrix"] == plain["matrix"]
        assert other["header"]["log"]["digest"] == plain["header"]["log"]["digest"]
    assert twice["matrix"] == plain["matrix"]


def test_rejects_are_kept_on_request(run: Run, folder: Path) -> None:
    run(*SAMPLE, "--rejects", "rejects.jsonl")
    rejects = [json.loads(line) for line in (folder / "rejects.jsonl").read_text("utf-8").splitlines()]
    assert rejects
    assert all(reject["line"] >= 1 and reject["why"] for reject in rejects)


@pytest.mark.parametrize("form", ["text", "md"])
def test_a_person_reads_what_moved(run: Run, folder: Path, form: str) -> None:
    del folder
    ran = run(*SAMPLE, "--format", form)
    assert ran.code == 0
    assert "git reset --hard" in ran.out
    assert "Denied before, allowed now" in ran.out
    assert "Made again by" in ran.out
    assert ran.err == ""


@pytest.mark.parametrize(
    ("make", "code", "says"),
    [
        (lambda _: None, 3, "no file"),
        (lambda path: path.mkdir(), 4, "folder"),
        (lambda path: path.write_bytes(b""), 5, "empty"),
        (lambda path: path.write_bytes(b"\n \n\n"), 5, "empty"),
        (lambda path: path.write_bytes(bytes(range(256)) * 40), 6, "not text"),
        (
            lambda path: path.write_text("hello\n{}\n[1]\n"),
            7,
            "none of the 3 lines is an entry of a review log",
        ),
        (lambda path: path.write_text("hello\n"), 7, "the only line is not an entry of a review log"),
    ],
    ids=["missing", "folder", "empty", "blank", "binary", "nothing usable", "one line"],
)
def test_an_unusable_log_is_one_sentence(run: Run, folder: Path, make: object, code: int, says: str) -> None:
    assert callable(make)
    make(folder / "log.jsonl")
    ran = run("impact", "log.jsonl", "--policy", "policy.json", *PLACE)
    assert ran.code == code, ran.err
    assert says in ran.err
    assert ran.err.startswith("error: ")
    assert "Traceback" not in ran.err
    assert ran.out == ""


def test_five_mistakes_are_five_lines(run: Run, folder: Path) -> None:
    (folder / "bad.json").write_text(
        '{"yoloMode": 1, "permision": {}, "permission": {"bash": "Allow", "read": {"a": null}, "": "ask"}}'
    )
    (folder / "log.jsonl").write_text(LINE)
    ran = run("impact", "log.jsonl", "--policy", "bad.json", "-o", "report.txt", *PLACE)
    assert ran.code == 2
    assert sum("bad.json: " in line for line in ran.err.splitlines()) == 5
    assert ran.err.count("allowed: ") == 5
    assert not (folder / "report.txt").exists()


def test_an_output_that_cannot_be_written(run: Run, folder: Path) -> None:
    (folder / "log.jsonl").write_text(LINE)
    ran = run("impact", "log.jsonl", "--policy", "policy.json", "-o", "nowhere/report.txt", *PLACE)
    assert ran.code == 8
    assert "nowhere/report.txt" in ran.err
    assert not (folder / "nowhere").exists()


def test_a_commands_escapes_do_not_reach_the_terminal(run: Run, folder: Path) -> None:
    (folder / "log.jsonl").write_text(LINE.replace("rm -r build", "rm -r \\u001b[2Jbuild"))
    ran = run("impact", "log.jsonl", "--policy", "policy.json", *PLACE)
    assert ran.code == 0
    assert "\x1b" not in ran.out


def test_an_interruption_leaves_nothing_half_written(folder: Path) -> None:
    words = [
        sys.executable,
        "-m",
        "audit",
        "impact",
        "-",
        "--policy",
        "policy.json",
        "-o",
        "report.txt",
        *PLACE,
    ]
    running = subprocess.Popen(words, cwd=folder, stdin=subprocess.PIPE, stderr=subprocess.PIPE)
    assert running.stdin is not None
    running.stdin.write(LINE.encode() * 2000)
    running.stdin.flush()
    time.sleep(2)
    running.send_signal(signal.SIGINT)
    _, told = running.communicate(timeout=60)
    assert running.returncode == 130
    assert told.decode().strip() == "interrupted, nothing was written"
    assert not (folder / "report.txt").exists()
    assert list(folder.glob(".*.part")) == []


def test_an_input_is_never_overwritten(run: Run, folder: Path) -> None:
    (folder / "log.jsonl").write_text(LINE)
    for words in (("-o", "log.jsonl"), ("-o", "policy.json"), ("-o", "a.txt", "--rejects", "a.txt")):
        ran = run("impact", "log.jsonl", "--policy", "policy.json", *PLACE, *words)
        assert ran.code == 2, words
    assert (folder / "log.jsonl").read_text() == LINE


def test_a_link_is_followed_and_a_pipe_is_no_file(run: Run, folder: Path) -> None:
    (folder / "log.jsonl").write_text(LINE)
    (folder / "link.txt").symlink_to(folder / "target.txt")
    words = ("impact", "log.jsonl", "--policy", "policy.json", *PLACE)
    assert run(*words, "-o", "link.txt").code == 0
    assert (folder / "link.txt").is_symlink()
    assert (folder / "target.txt").read_text().startswith("Blast radius")
    assert run(*words, "-o", "/dev/null").code == 0
    assert Path("/dev/null").is_char_device()


def test_directories_are_absolute(run: Run, folder: Path) -> None:
    del folder
    assert run(*SAMPLE[:6], "--cwd", "shop").code == 2


@pytest.mark.parametrize("kind", ["core", "exec", "git", "package"])
def test_an_engine_against_itself_changes_nothing(run: Run, folder: Path, kind: str) -> None:
    del folder
    words = (*SAMPLE[:4], *PLACE, "--engine", spec(kind), "--format", "json")
    report = run(*words).json()
    assert report["changes"] == []
    assert report["header"]["detail"] == "program"
    assert report["matrix"]["population"]["commands"] > 500


@pytest.mark.parametrize("kind", ["exec", "git", "package"])
def test_an_engine_beside_the_core_decides_the_same(run: Run, folder: Path, kind: str) -> None:
    del folder
    words = (*SAMPLE[:4], *PLACE, "--engine", "core:20.7.3", "--candidate-engine", spec(kind))
    report = run(*words, "--format", "json").json()
    assert report["changes"] == []
    candidate = report["header"]["candidate"]
    assert (candidate["source"] is not None) == (kind in {"git", "package"})
    assert candidate["restarts"] == 0


def test_a_broken_engine_stands_in_the_ledger(run: Run, folder: Path) -> None:
    odd = f"exec:{sys.executable} {MISBEHAVING} crash"
    lines = [LINE, LINE.replace("rm -r build", "odd one").replace("c1", "c2")]
    (folder / "log.jsonl").write_text("".join(lines))
    words = ("log.jsonl", "--policy", "policy.json", *PLACE, "--candidate-engine", odd, "--format", "json")
    report = run("impact", *words).json()
    assert report["header"]["candidate"]["restarts"] == 1
    assert report["ledger"]["classes"]["put to the engines, not decided: candidate internal"] >= 1
    assert report["matrix"]["failed"]["commands"] >= 1


def test_a_coarse_engine_is_compared_by_decisions_alone(run: Run, folder: Path) -> None:
    (folder / "log.jsonl").write_text(LINE.replace("policy_denied", "approved").replace("rm -r", "make"))
    odd = f"exec:{sys.executable} {MISBEHAVING} coarse"
    words = ("log.jsonl", "--policy", "policy.json", *PLACE, "--candidate-engine", odd, "--format", "json")
    report = run("impact", *words).json()
    assert report["header"]["detail"] == "decision"
    assert report["changes"] == []
    assert [caution["kind"] for caution in report["cautions"]].count("coarse_detail") == 1


@pytest.mark.parametrize(
    ("words", "code", "says"),
    [
        (("--engine", "docker:x"), 10, "known forms"),
        (("--engine", "core:0.0.1"), 10, "no core revision"),
        (("--engine", "exec:no-such-program-here"), 9, "cannot be started"),
        (("--engine", "exec:true"), 9, "did not say hello"),
        (("--engine", "exec:'"), 10, "split into words"),
        (("--engine", "git:no/such/ref"), 9, "no commit"),
        (("--engine", "package:."), 9, "holds no `pi-permission-system` package"),
        (("--engine", "core:20.7.3", "--core", "20.7.3"), 2, "not both"),
        (("--candidate-core", "nothing"), 10, "no core revision"),
        (("--sessions", "--engine", "exec:true"), 9, "core:NAME"),
    ],
)
def test_an_engine_that_is_not_to_be_had_is_one_sentence(
    run: Run, folder: Path, words: tuple[str, ...], code: int, says: str
) -> None:
    del folder
    ran = run(*SAMPLE, *words)
    assert ran.code == code, ran.err
    assert says in ran.err
    assert "Traceback" not in ran.err
    assert ran.out == ""
