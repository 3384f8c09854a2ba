"""The place file: what a log does not say about the places of its calls (`--places place.toml`).

Format 1::

    version = 1
    home = "/home/dev"
    platform = "posix"                      # or "win32"
    agent_dir = "/home/dev/.pi/agent"
    infrastructure = ["/opt/pi"]
    mcp_servers = ["exa"]

    [links]
    "/tmp" = "/private/tmp"

    [[cwd]]                                 # the first that fits a call is taken
    path = "/home/dev/shop"
    from = 2026-07-01T00:00:00Z             # optional, inclusive
    to = 2026-08-01T00:00:00Z               # optional, exclusive
    agent = "builder"                       # optional

    [[policy]]                              # the first that fits a call is in force
    file = "policies/july.json"             # beside the place file
    git = "3f2a91c"                         # optional: that file at a revision of its repository
    cwd = "/home/dev/shop"                  # optional
    from = 2026-07-01T00:00:00Z
    to = 2026-08-01T00:00:00Z

    [[skill]]
    name = "release"
    location = "<cwd>/.pi/skills/release/SKILL.md"
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import Any, TypeVar

import msgspec

from audit.core.paths.flavor import flavor
from audit.core.place import Platform
from audit.errors import DocumentError, Mistake

FORMAT_VERSION = 1
CWD_MARK = "<cwd>"
"""Stands for the working directory of a call in the location of a skill."""

T = TypeVar("T")

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


class _Section(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A part of a place file; unknown members are mistakes."""


class Span(_Section, frozen=True):
    """A stretch of time and, where given, one agent and one working directory."""

    start: datetime | None = msgspec.field(default=None, name="from")
    end: datetime | None = msgspec.field(default=None, name="to")

    def covers(self, moment: datetime) -> bool:
        """Tell whether a moment lies in the span: start inclusive, end exclusive."""
        return (self.start is None or _utc(self.start) <= moment) and (
            self.end is None or moment < _utc(self.end)
        )


class WorkingDirectory(Span, frozen=True):
    """Where calls of this time and agent were made."""

    path: str = ""
    agent: str | None = None


class PolicyInForce(Span, frozen=True):
    """Which policy file governed calls of this time and working directory."""

    file: str = ""
    git: str | None = None
    cwd: str | None = None

    @property
    def name(self) -> str:
        """What the policy is called in a ruleset and a report."""
        return f"{self.file}@{self.git}" if self.git else self.file


class SkillEntry(_Section, frozen=True):
    """An entry of the skill catalogue."""

    name: str
    location: str


class _Facts(_Section, frozen=True):
    version: int
    home: str | None = None
    platform: Platform | None = None
    agent_dir: str | None = None
    infrastructure: tuple[str, ...] = ()
    mcp_servers: tuple[str, ...] = ()
    links: dict[str, str] = {}


class PlaceFile(msgspec.Struct, frozen=True):
    """Everything one place file supplies."""

    home: str | None = None
    platform: Platform | None = None
    agent_dir: str | None = None
    infrastructure: tuple[str, ...] = ()
    mcp_servers: tuple[str, ...] = ()
    links: tuple[tuple[str, str], ...] = ()
    working_directories: tuple[WorkingDirectory, ...] = ()
    policies: tuple[PolicyInForce, ...] = ()
    skills: tuple[SkillEntry, ...] = ()

    def cwd_of(self, moment: datetime, agent: str | None) -> str | None:
        """Return the working directory supplied for a call, if one is."""
        for entry in self.working_directories:
            if entry.covers(moment) and entry.agent in {None, agent}:
                return entry.path
        return None

    def policy_of(self, moment: datetime, cwd: str | None) -> PolicyInForce | None:
        """Return the policy in force for a call, if one is supplied."""
        for entry in self.policies:
            if entry.covers(moment) and entry.cwd in {None, cwd}:
                return entry
        return None


_LISTS: Mapping[str, type[_Section]] = {
    "cwd": WorkingDirectory,
    "policy": PolicyInForce,
    "skill": SkillEntry,
}
_REQUIRED = {"cwd": "path", "policy": "file"}


def moment(time: str) -> datetime:
    """Return the moment of a log's time stamp; the epoch where it is none."""
    try:
        parsed = datetime.fromisoformat(time)
    except ValueError:
        return EPOCH
    return parsed if parsed.tzinfo is not None else parsed.replace(tzinfo=UTC)


def read_place_file(text: str, name: str) -> PlaceFile:
    """Read a place file; raise one `DocumentError` with every mistake in it."""
    try:
        document = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise DocumentError([Mistake(name, "(document)", f"not TOML: {error}", "a TOML file")]) from None
    mistakes: list[Mistake] = []
    facts = _convert(
        {key: value for key, value in document.items() if key not in _LISTS},
        _Facts,
        name,
        "(document)",
        mistakes,
    )
    if facts is not None and facts.version != FORMAT_VERSION:
        newer = facts.version > FORMAT_VERSION
        found = f"format version {facts.version}" + (", made for a newer permission-audit" if newer else "")
        mistakes.append(Mistake(name, "version", found, str(FORMAT_VERSION)))
    sections = {key: _section(document.get(key, []), key, name, mistakes) for key in _LISTS}
    mistakes += _misplaced(facts, sections, name)
    if mistakes or facts is None:
        raise DocumentError(mistakes)
    return PlaceFile(
        home=facts.home,
        platform=facts.platform,
        agent_dir=facts.agent_dir,
        infrastructure=facts.infrastructure,
        mcp_servers=facts.mcp_servers,
        links=tuple(facts.links.items()),
        working_directories=tuple(sections["cwd"]),
        policies=tuple(sections["policy"]),
        skills=tuple(sections["skill"]),
    )


def _misplaced(facts: _Facts | None, sections: Mapping[str, list[Any]], name: str) -> Iterator[Mistake]:
    """Yield directories that are not absolute, and stretches of time that no call can fit."""
    semantics = flavor(facts.platform or Platform.POSIX if facts else Platform.POSIX)
    directories = [
        *([("home", facts.home), ("agent_dir", facts.agent_dir)] if facts else ()),
        *(
            (f"links[{link}]", path)
            for link, target in (facts.links if facts else {}).items()
            for path in (link, target)
        ),
        *((f"cwd[{at}].path", entry.path) for at, entry in enumerate(sections["cwd"]) if entry),
        *((f"policy[{at}].cwd", entry.cwd) for at, entry in enumerate(sections["policy"]) if entry),
    ]
    for path, directory in directories:
        if directory and not semantics.is_absolute(directory):
            yield Mistake(
                name, path, f"`{directory}`", f"an absolute path of the platform {semantics.platform}"
            )
    for key in ("cwd", "policy"):
        for at, entry in enumerate(sections[key]):
            if entry and entry.start and entry.end and _utc(entry.start) >= _utc(entry.end):
                yield Mistake(
                    name,
                    f"{key}[{at}]",
                    "`to` is not after `from`",
                    "a stretch of time in which a call can be",
                )


def _section(value: object, key: str, name: str, mistakes: list[Mistake]) -> list[Any]:
    if not isinstance(value, list):
        mistakes.append(Mistake(name, key, "not a list", f"one or more [[{key}]] tables"))
        return []
    entries = []
    for at, item in enumerate(value):
        entry = _convert(item, _LISTS[key], name, f"{key}[{at}]", mistakes)
        required = _REQUIRED.get(key)
        if entry is not None and required and not getattr(entry, required):
            mistakes.append(Mistake(name, f"{key}[{at}]", f"`{required}` is missing", f"`{required}`: text"))
        entries.append(entry)
    return entries


def _convert(value: object, kind: type[T], name: str, path: str, mistakes: list[Mistake]) -> T | None:
    try:
        return msgspec.convert(value, kind)
    except msgspec.ValidationError as error:
        message = str(error)
        sentence, _, at = message.partition(" - at `$.")
        where = at.rstrip("`") if at else ""
        place = where if path == "(document)" and where else f"{path}.{where}" if where else path
        members = ", ".join(field.encode_name for field in msgspec.structs.fields(kind))  # type: ignore[arg-type]
        if kind is _Facts:
            members += ", and the lists cwd, policy and skill"
        mistakes.append(Mistake(name, place, sentence[0].lower() + sentence[1:], f"members are {members}"))
        return None


def _utc(moment: datetime) -> datetime:
    return moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC)
