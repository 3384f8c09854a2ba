"""`--world`: a core that looks, with a world and without."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Run
from tests.log.lines import asked, data

LOOKS = "20.7.3+bare-tokens=existence"


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    """Return a project folder with one file, a log about it and a policy beside it."""
    folder = tmp_path / "shop"
    folder.mkdir()
    (folder / "id_rsa").write_text("secret")
    rules = {"*": "ask", "bash": {"*": "allow"}, "path": {"*": "allow", "id_rsa": "deny", "other": "deny"}}
    (tmp_path / "p.json").write_text(json.dumps({"permission": rules}))
    (tmp_path / "log.jsonl").write_bytes(
        data(asked("cat id_rsa"), asked("cat other", "t2", 5.0), asked("cat /srv/x", "t3", 9.0))
    )
    return folder


def impact(run: Run, folder: Path, *options: str) -> Any:
    place = ("--cwd", str(folder), "--home", "/home/mia", "--platform", "posix")
    words = ("--policy", "p.json", "--candidate-core", LOOKS, *place, *options)
    return run("impact", "log.jsonl", *words, "--format", "json").json()


def test_without_a_world_there_is_a_range(run: Run, shop: Path) -> None:
    report = impact(run, shop)
    assert report["existence"] == {
        "population": 3,
        "changed": [2, 0],
        "baseline_asks": [1, 1],
        "baseline_denials": [2, 2],
        "candidate_asks": [1, 1],
        "candidate_denials": [0, 2],
    }
    assert report["selectivity"]["candidate"]["unknown"] == 2
    shown = run(
        "impact", "log.jsonl", "--policy", "p.json", "--candidate-core", LOOKS, "--cwd", str(shop),
        "--home", "/home/mia", "--platform", "posix",
    ).out  # fmt: skip
    assert "0 to 2 of 3" in shown


def test_with_a_world_there_is_a_point(run: Run, shop: Path) -> None:
    assert run("snapshot", "shop", "-o", "world.parquet").code == 0
    report = impact(run, shop, "--world", "world.parquet")
    assert report["existence"] is None
    assert report["matrix"]["changed"] == {"commands": 1, "calls": 1}
    candidate = report["selectivity"]["candidate"]
    assert (candidate["asked"], candidate["existing"], candidate["unknown"]) == (2, 1, 0)
    assert candidate["changed"]["commands"]["numerator"] == 1


@pytest.mark.parametrize(("command", "form"), [("decide", ()), ("explain", ("--format", "json"))])
def test_a_single_call_is_decided_in_a_world_too(
    run: Run, shop: Path, command: str, form: tuple[str, ...]
) -> None:
    assert run("snapshot", "shop", "-o", "world.parquet").code == 0
    place = ("--cwd", str(shop), "--home", "/home/mia", "--core", LOOKS, *form)
    with_world = (*place, "--world", "world.parquet")
    for name, words, action in (
        ("id_rsa", with_world, "deny"),
        ("other", with_world, "allow"),
        ("id_rsa", place, "allow"),
    ):
        ran = run(command, f"cat {name}", "--policy", "p.json", *words)
        assert (ran.code, ran.json()["decision"]) == (0, action)
