"""Review logs that the package wrote itself, each with the ground truth of every call."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from audit.core.place import Place, Platform, Skill
from audit.core.policy.compose import PolicySources
from audit.core.policy.document import read_bundle

LOGS = Path(__file__).resolve().parents[3] / "shared" / "logs" / "real"
NAMES = ("20.7.3", "533-after", "307-after", "148-after")
CWD_MARK = "<cwd>"


class RealLog:
    """One of the logs, its policies, its timeline and its calls."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.folder = LOGS / name
        if not self.folder.is_dir():
            pytest.skip("the real logs are not here (shared beside the repository)")
        self.timeline: dict[str, Any] = json.loads((self.folder / "timeline.json").read_text("utf-8"))

    @property
    def review(self) -> Path:
        """The log itself."""
        return self.folder / "review.jsonl.gz"

    def policies(self) -> dict[str, PolicySources]:
        """Return the policies by the names that calls use."""
        return {
            path.stem: read_bundle(json.loads(path.read_text("utf-8")), path.stem)
            for path in (self.folder / "policies").glob("*.json")
        }

    def calls(self) -> Iterator[dict[str, Any]]:
        """Yield every call in the order they began."""
        with gzip.open(self.folder / "calls.jsonl.gz", "rt", encoding="utf-8") as lines:
            yield from map(json.loads, lines)

    def place(self, call: dict[str, Any]) -> Place:
        """Return the place of a call, skills of its project included."""
        return Place(
            cwd=call["cwd"],
            home=call["home"],
            platform=Platform(call["platform"]),
            links=tuple(call["realpath"].items()),
            agent_dir=self.timeline["agent_dir"],
            skills=tuple(
                Skill(skill["name"], skill["location"].replace(CWD_MARK, call["cwd"]))
                for skill in self.timeline["skills"]
            ),
        )
