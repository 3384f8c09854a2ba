"""Inputs keep names that tell them apart, and no folders."""

from __future__ import annotations

import pytest

from audit.log.store.names import short_names, without_folders
from tests.log.lines import asked, data, read


@pytest.mark.parametrize(
    ("names", "short"),
    [
        (["/home/mia/logs/review.jsonl"], ["review.jsonl"]),
        (["logs/a.jsonl", "logs/b.jsonl"], ["a.jsonl", "b.jsonl"]),
        (["/x/a/r.jsonl", "/x/b/r.jsonl", "/x/b/s.jsonl"], ["a/r.jsonl", "b/r.jsonl", "s.jsonl"]),
        (["/r.jsonl", "/a/r.jsonl"], ["/r.jsonl", "a/r.jsonl"]),
        (["r.jsonl", "a/r.jsonl"], ["r.jsonl", "a/r.jsonl"]),
        (["standard input", "/x/r.jsonl"], ["standard input", "r.jsonl"]),
    ],
)
def test_a_name_is_the_shortest_tail_of_its_own(names: list[str], short: list[str]) -> None:
    assert list(short_names(names).values()) == short


def test_rejects_go_by_the_name_of_their_input() -> None:
    reading = without_folders(read(data(asked("make"), [b"nothing"])))
    assert {reject.file for reject in reading.rejects} <= {file.name for file in reading.files}
