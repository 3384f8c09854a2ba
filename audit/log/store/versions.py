"""Older formats, upgraded a version at a time.

Whoever changes a table or the manifest raises `FORMAT_VERSION`, adds a line to its history, and adds the
step from the version before to `STEPS`. A step never changes afterwards.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from audit.errors import IngestError
from audit.log.store.frames import Frames
from audit.log.store.manifest import FORMAT_VERSION, Document


@dataclass(frozen=True, slots=True)
class Stored:
    """What a folder holds, in the terms of one version of the format."""

    document: Document
    """The manifest without its seal."""
    frames: Frames
    """The parts of each table, read one at a time, and once only."""


Step = Callable[[Stored], Stored]
"""Returns the same content in the terms of the next version, `version` of the document apart."""

STEPS: Mapping[int, Step] = {}
"""The step from each older version to the next; version 1 is the first."""


@dataclass(frozen=True, slots=True)
class Format:
    """The versions a reader knows."""

    newest: int
    steps: Mapping[int, Step]


TODAY = Format(FORMAT_VERSION, STEPS)


def upgraded(stored: Stored, known: Format = TODAY) -> Stored:
    """Return a folder's content in the terms of the newest version; raise `IngestError`."""
    for version in range(stored.document["version"], known.newest):
        step = known.steps.get(version)
        if step is None:
            raise IngestError(
                f"it is of format {version}, which this permission-audit no longer reads",
                "ingest the logs again",
            )
        stored = step(stored)
        stored = Stored({**stored.document, "version": version + 1}, stored.frames)
    return stored
