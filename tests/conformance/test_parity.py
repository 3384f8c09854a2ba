"""Parity at detail `program` with the published package 20.7.3: every golden vector, 100%."""

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

SHARDS = [
    pytest.param(name, shard, shards, id=f"{name}-{shard}")
    for name, shards in FILES.items()
    for shard in range(shards)
]


def _answers_in_process(golden: Vectors) -> list[str]:
    session = EngineSession(InProcessEngine(revision("20.7.3")))
    for name, policy in golden.policies.items():
        assert session.receive(encode({"type": "policy", "name": name, **policy})) is None
    wrong: list[str] = []
    for vector in golden.vectors:
        answer = session.receive(encode(vector.question()))
        assert answer is not None
        wrong += differences(vector, json.loads(answer))
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
