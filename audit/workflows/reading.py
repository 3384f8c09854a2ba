"""What every command reads: logs, or in place of logs one ingest folder."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path

import msgspec

from audit.core.place import NOTHING_KNOWN, Platform, Skill
from audit.errors import IngestError
from audit.files import open_logs
from audit.folders.known import is_ingest_folder
from audit.folders.read import read_folder
from audit.log.cases import CwdSource, LogReading
from audit.log.cut import DEFAULT_WIDTH
from audit.log.places import PlaceFile, moment
from audit.log.read import ReadOptions, read_tables, require_usable
from audit.log.source import LogSource
from audit.log.store.frames import LogTables
from audit.log.store.manifest import Supplied
from audit.replay.arm import PlaceRule
from audit.worlds.world import World, require_platform

Progress = Callable[[str, int, int | None], None]
"""Called with what is being done, how much of it is done, and how much there is (None: unknown)."""


@dataclass(frozen=True, slots=True)
class PlaceOptions:
    """Facts about places that the user supplies; None where the log's own evidence is to be used."""

    cwd: str | None = None
    home: str | None = None
    platform: Platform | None = None
    file: PlaceFile = field(default_factory=PlaceFile)
    """What a place file supplies; the members above go before it."""
    world: World | None = None
    """What exists, and where links lead that neither the place file nor the log tells of."""

    def rule(self, reading: LogReading) -> PlaceRule:
        """Return how the places of a reading's cases are made; raise `WorldError`."""
        supplied = reading.home if reading.home_source is CwdSource.SUPPLIED else None
        platform = self.platform or self.file.platform or reading.platform or Platform.POSIX
        require_platform(self.world, platform)
        links = self.file.links or reading.links
        return PlaceRule(
            home=self.home or self.file.home or supplied,
            platform=platform,
            links=links if self.world is None else self.world.links_beside(links),
            entries=NOTHING_KNOWN if self.world is None else self.world.entries,
            agent_dir=self.file.agent_dir,
            infrastructure=self.file.infrastructure,
            skills=tuple(Skill(skill.name, skill.location) for skill in self.file.skills),
            world=None if self.world is None else self.world.label,
        )

    def cwd_at(self, time: str, agent: str | None) -> str | None:
        """Return the working directory that the place file supplies for a call."""
        return self.file.cwd_of(moment(time), agent)


def read_input(
    patterns: Sequence[str], places: PlaceOptions, progress: Progress, field_width: int | None = None
) -> LogReading:
    """Read logs by path, glob or `-`, or one ingest folder; raise `LogError`."""
    tables, _ = read_as_supplied(patterns, places, progress, field_width)
    return tables.reading()


def read_as_supplied(
    patterns: Sequence[str], places: PlaceOptions, progress: Progress, field_width: int | None = None
) -> tuple[LogTables, Supplied]:
    """Do what `read_input` does, but return tables, and what was supplied when the logs were read.

    `field_width` is that of the installation that wrote the logs, in characters; None: the usual one.
    """
    wanted = _supplied(places, field_width)
    folders = [pattern for pattern in patterns if is_ingest_folder(Path(pattern))]
    if not folders:
        return _read_logs(open_logs(patterns), places, progress, field_width), wanted
    if len(patterns) > 1:
        raise IngestError(
            f"`{folders[0]}` is an ingest folder and goes alone, without logs or other folders",
            "ingest all of the logs into one folder",
        )
    tables, manifest = read_folder(
        Path(folders[0]), progress=lambda done, total: progress("reading", done, total)
    )
    _require_same(folders[0], wanted, manifest.supplied)
    require_usable(tables.facts)
    return tables, manifest.supplied


def _read_logs(
    sources: Sequence[LogSource], places: PlaceOptions, progress: Progress, field_width: int | None
) -> LogTables:
    sizes = [source.size for source in sources if source.size is not None]
    total = sum(sizes) if len(sizes) == len(sources) else None
    options = ReadOptions(
        cwd=places.cwd,
        home=places.home or places.file.home,
        platform=places.platform or places.file.platform,
        cwd_rule=places.cwd_at if places.file.working_directories else None,
        field_width=field_width or DEFAULT_WIDTH,
        progress=lambda done: progress("reading", done, total),
    )
    tables = read_tables(sources, options)
    require_usable(tables.facts)
    return tables


def _supplied(places: PlaceOptions, field_width: int | None) -> Supplied:
    """Return what of the options takes part in the reading of a log."""
    rule = places.file.working_directories
    return Supplied(
        cwd=places.cwd,
        home=places.home or places.file.home,
        platform=places.platform or places.file.platform,
        field_width=field_width,
        cwd_rule=sha256(msgspec.json.encode(rule)).hexdigest() if rule else None,
    )


_OPTIONS = {
    "cwd": "a working directory (--cwd)",
    "home": "a home directory (--home)",
    "platform": "a platform (--platform)",
    "field_width": "a field width (--field-width)",
    "cwd_rule": "working directories (--places)",
}


def _require_same(folder: str, wanted: Supplied, used: Supplied) -> None:
    """Raise `IngestError` where an option asks for another reading than the folder holds."""
    for name, words in _OPTIONS.items():
        asked, had = getattr(wanted, name), getattr(used, name)
        if asked is None or asked == had:
            continue
        kept = "without it" if had is None else "with another one"
        if had is not None and name != "cwd_rule":
            kept = f"with `{had}`"
        raise IngestError(
            f"{words} is supplied, and `{folder}` was ingested {kept}",
            "leave the option out, or ingest the logs again with it",
        )
