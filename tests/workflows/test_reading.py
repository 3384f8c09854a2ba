"""What stands in place of logs, and that an ingest folder holds what reading the logs would give."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

import msgspec
import pytest

from audit.core.place import Platform
from audit.errors import IngestError, LogIsDirectory, MissingLog, NoUsableLine
from audit.folders.read import read_folder
from audit.log.cases import CwdSource, LogReading
from audit.log.places import PlaceFile, WorkingDirectory
from audit.log.store.names import without_folders
from audit.workflows.ingest import Target, ingest
from audit.workflows.reading import PlaceOptions, read_input
from tests.log.lines import CWD, asked, data, external_message, session_start

ROOT = Path(__file__).resolve().parents[2]
SAMPLE = str(ROOT / "data-samples" / "review.jsonl")
REAL = ROOT / ".." / "shared" / "logs" / "real"
NONE = PlaceOptions()
LOG = data(
    session_start(),
    asked("make"),
    asked("cat /srv/a", "t2", 5.0, message=external_message("cat /srv/a", "/srv/a")),
    [b"nothing"],
)


def quiet(stage: str, done: int, total: int | None) -> None:
    assert stage in {"reading", "writing"}
    assert total is None or done <= total


def kept(*logs: str, folder: Path, places: PlaceOptions = NONE, field_width: int | None = None) -> str:
    """Ingest logs and return the folder's name."""
    ingest(logs, Target(folder, force=False, tool="1.2.3"), places, quiet, field_width)
    return str(folder)


@pytest.fixture
def log(tmp_path: Path) -> str:
    """Return the name of a small log."""
    (tmp_path / "review.jsonl").write_bytes(LOG)
    return str(tmp_path / "review.jsonl")


def test_a_folder_holds_what_the_log_holds(tmp_path: Path) -> None:
    folder = kept(SAMPLE, folder=tmp_path / "kept")
    assert read_input([folder], NONE, quiet) == without_folders(read_input([SAMPLE], NONE, quiet))


@pytest.mark.skipif(not REAL.is_dir(), reason="no real logs: ../shared is not beside the repository")
@pytest.mark.parametrize("name", ["148-after", "307-after", "533-after", "20.7.3"])
def test_a_folder_holds_what_a_real_log_holds(tmp_path: Path, name: str) -> None:
    log = str(REAL / name / "review.jsonl.gz")
    folder = kept(log, folder=tmp_path / "kept")
    assert read_input([folder], NONE, quiet) == without_folders(read_input([log], NONE, quiet))


@pytest.mark.parametrize("seed", range(4))
def test_files_in_any_order_hold_the_same_calls(tmp_path: Path, seed: int) -> None:
    chance = random.Random(seed)  # noqa: S311 - a repeatable split
    lines = Path(SAMPLE).read_bytes().splitlines(keepends=True)
    cuts = sorted(chance.sample(range(len(lines)), 4))
    parts = [lines[start:end] for start, end in zip([0, *cuts], [*cuts, len(lines)], strict=True)]
    names = [tmp_path / name for name in "abcde"]
    for path, part in zip(chance.sample(names, 5), parts, strict=True):
        path.write_bytes(b"".join(part))
    split, _ = read_folder(Path(kept(*map(str, names), folder=tmp_path / "split")))
    whole, _ = read_folder(Path(kept(SAMPLE, folder=tmp_path / "whole")))
    assert _named_alike(split.reading()) == _named_alike(whole.reading())


def _named_alike(reading: LogReading) -> LogReading:
    """Return a reading without what the division into files decides."""
    rejects = tuple(replace(reject, file="", line=0) for reject in reading.rejects)
    return replace(reading, files=(), rejects=rejects, digest="")


def test_a_folder_is_ingested_again_as_it_is(tmp_path: Path, log: str) -> None:
    first = kept(log, folder=tmp_path / "first", places=PlaceOptions(cwd=CWD))
    again = kept(first, folder=tmp_path / "again")
    for path in Path(first).iterdir():
        assert (Path(again) / path.name).read_bytes() == path.read_bytes()


def _ruled(path: str) -> PlaceOptions:
    return PlaceOptions(file=PlaceFile(working_directories=(WorkingDirectory(path=path),)))


SUPPLIED = [
    (PlaceOptions(cwd=CWD), PlaceOptions(cwd="/srv"), "--cwd"),
    (PlaceOptions(home="/home/mia"), PlaceOptions(home="/srv"), "--home"),
    (PlaceOptions(platform=Platform.POSIX), PlaceOptions(platform=Platform.WIN32), "--platform"),
    (_ruled("/srv"), _ruled("/opt"), "--places"),
    (PlaceOptions(file=PlaceFile(home="/home/mia")), PlaceOptions(file=PlaceFile(home="/srv")), "--home"),
]


@pytest.mark.parametrize(("given", "other", "option"), SUPPLIED)
def test_options_have_to_be_those_of_the_reading(
    tmp_path: Path, log: str, given: PlaceOptions, other: PlaceOptions, option: str
) -> None:
    with_option = kept(log, folder=tmp_path / "with", places=given)
    without = kept(log, folder=tmp_path / "without")
    assert read_input([with_option], given, quiet) == read_input([with_option], NONE, quiet)
    for folder, words in ((with_option, "was ingested with"), (without, "was ingested without it")):
        with pytest.raises(IngestError, match=option) as caught:
            read_input([folder], other, quiet)
        assert words in caught.value.message


def test_the_field_width_has_to_be_that_of_the_reading(tmp_path: Path, log: str) -> None:
    folder = kept(log, folder=tmp_path / "kept", field_width=400)
    read_input([folder], NONE, quiet, 400)
    with pytest.raises(IngestError, match="ingested with `400`"):
        read_input([folder], NONE, quiet, 500)


def test_the_field_width_tells_a_cut_command(tmp_path: Path) -> None:
    (tmp_path / "log").write_bytes(data(asked("m" * 40 + "…", era=12, surface="bash")))
    log = str(tmp_path / "log")
    wide = read_input([log], NONE, quiet)
    narrow = read_input([kept(log, folder=tmp_path / "kept", field_width=40)], NONE, quiet)
    assert "cut" not in str(wide.cases[0].reasons)
    assert "cut" in str(narrow.cases[0].reasons)


@pytest.mark.parametrize("file", [PlaceFile(links=(("/var", "/private/var"),)), PlaceFile(agent_dir="/srv")])
def test_facts_for_the_replay_alone_may_be_given_later(tmp_path: Path, log: str, file: PlaceFile) -> None:
    folder = kept(log, folder=tmp_path / "kept")
    places = PlaceOptions(file=file)
    reading = read_input([folder], places, quiet)
    assert places.rule(reading) == places.rule(read_input([log], places, quiet))


def test_a_supplied_home_is_that_of_the_replay(tmp_path: Path, log: str) -> None:
    given = PlaceOptions(home="/home/eve")
    reading = read_input([kept(log, folder=tmp_path / "kept", places=given)], NONE, quiet)
    assert reading.home_source is CwdSource.SUPPLIED
    assert NONE.rule(reading) == given.rule(read_input([log], given, quiet))


def test_logs_and_folders_are_not_mixed(tmp_path: Path, log: str) -> None:
    one, two = kept(log, folder=tmp_path / "one"), kept(log, folder=tmp_path / "two")
    for patterns in ([one, log], [one, two], ["-", one]):
        with pytest.raises(IngestError, match="goes alone"):
            read_input(patterns, NONE, quiet)


def test_another_folder_is_no_input(tmp_path: Path) -> None:
    with pytest.raises(LogIsDirectory):
        read_input([str(tmp_path)], NONE, quiet)


def test_nothing_is_written_for_a_log_that_cannot_be_used(tmp_path: Path) -> None:
    (tmp_path / "bad.jsonl").write_text("hello\n")
    with pytest.raises(NoUsableLine):
        kept(str(tmp_path / "bad.jsonl"), folder=tmp_path / "kept")
    with pytest.raises(MissingLog):
        kept(str(tmp_path / "none.jsonl"), folder=tmp_path / "kept")
    assert [path.name for path in tmp_path.iterdir()] == ["bad.jsonl"]


def test_progress_ends_where_it_said(tmp_path: Path, log: str) -> None:
    told: dict[str, tuple[int, int | None]] = {}

    def note(stage: str, done: int, total: int | None) -> None:
        told[stage] = (done, total)

    ingest([log], Target(tmp_path / "kept", force=False, tool="1.2.3"), NONE, note)
    assert told["reading"] == (len(LOG), len(LOG))
    done, total = told["writing"]
    assert done == total
    told.clear()
    read_input([str(tmp_path / "kept")], NONE, note)
    assert told == {"reading": (done, done)}
    assert msgspec.json.decode((tmp_path / "kept" / "manifest.json").read_bytes())["tool"] == "1.2.3"
