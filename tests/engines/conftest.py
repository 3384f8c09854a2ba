"""The kinds of engine, each opened as a user's specification opens it."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from audit.engines.pipes import Launch
from audit.engines.process import EngineProgram, Patience, ProcessEngine
from audit.engines.typescript import ADAPTER

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = Path(os.environ.get("PACKAGE", ROOT / "node"))
INSTALLED = PACKAGE / "node_modules" / "@gotgenes" / "pi-permission-system"
MISBEHAVING = Path(__file__).with_name("misbehaving.py")


def absent(kind: str) -> str | None:
    """Return why an engine of a kind cannot be had here; None where it can."""
    if kind == "package":
        if shutil.which("node") is None:
            return "Node is not installed"
        if not INSTALLED.is_dir():
            return "the published package is not installed (`make node`)"
        if not any((folder / "node_modules" / "esbuild").is_dir() for folder in (ADAPTER, PACKAGE)):
            return "esbuild is not installed (`make node`)"
    if kind == "git":
        asked = subprocess.run(["git", "-C", ROOT, "rev-parse", "HEAD"], capture_output=True, check=False)
        if asked.returncode != 0:
            return "this is no git checkout"
    return None


def spec(kind: str) -> str:
    """Return the specification of an engine of a kind; skip the test where there is none."""
    reason = absent(kind)
    if reason is not None:
        pytest.skip(reason)
    return {
        "core": "core:20.7.3",
        "exec": f"exec:{shlex.quote(sys.executable)} -m audit engine --core 20.7.3",
        "git": "git:HEAD/core:20.7.3",
        "package": f"package:{PACKAGE}",
    }[kind]


@pytest.fixture
def misbehaving() -> Callable[..., ProcessEngine]:
    """Open a misbehaving engine of a kind."""
    opened: list[ProcessEngine] = []

    def _open(kind: str, patience: Patience = Patience()) -> ProcessEngine:  # noqa: B008 - frozen
        program = EngineProgram(kind, Launch((sys.executable, str(MISBEHAVING), kind)), patience=patience)
        engine = ProcessEngine(program)
        opened.append(engine)
        return engine

    yield _open
    for engine in opened:
        engine.close()


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A checkout of a repository with the package in it, at a later version."""
    spec("package")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    package = tmp_path / "repository" / "packages" / "pi-permission-system"
    shutil.copytree(INSTALLED, package)
    manifest = json.loads((package / "package.json").read_text("utf-8"))
    (package / "package.json").write_text(json.dumps({**manifest, "version": "99.0.0"}), "utf-8")
    (package / "node_modules").symlink_to(PACKAGE / "node_modules")
    return package
