"""Ingest folders are written whole or not at all, and not believed when they are damaged."""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import polars as pl
import pytest

from audit.errors import IngestError, NewerFormat, OutputError
from audit.folders.known import MANIFEST, digest_of, is_ingest_folder
from audit.folders.read import read_folder
from audit.folders.write import check_place, write_folder
from audit.log.cases import LogReading
from audit.log.store.frames import Part
from audit.log.store.manifest import FORMAT, Supplied, Tables, document_text, manifest_of, manifest_text
from audit.log.store.versions import Format, Stored
from tests.log.lines import asked, data, read, session_start
from tests.log.store.readings import tables_of

READING = read(data(session_start(), asked("make"), asked("mint", "t2", 5.0), [b"nothing"]))
OTHER = read(data(asked("sow")))


def _manifest(reading: LogReading, tables: Tables) -> str:
    return manifest_text(manifest_of(reading, Supplied(), tables, "1.2.3"))


def write(path: Path, reading: LogReading = READING, *, force: bool = False) -> None:
    write_folder(path, tables_of(reading).parts(), partial(_manifest, reading), force=force)


def content(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return an ingest folder."""
    path = tmp_path / "kept"
    write(path)
    return path


def test_what_was_written_is_read(folder: Path) -> None:
    tables, manifest = read_folder(folder)
    assert tables.reading() == READING
    assert manifest.tool == "1.2.3"
    assert is_ingest_folder(folder)


def test_nothing_is_left_beside_it(folder: Path) -> None:
    assert list(folder.parent.iterdir()) == [folder]


def test_the_same_reading_gives_the_same_bytes(folder: Path) -> None:
    again = folder.parent / "again"
    write(again)
    assert content(again) == content(folder)


def test_it_has_the_mode_of_any_new_folder(folder: Path) -> None:
    beside = folder.parent / "beside"
    beside.mkdir()
    assert stat.S_IMODE(folder.stat().st_mode) == stat.S_IMODE(beside.stat().st_mode)


def _file(path: Path) -> None:
    path.write_text("mine")


def _empty(path: Path) -> None:
    path.mkdir()


def _other_folder(path: Path) -> None:
    path.mkdir()
    (path / MANIFEST).write_text('{"name": "web app"}')


def _dangling(path: Path) -> None:
    path.symlink_to("nowhere")


@pytest.mark.parametrize("force", [False, True])
@pytest.mark.parametrize("make", [_file, _empty, _other_folder, _dangling])
def test_what_is_no_ingest_folder_is_never_touched(
    tmp_path: Path, make: Callable[[Path], None], force: bool
) -> None:
    make(tmp_path / "mine")
    before = (tmp_path / "mine").lstat()
    with pytest.raises(OutputError, match="is not an ingest folder"):
        write(tmp_path / "mine", force=force)
    assert (tmp_path / "mine").lstat() == before
    assert [path.name for path in tmp_path.iterdir()] == ["mine"]


def test_an_ingest_folder_is_replaced_only_by_force(folder: Path) -> None:
    before = content(folder)
    with pytest.raises(OutputError, match="exists"):
        write(folder, OTHER)
    assert content(folder) == before
    write(folder, OTHER, force=True)
    assert read_folder(folder)[0].reading() == OTHER
    assert list(folder.parent.iterdir()) == [folder]


def test_a_damaged_ingest_folder_is_replaced_by_force(folder: Path) -> None:
    (folder / MANIFEST).write_text((folder / MANIFEST).read_text("utf-8")[:80])
    write(folder, force=True)
    assert read_folder(folder)[0].reading() == READING


@pytest.mark.parametrize("interruption", [KeyboardInterrupt, RuntimeError, OSError(28, "no space left")])
def test_an_interruption_leaves_all_as_it_was(folder: Path, interruption: BaseException) -> None:
    def parts() -> Iterator[Part]:
        yield from list(tables_of(OTHER).parts())[:2]
        raise interruption

    before = content(folder)
    for path in (folder, folder.parent / "new"):
        with pytest.raises((KeyboardInterrupt, RuntimeError, OutputError)):
            write_folder(path, parts(), partial(_manifest, OTHER), force=True)
    assert content(folder) == before
    assert list(folder.parent.iterdir()) == [folder]


@pytest.mark.parametrize("failure", [PermissionError(13, "not allowed"), KeyboardInterrupt()])
def test_a_name_that_cannot_be_taken_leaves_the_older_folder(
    folder: Path, monkeypatch: pytest.MonkeyPatch, failure: BaseException
) -> None:
    before = content(folder)
    rename = Path.rename

    def refuse(self: Path, target: Path) -> Path:
        if self.parent.suffix == ".part":
            raise failure
        return rename(self, target)

    monkeypatch.setattr(Path, "rename", refuse)
    with pytest.raises((OutputError, KeyboardInterrupt)):
        write(folder, OTHER, force=True)
    assert content(folder) == before
    assert list(folder.parent.iterdir()) == [folder]


def test_a_folder_needs_a_folder_to_be_in(tmp_path: Path) -> None:
    with pytest.raises(OutputError, match="there is no folder"):
        check_place(tmp_path / "nowhere" / "kept", force=False)


def _cut(folder: Path) -> None:
    path = folder / "calls-000.parquet"
    path.write_bytes(path.read_bytes()[:-1])


def _flip(folder: Path) -> None:
    path = folder / "requests-000.parquet"
    found = bytearray(path.read_bytes())
    found[len(found) // 2] ^= 1
    path.write_bytes(found)


def _swap(folder: Path) -> None:
    (folder / "calls-000.parquet").write_bytes((folder / "cases-000.parquet").read_bytes())


def _change_manifest(folder: Path) -> None:
    path = folder / MANIFEST
    path.write_text(path.read_text("utf-8").replace('"version": 1', '"version": 1.0'))


def _hide_table(folder: Path) -> None:
    _rewrite(folder, lambda document: document["tables"].pop("rejects"))


def _no_files(folder: Path) -> None:
    _rewrite(folder, lambda document: document["tables"].update(rejects=[]))


def _elsewhere(folder: Path) -> None:
    (folder / "calls-000.parquet").rename(folder.parent / "calls-000.parquet")
    _rewrite(folder, lambda document: document["tables"]["calls"][0].update(name="../calls-000.parquet"))


def _no_parquet(folder: Path) -> None:
    path = folder / "rejects-000.parquet"
    path.write_text("rejects")
    _restore_digest(folder, "rejects")


def _other_columns(folder: Path) -> None:
    path = folder / "rejects-000.parquet"
    pl.read_parquet(path).rename({"why": "reason"}).write_parquet(path)
    _restore_digest(folder, "rejects")


def _fewer_rows(folder: Path) -> None:
    path = folder / "rejects-000.parquet"
    pl.read_parquet(path).clear().write_parquet(path)
    _restore_digest(folder, "rejects")


def _restore_digest(folder: Path, table: str) -> None:
    path = folder / f"{table}-000.parquet"
    facts = {"size": path.stat().st_size, "digest": digest_of(path)}
    _rewrite(folder, lambda document: document["tables"][table][0].update(facts))


def _rewrite(folder: Path, change: Callable[[dict[str, object]], object]) -> None:
    document = json.loads((folder / MANIFEST).read_text("utf-8"))
    del document["seal"]
    change(document)
    (folder / MANIFEST).write_text(document_text(document), "utf-8")


@pytest.mark.parametrize(
    ("damage", "says"),
    [
        (lambda folder: (folder / "cases-000.parquet").unlink(), "`cases-000.parquet` of the table"),
        (_cut, "`calls-000.parquet` is damaged"),
        (_flip, "`requests-000.parquet` is damaged"),
        (_swap, "`calls-000.parquet` is damaged"),
        (_hide_table, "table `rejects` is missing"),
        (_no_files, "table `rejects` is missing"),
        (_elsewhere, "is missing"),
        (_no_parquet, "no Parquet file"),
        (_other_columns, "other columns"),
        (_fewer_rows, "0 rows of 1"),
        (_change_manifest, "does not name the version"),
        (lambda folder: (folder / MANIFEST).write_text(""), "not JSON"),
        (lambda folder: (folder / MANIFEST).write_bytes(b"\xff\xfe"), "not JSON"),
    ],
    ids=[
        "no file",
        "cut",
        "flipped bit",
        "swapped",
        "no table",
        "no files",
        "elsewhere",
        "no parquet",
        "columns",
        "rows",
        "version",
        "empty",
        "bytes",
    ],
)
def test_damage_is_said_plainly(folder: Path, damage: Callable[[Path], object], says: str) -> None:
    damage(folder)
    with pytest.raises(IngestError, match=says) as caught:
        read_folder(folder)
    assert caught.value.message.startswith(f"ingest folder `{folder}`: ")


def test_a_newer_format_is_refused(folder: Path) -> None:
    _rewrite(folder, lambda document: document.update(version=2, tables="in another form"))
    with pytest.raises(NewerFormat, match="format 2"):
        read_folder(folder)


def _from_zero(stored: Stored) -> Stored:
    """Upgrade the made-up version 0, which called a reason of rejection `reason`."""
    rejects = (frame.rename({"reason": "why"}) for frame in stored.frames["rejects"])
    frames = {**stored.frames, "rejects": rejects}
    return Stored({**stored.document, "misfits": {}}, frames)


def test_an_older_format_is_upgraded_and_read(folder: Path) -> None:
    _other_columns(folder)
    _rewrite(folder, lambda document: (document.update(version=0), document.pop("misfits")))
    with pytest.raises(IngestError, match="format 0"):
        read_folder(folder)
    tables, manifest = read_folder(folder, Format(1, {0: _from_zero}))
    assert tables.reading() == READING
    assert manifest.version == 1


@pytest.mark.skipif(os.geteuid() == 0, reason="nothing is unreadable to the superuser")
def test_a_file_that_may_not_be_read(folder: Path) -> None:
    (folder / "cases-000.parquet").chmod(0)
    with pytest.raises(IngestError, match="cannot be read"):
        read_folder(folder)


def test_other_paths_are_no_ingest_folders(tmp_path: Path) -> None:
    (tmp_path / "file").write_text(f'"{FORMAT}"')
    assert not is_ingest_folder(tmp_path / "file")
    assert not is_ingest_folder(tmp_path / "nothing")
    assert not is_ingest_folder(tmp_path)
