"""Ingest folders read back, and checked before they are believed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import polars as pl

from audit.errors import IngestError
from audit.folders.known import MANIFEST, digest_of
from audit.log.store.frames import LogTables, from_frames
from audit.log.store.manifest import Manifest, StoredFile, Tables, manifest_in, read_document, tables_of
from audit.log.store.versions import TODAY, Format, Stored, upgraded

Progress = Callable[[int, int], None]
"""Called with the number of rows read so far, and that of all."""


def read_folder(
    path: Path, known: Format = TODAY, progress: Progress | None = None
) -> tuple[LogTables, Manifest]:
    """Return what an ingest folder holds; raise `IngestError` or `NewerFormat`."""
    try:
        text = (path / MANIFEST).read_text("utf-8", "replace")
        document = read_document(text, known.newest)
        tables = tables_of(document)
        tell = _teller(tables, progress)
        frames = {name: map(tell, _parts(path, name, files)) for name, files in tables.items() if files}
        stored = upgraded(Stored(document, frames), known)
        manifest = manifest_in(stored.document)
        return from_frames(stored.frames, manifest), manifest
    except IngestError as error:
        raise type(error)(f"ingest folder `{path}`: {error.message}", error.advice) from None
    except OSError as error:
        raise IngestError(f"ingest folder `{path}` cannot be read: {error.strerror or error}") from None


def _teller(tables: Tables, progress: Progress | None) -> Callable[[pl.DataFrame], pl.DataFrame]:
    """Return what passes a part on and tells how many rows there were so far."""
    total = sum(stored.rows for files in tables.values() for stored in files)
    done = 0

    def tell(part: pl.DataFrame) -> pl.DataFrame:
        nonlocal done
        done += part.height
        if progress is not None:
            progress(done, total)
        return part

    return tell


def _parts(folder: Path, name: str, files: Iterable[StoredFile]) -> Iterator[pl.DataFrame]:
    """Yield the parts of one table, each of them as it was written."""
    for stored in files:
        file = folder / stored.name
        if file.parent != folder or not file.is_file():
            raise IngestError(f"`{stored.name}` of the table `{name}` is missing")
        if file.stat().st_size != stored.size or digest_of(file) != stored.digest:
            raise IngestError(f"`{stored.name}` is damaged: its bytes are not those that were written")
        try:
            part = pl.read_parquet(file)
        except pl.exceptions.PolarsError as error:
            raise IngestError(f"`{stored.name}` is no Parquet file: {error}") from None
        if part.height != stored.rows:
            raise IngestError(f"`{stored.name}` holds {part.height} rows of {stored.rows}")
        yield part
