"""The world a call happened in, as data. A missing fact is a value, not a guess."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum


class Platform(StrEnum):
    """Path semantics, chosen once per session from the host."""

    POSIX = "posix"
    WIN32 = "win32"


@dataclass(frozen=True, slots=True)
class Skill:
    """An entry of the skill catalogue that an agent was shown."""

    name: str
    location: str
    """Absolute path of the skill's own file."""


@dataclass(frozen=True, slots=True)
class Entries:
    """What exists, as far as anyone knows.

    Paths are absolute and normal, folded where the platform folds; folders stand without a separator at
    their end, the root of POSIX as the empty text.
    """

    known: frozenset[str] = frozenset()
    """Paths that exist, links among them whether or not they lead anywhere."""
    roots: frozenset[str] = frozenset()
    """Folders below which nothing exists but what is known."""
    holes: frozenset[str] = frozenset()
    """Folders below a root that were not looked into."""
    otherwise: bool = False
    """What is taken to be so where nothing is known: everything exists, or nothing does."""
    separator: str = "/"

    def seen(self, path: str) -> bool | None:
        """Tell whether a path exists; None: unknown. Its folder must be free of links."""
        if path in self.known:
            return True
        while path:
            path = path.rpartition(self.separator)[0]
            if path in self.holes:
                return None
            if path in self.roots:
                return False
        return None

    def exists(self, path: str) -> bool:
        """Tell whether a path exists or is taken to."""
        if not (self.otherwise or self.known):
            return False
        seen = self.seen(path)
        return self.otherwise if seen is None else seen


NOTHING_KNOWN = Entries()


def listed(paths: Iterable[str]) -> Entries:
    """Return the entries of a place of which a list of paths is all that exists."""
    return Entries(frozenset(paths), roots=frozenset({""}))


@dataclass(frozen=True, slots=True)
class Place:
    """Working directory, home, platform and what is known of the file system."""

    cwd: str
    home: str
    platform: Platform = Platform.POSIX
    links: tuple[tuple[str, str], ...] = ()
    """Symbolic links, path and what it resolves to, in the order they are tried; the whole truth."""
    entries: Entries = NOTHING_KNOWN
    """What exists, for revisions that look."""
    agent_dir: str | None = None
    """The agent's own directory; None: `.pi/agent` under home."""
    infrastructure: tuple[str, ...] = ()
    """Directories that only this host adds to the infrastructure reads."""
    skills: tuple[Skill, ...] = ()
