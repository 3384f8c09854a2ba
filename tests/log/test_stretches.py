"""A long log is read by several processes, and nothing in the reading shows it."""

from __future__ import annotations

import gzip
import io
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO, cast

import pytest

from audit.errors import LogError
from audit.log import source, stretches
from audit.log.read import read_logs
from audit.log.source import LogSource
from audit.log.transcripts.read import read_transcripts
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
@pytest.mark.parametrize("reading", [read_logs, read_transcripts])
def test_a_source_that_breaks_off_is_told(reading: Callable[[list[LogSource]], object]) -> None:
    packed = io.BytesIO(gzip.compress(SAMPLE)[:-20])
    with gzip.open(packed) as stream, pytest.raises(LogError, match=r"`cut` cannot be read to its end"):
        reading([LogSource("cut", lambda: cast("BinaryIO", stream))])
