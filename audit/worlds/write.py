"""A world on its way to a file, a part at a time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path

import polars as pl
from polars.io.plugins import register_io_source

from audit.log.store.texts import to_utf8
from audit.worlds.form import SCHEMA, to_metadata
from audit.worlds.walk import EXCLUDED, Found, Kind
from audit.worlds.world import Facts

PART = 1 << 15
"""Names that are held at a time."""

Progress = Callable[[int], None]
"""Called with the number of names recorded so far."""


@dataclass(slots=True)
class Tally:
    """What was recorded."""

    kinds: Counter[Kind] = field(default_factory=Counter)
    excluded: int = 0
    """Folders that were not looked into because that was asked for."""
    unreadable: list[tuple[str, str, str]] = field(default_factory=list)
    """Folders that could not be read: the folder each is in, its name, and why."""

    def add(self, found: Found) -> None:
        """Count one name."""
        self.kinds[found.kind] += 1
        if found.unread == EXCLUDED:
            self.excluded += 1
        elif found.unread is not None:
            self.unreadable.append((found.folder, found.name, found.unread))


def write_world(path: Path, names: Iterable[Found], facts: Facts, progress: Progress) -> Tally:
    """Write names to a file as they are found; raise `OSError`."""
    tally = Tally()

    def parts(
        with_columns: list[str] | None, predicate: pl.Expr | None, n_rows: int | None, batch_size: int | None
    ) -> Iterator[pl.DataFrame]:
        # A source may be asked for less than all; this one only ever feeds the file.
        del with_columns, predicate, n_rows, batch_size
        left = iter(names)
        while part := list(islice(left, PART)):
            yield _frame(part, tally)
            progress(tally.kinds.total())

    register_io_source(parts, schema=SCHEMA).sink_parquet(
        path, compression="zstd", metadata=to_metadata(facts), maintain_order=True
    )
    return tally


def _frame(part: Iterable[Found], tally: Tally) -> pl.DataFrame:
    rows = []
    for found in part:
        tally.add(found)
        rows.append([text if text is None or text.isascii() else to_utf8(text) for text in found])
    return pl.DataFrame(rows, schema=SCHEMA, orient="row")
