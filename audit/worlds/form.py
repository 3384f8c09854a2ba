"""The form of a world: one Parquet file, a row a name, with what was recorded in its own metadata."""

from __future__ import annotations

import json
from collections.abc import Mapping

import msgspec
import polars as pl

from audit.errors import NewerWorld, WorldError
from audit.log.store.texts import from_utf8, to_utf8
from audit.worlds.walk import Kind
from audit.worlds.world import Facts

FORMAT = "permission-audit world"
"""The member of the file's metadata that holds the facts."""
FORMAT_VERSION = 1
# History of the format, a whole number that only grows:
# 1: folder, name, kind, target and unread of every name; these facts.

SCHEMA: dict[str, pl.DataType] = {
    "folder": pl.String(),
    "name": pl.String(),
    "kind": pl.Enum([kind.value for kind in Kind]),
    "target": pl.String(),
    "unread": pl.String(),
}
"""The members of `Found`; texts that UTF-8 cannot hold are written as in an ingest folder."""


def to_metadata(facts: Facts) -> dict[str, str]:
    """Return facts as metadata of a Parquet file."""
    return {FORMAT: to_utf8(json.dumps(msgspec.to_builtins(facts), ensure_ascii=False))}


def from_metadata(metadata: Mapping[str, str]) -> Facts:
    """Return the facts in the metadata of a Parquet file; raise `WorldError`."""
    if FORMAT not in metadata:
        raise WorldError("it is no world", "make one with `permission-audit snapshot DIR -o FILE`")
    try:
        document = json.loads(from_utf8(metadata[FORMAT]))
        version = document["version"]
        if isinstance(version, int) and version > FORMAT_VERSION:
            raise NewerWorld(
                f"it is of format {version}, written by a newer permission-audit ({document.get('tool')}); "
                f"this one reads formats up to {FORMAT_VERSION}",
                "update permission-audit, or record the folders again with this one",
            )
        return msgspec.convert(document, Facts)
    except (ValueError, TypeError, KeyError) as error:
        raise WorldError(f"its metadata is damaged: {error}") from None
