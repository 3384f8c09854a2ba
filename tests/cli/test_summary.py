"""`summary`, end to end on the sample log."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from tests.cli.conftest import Run

SAMPLE = Path(__file__).resolve().parents[2] / "data-samples" / "review.jsonl"
WORDS = ("summary", "review.jsonl", "--cwd", "/home/dev/shop", "--home", "/home/dev")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return the folder where commands run, with the sample in it."""
    shutil.copy(SAMPLE, tmp_path / "review.jsonl")
    return tmp_path


def test_the_ledger_and_the_months_add_up(run: Run, folder: Path) -> None:
    ran = run(*WORDS, "--format", "json")
    assert ran.code == 0, ran.err
    found = ran.json()
    lines = (folder / "review.jsonl").read_bytes().count(b"\n")
    assert found["schema_version"] == 1
    assert found["ledger"]["lines"] == lines
    assert sum(found["ledger"]["classes"].values()) == lines
    assert (
        sum(month["asks"] for month in found["volume"]["months"]) == found["volume"]["total"]["asks"] > 1000
    )
    assert sum(cause["share"]["numerator"] for cause in found["causes"]["causes"]) == sum(
        found["causes"]["asks"].values()
    )
    cells = sum(cell["asks"] for cell in found["directions"]["cross"])
    left_out = sum(found["directions"]["left_out"].values())
    assert cells + left_out == found["directions"]["external"] > 50
    assert found["roots"]["roots"][0]["label"].startswith("~/")
    assert {era["era"] for era in found["coverage"]["eras"]} >= {"E8", "E11", "E12"}


def test_a_log_given_twice_is_told(run: Run, folder: Path) -> None:
    shutil.copy(folder / "review.jsonl", folder / "copy.jsonl")
    words = (*WORDS, "copy.jsonl")
    once, twice = run(*WORDS, "--format", "json").json(), run(*words, "--format", "json").json()
    assert (twice["header"]["logs"], twice["header"]["copies"]) == (2, 1)
    assert twice["header"]["calls"] == once["header"]["calls"]
    told = "1 of 2 logs is the same as another one"
    assert (told in " ".join(run(*WORDS).out.split()), told in " ".join(run(*words).out.split())) == (
        False,
        True,
    )


def line(event: str, stamp: str, **members: object) -> str:
    common = {"timestamp": stamp, "extension": "pi-permission-system", "stream": "review"}
    return json.dumps({**common, "event": f"permission_request.{event}", **members}) + "\n"


def ask(number: int, **members: object) -> dict[str, object]:
    """Return the members of a prompt entry of the era before E10."""
    command = f"make step{number}"
    return {
        "requestId": f"c{number}",
        "source": "tool_call",
        "agentName": None,
        "message": f"Current agent requested bash command '{command}' (matched '*'). Allow this command?",
        "toolCallId": f"c{number}",
        "toolName": "bash",
        "skillName": None,
        "path": None,
        "command": command,
        "target": None,
        "toolInputPreview": None,
        "resolution": None,
        "denialReason": None,
        **members,
    }


def newer(number: int, **members: object) -> dict[str, object]:
    """Return the members of a prompt entry of E12."""
    told = {"surface": "bash", "matchedPattern": "*", "requestId": f"perm-{number}"}
    entry = {**ask(number), **told, **members}
    return {name: value for name, value in entry.items() if name != "message"}


def test_pending_a_time_out_and_a_newer_era_are_what_they_are(run: Run, tmp_path: Path) -> None:
    day, later = "2026-07-20T10:00:0{}.000Z", "2026-08-29T10:00:0{}.000Z"
    person = {"kind": "user", "via": "dialog"}
    (tmp_path / "log.jsonl").write_text(
        line("waiting", day.format(0), **ask(1))
        + line("waiting", day.format(1), **ask(2))
        + line("denied", day.format(2), **ask(2, resolution="confirmation_unavailable"))
        + line("waiting", day.format(3), **ask(3))
        + line("denied", day.format(5), **ask(3, resolution="denied"))
        + line("waiting", later.format(0), **newer(4))
        + line("approved", later.format(4), **newer(4, resolution="approved", decidedBy=person)),
        encoding="utf-8",
    )
    found = run("summary", "log.jsonl", "--format", "json").json()
    total = found["volume"]["total"]
    assert (total["asks"], total["approved"], total["refused"]) == (4, 1, 1)
    assert (total["unanswered"], total["unavailable"]) == (1, 1)
    assert total["approval"]["denominator"] == 2
    assert [month["asks"] for month in found["volume"]["months"]] == [3, 1]
    assert found["latency"]["answered"]["total"] == 6000
    assert found["causes"]["asks"] == {"2026-07": 3, "2026-08": 1}


@pytest.mark.parametrize("form", ["text", "md"])
def test_a_person_reads_what_prompts_cost(run: Run, folder: Path, form: str) -> None:
    del folder
    ran = run(*WORDS, "--format", form)
    assert ran.code == 0
    for words in ("In short", "Always approved", "npm test", "Made again by", "strict"):
        assert words in ran.out
    assert ran.err == ""


def test_the_log_twice_changes_no_figure(run: Run, folder: Path) -> None:
    shutil.copy(folder / "review.jsonl", folder / "copy.jsonl")
    once = run(*WORDS, "--format", "json").json()
    twice = run("summary", "copy.jsonl", *WORDS[1:], "--format", "json").json()
    for name in once.keys() - {"header", "ledger", "digest", "cautions"}:
        assert once[name] == twice[name], name


def test_the_same_input_gives_the_same_bytes(run: Run, folder: Path) -> None:
    for number in ("1", "2"):
        assert run(*WORDS, "--format", "json", "-o", f"{number}.json").code == 0
    assert (folder / "1.json").read_bytes() == (folder / "2.json").read_bytes()


def test_a_missing_log_is_one_sentence(run: Run) -> None:
    ran = run("summary", "nowhere.jsonl")
    assert ran.code == 3
    assert ran.err.startswith("error: ")
    assert ran.out == ""


@pytest.mark.parametrize(("prompts", "code"), [(29, 0), (30, 13)])
def test_sentences_in_other_words_are_an_error_and_no_zero(
    run: Run, tmp_path: Path, prompts: int, code: int
) -> None:
    lines = (
        line(event, f"2026-07-20T10:{number:02d}:{second:02d}.000Z", **ask(number, message="May I?", **ends))
        for number in range(prompts)
        for event, second, ends in (("waiting", 0, {}), ("approved", 5, {"resolution": "approved"}))
    )
    (tmp_path / "log.jsonl").write_text("".join(lines), encoding="utf-8")
    ran = run("summary", "log.jsonl")
    assert ran.code == code
    told = " ".join((ran.err if code else ran.out).split())
    assert (f"no sentence in {prompts} prompts of E" if code else "none shows its sentence") in told
