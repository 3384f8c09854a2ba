"""Command lines run as a user runs them, in a process of their own or in this one."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

POLICY = {
    "permission": {
        "*": "ask",
        "bash": {"*": "ask", "git *": "allow", "cat *": "allow", "rm *": "deny"},
        "path": {"*": "allow", "*.pem": "deny"},
        "external_directory": {"*": "ask", "/var/cache/*": "allow"},
    }
}


@dataclass(frozen=True)
class Ran:
    """What a command line left behind."""

    code: int
    out: str
    err: str

    def json(self) -> Any:
        """Return standard output as JSON."""
        return json.loads(self.out)


Run = Callable[..., Ran]


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """Run `permission-audit` with these words in an empty folder."""

    def _run(*words: str, given: str | bytes = b"") -> Ran:
        done = subprocess.run(
            [sys.executable, "-m", "audit", *words],
            input=given.encode() if isinstance(given, str) else given,
            capture_output=True,
            cwd=tmp_path,
            check=False,
        )
        return Ran(done.returncode, done.stdout.decode(), done.stderr.decode())

    return _run


@pytest.fixture
def policy(tmp_path: Path) -> str:
    """Return the name of a policy file in the folder where commands run."""
    (tmp_path / "policy.json").write_text(json.dumps(POLICY), encoding="utf-8")
    return "policy.json"
