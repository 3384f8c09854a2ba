"""The world a call happened in, as data. A missing fact is a value, not a guess."""

from __future__ import annotations

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
class Place:
    """Working directory, home, platform and what is known of the file system."""

    cwd: str
    home: str
    platform: Platform = Platform.POSIX
    links: tuple[tuple[str, str], ...] = ()
    """Symbolic links, path and what it resolves to, in the order they are tried; the whole truth."""
    entries: frozenset[str] | None = None
    """Absolute paths that exist, for revisions that look; None: nothing is known to exist."""
    agent_dir: str | None = None
    """The agent's own directory; None: `.pi/agent` under home."""
    infrastructure: tuple[str, ...] = ()
    """Directories that only this host adds to the infrastructure reads."""
    skills: tuple[Skill, ...] = ()
