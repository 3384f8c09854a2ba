"""This package at another ref: resolved first, kept outside the tree, nothing of today leaking in."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

import audit
from audit.engines import gitref
from audit.engines.process import ProcessEngine
from audit.errors import EngineError
from tests.engines.conftest import ROOT, absent


def git(repository: Path, *words: str) -> str:
    who = ("-c", "user.name=t", "-c", "user.email=t@example.com")
    done = subprocess.run(["git", "-C", repository, *who, *words], capture_output=True, check=True)
    return done.stdout.decode().strip()


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository with two states of this package: `past` calls its engine otherwise; and one without it."""
    if shutil.which("git") is None:
        pytest.skip(absent("git") or "git is not installed")
    root = tmp_path / "repository"
    ignored = shutil.ignore_patterns("node_modules", "__pycache__")
    shutil.copytree(ROOT / "audit", root / "audit", ignore=ignored)
    git(tmp_path, "init", "-q", str(root))
    (root / "README").write_text("nothing yet")
    git(root, "add", "README")
    git(root, "commit", "-qm", "empty")
    git(root, "tag", "empty")
    source = root / "audit" / "engines" / "inprocess.py"
    today = source.read_text("utf-8")
    source.write_text(today.replace('"audit-core"', '"audit-past"'), "utf-8")
    git(root, "add", ".")
    git(root, "commit", "-qm", "past")
    git(root, "tag", "feature/past")
    source.write_text(today, "utf-8")
    git(root, "commit", "-qam", "today")
    monkeypatch.setattr(audit, "__file__", str(root / "audit" / "__init__.py"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    return root


def test_the_engine_is_that_of_the_ref(repository: Path, tmp_path: Path) -> None:
    before = git(repository, "status", "--porcelain")
    engine = ProcessEngine(gitref.git_program("git:feature/past", "feature/past", "20.7.3"))
    engine.close()
    commit = git(repository, "rev-parse", "feature/past")
    assert engine.info.engine == "audit-past"
    assert engine.info.source == f"commit {commit}"
    assert (tmp_path / "cache" / "permission-audit" / "git" / commit / "audit").is_dir()
    assert git(repository, "status", "--porcelain") == before


def test_a_ref_is_materialised_once(repository: Path, tmp_path: Path) -> None:
    first = gitref.git_program("git:HEAD", "HEAD", None)
    kept = tmp_path / "cache" / "permission-audit" / "git"
    [folder] = kept.iterdir()
    changed = folder.stat().st_mtime_ns
    again = gitref.git_program("git:HEAD", git(repository, "rev-parse", "--short", "HEAD"), None)
    assert again == first
    assert [folder.stat().st_mtime_ns for folder in kept.iterdir()] == [changed]


@pytest.mark.parametrize(
    ("ref", "says"),
    [("nowhere", "no commit `nowhere`"), ("--all", "no commit `--all`"), ("empty", "`empty` has no engine")],
)
def test_a_ref_without_an_engine_is_an_error(repository: Path, ref: str, says: str) -> None:
    del repository
    with pytest.raises(EngineError, match=says):
        gitref.git_program(f"git:{ref}", ref, None)


def test_git_that_is_missing_is_told(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(repository))
    with pytest.raises(EngineError, match="git is not installed"):
        gitref.git_program("git:HEAD", "HEAD", None)
