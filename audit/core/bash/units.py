"""Command units: the texts that bash rules are matched against (core-bash.md 4)."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from enum import StrEnum

from audit.core.bash.parser import Node, TooLarge, kinds
from audit.core.bash.wrappers import NAMES, Wrapper, base_name, wrapper_of

MAX_UNIT_TEXT = 64_000_000
"""Code units over all unit texts of one command: nested subshells repeat their text at each level."""

CONTAINER = kinds("program", "list", "pipeline", "redirected_statement")
COMMAND = kinds("command")
SUBSHELL = kinds("subshell")
ASSIGNMENT = kinds("variable_assignment")
COMMAND_SUBSTITUTION = kinds("command_substitution")
PROCESS_SUBSTITUTION = kinds("process_substitution")
IGNORED = kinds(
    "file_redirect", "heredoc_redirect", "herestring_redirect", "comment", "heredoc_body", "heredoc_end"
)

_MAY_HOST = re.compile(r"[()`]")
"""Without one of these characters a command holds no substitution and no subshell."""


class Context(StrEnum):
    """Where a nested unit was found."""

    COMMAND_SUBSTITUTION = "command_substitution"
    PROCESS_SUBSTITUTION = "process_substitution"
    SUBSHELL = "subshell"


@dataclass(frozen=True, slots=True)
class Unit:
    """One command unit; offsets count code units of the command and do not take part in equality."""

    text: str
    context: Context | None = None
    wrapper: Wrapper | None = None
    start: int = field(default=0, compare=False)
    end: int = field(default=0, compare=False)


def _command_unit(node: Node, source: str, context: Context | None) -> Unit:
    """Make the unit of a command: its text from the first word that is no assignment on (U4, U5)."""
    end = node.end_byte >> 1
    children = node.named_children
    at = 0
    while at < len(children) and children[at].kind_id in ASSIGNMENT:
        at += 1
    if at == len(children):
        start = node.start_byte >> 1
        return Unit(source[start:end], context, None, start, end)
    first = children[at]
    start = first.start_byte >> 1
    wrapper = None
    if base_name(source[start : first.end_byte >> 1]) in NAMES:
        wrapper = wrapper_of(
            [
                source[word.start_byte >> 1 : word.end_byte >> 1]
                for word in children
                if word.kind_id not in ASSIGNMENT
            ]
        )
    return Unit(source[start:end], context, wrapper, start, end)


def _substitution_context(kind: int) -> Context | None:
    if kind in COMMAND_SUBSTITUTION:
        return Context.COMMAND_SUBSTITUTION
    if kind in PROCESS_SUBSTITUTION:
        return Context.PROCESS_SUBSTITUTION
    return None


def command_units(root: Node, source: str) -> tuple[Unit, ...]:
    """Return the units of a parsed command in pre-order (U1 to U8); raise `TooLarge`.

    `source` is the code-unit string the tree was parsed from.
    """
    units: list[Unit] = []
    size = 0
    pending: list[tuple[Node, Context | None, bool]] = [(root, None, False)]
    while pending:
        node, context, searching = pending.pop()
        kind = node.kind_id
        if searching:
            hosted = _substitution_context(kind)
            pending.extend((child, hosted or context, hosted is None) for child in reversed(node.children))
            continue
        if kind in CONTAINER:
            pending.extend((child, context, False) for child in reversed(node.children))
            continue
        if kind in IGNORED or not node.is_named:
            continue
        if kind in COMMAND:
            unit = _command_unit(node, source, context)
            if _MAY_HOST.search(source, node.start_byte >> 1, unit.end):
                pending.extend((child, context, True) for child in reversed(node.children))
        else:
            start, end = node.start_byte >> 1, node.end_byte >> 1
            unit = Unit(source[start:end], context, None, start, end)
            if kind in SUBSHELL:
                pending.extend((child, Context.SUBSHELL, False) for child in reversed(node.children))
        units.append(unit)
        size += len(unit.text)
        if size > MAX_UNIT_TEXT:
            raise TooLarge(f"the units of the command have more than {MAX_UNIT_TEXT} code units")
    return tuple(units)
