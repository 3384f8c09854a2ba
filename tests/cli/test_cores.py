"""`permission-audit cores`, as a person and as a program reads it."""

from __future__ import annotations

from pathlib import Path

import pytest

from audit.core.revision import LATEST, REVISIONS, SWITCHES
from audit.report.cores import LEFT_OUT, cores_page
from audit.report.terminal import to_terminal
from tests.cli.conftest import Run


def test_every_revision_switch_and_value_is_listed(run: Run) -> None:
    ran = run("cores")
    assert ran.code == 0
    assert all(name in ran.out for name in (*REVISIONS, *SWITCHES))
    flat = " ".join(ran.out.split())
    assert "Which parts of a command bash rules are asked about." in flat
    assert "deny on bash by rm *" in flat
    assert "known in outline only" in flat
    assert "\x1b" not in ran.out


def test_the_machine_form_has_every_outcome(run: Run) -> None:
    told = run("cores", "--json").json()
    assert told["default"] == LATEST.name
    assert [one["name"] for one in told["revisions"]] == list(REVISIONS)
    assert told["revisions"][-1]["switches"] == REVISIONS["later"].switches()
    assert told["left_out"] == dict(LEFT_OUT)
    for switch in told["switches"]:
        values = [one["value"] for one in switch["values"]]
        assert values == [value.value for value in SWITCHES[switch["name"]]]
        for witness in switch["witnesses"]:
            assert list(witness["outcomes"]) == values
            assert all(one["decision"] in {"allow", "ask", "deny"} for one in witness["outcomes"].values())
    units = next(one for one in told["switches"] if one["name"] == "units")
    assert [one["evidence"] for one in units["values"]] == ["R", "R", "R", "R", "S"]
    whole, *_, statements = units["witnesses"][0]["outcomes"].values()
    assert (whole["decision"], statements["decision"]) == ("allow", "deny")


@pytest.mark.parametrize("width", [80, 140])
def test_no_line_is_wider_than_the_terminal(width: int) -> None:
    lines = to_terminal(cores_page(), width).splitlines()
    assert max(map(len, lines)) <= width


def test_it_can_be_written_to_a_file(run: Run, tmp_path: Path) -> None:
    assert run("cores", "--format", "md", "-o", "cores.md").code == 0
    assert (tmp_path / "cores.md").read_text(encoding="utf-8").startswith("# Core revisions and switches\n")


def test_a_derived_revision_decides(run: Run, policy: str) -> None:
    place = ("--cwd", "/home/dev/app", "--home", "/home/dev", "--platform", "posix")
    words = ("decide", "cat < <(rm x)", "--policy", policy, *place)
    assert run(*words).json()["decision"] == "allow"
    assert run(*words, "--core", "20.7.3+units=hosted").json()["decision"] == "deny"
    assert run(*words, "--core", "r27").json()["decision"] == "deny"


@pytest.mark.parametrize(
    ("core", "near"),
    [("20.7.3+unit=hosted", "units"), ("20.7.3+units=hoste", "hosted"), ("r2", "permission-audit cores")],
)
def test_an_unknown_core_is_told_with_what_is_near(run: Run, policy: str, core: str, near: str) -> None:
    ran = run("decide", "ls", "--policy", policy, "--core", core)
    assert (ran.code, ran.out) == (10, "")
    assert near in ran.err
    assert "Traceback" not in ran.err


@pytest.mark.parametrize("core", [*REVISIONS, "r9+units=hosted"])
def test_the_worker_says_which_core_it_is(run: Run, core: str) -> None:
    hello, _ = run("engine", "--core", core, given='{"type":"bye"}\n').out.splitlines()
    assert f'"revision":"{core}"' in hello
    assert '"units":' in hello
