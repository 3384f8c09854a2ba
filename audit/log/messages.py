"""What the prompt sentences of the message era tell (review-log.md 8).

Nothing in a sentence is quoted or escaped, so the members of the record come first: they are stripped
from the front as literal texts, and what is left is read from its fixed end backwards.
"""

from __future__ import annotations

import re
from enum import IntEnum

import msgspec

from audit.core.paths import posix

ALLOW_COMMAND = ". Allow this command?"
ALLOW_CALL = ". Allow this call?"
ALLOW_PATH = ". Allow this path access?"
ALLOW_EXTERNAL = ". Allow this external directory access?"
ALLOW_SKILL = ". Allow loading this skill?"
ALLOW_READ = ". Allow this read?"

CONTEXTS = frozenset({"command substitution", "process substitution", "subshell"})

_OUTSIDE = " outside working directory '"
_REFERENCES = "' which references path(s) outside working directory '"
_FULL = " (full command: '"
_MATCHED = " (matched '"
_INSIDE = " (inside "
_RESOLVES = " (resolves to '"
_NEXT_PATH = re.compile(r", (?=/|[A-Za-z]:[\\/]|\\\\)")
_FORWARDED = re.compile(r"Subagent '.*?' requested permission\.\nSession ID: [^\n]*\n\n", re.DOTALL)
_SUBJECT = re.compile(r"(?:Current agent|Agent '.*?') requested ", re.DOTALL)


class Shape(IntEnum):
    """The shapes of section 8, by their number there."""

    UNKNOWN = 0
    UNIT = 1
    TARGET = 2
    TOOL = 3
    PATH = 4
    EXTERNAL = 5
    SHELL_EXTERNAL = 6
    SKILL = 7
    SKILL_READ = 8


class Told(msgspec.Struct, gc=False):
    """What one sentence gives; a text that the shape does not hold is None."""

    shape: Shape = Shape.UNKNOWN
    value: str | None = None
    """The unit, target, path or skill; for a shell external gate the whole command."""
    tool: str | None = None
    pattern: str | None = None
    context: str | None = None
    full: str | None = None
    """The whole command, where the sentence names it beside the unit."""
    preview: str | None = None
    cwd: str | None = None
    paths: tuple[str, ...] = ()
    """External paths as listed."""
    links: tuple[tuple[str, str], ...] = ()
    """Pairs of a path, in its absolute form, and what it resolves to."""
    era: int = 0
    """The oldest era whose sentences tell this; filled in by whoever wants to know."""


class Forwarded(msgspec.Struct, gc=False):
    """What a sentence that a serving session showed for another session holds behind its head (M9)."""

    message: str
    """The other session's own sentence."""


def peel(message: str) -> Forwarded | None:
    """Return what a forwarded sentence holds; None for any other."""
    if not message.startswith("Subagent '"):
        return None
    head = _FORWARDED.match(message)
    if head is None:
        return None
    return Forwarded(message[head.end() :])


def unit_sentence(agent: str | None, unit: str) -> str:
    """Return the sentence that asks for a unit of a shell command and tells nothing else."""
    subject = "Current agent" if agent is None else f"Agent '{agent}'"
    return f"{subject} requested bash command '{unit}'{ALLOW_COMMAND}"


class Known(msgspec.Struct, gc=False):
    """The members of a record that a sentence repeats."""

    agent: str | None = None
    tool: str | None = None
    command: str | None = None
    target: str | None = None
    path: str | None = None
    preview: str | None = None


def read_message(message: str, known: Known) -> Told:  # noqa: PLR0911 - a return for each shape
    """Return what a sentence tells; shape UNKNOWN for a sentence of no known shape."""
    at = _after_subject(message, known.agent)
    if message.startswith("bash command '", at):
        at += 14
        if message.endswith(ALLOW_COMMAND):
            return _unit(message[at : -len(ALLOW_COMMAND)], known.command)
        if message.endswith(ALLOW_EXTERNAL):
            return _shell_external(message[at : -len(ALLOW_EXTERNAL)], known.command)
    elif message.startswith("tool '", at):
        return _tool(message, at + 6, known)
    elif message.startswith("MCP target '", at) and message.endswith(ALLOW_CALL):
        return _target(message[at + 12 : -len(ALLOW_CALL)], known.target)
    elif message.startswith("skill '", at) and message.endswith(ALLOW_SKILL):
        return Told(Shape.SKILL, message[at + 7 : -len(ALLOW_SKILL) - 1])
    elif message.startswith("access to skill '", at) and message.endswith(ALLOW_READ):
        _, _, path = message[at + 17 : -len(ALLOW_READ) - 1].rpartition("' via '")
        return Told(Shape.SKILL_READ, known.path if known.path is not None else path)
    return Told()


def _after_subject(message: str, agent: str | None) -> int:
    if message.startswith("Current agent requested "):
        return 24
    if agent is not None and message.startswith(f"Agent '{agent}' requested "):
        return len(agent) + 19
    subject = _SUBJECT.match(message)
    return subject.end() if subject else 0


def _unit(text: str, command: str | None) -> Told:
    """Read M1 from behind its opening quote to before its end."""
    if command is not None and text.startswith(command):
        unit, tail = command, text[len(command) :]
    else:
        end = min(
            (at for mark in (_MATCHED, _INSIDE, _FULL) if (at := text.find("'" + mark)) >= 0), default=-1
        )
        unit, tail = (text[:end], text[end:]) if end >= 0 else (text[:-1], "'")
    told = read_unit_tail(tail)
    told.value = unit
    return told


def read_unit_tail(tail: str) -> Told:
    """Read M1 from behind its unit to before its end; the unit itself is left out."""
    if tail == "'":
        return Told(Shape.UNIT)
    full = None
    at = tail.find(_FULL)
    if at >= 0 and tail.endswith("')"):
        full, tail = tail[at + len(_FULL) : -2], tail[:at]
    pattern, context = _qualifier(tail[1:])
    return Told(Shape.UNIT, pattern=pattern, context=context, full=full)


def _qualifier(text: str) -> tuple[str | None, str | None]:
    """Read ` (matched 'P')`, ` (inside C)` or ` (matched 'P', inside C)`."""
    if text.startswith(_INSIDE):
        return None, text[len(_INSIDE) : -1]
    if not text.startswith(_MATCHED):
        return None, None
    inner = text[len(_MATCHED) : -1]
    pattern, comma, context = inner.rpartition("', inside ")
    if comma and context in CONTEXTS:
        return pattern, context
    return inner[:-1], None


def _shell_external(text: str, command: str | None) -> Told:
    """Read M6 from behind its opening quote to before its end."""
    if command is not None and text.startswith(command + _REFERENCES):
        full, tail = command, text[len(command) + len(_REFERENCES) :]
    else:
        full, _, tail = text.rpartition(_REFERENCES)
    cwd, _, listed = tail.partition("': ")
    paths, links = _listed(listed)
    return Told(Shape.SHELL_EXTERNAL, full, cwd=cwd, full=full, paths=paths, links=links)


def _listed(text: str) -> tuple[tuple[str, ...], tuple[tuple[str, str], ...]]:
    paths: list[str] = []
    links: list[tuple[str, str]] = []
    for item in _NEXT_PATH.split(text):
        path, resolves, real = item.partition(_RESOLVES)
        paths.append(path)
        if resolves:
            links.append((path, real[:-2]))
    return tuple(paths), tuple(links)


def _tool(message: str, at: int, known: Known) -> Told:
    """Read M3, M4 and M5 from behind the opening quote of the tool's name."""
    if known.tool is not None and message.startswith(known.tool + "'", at):
        tool, at = known.tool, at + len(known.tool) + 1
    else:
        end = message.find("'", at)
        tool, at = message[at:end], end + 1
    if message.endswith(ALLOW_CALL):
        return _call(tool, message[at : -len(ALLOW_CALL)], known.preview)
    if not message.startswith(" for path '", at):
        return Told()
    at += 11
    if message.endswith(ALLOW_PATH):
        return Told(Shape.PATH, message[at : -len(ALLOW_PATH) - 1], tool)
    if message.endswith(ALLOW_EXTERNAL):
        return _external(tool, message[at : -len(ALLOW_EXTERNAL) - 1], known.path)
    return Told()


def _call(tool: str, tail: str, preview: str | None) -> Told:
    """Read what stands between the tool of M3 and its end."""
    if preview and tail.endswith(preview):
        tail = tail[: -len(preview)].rstrip(" ").removesuffix(" with")
        return Told(Shape.TOOL, tool=tool, pattern=_qualifier(tail)[0], preview=preview)
    pattern = None
    if tail.startswith(_MATCHED):
        pattern, _, tail = tail[len(_MATCHED) :].partition("')")
    return Told(Shape.TOOL, tool=tool, pattern=pattern, preview=tail[1:].removeprefix("with ") or None)


def _external(tool: str, text: str, path: str | None) -> Told:
    """Read M5 from behind the opening quote of the path to before the closing quote of the directory."""
    head, _, cwd = text.rpartition(_OUTSIDE)
    if path is not None and head.startswith(path):
        typed, tail = path, head[len(path) :]
    else:
        typed, mark, real = head.partition("'" + _RESOLVES)
        tail = mark + real
        typed = typed if mark else head[:-1]
    resolves = tail.startswith("'" + _RESOLVES)
    links = ((_lexical(typed, cwd), tail[len(_RESOLVES) + 1 : -2]),) if resolves else ()
    return Told(Shape.EXTERNAL, typed, tool, cwd=cwd, paths=(typed,), links=links)


def _target(text: str, target: str | None) -> Told:
    """Read M2 from behind its opening quote to before its end."""
    if target is not None and text.startswith(target + "'"):
        tail = text[len(target) + 1 :]
    else:
        target, _, tail = text.partition("'")
    pattern = None
    if tail.startswith(_MATCHED):
        pattern, _, _ = tail[len(_MATCHED) :].partition("')")
    return Told(Shape.TARGET, target, pattern=pattern)


def _lexical(typed: str, cwd: str) -> str:
    """Return the absolute form of a path that M5 shows as typed, as M6 shows it; POSIX paths alone."""
    relative = cwd.startswith("/") and not typed.startswith(("/", "~", "$"))
    return posix.normalize(f"{cwd}/{typed}") if relative else typed
