"""What a world says of the places of calls."""

from __future__ import annotations

from dataclasses import dataclass

import msgspec

from audit.core.place import Entries, Platform
from audit.errors import WorldError
from audit.replay.arm import WorldFacts


class Facts(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What was recorded, when and with what."""

    version: int
    """Of the file's format."""
    tool: str
    """Version of permission-audit."""
    recorded: str
    """Date and time in UTC, as in 2026-12-01T05:15:00Z."""
    platform: Platform
    roots: tuple[str, ...]
    excludes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class World:
    """What exists below some folders, and where links lead."""

    facts: Facts
    digest: str
    """SHA-256 of the file, in hexadecimal digits."""
    entries: Entries
    links: tuple[tuple[str, str], ...]
    """Path and what it resolves to, as `Place.links`."""

    @property
    def label(self) -> WorldFacts:
        """Return what a report says of it."""
        return WorldFacts(self.digest, self.facts.recorded, len(self.entries.roots), len(self.entries.holes))

    def links_beside(self, others: tuple[tuple[str, str], ...]) -> tuple[tuple[str, str], ...]:
        """Return the links that others tell of, and then this world's that they leave open."""
        told = {path for path, _ in others}
        return (*others, *(link for link in self.links if link[0] not in told))


def require_platform(world: World | None, platform: Platform) -> None:
    """Raise `WorldError` for calls of another platform than the world's."""
    if world is not None and world.facts.platform is not platform:
        raise WorldError(
            f"the world was recorded on {world.facts.platform}, and the calls have paths of {platform}",
            "record the world where the calls were made, or give the --platform they were made on",
        )
