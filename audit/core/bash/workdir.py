"""The effective working directory, folded through a command, and the tokens under it (core-bash.md 8).

A base is the offset of the effective working directory from the session's working directory, or None
where it is unknown. One walk pairs each token with the base in force where it stands.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum, auto
from functools import partial

from audit.core.bash.parser import Node, kinds, roles
from audit.core.bash.text import ARGUMENT, literal, value
from audit.core.bash.tokens import Token, name_and_arguments
from audit.core.paths.access_path import DRIVE_MOUNT, PLAIN, Paths

COMMAND_NAME = kinds("command_name")
ASSIGNMENT = kinds("variable_assignment")
SKIPPED = kinds("heredoc_body", "heredoc_end", "comment")
STAGED = kinds("list", "redirected_statement")
"""What a pipeline can begin with that still changes the base (B8)."""


class _Role(Enum):
    """What a node is where it stands."""

    BARREN = auto()
    """Gives no token and holds nothing that does."""
    WORD = auto()
    """A token that is its own value."""
    ARGUMENT = auto()
    """A token with quotes."""
    BACKGROUND = auto()
    """`&`: the base of what stands before it is forgotten (B3)."""
    COMMAND = auto()
    """A command that moves nothing (B6)."""
    MOVING = auto()
    """A command that may be `cd` (B5)."""
    REDIRECT = auto()
    SEQUENCE = auto()
    SUBSHELL = auto()
    PIPELINE = auto()
    STAGED_LIST = auto()
    STAGED_BODY = auto()
    FLAT = auto()
    """No `cd` inside takes effect (B6)."""


_BARREN, _WORD, _ARGUMENT, _BACKGROUND, *_OPENED = _Role
_COMMAND, _MOVING, _REDIRECT, _SEQUENCE, _SUBSHELL, _PIPELINE, _STAGED_LIST, _STAGED_BODY, _FLAT = _OPENED

_Roles = dict[int, _Role]
_BY_NAME = {
    "command": _COMMAND,
    "file_redirect": _REDIRECT,
    "heredoc_body": _BARREN,
    "heredoc_end": _BARREN,
    "comment": _BARREN,
}
_ARGUMENTS = {"word": _WORD, "string": _ARGUMENT, "raw_string": _ARGUMENT, "concatenation": _ARGUMENT}

IN_SEQUENCE: _Roles = roles(
    {
        **_BY_NAME,
        "command": _MOVING,
        "program": _SEQUENCE,
        "list": _SEQUENCE,
        "redirected_statement": _SEQUENCE,
        "compound_statement": _SEQUENCE,
        "subshell": _SUBSHELL,
        "pipeline": _PIPELINE,
    },
    named=_FLAT,
    anonymous=_BARREN,
    operators={"&": _BACKGROUND},
)
"""The ordinary walk (B2 to B6)."""
IN_FIRST_STAGE: _Roles = roles(
    {**_BY_NAME, "list": _STAGED_LIST, "redirected_statement": _STAGED_BODY}, named=_FLAT, anonymous=_BARREN
)
"""The first stage of a pipeline (B8)."""
FLAT: _Roles = roles(_BY_NAME, named=_FLAT, anonymous=_BARREN)
"""Tokens only, no `cd` takes effect (T1, B6)."""
IN_COMMAND: _Roles = roles(
    {
        **_BY_NAME,
        **_ARGUMENTS,
        "command_name": _BARREN,
        "variable_assignment": _BARREN,
        "simple_expansion": _BARREN,
    },
    named=_FLAT,
    anonymous=_BARREN,
)
"""Children of a command (T5)."""
IN_REDIRECT: _Roles = roles(_ARGUMENTS, named=_BARREN, anonymous=_BARREN)
"""Destinations of a redirect (T3)."""

START = ""
"""The base of the session's own working directory."""


_Siblings = tuple[Iterator[Node] | None, _Roles, str | None]
"""Nodes still to walk, what they are where they stand, and the base before the last one walked.

Without nodes: the base to go on with.
"""

_new_token = partial(tuple.__new__, Token)


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


def _named(node: Node) -> list[Node]:
    return [child for child in node.named_children if child.kind_id not in SKIPPED]


class _Walk:
    """One walk over one command."""

    __slots__ = ("_base", "_paths", "_pending", "_source")

    def __init__(self, source: str, paths: Paths, base: str | None) -> None:
        self._source = source
        self._paths = paths
        self._base = base
        self._pending: list[_Siblings] = []

    def run(self, root: Node) -> list[Token]:
        source, pending = self._source, self._pending
        tokens: list[Token] = []
        pending.append((iter((root,)), IN_SEQUENCE, self._base))
        while pending:
            siblings, roles_here, before = pending.pop()
            if siblings is None:
                self._base = before
                continue
            base = self._base
            for node in siblings:
                role = roles_here[node.kind_id]
                if role is _WORD:
                    start, end = node.start_byte >> 1, node.end_byte >> 1
                    tokens.append(_new_token((source[start:end], base, start, end)))
                elif role is _BARREN:
                    before = base
                elif role is _ARGUMENT:
                    start, end = node.start_byte >> 1, node.end_byte >> 1
                    tokens.append(_new_token((value(node, source), base, start, end)))
                elif role is _BACKGROUND:
                    self._base = base = before
                else:
                    pending.append((siblings, roles_here, base))
                    self._enter(node, role)
                    break
        return tokens

    def _enter(self, node: Node, role: _Role) -> None:
        """Push what is inside a node, last first."""
        pending, base = self._pending, self._base
        if role is _COMMAND or role is _MOVING:
            name, arguments = name_and_arguments(node, self._source, self._paths.flavor)
            if role is _MOVING and name == "cd":
                target = _target(node, self._source)
                after = None if target is None else enter(base, target, self._paths)
                pending.append((None, FLAT, after))
            pending.append((iter(arguments), IN_COMMAND, base))
        elif role is _SEQUENCE:
            pending.append((iter(node.children), IN_SEQUENCE, base))
        elif role is _REDIRECT:
            pending.append((iter(node.children), IN_REDIRECT, base))
        elif role is _FLAT:
            if node.child_count:
                pending.append((iter(node.children), FLAT, base))
        elif role is _PIPELINE:
            stages = _named(node)
            pending.append((iter(stages[1:]), FLAT, base))
            pending.append((iter(stages[:1]), IN_FIRST_STAGE, base))
        elif role is _SUBSHELL:
            pending.append((None, FLAT, base))
            pending.append((iter(node.children), IN_SEQUENCE, base))
        elif role is _STAGED_BODY:
            pending.append((iter(node.named_children), IN_FIRST_STAGE, base))
        else:
            stages = _named(node)
            pending.append((iter(stages[-1:]), FLAT, base))
            pending.append((iter(stages[:-1]), IN_SEQUENCE, base))


def collect_tokens(root: Node, source: str, paths: Paths, base: str | None) -> list[Token]:
    """Return the tokens of a parsed command in order, each with the base it stands under.

    `base` is where the walk starts: `START`, or what the workdir of a shell alias leads to.
    """
    return _Walk(source, paths, base).run(root)
