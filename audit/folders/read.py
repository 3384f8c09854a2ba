"""Ingest folders read back, and checked before they are believed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

import polars as pl

from audit.errors import IngestError
from audit.folders.known import MANIFEST, digest_of
from audit.log.cases import LogReading
from audit.log.store.frames import from_frames
from audit.log.store.manifest import Manifest, StoredFile, manifest_in, read_document, tables_of
from audit.log.store.versions import TODAY, Format, Stored, upgraded


def read_folder(path: Path, known: Format = TODAY) -> tuple[LogReading, Manifest]:
    """Return what an ingest folder holds; raise `IngestError` or `NewerFormat`."""
    try:
        text = (path / MANIFEST).read_text("utf-8", "replace")
        document = read_document(text, known.newest)
        frames = {name: _parts(path, name, files) for name, files in tables_of(document).items() if files}
        stored = upgraded(Stored(document, frames), known)
        manifest = manifest_in(stored.document)
        return from_frames(stored.frames, manifest), manifest
    except IngestError as error:
        raise type(error)(f"ingest folder `{path}`: {error.message}", error.advice) from None
    except OSError as error:
        raise IngestError(f"ingest folder `{path}` cannot be read: {error.strerror or error}") from None


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
