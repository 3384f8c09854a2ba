"""Parity with the published package: every golden vector of every recorded revision, 100%.

20.7.3 is compared at detail `program`; older states at all that they reported.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from audit.core.revision import revision
from audit.engines.inprocess import InProcessEngine
from audit.protocol.messages import encode
from audit.protocol.session import EngineSession
from tests.conformance.golden import ABSENT, AUTHORED, ROOT, SHARED, Vectors, differences, load

FILES = {"20.7.3-posix": 12, "20.7.3-win32": 3, "20.7.3-random-policies": 6}
"""The vector files of the revision, and into how many tests each is split to use all cores."""

FORMER = {
    "5.16.0-before-148": "posix",
    "5.16.0-after-148": "posix",
    "9.1.0-before-307": "posix",
    "9.1.0-after-307": "posix",
    "18.0.2-before-509": "posix",
    "18.0.2-after-509": "posix",
    "18.1.1-before-533": "win32",
    "18.1.1-after-533": "win32",
}
"""The states before and after four changes, each a revision, with the platform of its one file."""

SHARDS = [
    pytest.param(name, shard, shards, id=f"{name}-{shard}")
    for name, shards in FILES.items()
    for shard in range(shards)
]


def _answers_in_process(golden: Vectors, core: str = "20.7.3", *, partly: bool = False) -> list[str]:
    session = EngineSession(InProcessEngine(revision(core)))
    for name, policy in golden.policies.items():
        assert session.receive(encode({"type": "policy", "name": name, **policy})) is None
    wrong: list[str] = []
    for vector in golden.vectors:
        answer = session.receive(encode(vector.question()))
        assert answer is not None
        wrong += differences(vector, json.loads(answer), partly=partly)
    return wrong


def _answers_from_worker(golden: Vectors) -> list[str]:
    messages = [{"type": "policy", "name": name, **policy} for name, policy in golden.policies.items()]
    messages += [vector.question() for vector in golden.vectors]
    messages.append({"type": "bye"})
    worker = subprocess.run(
        [sys.executable, "-m", "audit", "engine", "--core", "20.7.3"],
        input="".join(encode(message) + "\n" for message in messages).encode("ascii"),
        capture_output=True,
        cwd=ROOT,
        check=True,
    )
    hello, *answers, bye = [json.loads(line) for line in worker.stdout.decode("ascii").splitlines()]
    assert hello["type"] == "hello"
    assert hello["protocol"] == 1
    assert hello["revision"] == "20.7.3"
    assert bye == {"type": "bye", "decided": len(golden.vectors), "failed": 0}
    assert [answer["id"] for answer in answers] == [vector.id for vector in golden.vectors]
    return [
        line
        for vector, answer in zip(golden.vectors, answers, strict=True)
        for line in differences(vector, answer)
    ]


def _shared(name: str) -> Path:
    path = SHARED / f"{name}.jsonl.gz"
    if not path.exists():
        pytest.skip(ABSENT)
    return path


@pytest.mark.golden
@pytest.mark.parametrize(("name", "shard", "shards"), SHARDS)
def test_golden_vectors_in_process(name: str, shard: int, shards: int) -> None:
    golden = load(_shared(name), shard, shards)
    assert len(golden.vectors) >= 1000
    assert _answers_in_process(golden) == []


@pytest.mark.golden
@pytest.mark.parametrize("core", FORMER)
def test_golden_vectors_of_former_states(core: str) -> None:
    golden = load(_shared(f"{core}-{FORMER[core]}"))
    assert len(golden.vectors) >= 4000
    assert _answers_in_process(golden, core, partly=True) == []


@pytest.mark.golden
@pytest.mark.parametrize("core", FORMER)
def test_the_other_side_of_a_change_does_not_fit(core: str) -> None:
    before, after = ("before", "after") if "before" in core else ("after", "before")
    golden = load(_shared(f"{core}-{FORMER[core]}"))
    assert _answers_in_process(golden, core.replace(before, after), partly=True)


@pytest.mark.golden
@pytest.mark.parametrize("name", FILES)
def test_golden_vectors_through_the_worker(name: str) -> None:
    golden = load(_shared(name), shard=7, shards=50)
    assert _answers_from_worker(golden) == []


def test_authored_vectors_in_process() -> None:
    golden = load(AUTHORED)
    assert len(golden.vectors) >= 300
    assert _answers_in_process(golden) == []


def test_authored_vectors_through_the_worker() -> None:
    assert _answers_from_worker(load(AUTHORED)) == []


def test_a_wrong_expectation_is_found() -> None:
    golden = load(AUTHORED)
    vector = golden.vectors[0]
    wrong = {**vector.expect, "decision": "never"}
    changed = type(vector)(vector.id, vector.policy, vector.agent, vector.call, vector.place, wrong)
    assert len(_answers_in_process(Vectors(golden.policies, [changed]))) == 1
