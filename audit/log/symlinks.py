"""Symbolic links that sentences mention: `resolves to` (review-log.md 13)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from audit.core.paths import posix

_ITSELF = ""


def links_of(pairs: Iterable[tuple[str, str]]) -> tuple[tuple[str, str], ...]:
    """Return links, path and what it resolves to, that explain the pairs; in order of the path.

    A pair proves only itself. A folder is proved by two different pairs that end alike below it and part
    there, by its own pair with another below it, and by a pair whose real path is the lexical one under
    `/private`, which is how macOS links its top folders. Pairs that part further down prove no folder above:
    a link often has the name of its target, and what lies beside it is no link.
    """
    distinct = sorted({(_tidy(path), real) for path, real in pairs})
    folders: dict[tuple[str, str], set[str]] = {}
    for path, real in distinct:
        for folder, name in _folders(path, real):
            folders.setdefault(folder, set()).add(name)
    links: dict[str, str] = {}
    for path, real in distinct:
        above = [folder for folder, _ in _folders(path, real)]
        proved = [folder for folder in above if len(folders[folder]) > 1 or _of_macos(folder)]
        link = _narrowest(proved) if proved else (path, real)
        links.setdefault(*link)
    return tuple(sorted(links.items()))


def _tidy(path: str) -> str:
    """Return a path, shown as it was typed, in the form of its real one."""
    return posix.normalize(path).rstrip("/") or path


def _folders(path: str, real: str) -> Iterator[tuple[tuple[str, str], str]]:
    """Yield every pair of folders that a pair may come from, and the name below; the pair itself first."""
    name = real_name = _ITSELF
    while path and real and name == real_name:
        yield (path, real), name
        path, _, name = path.rpartition("/")
        real, _, real_name = real.rpartition("/")


def _of_macos(folder: tuple[str, str]) -> bool:
    path, real = folder
    return real == "/private" + path and path.count("/") == 1


def _narrowest(folders: list[tuple[str, str]]) -> tuple[str, str]:
    """Return the folder to link: macOS's own where it is among them, else the narrowest."""
    return next(filter(_of_macos, folders), folders[0])
