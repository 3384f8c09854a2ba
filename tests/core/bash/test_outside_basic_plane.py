"""Characters outside the basic plane never reach the C library's tables, which end before them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from audit.core.bash.parser import parse
from audit.core.ecma import to_code_units

ROOT = Path(__file__).resolve().parents[3]
DECIDE = """
import sys
from audit.core.call import shell
from audit.core.decide import decide
from audit.core.place import Place
from audit.core.policy.compose import PolicySources, compose
from audit.core.revision import LATEST

for _ in range(25):
    decision = decide(shell(eval(sys.argv[1])), compose(PolicySources()), Place("/a", "/b"), LATEST)
print(decision.program.units[0].text == eval(sys.argv[1]))
"""


@pytest.mark.parametrize(
    "command", ["x{\U0010ffff}", "x{1..\U0010ffff}", "{\U000f6963k", "cat -x\U0001f980 ?\U0001f980"]
)
def test_a_process_survives_them(command: str) -> None:
    words = [sys.executable, "-c", DECIDE, ascii(command)]
    ran = subprocess.run(words, cwd=ROOT, capture_output=True, check=False)
    assert (ran.returncode, ran.stdout.strip()) == (0, b"True"), ran.stderr.decode()


@pytest.mark.parametrize("command", ["echo \U0001f980 a/b", "\U0001d49c=1 ls", "cat '\U0001f980'/x"])
def test_offsets_count_code_units(command: str) -> None:
    text = to_code_units(command)
    assert parse(text).end_byte == 2 * len(text)
