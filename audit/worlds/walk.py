"""The names below some folders: what they are and where links lead, never what files hold."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from enum import StrEnum
from fnmatch import fnmatchcase
from pathlib import Path
from typing import NamedTuple

from audit.errors import WorldError

EXCLUDED = "excluded"
"""Why a folder was not looked into, where that was asked for; otherwise the system's own words."""


class Kind(StrEnum):
    """What a name stands for."""

    FILE = "file"
    DIRECTORY = "directory"
    LINK = "link"
    OTHER = "other"
    """A device, pipe or socket."""


class Found(NamedTuple):
    """One name."""

    folder: str
    """The folder it is in, without a separator at its end."""
    name: str
    kind: Kind
    target: str | None
    """Where a link leads, as it says itself; None for all else, and for a link that cannot be read."""
    unread: str | None
    """Why nothing is known of what is below a folder; None: it was looked into."""


@dataclass(frozen=True, slots=True)
class Ways:
    """Where a recording starts, and what stands on the way there."""

    roots: tuple[str, ...]
    """Folders without links in their paths, in order, none below another one."""
    links: tuple[Found, ...]
    """The links in the paths as they were given."""


def ways_to(folders: Sequence[str], excludes: Sequence[str]) -> Ways:
    """Return where to start for folders as given; raise `WorldError` for one that is none."""
    links: dict[tuple[str, str], Found] = {}
    roots: set[Path] = set()
    for folder in map(Path, folders):
        if not folder.is_dir():
            what = "is no folder" if folder.exists() else "does not exist"
            raise WorldError(f"`{folder}` {what}", "give folders whose names are to be recorded")
        roots.add(folder.resolve())
        links.update(((found.folder, found.name), found) for found in _links_to(folder))
    return Ways(
        roots=tuple(str(root) for root in sorted(roots) if not _is_covered(root, roots, excludes)),
        links=tuple(found for _, found in sorted(links.items())),
    )


def _links_to(folder: Path) -> Iterator[Found]:
    """Yield the links that the path of a folder passes through."""
    path = folder.absolute()
    for part in (*reversed(path.parents), path):
        if part.is_symlink():
            yield Found(_bare(str(part.parent.resolve())), part.name, Kind.LINK, _target(str(part)), None)


def _is_covered(root: Path, roots: AbstractSet[Path], excludes: Sequence[str]) -> bool:
    """Tell whether the recording of another root reaches this one."""
    return any(
        other != root
        and root.is_relative_to(other)
        and not any(_is_excluded(name, excludes) for name in root.relative_to(other).parts)
        for other in roots
    )


def walk(ways: Ways, excludes: Sequence[str]) -> Iterator[Found]:
    """Yield every name below the roots, folders before what is in them, names of a folder in order.

    Links are named and never followed. Of a folder whose name matches one of `excludes` only the name is
    recorded.
    """
    yield from ways.links
    for root in ways.roots:
        entries = _entries(root)
        if isinstance(entries, str):
            top = Path(root)
            yield Found(_bare(str(top.parent)), top.name, Kind.DIRECTORY, None, entries)
        else:
            yield from _below(_bare(root), entries, excludes)


def _below(root: str, entries: Iterable[os.DirEntry[str]], excludes: Sequence[str]) -> Iterator[Found]:
    waiting = [(root, iter(entries))]
    while waiting:
        folder, left = waiting[-1]
        entry = next(left, None)
        if entry is None:
            waiting.pop()
            continue
        kind, unread = _kind(entry), None
        if kind is Kind.DIRECTORY:
            inside = EXCLUDED if _is_excluded(entry.name, excludes) else _entries(entry.path)
            if isinstance(inside, str):
                unread = inside
            else:
                waiting.append((entry.path, iter(inside)))
        target = _target(entry.path) if kind is Kind.LINK else None
        yield Found(folder, entry.name, kind, target, unread)


def _entries(folder: str) -> list[os.DirEntry[str]] | str:
    """Return the entries of a folder in order, or why there are none to see."""
    try:
        with os.scandir(folder) as entries:
            return sorted(entries, key=lambda entry: entry.name)
    except OSError as error:
        return error.strerror or type(error).__name__


def _kind(entry: os.DirEntry[str]) -> Kind:
    try:
        if entry.is_symlink():
            return Kind.LINK
        if entry.is_dir(follow_symlinks=False):
            return Kind.DIRECTORY
        return Kind.FILE if entry.is_file(follow_symlinks=False) else Kind.OTHER
    except OSError:
        return Kind.OTHER


def _target(path: str) -> str | None:
    try:
        return os.readlink(path)  # noqa: PTH115 - as the link says it, not as a path object would
    except OSError:
        return None


def _is_excluded(name: str, excludes: Sequence[str]) -> bool:
    return any(fnmatchcase(name, pattern) for pattern in excludes)


def _bare(folder: str) -> str:
    """Return a folder without the separator that the root of a file system ends with."""
    return folder.rstrip(os.sep)
