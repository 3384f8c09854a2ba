"""Command units: the texts that bash rules are matched against (core-bash.md 4 and 16, `units`)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from enum import Enum, StrEnum, auto

from audit.core.bash.parser import Node, TooLarge, kinds, roles
from audit.core.bash.text import (
    ASSIGNMENT,
    COMMAND_NAME,
    may_host,
    substitutions,
    substitutions_of,
)
from audit.core.bash.wrappers import Marks, Wrapper, marks
from audit.core.record import record
from audit.core.revision import Revision
from audit.core.switches import AssignmentStrip, Units

MAX_UNIT_TEXT = 64_000_000
"""Code units over all texts of one command with units inside: each level of nesting repeats its text."""


class _Role(Enum):
    """What a node is to the enumeration; None: it yields nothing (U2)."""

    OPENED = auto()
    """Yields what its children yield (U3)."""
    COMMAND = auto()
    SUBSHELL = auto()
    WHOLE = auto()
    """Yields its text and nothing from inside (U8)."""
    HOST = auto()
    """Yields what the substitutions inside yield."""
    WHOLE_HOST = auto()
    """Yields its text, then what the substitutions inside yield."""
    STATEMENT = auto()
    """Yields its text, then what statements and substitutions inside yield."""
    PART = auto()
    """Does so without its text."""


# Reading a member off its class takes longer than all else that is done with it in a walk.
_OPENED, _COMMAND, _SUBSHELL, _WHOLE, _HOST, _WHOLE_HOST, _STATEMENT, _PART = _Role

_Roles = dict[int, _Role | None]

_CHAINED: dict[str, _Role | None] = {
    **dict.fromkeys(("program", "list", "pipeline", "redirected_statement"), _OPENED),
    "command": _COMMAND,
    "subshell": _WHOLE,
    **dict.fromkeys(
        (
            "file_redirect", "heredoc_redirect", "herestring_redirect", "comment", "heredoc_body",
            "heredoc_end",
        )
    ),
}  # fmt: skip
_NESTED = {**_CHAINED, "subshell": _SUBSHELL}
_HOSTED = {
    **_NESTED,
    **dict.fromkeys(("file_redirect", "heredoc_redirect", "herestring_redirect", "heredoc_body"), _HOST),
}
_STATEMENTS = (
    "if_statement", "while_statement", "for_statement", "c_style_for_statement", "case_statement",
    "function_definition", "compound_statement", "negated_command",
)  # fmt: skip
_PARTS = ("do_group", "case_item", "elif_clause", "else_clause")
_OPEN = {
    **_HOSTED,
    "ERROR": _WHOLE,
    **dict.fromkeys(_STATEMENTS, _STATEMENT),
    **dict.fromkeys(_PARTS, _PART),
}
_ENUMERATED = kinds(
    "command", "redirected_statement", "subshell", "declaration_command", "variable_assignment",
    "test_command", "unset_command", "ERROR", "program", "list", "pipeline", *_STATEMENTS, *_PARTS,
)  # fmt: skip
"""Children of a statement that yield units of their own; all others are searched for substitutions."""


class TokenSide(Enum):
    """What the collection of tokens does where units are found inside redirects or statements."""

    PLAIN = auto()
    HOSTED = auto()
    """Redirects and heredocs show the tokens of the substitutions inside them."""
    PREFIXED = auto()
    """Names and assignments of commands do so too."""


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
    inner: str | None = field(default=None, compare=False)
    """What a wrapper runs, where that is proven to read only."""
    damaged: bool = field(default=False, compare=False)
    """The unit, or a statement around it, did not parse whole."""


Finish = Callable[[Unit, Node], Unit]
"""Adds to the unit of a node what only some revisions ask."""


@dataclass(frozen=True, slots=True)
class UnitRules:
    """How a revision takes a command apart."""

    roles: _Roles | None
    """None: the command is one unit."""
    hosts: bool
    strips: bool
    marks: Marks
    token_side: TokenSide


_RULES: dict[Units, tuple[_Roles | None, bool, TokenSide]] = {
    Units.WHOLE: (None, False, TokenSide.PLAIN),
    Units.CHAIN: (roles(_CHAINED, named=_WHOLE, anonymous=None), False, TokenSide.PLAIN),
    Units.NESTED: (roles(_NESTED, named=_WHOLE, anonymous=None), True, TokenSide.PLAIN),
    Units.HOSTED: (roles(_HOSTED, named=_WHOLE, anonymous=None), True, TokenSide.HOSTED),
    Units.STATEMENTS: (roles(_OPEN, named=_WHOLE_HOST, anonymous=None), True, TokenSide.PREFIXED),
}


def unit_rules(revision: Revision) -> UnitRules:
    """Return how a revision takes a command apart."""
    table, hosts, token_side = _RULES[revision.units]
    strips = revision.assignment_strip is AssignmentStrip.ON
    return UnitRules(table, hosts, strips, marks(revision), token_side)


_CONTEXTS = {
    kind: context
    for context in (Context.COMMAND_SUBSTITUTION, Context.PROCESS_SUBSTITUTION)
    for kind in kinds(context)
}

_Siblings = tuple[Iterator[Node], Context | None]
"""Nodes still to enumerate, and the context they are in."""


def _inside(node: Node, role: _Role, text: str, context: Context | None) -> list[_Siblings]:
    """Return what is enumerated inside a node behind its own unit (U6 to U8); last first."""
    if role is _SUBSHELL:
        return [(iter(node.children), Context.SUBSHELL)]
    if role is _WHOLE:
        return []
    found: list[_Siblings] = []
    if role is _STATEMENT or role is _PART:
        for child in node.named_children:
            if child.kind_id in _ENUMERATED:
                found.append((iter((child,)), context))
            else:
                found += _switched(substitutions_of(child))
    elif may_host(text):
        found = _switched(substitutions(node))
    found.reverse()
    return found


def _switched(hosted: list[Node]) -> list[_Siblings]:
    return [(iter(one.children), _CONTEXTS[one.kind_id]) for one in hosted]


def _command_unit(node: Node, source: str, context: Context | None, rules: UnitRules) -> Unit:
    """Make the unit of a command: its text from the first word that is no assignment on (U4, U5)."""
    children = node.children
    first = children[0]
    if first.kind_id not in COMMAND_NAME:
        children = [child for child in children if child.is_named and child.kind_id not in ASSIGNMENT]
        first = children[0] if children else node
    start, end = first.start_byte >> 1, node.end_byte >> 1
    name = source[start : first.end_byte >> 1]
    wrapper = None
    if name in rules.marks.names or "/" in name:
        wrapper = rules.marks.of(
            [
                source[word.start_byte >> 1 : word.end_byte >> 1]
                for word in children
                if word.is_named and word.kind_id not in ASSIGNMENT
            ]
        )
    if not rules.strips:
        start = node.start_byte >> 1
    return Unit(source[start:end], context, wrapper, start, end)


def command_units(
    root: Node, source: str, rules: UnitRules, finish: Finish | None = None
) -> tuple[Unit, ...]:
    """Return the units of a parsed command in pre-order (U1 to U8); raise `TooLarge`.

    `source` is the code-unit string the tree was parsed from.
    """
    if rules.roles is None:
        return (Unit(source, start=0, end=len(source)),)
    units: list[Unit] = []
    nested = 0
    role_of = rules.roles
    hosting = rules.hosts and may_host(source)
    siblings: Iterator[Node] = iter((root,))
    context: Context | None = None
    pending: list[_Siblings] = []
    while True:
        for node in siblings:
            role = role_of[node.kind_id]
            if role is None:
                continue
            if role is _OPENED:
                pending.append((siblings, context))
                siblings = iter(node.children)
                break
            if role is _COMMAND:
                units.append(_command_unit(node, source, context, rules))
                if finish is not None:
                    units[-1] = finish(units[-1], node)
                if not hosting:
                    continue
            start, end = node.start_byte >> 1, node.end_byte >> 1
            text = source[start:end]
            if role is not _COMMAND and role is not _HOST and role is not _PART:
                units.append(Unit(text, context, None, start, end))
                if finish is not None:
                    units[-1] = finish(units[-1], node)
            inside = _inside(node, role, text, context)
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
