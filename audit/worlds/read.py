"""A world read back as facts about places."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from hashlib import file_digest
from pathlib import Path

import polars as pl

from audit.core.paths.flavor import flavor
from audit.core.place import Entries
from audit.errors import WorldError
from audit.log.store.texts import MARK, from_utf8
from audit.worlds.form import SCHEMA, from_metadata
from audit.worlds.links import resolved_links
from audit.worlds.walk import Kind
from audit.worlds.world import Facts, World


def read_world(path: Path) -> World:
    """Read a world; raise `WorldError` or `NewerWorld`."""
    try:
        with path.open("rb") as stream:
            digest = file_digest(stream, "sha256").hexdigest()
        facts = from_metadata(pl.read_parquet_metadata(path))
        names = pl.read_parquet(path)
    except FileNotFoundError:
        raise WorldError(
            f"there is no file `{path}`", "make one with `permission-audit snapshot DIR -o FILE`"
        ) from None
    except OSError as error:
        raise WorldError(f"`{path}` cannot be read: {error.strerror or error}") from None
    except pl.exceptions.PolarsError:
        raise WorldError(f"`{path}` is no world, or is damaged: it is not a whole Parquet file") from None
    except WorldError as error:
        raise type(error)(f"`{path}`: {error.message}", error.advice) from None
    if dict(names.schema) != SCHEMA:
        raise WorldError(f"`{path}` is damaged: its columns are not those of a world")
    return _world(names, facts, digest)


def _world(names: pl.DataFrame, facts: Facts, digest: str) -> World:
    semantics = flavor(facts.platform)
    separator, fold = semantics.separator, semantics.fold

    def paths(kept: pl.DataFrame) -> list[str]:
        joined = kept.select(pl.concat_str("folder", "name", separator=separator)).to_series().to_list()
        return [fold(text) for text in _texts(joined)]

    links = names.filter((pl.col("kind") == Kind.LINK) & pl.col("target").is_not_null())
    targets = map(fold, _texts(links["target"].to_list()))
    roots = [fold(root.rstrip(separator)) for root in facts.roots]
    return World(
        facts=facts,
        digest=digest,
        entries=Entries(
            known=frozenset(paths(names)).union(_on_the_way(roots, separator)),
            roots=frozenset(roots),
            holes=frozenset(paths(names.filter(pl.col("unread").is_not_null()))),
            separator=separator,
        ),
        links=resolved_links(dict(zip(paths(links), targets, strict=True)), facts.platform),
    )


def _on_the_way(roots: Iterable[str], separator: str) -> Iterator[str]:
    """Yield the roots and the folders they are in."""
    for root in roots:
        here = root
        while here:
            yield here if separator in here else here + separator
            here = here.rpartition(separator)[0]
        if separator == "/":
            yield separator


def _texts(texts: Iterable[str]) -> Iterator[str]:
    return (from_utf8(text) if MARK in text else text for text in texts)
