"""`attribute` and `bisect`, end to end on the sample log."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

from audit.core.revision import REVISIONS
from tests.cli.conftest import Run

SAMPLES = Path(__file__).resolve().parents[2] / "data-samples"
PLACE = ("--cwd", "/home/dev/shop", "--home", "/home/dev", "--platform", "posix")
POLICIES = ("--policy", "baseline.json", "--candidate-policy", "candidate.json")
FORMER = "18.0.2-before-509"


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, policy: str) -> None:
    """Put the sample into the folder where commands run."""
    del policy
    for name in ("review.jsonl", "baseline.json", "candidate.json"):
        shutil.copy(SAMPLES / name, tmp_path / name)


def attribute(run: Run, *options: str) -> Any:
    return run("attribute", "review.jsonl", *options, *PLACE, "--format", "json").json()


def test_causes_add_up_to_the_changes_that_impact_finds(run: Run) -> None:
    found = attribute(run, *POLICIES)
    impact = run("impact", "review.jsonl", *POLICIES, *PLACE, "--format", "json").json()
    assert sum(len(cause["changes"]) for cause in found["causes"]) == found["changes"]["commands"]
    assert (
        sum(one["calls"] for cause in found["causes"] for one in cause["changes"])
        == found["changes"]["calls"]
    )
    attributed = {one["case"] for cause in found["causes"] for one in cause["changes"]}
    assert {one["case"] for one in impact["changes"]} <= attributed
    named = {factor for cause in found["causes"] for one in cause["causes"] for factor in one}
    assert named <= set(found["factors"])
    assert 'bash["git push --force*"] added, deny' in named


def test_switches_and_edits_are_factors_together(run: Run) -> None:
    found = attribute(run, *POLICIES, "--core", FORMER, "--candidate-core", "20.7.3")
    assert any(factor.startswith("bare-tokens: none to promotion") for factor in found["factors"])
    pairs = [cause for one in found["causes"] for cause in one["causes"] if len(cause) == 2]
    assert any(
        "bare-tokens: none to promotion" in pair and 'path["docker-compose.yml"] added, ask' in pair
        for pair in pairs
    )


def test_equal_sides_have_nothing_to_attribute(run: Run) -> None:
    ran = run("attribute", "review.jsonl", "--policy", "baseline.json", *PLACE)
    assert ran.code == 0
    assert "The two sides do not differ." in ran.out


def test_an_engine_of_others_cannot_be_taken_apart(run: Run) -> None:
    ran = run("attribute", "review.jsonl", *POLICIES, *PLACE, "--engine", "exec:true")
    assert ran.code == 9
    assert "`exec:true`" in ran.err


def test_changes_appear_at_the_revision_that_made_them(run: Run) -> None:
    ends = ("--core", FORMER, "--core", "20.7.3")
    found = run(
        "bisect", "review.jsonl", *ends, "--policy", "candidate.json", *PLACE, "--format", "json"
    ).json()
    names = [step["spec"].removeprefix("core:") for step in found["steps"]]
    order = list(REVISIONS)
    assert names == order[order.index(FORMER) : order.index("20.7.3") + 1]
    by_step = {step["spec"]: step["appears"] for step in found["steps"]}
    promoted = [one for one in by_step["core:18.0.2-after-509"] if "docker-compose.yml" in one["call"]]
    assert promoted
    last = found["steps"][-1]
    assert sum(map(len, by_step.values())) == last["changed"]["commands"]


def test_two_spellings_of_one_list_of_steps_agree(run: Run) -> None:
    steps = ("core:9.1.0-after-307", "core:r13", "core:20.7.3")
    cores = [word for step in steps for word in ("--core", step.removeprefix("core:"))]
    engines = [word for step in steps for word in ("--engine", step)]
    options = ("--policy", "baseline.json", *PLACE, "--format", "json")
    one, other = (run("bisect", "review.jsonl", *words, *options).json() for words in (cores, engines))
    assert one["steps"] == other["steps"]
    assert [step["spec"] for step in one["steps"]] == list(steps)


@pytest.mark.parametrize(
    ("words", "code", "says"),
    [
        ((), 2, "name the steps"),
        (("--core", "20.7.3"), 2, "one --core is no list"),
        (("--core", "20.7.3", "--core", "r9"), 10, "no earlier revision"),
        (("--core", "nine", "--core", "r9"), 10, "no core revision is named `nine`"),
        (("--core", "r9", "--engine", "core:r9"), 2, "name the steps"),
        (("--engine", "core:r9"), 9, "nothing between"),
        (("--git", "HEAD"), 9, "no range of commits"),
        (("--git", "HEAD..HEAD", "--engine", "core:r9"), 2, "--git goes alone"),
    ],
)
def test_a_list_that_is_none_is_refused(run: Run, words: tuple[str, ...], code: int, says: str) -> None:
    ran = run("bisect", "review.jsonl", *words, "--policy", "baseline.json", *PLACE)
    assert (ran.code, says in ran.err) == (code, True), ran.err
