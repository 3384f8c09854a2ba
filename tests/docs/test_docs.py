"""The documentation says what is true: generated pages, links, and the commands it names."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from audit.cli.app import COMMANDS

ROOT = Path(__file__).resolve().parents[2]
PAGES = sorted(
    path
    for path in (*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("data-samples/**/*.md"))
    if ".venv" not in path.parts
)
LINK = re.compile(r"\]\((?!https?:)([^)#]+)(?:#[^)]*)?\)")
CALL = re.compile(r"permission-audit ([a-z]+)")


def test_generated_pages_are_current() -> None:
    checked = subprocess.run(
        [sys.executable, "docs/generate.py", "--check"], cwd=ROOT, capture_output=True, check=False
    )
    assert checked.returncode == 0, checked.stderr.decode()


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page: Path) -> None:
    links = LINK.findall(page.read_text(encoding="utf-8"))
    missing = [link for link in links if not (page.parent / link).exists()]
    assert missing == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_named_commands_exist(page: Path) -> None:
    assert set(CALL.findall(page.read_text(encoding="utf-8"))) <= set(COMMANDS)


def test_every_make_target_of_the_readme_exists() -> None:
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    named = set(re.findall(r"make ([a-z-]+)", (ROOT / "README.md").read_text(encoding="utf-8")))
    assert {"demo", "test"} <= named <= targets


def _transcripts() -> list[tuple[str, list[str]]]:
    """Return the commands of the tutorial and the parts of their output that it shows, in order."""
    found: list[tuple[str, list[str]]] = []
    for block in re.findall(
        r"```console\n(.*?)```", (ROOT / "docs/tutorial.md").read_text("utf-8"), re.DOTALL
    ):
        command, *lines = block.strip().split("\n")
        found.append((command.removeprefix("$ permission-audit "), lines))
    return found


@pytest.mark.parametrize(("command", "shown"), _transcripts(), ids=lambda value: str(value)[:30])
def test_the_tutorial_shows_what_happens(command: str, shown: list[str]) -> None:
    words = [sys.executable, "-m", "audit", *shlex.split(command)]
    ran = subprocess.run(
        words, cwd=ROOT, capture_output=True, check=True, env={**os.environ, "COLUMNS": "100"}
    )
    rest = " ".join(ran.stdout.decode().split())
    for line in shown:
        wanted = " ".join(line.split())
        assert wanted in rest, f"not in the output, or not in this order: {line}"
        rest = rest[rest.index(wanted) :]
