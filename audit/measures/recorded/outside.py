"""The paths outside the working directory that an ask is about, and where in the command they stand."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from audit.core.bash.effects import NOWHERE, Site, token_sites
from audit.core.bash.parser import TooLarge, parse
from audit.core.ecma import from_code_units, to_code_units
from audit.core.paths.access_path import Paths
from audit.core.place import Place, Platform
from audit.core.reading import Reader
from audit.core.revision import LATEST
from audit.log.calls import GateName, Request
from audit.measures.recorded.requests import Logged, damage_of

UNKNOWN_HOME = "/~"
"""Stands for a home directory that nobody knows: `~/x` is then outside of every working directory."""

NO_DIRECTORY = "working directory unknown"
NO_VALUE = "no path or command told"
TOO_LARGE = "too large to parse"
NOT_FOUND = "no outside path found in the command"


class OutsidePath(NamedTuple):
    """One mention of a path outside the working directory."""

    path: str
    """Absolute and normal."""
    site: Site


@dataclass(frozen=True, slots=True)
class Outside:
    """What one ask is about; without paths, `why` says why not."""

    paths: tuple[OutsidePath, ...]
    why: str | None = None


@dataclass(frozen=True, slots=True)
class PlaceFacts:
    """What holds for every call of a log."""

    platform: Platform = Platform.POSIX
    home: str | None = None
    """Where a call does not tell its own."""
    links: tuple[tuple[str, str], ...] = ()


class OutsideReader:
    """Finds outside paths; every distinct command of a place is parsed once."""

    def __init__(self, facts: PlaceFacts) -> None:
        self._facts = facts
        self._places: dict[tuple[str, str], Reader] = {}
        self._commands: dict[tuple[str, str, str], Outside] = {}

    def of(self, one: Logged) -> Outside:
        """Return the outside paths of a request of an external gate."""
        request = one.request
        text = request.command if request.gate is GateName.BASH_EXTERNAL_DIRECTORY else request.path
        if text is None:
            return Outside((), NO_VALUE)
        damage = damage_of(text, request)
        if damage is not None:
            return Outside((), damage)
        cwd = request.cwd or one.call.cwd
        if cwd is None:
            return Outside((), NO_DIRECTORY)
        reader = self._place(cwd, one.call.home or self._facts.home or UNKNOWN_HOME)
        if request.gate is not GateName.BASH_EXTERNAL_DIRECTORY:
            path = reader.paths.resolved(to_code_units(text), reader.paths.cwd).value
            return Outside((OutsidePath(from_code_units(path), NOWHERE),))
        return _asked_about(self._command(text, reader), request, reader.paths)

    def _place(self, cwd: str, home: str) -> Reader:
        place = self._places.get((cwd, home))
        if place is None:
            facts = self._facts
            place = self._places[cwd, home] = Reader(
                Place(cwd=cwd, home=home, platform=facts.platform, links=facts.links), LATEST
            )
        return place

    def _command(self, text: str, reader: Reader) -> Outside:
        key = text, reader.paths.cwd, reader.paths.home
        found = self._commands.get(key)
        if found is None:
            found = self._commands[key] = _in_command(to_code_units(text), reader)
        return found


def _in_command(command: str, reader: Reader) -> Outside:
    """Return every mention of an outside path in a command given as code units."""
    try:
        root = parse(command)
    except TooLarge:
        return Outside((), TOO_LARGE)
    sites = token_sites(root, command)
    found: list[OutsidePath] = []
    for text, base, start, end in reader.tokens(root, command):
        if not reader.token_paths.shapes.broad(text):
            continue
        _, external = reader.token_paths.of(text, base) or (None, None)
        if external is not None:
            site = sites.get((start, end), NOWHERE)
            found.append(OutsidePath(from_code_units(external.value), site))
    return Outside(tuple(found)) if found else Outside((), NOT_FOUND)


def _asked_about(found: Outside, request: Request, paths: Paths) -> Outside:
    """Leave the paths that the request lists, where it lists any: the others had been allowed.

    A listed path that the parse does not find stands nowhere in the command: the working directory of a
    shell alias, or what another release made of the command.
    """
    listed = [path for path in dict.fromkeys(request.paths) if paths.flavor.is_absolute(path)]
    if not listed or found.why == TOO_LARGE:
        return found
    mentions: dict[str, list[OutsidePath]] = {path: [] for path in listed}
    for mention in found.paths:
        if mention.path in mentions:
            mentions[mention.path].append(mention)
    return Outside(
        tuple(
            mention for path, sites in mentions.items() for mention in (sites or [OutsidePath(path, NOWHERE)])
        )
    )


def reasons(left_out: Iterable[Outside]) -> dict[str, int]:
    """Count why asks are left out, by reason."""
    counted: dict[str, int] = {}
    for one in left_out:
        if one.why is not None:
            counted[one.why] = counted.get(one.why, 0) + 1
    return dict(sorted(counted.items()))


def outside(external: Sequence[Logged], facts: PlaceFacts) -> list[tuple[Logged, Outside]]:
    """Return external asks, each with its outside paths."""
    reader = OutsideReader(facts)
    return [(one, reader.of(one)) for one in external]
