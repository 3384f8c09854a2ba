"""The two sides of a comparison, and the place that both of them see."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

from audit.core.place import NOTHING_KNOWN, Entries, Place, Platform, Skill
from audit.errors import EngineError
from audit.log.places import CWD_MARK
from audit.protocol.engine import Engine


class Side(StrEnum):
    """The names of the two sides, everywhere."""

    BASELINE = "baseline"
    CANDIDATE = "candidate"


@dataclass(frozen=True, slots=True)
class WorldFacts:
    """The recording of what exists, without its paths."""

    digest: str
    """SHA-256 of the file, in hexadecimal digits."""
    recorded: str
    """Date and time in UTC."""
    roots: int
    """Folders that were recorded."""
    holes: int
    """Folders below them that were not looked into."""


@dataclass(frozen=True, slots=True)
class PlaceRule:
    """How the place of a case is made: its own working directory, and these facts for all cases."""

    home: str | None
    """None: that of each case, where the log tells it."""
    platform: Platform = Platform.POSIX
    links: tuple[tuple[str, str], ...] = ()
    entries: Entries = NOTHING_KNOWN
    agent_dir: str | None = None
    infrastructure: tuple[str, ...] = ()
    skills: tuple[Skill, ...] = ()
    """Locations may hold `<cwd>` for the working directory of the case."""
    world: WorldFacts | None = None
    """Where links and entries come from, as far as they come from a world."""

    def place(self, cwd: str, home: str | None = None) -> Place:
        """Return the place of a case in this working directory; `home` is what the log tells of it."""
        return Place(
            cwd=cwd,
            home=self.home or home or "",
            platform=self.platform,
            links=self.links,
            entries=self.entries,
            agent_dir=self.agent_dir,
            infrastructure=self.infrastructure,
            skills=tuple(Skill(skill.name, skill.location.replace(CWD_MARK, cwd)) for skill in self.skills),
        )


@dataclass(frozen=True, slots=True)
class Arm:
    """One side: an engine that knows a policy by name, and the place rule.

    `opening` makes the engine, with the policy already defined. It is called once in each process that
    replays, so it has to survive pickling: a module-level function or class, or a `functools.partial`
    of one.
    """

    side: Side
    opening: Callable[[], Engine]
    policy: str
    """The name under which the engine knows the policy."""
    digest: str
    """What identifies the policy's content in a report."""
    places: PlaceRule


def check_arms(baseline: Arm, candidate: Arm) -> None:
    """Raise `EngineError` unless both sides see the same places and stand in their own roles."""
    if (baseline.side, candidate.side) != (Side.BASELINE, Side.CANDIDATE):
        raise EngineError("a comparison takes a baseline and a candidate, in this order")
    if baseline.places != candidate.places:
        raise EngineError(
            "baseline and candidate would see different places",
            "give both sides the same home, platform, links and directories",
        )
