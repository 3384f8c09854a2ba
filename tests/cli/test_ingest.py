"""`ingest`, end to end, and a folder in place of logs."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from audit.folders.read import read_folder
from audit.log.store.manifest import document_text
from tests.cli.conftest import Run

ROOT = Path(__file__).resolve().parents[2]
SAMPLES = ROOT / "data-samples"
PLACE = ("--cwd", "/home/dev/shop", "--home", "/home/dev", "--platform", "posix")
POLICIES = ("--policy", "baseline.json", "--candidate-policy", "candidate.json")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return the folder where commands run, with the sample in it."""
    for name in ("review.jsonl", "baseline.json", "candidate.json"):
        shutil.copy(SAMPLES / name, tmp_path / name)
    return tmp_path


def without_command(report: dict[str, Any]) -> dict[str, Any]:
    """Return a report without what its command line changes: the command, and the digest over all."""
    report.pop("digest", None)
    report.get("header", report).pop("command")
    return report


def test_it_says_what_it_wrote(run: Run, folder: Path) -> None:
    ran = run("ingest", "review.jsonl", "-o", "kept")
    tables, manifest = read_folder(folder / "kept")
    assert (ran.code, ran.err) == (0, "")
    assert f"{tables.calls.height:,} calls in {tables.case_count:,} cases" in ran.out
    assert f"{tables.facts.ledger.lines:,} lines" in ran.out
    assert [file.name for file in manifest.inputs] == ["review.jsonl"]
    assert str(folder) not in (folder / "kept" / "manifest.json").read_text("utf-8")


@pytest.mark.parametrize("again", [PLACE, ()], ids=["options again", "options left out"])
def test_impact_over_the_folder_is_impact_over_the_log(
    run: Run, folder: Path, again: tuple[str, ...]
) -> None:
    assert run("ingest", str(folder / "review.jsonl"), "-o", "kept", *PLACE).code == 0
    over_log = run("impact", "review.jsonl", *POLICIES, *PLACE, "--format", "json", "--rejects", "r1")
    over_folder = run("impact", "kept", *POLICIES, *again, "--format", "json", "--rejects", "r2")
    assert over_folder.code == 0
    one, other = without_command(over_log.json()), without_command(over_folder.json())
    assert json.dumps(one) == json.dumps(other)
    assert (folder / "r1").read_bytes() == (folder / "r2").read_bytes()


@pytest.mark.parametrize("command", [("summary",), ("fidelity", "--policy", "baseline.json")])
def test_other_commands_take_the_folder(run: Run, folder: Path, command: tuple[str, ...]) -> None:
    del folder
    run("ingest", "review.jsonl", "-o", "kept")
    name, *rest = command
    over_log = run(name, "review.jsonl", *rest, "--format", "json")
    over_folder = run(name, "kept", *rest, "--format", "json")
    assert over_folder.code == 0, over_folder.err
    assert without_command(over_folder.json()) == without_command(over_log.json())


def test_a_folder_of_another_kind_is_still_no_log(run: Run, folder: Path) -> None:
    (folder / "kept").mkdir()
    assert run("summary", "kept").code == 4


def test_an_existing_folder_is_kept_without_force(run: Run, folder: Path) -> None:
    run("ingest", "review.jsonl", "-o", "kept", *PLACE)
    before = (folder / "kept" / "manifest.json").read_bytes()
    ran = run("ingest", "review.jsonl", "-o", "kept")
    assert ran.code == 8
    assert "--force" in ran.err
    assert (folder / "kept" / "manifest.json").read_bytes() == before
    assert run("ingest", "review.jsonl", "-o", "kept", "--force").code == 0
    assert (folder / "kept" / "manifest.json").read_bytes() != before


def test_damage_is_one_sentence(run: Run, folder: Path) -> None:
    run("ingest", "review.jsonl", "-o", "kept")
    (folder / "kept" / "requests-000.parquet").unlink()
    ran = run("impact", "kept", *POLICIES)
    assert ran.code == 11
    assert "`requests-000.parquet`" in ran.err
    assert "Traceback" not in ran.err
    assert ran.out == ""


def test_a_newer_folder_is_refused_in_plain_words(run: Run, folder: Path) -> None:
    run("ingest", "review.jsonl", "-o", "kept")
    manifest = folder / "kept" / "manifest.json"
    document = json.loads(manifest.read_text("utf-8")) | {"version": 99, "tool": "9.0.0"}
    manifest.write_text(document_text(document), "utf-8")
    ran = run("impact", "kept", *POLICIES)
    assert ran.code == 12
    assert "format 99" in ran.err
    assert "newer permission-audit" in ran.err
