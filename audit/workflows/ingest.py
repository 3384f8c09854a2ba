"""Logs read once and kept as an ingest folder."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from audit.folders.write import check_place, write_folder
from audit.log.cases import LineLedger, LogReading
from audit.log.collector import collector_at_rest
from audit.log.store.frames import Part, rows_of, to_frames
from audit.log.store.manifest import Supplied, Tables, manifest_of, manifest_text
from audit.log.store.names import without_folders
from audit.workflows.reading import PlaceOptions, Progress, read_as_supplied


@dataclass(frozen=True, slots=True)
class Target:
    """Where an ingest folder goes."""

    folder: Path
    force: bool
    """Whether it may take the place of an older one."""
    tool: str
    """Version of permission-audit."""


@dataclass(frozen=True, slots=True)
class Ingested:
    """What was written."""

    calls: int
    cases: int
    rejects: int
    entries: int
    ledger: LineLedger


def ingest(
    patterns: Sequence[str],
    target: Target,
    places: PlaceOptions,
    progress: Progress,
    field_width: int | None = None,
) -> Ingested:
    """Read logs, or an ingest folder of an older format, and write what they hold to a folder.

    Names of inputs lose the folders they were in. Raises `LogError` or `OutputError`.
    """
    check_place(target.folder, force=target.force)
    reading, supplied = read_as_supplied(patterns, places, progress, field_width)
    reading = without_folders(reading)
    written = Ingested(
        calls=len(reading.calls),
        cases=len(reading.cases),
        rejects=len(reading.rejects),
        entries=sum(reading.eras.values()),
        ledger=reading.ledger,
    )
    parts = _told(to_frames(reading), rows_of(reading), progress)
    # From here on only the parts hold the records, and let go of them on the way.
    reading = replace(reading, cases=(), calls=(), rejects=(), session_starts=())
    with collector_at_rest():
        write_folder(
            target.folder, parts, partial(_manifest, reading, supplied, target.tool), force=target.force
        )
    return written


def _manifest(reading: LogReading, supplied: Supplied, tool: str, tables: Tables) -> str:
    return manifest_text(manifest_of(reading, supplied, tables, tool))


def _told(parts: Iterator[Part], total: int, progress: Progress) -> Iterator[Part]:
    """Yield parts, and tell how many rows they hold so far."""
    done = 0
    for table, frame in parts:
        yield table, frame
        done += frame.height
        progress("writing", done, total)
