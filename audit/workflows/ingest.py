"""Logs read once and kept as an ingest folder."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from audit.folders.write import check_place, write_folder
from audit.log.cases import LineLedger, LogReading
from audit.log.store.frames import LogTables, Part
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
    tables, supplied = read_as_supplied(patterns, places, progress, field_width)
    tables = replace(tables, facts=without_folders(tables.facts))
    facts = tables.facts
    manifest = partial(_manifest, facts, supplied, target.tool)
    write_folder(target.folder, _told(tables, progress), manifest, force=target.force)
    return Ingested(
        calls=tables.calls.height,
        cases=tables.case_count,
        rejects=len(facts.rejects),
        entries=sum(facts.eras.values()),
        ledger=facts.ledger,
    )


def _manifest(facts: LogReading, supplied: Supplied, tool: str, stored: Tables) -> str:
    return manifest_text(manifest_of(facts, supplied, stored, tool))


def _told(tables: LogTables, progress: Progress) -> Iterator[Part]:
    """Yield the parts of all tables, and tell how many rows they hold so far."""
    done = 0
    for table, frame in tables.parts():
        yield table, frame
        done += frame.height
        progress("writing", done, tables.rows)
