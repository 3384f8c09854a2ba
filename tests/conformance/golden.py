"""Golden vectors: what the published package decided, one JSON object a line."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
SHARED = ROOT.parent / "shared" / "vectors"
AUTHORED = ROOT / "tests" / "vectors" / "authored.jsonl"

ABSENT = f"the golden vectors are not here ({SHARED.name} beside the repository)"


@dataclass(frozen=True)
class Vector:
    """One recorded decision; `expect` holds the members the package reported."""

    id: object
    policy: str
    agent: str | None
    call: dict[str, Any]
    place: dict[str, Any]
    expect: dict[str, Any]

    def question(self) -> dict[str, Any]:
        """Return the `decide` message that asks for it."""
        return {
            "type": "decide",
            "id": self.id,
            "policy": self.policy,
            "agent": self.agent,
            "call": self.call,
            "place": self.place,
        }


@dataclass(frozen=True)
class Vectors:
    """A file of vectors and the policies they name, as `policy` messages without their type."""

    policies: dict[str, dict[str, Any]]
    vectors: list[Vector]


def _lines(path: Path) -> Iterator[dict[str, Any]]:
    open_text = gzip.open if path.suffix == ".gz" else open
    with open_text(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)


def load(path: Path, shard: int = 0, shards: int = 1) -> Vectors:
    """Read every `shards`th vector of a file from number `shard` on, and all its policies."""
    named = path.parent / "policies.json"
    policies = (
        {
            name: {"permission": permission}
            for name, permission in json.loads(named.read_text(encoding="utf-8")).items()
        }
        if named.exists()
        else {}
    )
    vectors: list[Vector] = []
    number = 0
    for line in _lines(path):
        if "policy_named" in line:
            name = line.pop("policy_named")
            policies[name] = line
            continue
        if number % shards == shard:
            expect = {member: value for member, value in line["expect"].items() if member != "reason"}
            vectors.append(
                Vector(line["id"], line["policy"], line.get("agent"), line["call"], line["place"], expect)
            )
        number += 1
    return Vectors(policies, vectors)


def differences(vector: Vector, answer: dict[str, Any], *, partly: bool = False) -> list[str]:
    """Return what an answer says otherwise than the vector, a sentence a member.

    With `partly` the vector is of a release that did not report everything: what it lacks is not compared.
    """
    return [
        f"{vector.id}: {member}: {answer.get(member)!r} instead of {expected!r}, call {vector.call!r}"
        for member, expected in vector.expect.items()
        if not (_covers(answer.get(member), expected) if partly else answer.get(member) == expected)
    ]


def _covers(told: object, expected: object) -> bool:
    if expected is None:
        return True
    if isinstance(expected, list) and isinstance(told, list):
        return len(told) == len(expected) and all(map(_covers, told, expected))
    if isinstance(expected, dict) and isinstance(told, dict):
        return all(_covers(told.get(member), value) for member, value in expected.items())
    return told == expected
