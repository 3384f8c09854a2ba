"""The published package against the core over generated commands, and that the comparison can fail."""

from __future__ import annotations

import shlex
import sys

from audit.core.revision import revision
from audit.engines.inprocess import InProcessEngine
from audit.engines.process import open_process
from audit.engines.spec import EngineChoice, choose_engine
from tests.engines.conftest import spec
from tests.engines.differential import PLACES, POLICIES, Chunk, differences, generated, run, shortened

PAST = f"exec:{shlex.quote(sys.executable)} -m audit engine --core 9.1.0-before-307"
MOVED = "ls -l && cd /etc && cat ./app.conf"


def core() -> InProcessEngine:
    ours = InProcessEngine(revision("20.7.3"))
    for name, policy in POLICIES.items():
        assert ours.define(name, policy) is None
    return ours


def opened(choice: EngineChoice):
    assert choice.program is not None
    return open_process(choice.program, POLICIES)


def test_the_published_package_decides_as_the_core_does() -> None:
    theirs, ours = opened(choose_engine(spec("package"))), core()
    found = [case for chunk in generated(3_000, seed=307) for case in differences(theirs, ours, chunk)]
    theirs.close()
    assert found == []


def test_another_revision_is_told_apart() -> None:
    theirs = opened(choose_engine(PAST))
    [case] = differences(theirs, core(), Chunk("rules", PLACES[0], ("ls", MOVED)))
    theirs.close()
    assert case["command"] == MOVED
    assert case["theirs"]
    assert case["ours"]


def test_a_difference_is_counted_and_shortened(capsys) -> None:
    choice = choose_engine(PAST)
    assert run([Chunk("rules", PLACES[0], ("ls", MOVED))], choice, POLICIES) == 1
    told = capsys.readouterr().out
    assert "2 of 2 decisions compared, 1 differ" in told
    assert "shortest: " in told
    case = {"command": MOVED, "policy": "rules", "place": {"cwd": "/srv/project"}}
    [whole] = differences(opened(choice), core(), Chunk("rules", PLACES[0], (MOVED,)))
    assert len(shortened({**case, "place": whole["place"]}, choice, POLICIES)) < len(MOVED)
