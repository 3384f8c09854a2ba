"""`snapshot`, end to end."""

from __future__ import annotations

from pathlib import Path

import pytest

from audit.workflows.snapshot import record_world
from audit.worlds.read import read_world
from tests.cli.conftest import Run


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    """Return a folder such as an agent works in."""
    shop = tmp_path / "shop"
    for name in ("src/main.py", "README.md", ".git/HEAD", "keys/id_rsa"):
        (shop / name).parent.mkdir(parents=True, exist_ok=True)
        (shop / name).write_text("token = hunter2")
    (shop / "current").symlink_to("src")
    return shop


def test_it_says_what_it_wrote_and_keeps_no_contents(run: Run, shop: Path, tmp_path: Path) -> None:
    ran = run("snapshot", "shop", "-o", "world.parquet", "--exclude", ".git")
    assert (ran.code, ran.err) == (0, "")
    assert ran.out == (
        "world.parquet: 7 names (3 files, 3 folders, 1 link, 0 other), 1 folder not looked into, "
        "below 1 folder\n"
    )
    world = read_world(tmp_path / "world.parquet")
    real = shop.resolve()
    assert world.entries.seen(f"{real}/keys/id_rsa") is True
    assert world.entries.seen(f"{real}/keys/id_dsa") is False
    assert world.entries.seen(f"{real}/.git/HEAD") is None
    assert world.links == ((f"{real}/current", f"{real}/src"),)
    assert b"hunter2" not in (tmp_path / "world.parquet").read_bytes()
    assert not list(tmp_path.glob(".world*"))


def test_a_folder_that_is_none_is_one_sentence(run: Run, tmp_path: Path) -> None:
    ran = run("snapshot", "nowhere", "-o", "world.parquet")
    assert ran.code == 14
    assert "`nowhere` does not exist" in ran.err
    assert "Traceback" not in ran.err
    assert list(tmp_path.iterdir()) == []


def test_an_output_that_cannot_be_written_is_one_sentence(run: Run, shop: Path) -> None:
    ran = run("snapshot", shop.name, "-o", "no/folder/world.parquet")
    assert ran.code == 8
    assert "no/folder/world.parquet" in ran.err


def test_what_interrupts_leaves_the_older_world(shop: Path, tmp_path: Path) -> None:
    output = tmp_path / "world.parquet"
    record_world([str(shop)], output, "0.1.0", lambda *_: None)
    before = output.read_bytes()

    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        record_world([str(shop)], output, "0.1.0", interrupted)
    assert output.read_bytes() == before
    assert not list(tmp_path.glob(".world*"))
