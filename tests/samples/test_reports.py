"""The reports of the sample log are what the tool makes of it today, byte for byte."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
WORDS = (
    "impact", "data-samples/review.jsonl", "--policy", "data-samples/baseline.json",
    "--candidate-policy", "data-samples/candidate.json",
    "--cwd", "/home/dev/shop", "--home", "/home/dev", "--platform", "posix",
)  # fmt: skip


@pytest.mark.parametrize(("form", "ending"), [("md", "md"), ("json", "json"), ("text", "txt")])
def test_the_report_is_made_again(tmp_path: Path, form: str, ending: str) -> None:
    made = tmp_path / "report"
    words = [sys.executable, "-m", "audit", *WORDS, "--format", form, "-o", str(made)]
    subprocess.run(words, cwd=ROOT, check=True, capture_output=True)
    kept = ROOT / "reports" / f"sample-impact.{ending}"
    assert made.read_text("utf-8") == kept.read_text("utf-8"), "run `make reports` and look at what moved"
