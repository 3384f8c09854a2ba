"""This package at another git ref, materialised outside the working tree and run from there alone."""

from __future__ import annotations

import io
import os
import subprocess
import sys
import tarfile
from pathlib import Path

import audit
from audit.engines.cache import cached
from audit.engines.pipes import Launch
from audit.engines.process import EngineProgram
from audit.errors import EngineError

ENTRY = "audit/__main__.py"


def git_program(spec: str, ref: str, core: str | None) -> EngineProgram:
    """Return the engine of this package at a ref; raise `EngineError` where there is none."""
    repository = _repository()
    commit = _commit(repository, ref)
    listed = _git(repository, "ls-tree", "-r", "--name-only", commit, "--", ENTRY).stdout.decode().split()
    if listed != [ENTRY]:
        raise EngineError(f"`{ref}` has no engine: there is no `{ENTRY}` at commit {commit[:12]}")

    def fill(folder: Path) -> None:
        packed = _git(repository, "archive", "--format=tar", commit, "audit")
        with tarfile.open(fileobj=io.BytesIO(packed.stdout)) as archive:
            archive.extractall(folder, filter="data")

    source = cached("git", commit, fill)
    words = (sys.executable, "-P", "-m", "audit", "engine", *(("--core", core) if core else ()))
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    environment = {**kept, "PYTHONPATH": str(source), "PYTHONDONTWRITEBYTECODE": "1"}
    return EngineProgram(spec, Launch(words, environment, str(source)), f"commit {commit}")


def commits_in(given: str) -> tuple[str, ...]:
    """Return the commits of a range `A..B` of this package's repository, A included, oldest first.

    Only first parents are followed. Raises `EngineError` for what is no range.
    """
    first, dots, last = given.partition("..")
    if not (first and dots and last):
        raise EngineError(f"`{given}` is no range of commits", "give it as A..B")
    repository = _repository()
    ends = [_commit(repository, ref) for ref in (first, last)]
    listed = _git(repository, "rev-list", "--reverse", "--first-parent", "..".join(ends))
    return (ends[0], *listed.stdout.decode().split())


def _repository() -> Path:
    """Return the repository of this package: that of its own source, else that of the current directory."""
    for folder in (Path(audit.__file__).resolve().parents[1], Path.cwd()):
        asked = _git(folder, "rev-parse", "--show-toplevel")
        root = Path(os.fsdecode(asked.stdout).removesuffix("\n"))
        if asked.returncode == 0 and (root / ENTRY).exists():
            return root
    raise EngineError(
        "there is no git repository of permission-audit here", "run it from a checkout to use `git:REF`"
    )


def _commit(repository: Path, ref: str) -> str:
    asked = _git(repository, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{ref}^{{commit}}")
    if asked.returncode != 0:
        raise EngineError(f"there is no commit `{ref}` in the repository of permission-audit")
    return asked.stdout.decode().strip()


def _git(folder: Path, *words: str) -> subprocess.CompletedProcess[bytes]:
    words = ("git", "-C", str(folder), *words)
    try:
        return subprocess.run(words, capture_output=True, check=False)
    except FileNotFoundError:
        raise EngineError("git is not installed", "`git:REF` needs it") from None
