"""A long log is read by several processes, and nothing in the reading shows it."""

from __future__ import annotations

import gzip
import io
from pathlib import Path
from typing import BinaryIO, cast

import pytest

from audit.errors import LogError
from audit.log import source, stretches
from audit.log.source import LogSource
from tests.log.lines import read

SAMPLE = (Path(__file__).resolve().parents[2] / "data-samples" / "review.jsonl").read_bytes()
HALF = SAMPLE.index(b"\n", len(SAMPLE) // 2) + 1


@pytest.fixture
def small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let every log be a long one."""
    monkeypatch.setattr(source, "BLOCK", 1 << 16)
    monkeypatch.setattr(stretches, "ALONE", 1)
    monkeypatch.setattr("os.cpu_count", lambda: 2)


WHOLE = read(SAMPLE)
TWICE = read(SAMPLE[:HALF], SAMPLE)


@pytest.mark.usefixtures("small_blocks")
def test_several_processes_read_what_one_reads() -> None:
    assert len(SAMPLE) > 2 * source.BLOCK
    assert read(SAMPLE) == WHOLE


@pytest.mark.usefixtures("small_blocks")
def test_overlapping_files_count_once_however_they_are_cut() -> None:
    reading = read(SAMPLE[:HALF], SAMPLE)
    assert reading == TWICE
    assert reading.cases == WHOLE.cases
    blank = reading.ledger.classes["blank"] - WHOLE.ledger.classes["blank"]
    assert reading.ledger.classes["duplicate line"] + blank == SAMPLE[:HALF].count(b"\n")


@pytest.mark.usefixtures("small_blocks")
def test_a_source_that_breaks_off_is_told() -> None:
    cut = gzip.compress(SAMPLE)[:-20]
    broken = LogSource("cut.jsonl.gz", lambda: cast("BinaryIO", gzip.open(io.BytesIO(cut))))
    with pytest.raises(LogError, match=r"`cut.jsonl.gz` cannot be read to its end"):
        for _ in stretches.parts_of([broken], [], 1000, None):
            pass
