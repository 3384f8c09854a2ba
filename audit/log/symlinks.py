"""Symbolic links that sentences mention: `resolves to` (review-log.md 13)."""

from __future__ import annotations

from collections.abc import Iterable


def links_of(pairs: Iterable[tuple[str, str]]) -> tuple[tuple[str, str], ...]:
    """Return links, path and what it resolves to, that explain the pairs; in order of the path.

    A pair proves only itself. Two different pairs that end alike below one folder prove the folder, and so
    does a pair whose real path is the lexical one under `/private`, which is how macOS links its top folders.
    """
    distinct = sorted(set(pairs))
    folders: dict[tuple[str, str], set[str]] = {}
    for path, real in distinct:
        for folder in _folders(path, real):
            folders.setdefault(folder, set()).add(path)
    links: dict[str, str] = {}
    for path, real in distinct:
        proved = [folder for folder in _folders(path, real) if len(folders[folder]) > 1 or _of_macos(folder)]
        link = _narrowest(proved) if proved else (path, real)
        links.setdefault(*link)
    return tuple(sorted(links.items()))


def _folders(path: str, real: str) -> list[tuple[str, str]]:
    """Return every pair of folders that a pair may come from, the narrowest first, itself left out."""
    found: list[tuple[str, str]] = []
    while True:
        path, _, name = path.rpartition("/")
        real, _, real_name = real.rpartition("/")
        if not path or not real or name != real_name:
            return found
        found.append((path, real))


def _of_macos(folder: tuple[str, str]) -> bool:
    path, real = folder
    return real == "/private" + path and path.count("/") == 1


def _narrowest(folders: list[tuple[str, str]]) -> tuple[str, str]:
    """Return the folder to link: macOS's own where it is among them, else the narrowest."""
    return next(filter(_of_macos, folders), folders[0])
