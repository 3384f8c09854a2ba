"""Volume and waiting of the logs that the package wrote itself, against what really happened."""

from __future__ import annotations

import gzip
import json
from collections import Counter
from typing import Any

import pytest

from audit.log.read import read_logs
from audit.log.source import source_of
from audit.measures.recorded.latency import latency
from audit.measures.recorded.requests import logged
from audit.measures.recorded.stamps import milliseconds
from audit.measures.recorded.volume import volume
from tests.real.ground_truth import NAMES, RealLog

pytestmark = pytest.mark.golden


def _prompts(log: RealLog) -> list[dict[str, Any]]:
    lines = (log.folder / "inputs.jsonl").read_text("utf-8").splitlines()
    return [prompt for one in (*log.calls(), *map(json.loads, lines)) for prompt in one.get("prompts", ())]


@pytest.mark.parametrize("name", NAMES)
def test_prompts_answers_and_waiting_are_what_happened(name: str) -> None:
    log = RealLog(name)
    prompts = _prompts(log)
    answers = Counter(prompt["answer"] for prompt in prompts)
    reading = read_logs([source_of(name, gzip.decompress(log.review.read_bytes()))])
    requests = logged(reading.calls, reading.timeline)
    total = volume(requests).total
    assert total.approved == answers["once"]
    assert total.approved_for_session == answers["session"]
    assert total.refused == answers["deny"] + answers["deny_reason"]
    assert total.unanswered == answers["none"]
    waits = latency(requests).answered
    assert waits.asks == total.approval.denominator
    assert waits.total == sum(_wait(prompt) for prompt in prompts if prompt["answer"] != "none")


def _wait(prompt: dict[str, Any]) -> int:
    opened, answered = milliseconds(prompt["waiting"]), milliseconds(prompt["answered"])
    assert opened is not None
    assert answered is not None
    return answered - opened
