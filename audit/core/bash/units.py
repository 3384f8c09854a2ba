"""Command units: the texts that bash rules are matched against (core-bash.md 4)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field
from enum import Enum, StrEnum, auto

from audit.core.bash.parser import Node, TooLarge, kinds, roles
from audit.core.bash.wrappers import NAMES, Wrapper, wrapper_of
from audit.core.record import record

MAX_UNIT_TEXT = 64_000_000
"""Code units over all texts of one command with units inside: each level of nesting repeats its text."""

COMMAND_NAME = kinds("command_name")
ASSIGNMENT = kinds("variable_assignment")


class _Role(Enum):
    """What a node is to the enumeration; None: it yields nothing (U2)."""

    OPENED = auto()
    """Yields what its children yield (U3)."""
    COMMAND = auto()
    SUBSHELL = auto()
    WHOLE = auto()
    """Yields its text and nothing from inside (U8)."""


# Reading a member off its class takes longer than all else that is done with it in a walk.
_OPENED, _COMMAND, _SUBSHELL, _WHOLE = _Role

_ROLES: dict[int, _Role | None] = roles(
    {
        "program": _OPENED,
        "list": _OPENED,
        "pipeline": _OPENED,
        "redirected_statement": _OPENED,
        "command": _COMMAND,
        "subshell": _SUBSHELL,
        "file_redirect": None,
        "heredoc_redirect": None,
        "herestring_redirect": None,
        "comment": None,
        "heredoc_body": None,
        "heredoc_end": None,
    },
    named=_WHOLE,
    anonymous=None,
)


class Context(StrEnum):
    """Where a nested unit was found."""

    COMMAND_SUBSTITUTION = "command_substitution"
    PROCESS_SUBSTITUTION = "process_substitution"
    SUBSHELL = "subshell"


@record
class Unit:
    """One command unit; offsets count code units of the command and do not take part in equality."""

    text: str
    context: Context | None = None
    wrapper: Wrapper | None = None
    start: int = field(default=0, compare=False)
    end: int = field(default=0, compare=False)


_HOSTS = roles(
    {
        "command_substitution": Context.COMMAND_SUBSTITUTION,
        "process_substitution": Context.PROCESS_SUBSTITUTION,
    },
    named=None,
    anonymous=None,
)

_Siblings = tuple[Iterator[Node], Context | None]
"""Nodes still to enumerate, and the context they are in."""


def _may_host(text: str) -> bool:
    """Tell whether a substitution can begin in a text; where none can there is nothing to search for."""
    return "`" in text or ("(" in text and ("$(" in text or "<(" in text or ">(" in text))


def _inside(node: Node, role: _Role, text: str) -> list[_Siblings]:
    """Return what is enumerated inside a node behind its own unit (U6 to U8); last first."""
    if role is _SUBSHELL:
        return [(iter(node.children), Context.SUBSHELL)]
    if role is _WHOLE or not _may_host(text):
        return []
    found: list[_Siblings] = []
    pending = [iter(node.children)]
    while pending:
        for child in pending[-1]:
            context = _HOSTS[child.kind_id]
            if context is not None:
                found.append((iter(child.children), context))
            elif child.child_count:
                pending.append(iter(child.children))
                break
        else:
            pending.pop()
    found.reverse()
    return found


def _command_unit(node: Node, source: str, context: Context | None) -> Unit:
    """Make the unit of a command: its text from the first word that is no assignment on (U4, U5)."""
    children = node.children
    first = children[0]
    if first.kind_id not in COMMAND_NAME:
        children = [child for child in children if child.is_named and child.kind_id not in ASSIGNMENT]
        first = children[0] if children else node
    start, end = first.start_byte >> 1, node.end_byte >> 1
    name = source[start : first.end_byte >> 1]
    wrapper = None
    if name in NAMES or "/" in name:
        wrapper = wrapper_of(
            [
                source[word.start_byte >> 1 : word.end_byte >> 1]
                for word in children
                if word.is_named and word.kind_id not in ASSIGNMENT
            ]
        )
    return Unit(source[start:end], context, wrapper, start, end)


def command_units(root: Node, source: str) -> tuple[Unit, ...]:
    """Return the units of a parsed command in pre-order (U1 to U8); raise `TooLarge`.

    `source` is the code-unit string the tree was parsed from.
    """
    units: list[Unit] = []
    nested = 0
    hosting = _may_host(source)
    siblings: Iterator[Node] = iter((root,))
    context: Context | None = None
    pending: list[_Siblings] = []
    while True:
        for node in siblings:
            role = _ROLES[node.kind_id]
            if role is None:
                continue
            if role is _OPENED:
                pending.append((siblings, context))
                siblings = iter(node.children)
                break
            if role is _COMMAND:
                units.append(_command_unit(node, source, context))
                if not hosting:
                    continue
            start, end = node.start_byte >> 1, node.end_byte >> 1
            text = source[start:end]
            if role is not _COMMAND:
                units.append(Unit(text, context, None, start, end))
            inside = _inside(node, role, text)
            if inside:
                nested += end - start
                if nested > MAX_UNIT_TEXT:
                    raise TooLarge(f"the units of the command have more than {MAX_UNIT_TEXT} code units")
                pending.append((siblings, context))
                pending += inside
                siblings, context = pending.pop()
                break
        else:
            if not pending:
                return tuple(units)
            siblings, context = pending.pop()
