"""What an agent of the shop asks for: shell commands with their parts, and calls of other tools."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import IntEnum

CWD = "/home/dev/shop"
HOME = "/home/dev"


class Mood(IntEnum):
    """What people think of a request; a chain is as worrying as its worst part."""

    ROUTINE = 0
    """Approved every time."""
    USUAL = 1
    DOUBTFUL = 2
    RISKY = 3
    NEVER = 4
    """Refused every time."""


@dataclass(frozen=True, slots=True)
class Unit:
    """One command of a program, as a policy is asked about it."""

    text: str
    context: str | None = None
    """`command_substitution`, `process_substitution` or `subshell`."""
    wrapper: str | None = None
    """`opaque-payload` or `indirection`."""
    runs: str | None = None
    """What a wrapper runs, where it can be read."""


@dataclass(frozen=True, slots=True)
class Shell:
    """A shell command, taken apart as it was put together."""

    command: str
    units: tuple[Unit, ...]
    mood: Mood = Mood.USUAL
    external: tuple[str, ...] = ()
    """Absolute paths outside the working directory, in order."""
    tokens: tuple[str, ...] = ()
    """All its path tokens, given only where a rule of the path surface cares for one of them."""
    only: str | None = None
    """The one era whose cores read it as the current one does."""
    bare: bool = True
    """May be put into a longer chain."""

    def then(self, other: Shell, operator: str = " && ") -> Shell:
        """Return both in a chain."""
        return Shell(
            command=self.command + operator + other.command,
            units=self.units + other.units,
            mood=max(self.mood, other.mood),
            external=tuple(dict.fromkeys(self.external + other.external)),
            only=self.only or other.only,
            bare=False,
        )

    def into(self, target: str, text: str) -> Shell:
        """Return it with its output redirected to a file outside; `text` is how that is written."""
        external = tuple(dict.fromkeys((*self.external, target)))
        return replace(self, command=self.command + text, external=external, bare=False)


def simple(text: str, mood: Mood = Mood.USUAL, *external: str, tokens: tuple[str, ...] = ()) -> Shell:
    """Return a command of one unit."""
    return Shell(text, (Unit(text),), mood, external, tokens, bare=not tokens)


@dataclass(frozen=True, slots=True)
class Tool:
    """A call of a tool that is no shell."""

    name: str
    mood: Mood = Mood.USUAL
    path: str | None = None
    """The path argument as typed."""
    target: str | None = None
    """First candidate of an MCP call."""
    preview: str | None = None
    """What the log shows of the input."""
    arguments: str | None = None
    """What a message shows of the arguments of an MCP call."""
    input: dict[str, object] = field(default_factory=dict, hash=False)


@dataclass(frozen=True, slots=True)
class SkillInput:
    """A person types `/skill:name`."""

    name: str


def lexical(path: str) -> str:
    """Return the absolute form of a path as typed in the working directory."""
    if path.startswith("~/"):
        return HOME + path[1:]
    if path.startswith("/"):
        return path
    parts = CWD.split("/")
    for part in path.split("/"):
        if part == "..":
            parts.pop()
        elif part not in ("", "."):
            parts.append(part)
    return "/".join(parts)
