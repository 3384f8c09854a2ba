"""Folders recorded as a world, and a world taken to a comparison."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from audit.core.place import Platform
from audit.files import whole_file
from audit.workflows.reading import Progress
from audit.worlds.form import FORMAT_VERSION
from audit.worlds.walk import walk, ways_to
from audit.worlds.world import Facts
from audit.worlds.write import Tally, write_world


@dataclass(frozen=True, slots=True)
class Recorded:
    """What a world now holds."""

    roots: tuple[str, ...]
    tally: Tally


def record_world(
    folders: Sequence[str], output: Path, tool: str, progress: Progress, excludes: Sequence[str] = ()
) -> Recorded:
    """Write the names below folders to a file, whole or not at all; raise `WorldError` or `OutputError`.

    `tool`: version of permission-audit. Of folders whose name matches one of `excludes` only the name is
    recorded.
    """
    ways = ways_to(folders, excludes)
    facts = Facts(
        version=FORMAT_VERSION,
        tool=tool,
        recorded=datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
        platform=Platform.WIN32 if os.name == "nt" else Platform.POSIX,
        roots=ways.roots,
        excludes=tuple(excludes),
    )
    with whole_file(output) as part:
        tally = write_world(part, walk(ways, excludes), facts, lambda done: progress("recording", done, None))
    return Recorded(ways.roots, tally)
