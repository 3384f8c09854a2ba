"""The effective working directory, folded through a command, and the tokens under it (core-bash.md 8).

A base is the offset of the effective working directory from the session's working directory, or None
where it is unknown. One walk pairs each token with the base in force where it stands.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import cast

from audit.core.bash.options import Given, given
from audit.core.bash.parser import Node, TooLarge, kinds
from audit.core.bash.text import (
    ARGUMENT,
    ASSIGNMENT,
    COMMAND_NAME,
    SUBSTITUTION,
    literal,
    substitutions,
    value,
)
from audit.core.bash.token_roles import STATEMENTS, Role, Roles, tables
from audit.core.bash.tokens import Arguments, Members
from audit.core.bash.units import TokenSide
from audit.core.paths.access_path import DRIVE_MOUNT, PLAIN, Paths
from audit.core.revision import Revision
from audit.core.switches import Base, RedirectPipeFold, StatementOperands

STAGED = kinds("list", "redirected_statement")
"""What a pipeline can begin with that still changes the base (B8)."""
LED = kinds("program", "list")
"""What a leading `cd` can stand first in."""

# Reading a member off its class takes longer than all else that is done with it in a walk.
_WORD, _ARGUMENT, _BACKGROUND, _GIVEN, _COMMAND = list(Role)[:5]

MAX_DIRECTORY_TEXT = 16_000_000
"""Code units over all bases of one command: each relative `cd` repeats the base before it."""

START = ""
"""The base of the session's own working directory."""


_Siblings = tuple[Iterator[Node] | None, Roles, str | None]
"""Nodes still to walk, what they are where they stand, and the base before the last one walked.

Without nodes: the base to go on with.
"""


class TokenWalk:
    """How one revision collects tokens in one place."""

    __slots__ = ("arguments", "base", "paths", "tables", "variables")

    def __init__(self, revision: Revision, paths: Paths, side: TokenSide) -> None:
        self.paths = paths
        self.variables = paths.variables
        self.arguments = Arguments(revision, paths.flavor, paths.variables)
        self.base = revision.base
        self.tables = tables(
            side,
            folds_pipes=revision.redirect_pipe_fold is RedirectPipeFold.ON,
            operands=revision.statement_operands is StatementOperands.ON,
        )

    @property
    def moves_candidates(self) -> bool:
        """Tell whether a `cd` changes how `path` rules see a token, and not only what is outside."""
        return self.base is not Base.LEADING_CD

    def start(self, root: Node, source: str, workdir: str | None) -> str | None:
        """Return the base that a parsed command starts with."""
        if self.base is Base.CWD:
            return START
        start = START if workdir is None else enter(START, workdir, self.paths)
        if self.base is Base.LEADING_CD:
            led = self._led(root, source)
            return start if led is None else led
        return start

    def _led(self, root: Node, source: str) -> str | None:
        """Return the directory that a `cd` which comes first leads to, if that is inside (16.1, base)."""
        node = root
        while node.kind_id in LED and node.child_count:
            node = node.children[0]
        if node.type != "command" or self.arguments.of(node, source)[0] != "cd":
            return None
        words = (value(child, source) for child in node.children if child.kind_id in ARGUMENT)
        target = next((word for word in words if word != "--"), "-")
        if target == "-" or target.startswith("~"):
            return None
        paths = self.paths
        directory = paths.flavor.resolve(paths.cwd, target)
        return directory if paths.flavor.within(paths.flavor.fold(directory), paths.lexical_cwd) else None


def enter(base: str | None, target: str, paths: Paths) -> str | None:
    """Return the base after `cd target` (B10)."""
    reading, text = paths.reading(target)
    if reading is DRIVE_MOUNT:
        return text
    if reading is not PLAIN:
        return None
    if paths.flavor.is_absolute(target):
        return target
    return None if base is None else paths.flavor.join(base, target)


def _target(node: Node, source: str) -> str | None:
    for child in node.named_children:
        kind = child.kind_id
        if kind in COMMAND_NAME or kind in ASSIGNMENT:
            continue
        if source[child.start_byte >> 1 : child.end_byte >> 1] == "--" and child.type == "word":
            continue
        return literal(child, source) if kind in ARGUMENT else None
    return None


class _Fold:
    """Follows `cd` through one command."""

    __slots__ = ("_paths", "_size", "_source")

    def __init__(self, source: str, paths: Paths) -> None:
        self._source = source
        self._paths = paths
        self._size = 0

    def after(self, command: Node, base: str | None) -> str | None:
        """Return the base after a `cd` (B9); raise `TooLarge`."""
        target = _target(command, self._source)
        moved = None if target is None else enter(base, target, self._paths)
        self._size += len(moved or "")
        if self._size > MAX_DIRECTORY_TEXT:
            raise TooLarge(f"the directories entered have more than {MAX_DIRECTORY_TEXT} code units")
        return moved


def _opened(
    node: Node, role: Role, base: str | None, pending: list[_Siblings], walk: TokenWalk, source: str
) -> tuple[Iterator[Node], Roles]:
    """Return what to walk first inside a node, and push what is to be done after that."""
    roles_at = walk.tables
    children = node.children
    if role in roles_at.inside:
        if role is Role.SUBSHELL:
            pending.append((None, roles_at.flat, base))
        elif role > Role.FLAT:
            children = list(_shown(node, role, source, walk))
        return iter(children), roles_at.inside[role]
    if role is Role.PIPELINE:
        at = next((at for at, child in enumerate(children) if STATEMENTS[child.kind_id]), 0)
        if children[at].kind_id not in STAGED:
            return iter(children), roles_at.flat
        pending.append((iter(children[at + 1 :]), roles_at.flat, base))
        return iter(children[at : at + 1]), roles_at.in_first_stage
    items = [child for child in children if STATEMENTS[child.kind_id]]
    pending.append((iter(items[-1:]), roles_at.flat, base))
    return iter(items[:-1]), roles_at.in_sequence


def _shown(node: Node, role: Role, source: str, walk: TokenWalk) -> Iterable[Node]:
    """Yield what counts inside a node of which not all children are walked alike (16.2)."""
    if role is Role.HOST:
        yield from substitutions(node)
        return
    words = role is Role.HOSTING_REDIRECT or node.type == "case_statement"
    for child in node.children:
        if role is Role.OPERANDS and child.type == "in":
            words = not words
        if not words or child.kind_id in SUBSTITUTION:
            yield child
        elif role is Role.HOSTING_REDIRECT:
            yield child
            yield from substitutions(child)
        elif child.kind_id in ARGUMENT:
            yield given(value(child, source, walk.variables), child)
            yield from substitutions(child)
        else:
            yield child


def collect_tokens(root: Node, source: str, walk: TokenWalk, base: str | None) -> list[Members]:
    """Return the tokens of a parsed command in order, each with the base it stands under, as `Members`.

    Raises `TooLarge`. `base` is where the walk starts, see `TokenWalk.start`.
    """
    tokens: list[Members] = []
    in_sequence, flat, in_command = walk.tables.in_sequence, walk.tables.flat, walk.tables.in_command
    arguments_of, variables = walk.arguments.of, walk.variables
    fold = _Fold(source, walk.paths) if walk.base is Base.RUNNING else None
    siblings, roles_here, before = iter((root,)), in_sequence, base
    pending: list[_Siblings] = []
    while True:
        for node in siblings:
            role = roles_here[node.kind_id]
            if role is None:
                before = base
            elif role is _WORD:
                start, end = node.start_byte >> 1, node.end_byte >> 1
                tokens.append((source[start:end], base, start, end))
            elif role is _COMMAND:
                pending.append((siblings, roles_here, base))
                name, arguments = arguments_of(node, source)
                if name == "cd" and roles_here is in_sequence and fold is not None:
                    pending.append((None, flat, fold.after(node, base)))
                siblings, roles_here, before = iter(arguments), in_command, base
                break
            elif role is _ARGUMENT:
                tokens.append(
                    (value(node, source, variables), base, node.start_byte >> 1, node.end_byte >> 1)
                )
            elif role is _BACKGROUND:
                base = before
            elif role is _GIVEN:
                token = cast("Given", node)
                tokens.append((token.text, base, node.start_byte >> 1, node.end_byte >> 1))
            else:
                pending.append((siblings, roles_here, base))
                siblings, roles_here = _opened(node, role, base, pending, walk, source)
                before = base
                break
        else:
            if not pending:
                return tokens
            following, roles_here, before = pending.pop()
            if following is None:
                base = before
            else:
                siblings = following
