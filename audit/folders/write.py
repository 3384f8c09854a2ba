"""Ingest folders written whole or not at all."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

import polars as pl

from audit.errors import OutputError
from audit.folders.known import MANIFEST, digest_of, is_ingest_folder
from audit.log.store.frames import Part
from audit.log.store.manifest import StoredFile, Tables


def check_place(path: Path, *, force: bool) -> None:
    """Raise `OutputError` where `write_folder` would not write."""
    if not path.parent.is_dir():
        raise OutputError(f"`{path}` cannot be written: there is no folder `{path.parent}`")
    if not (path.is_symlink() or path.exists()):
        return
    if not is_ingest_folder(path):
        raise OutputError(
            f"`{path}` exists and is not an ingest folder, so it is left alone", "give another name"
        )
    if not force:
        raise OutputError(f"`{path}` exists", "give another name, or --force to replace it")


def write_folder(
    path: Path, parts: Iterable[Part], manifest: Callable[[Tables], str], *, force: bool = False
) -> None:
    """Write tables and then their manifest, whole or not at all; raise `OutputError`.

    Everything is written to a folder inside a private one beside `path`, and then takes the name. An ingest
    folder that has the name is moved aside first, and removed last.
    """
    check_place(path, force=force)
    path = path.resolve()
    try:
        with tempfile.TemporaryDirectory(
            dir=path.parent, prefix=f".{path.name}.", suffix=".part", ignore_cleanup_errors=True
        ) as private:
            folder = Path(private) / path.name
            folder.mkdir()
            tables = _write_tables(folder, parts)
            (folder / MANIFEST).write_text(manifest(tables), "utf-8")
            _settle(folder / MANIFEST)
            _settle(folder)
            _take_name(folder, path)
    except OSError as error:
        raise OutputError(f"`{path}` cannot be written: {error.strerror or error}") from None


def _write_tables(folder: Path, parts: Iterable[Part]) -> Tables:
    """Write each part to a file of its own while the next one is made."""
    numbers: Counter[str] = Counter()
    written: list[tuple[str, Future[StoredFile]]] = []
    with ThreadPoolExecutor(max_workers=1) as writer:
        for table, frame in parts:
            if written:
                written[-1][1].result()
            file = folder / f"{table.name}-{numbers[table.name]:03d}.parquet"
            numbers[table.name] += 1
            written.append((table.name, writer.submit(_write_part, file, frame)))
    tables: Tables = {}
    for name, stored in written:
        tables[name] = (*tables.get(name, ()), stored.result())
    return tables


def _write_part(file: Path, frame: pl.DataFrame) -> StoredFile:
    frame.write_parquet(file, compression="zstd", compression_level=1)
    _settle(file)
    return StoredFile(file.name, frame.height, file.stat().st_size, digest_of(file))


def _take_name(folder: Path, path: Path) -> None:
    """Let a finished folder take its name, from an older one where there is one."""
    if path.exists():
        aside = Path(tempfile.mkdtemp(dir=path.parent, prefix=f".{path.name}.", suffix=".old"))
        older = aside / path.name
        path.rename(older)
        try:
            folder.rename(path)
        finally:
            if not path.exists():
                older.rename(path)
            shutil.rmtree(aside, ignore_errors=True)
    else:
        folder.rename(path)
    _settle(path.parent)


def _settle(path: Path) -> None:
    """See to it that a file or folder is on the disk."""
    with suppress(PermissionError):
        handle = os.open(path, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
