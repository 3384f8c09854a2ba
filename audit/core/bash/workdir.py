"""The effective working directory, folded through a command, and the tokens under it (core-bash.md 8).

A base is the offset of the effective working directory from the session's working directory, or None
where it is unknown. One walk pairs each token with the base in force where it stands.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import IntEnum, auto

from audit.core.bash.parser import Node, TooLarge, kinds, roles
from audit.core.bash.text import ARGUMENT, literal, value
from audit.core.bash.tokens import Members, name_and_arguments
from audit.core.paths.access_path import DRIVE_MOUNT, PLAIN, Paths

COMMAND_NAME = kinds("command_name")
ASSIGNMENT = kinds("variable_assignment")
_SKIPPED = ("heredoc_body", "heredoc_end", "comment")
STAGED = kinds("list", "redirected_statement")
"""What a pipeline can begin with that still changes the base (B8)."""


class _Role(IntEnum):
    """What a node is where it stands; None: it gives no token and holds nothing that does."""

    WORD = auto()
    """A token that is its own value."""
    ARGUMENT = auto()
    """A token with quotes."""
    BACKGROUND = auto()
    """`&`: the base of what stands before it is forgotten (B3)."""
    COMMAND = auto()
    REDIRECT = auto()
    SEQUENCE = auto()
    SUBSHELL = auto()
    PIPELINE = auto()
    STAGED_LIST = auto()
    STAGED_BODY = auto()
    FLAT = auto()
    """No `cd` inside takes effect (B6)."""


_WORD, _ARGUMENT, _BACKGROUND, *_ENTERED = _Role
_COMMAND, _REDIRECT, _SEQUENCE, _SUBSHELL, _PIPELINE, _STAGED_LIST, _STAGED_BODY, _FLAT = _ENTERED

_Roles = dict[int, _Role | None]
_BY_NAME: dict[str, _Role | None] = {
    "command": _COMMAND,
    "file_redirect": _REDIRECT,
    **dict.fromkeys(_SKIPPED, None),
}
_ARGUMENTS: dict[str, _Role | None] = {
    "word": _WORD,
    "string": _ARGUMENT,
    "raw_string": _ARGUMENT,
    "concatenation": _ARGUMENT,
}
_LEAVES: dict[str, _Role | None] = dict.fromkeys(
    (
        "ansi_c_string", "extglob_pattern", "file_descriptor", "heredoc_content", "heredoc_start",
        "raw_string", "regex", "simple_expansion", "special_variable_name", "string_content",
        "test_operator", "variable_name", "word",
    ),
    None,
)  # fmt: skip
"""Kinds that the grammar gives no commands and no redirects inside."""

IN_SEQUENCE: _Roles = roles(
    {
        **_BY_NAME,
        "program": _SEQUENCE,
        "list": _SEQUENCE,
        "redirected_statement": _SEQUENCE,
        "compound_statement": _SEQUENCE,
        "subshell": _SUBSHELL,
        "pipeline": _PIPELINE,
    },
    named=_FLAT,
    anonymous=None,
    operators={"&": _BACKGROUND},
)
"""The ordinary walk (B2 to B6)."""
IN_FIRST_STAGE: _Roles = roles(
    {**_BY_NAME, "list": _STAGED_LIST, "redirected_statement": _STAGED_BODY}, named=_FLAT, anonymous=None
)
"""The first stage of a pipeline (B8)."""
FLAT: _Roles = roles({**_BY_NAME, **_LEAVES}, named=_FLAT, anonymous=None)
"""Tokens only, no `cd` takes effect (T1, B6)."""
IN_COMMAND: _Roles = roles(
    {
        **_BY_NAME,
        **_LEAVES,
        **_ARGUMENTS,
        "command_name": None,
        "variable_assignment": None,
        "simple_expansion": None,
    },
    named=_FLAT,
    anonymous=None,
)
"""Children of a command (T5)."""
IN_REDIRECT: _Roles = roles(_ARGUMENTS, named=None, anonymous=None)
"""Destinations of a redirect (T3)."""

STATEMENTS: dict[int, bool] = roles(dict.fromkeys(_SKIPPED, False), named=True, anonymous=False)
"""Whether a child of a pipeline or list is one of its stages or items."""

_INSIDE = {
    _REDIRECT: IN_REDIRECT,
    _SEQUENCE: IN_SEQUENCE,
    _SUBSHELL: IN_SEQUENCE,
    _STAGED_BODY: IN_FIRST_STAGE,
    _FLAT: FLAT,
}
"""What the children are, for nodes whose children are all walked alike."""

MAX_DIRECTORY_TEXT = 16_000_000
"""Code units over all bases of one command: each relative `cd` repeats the base before it."""

START = ""
"""The base of the session's own working directory."""


_Siblings = tuple[Iterator[Node] | None, _Roles, str | None]
"""Nodes still to walk, what they are where they stand, and the base before the last one walked.

Without nodes: the base to go on with.
"""


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
    node: Node, role: _Role, base: str | None, pending: list[_Siblings]
) -> tuple[Iterator[Node], _Roles]:
    """Return what to walk first inside a node, and push what is to be done after that."""
    children = node.children
    if role in _INSIDE:
        if role is _SUBSHELL:
            pending.append((None, FLAT, base))
        return iter(children), _INSIDE[role]
    if role is _PIPELINE:
        at = next((at for at, child in enumerate(children) if STATEMENTS[child.kind_id]), 0)
        if children[at].kind_id not in STAGED:
            return iter(children), FLAT
        pending.append((iter(children[at + 1 :]), FLAT, base))
        return iter(children[at : at + 1]), IN_FIRST_STAGE
    items = [child for child in children if STATEMENTS[child.kind_id]]
    pending.append((iter(items[-1:]), FLAT, base))
    return iter(items[:-1]), IN_SEQUENCE


def collect_tokens(root: Node, source: str, paths: Paths, base: str | None) -> list[Members]:
    """Return the tokens of a parsed command in order, each with the base it stands under, as `Members`.

    Raises `TooLarge`. `base` is where the walk starts: `START`, or what a workdir leads to.
    """
    tokens: list[Members] = []
    fold: _Fold | None = None
    siblings, roles_here, before = iter((root,)), IN_SEQUENCE, base
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
                name, arguments = name_and_arguments(node, source, paths.flavor)
                if name == "cd" and roles_here is IN_SEQUENCE:
                    fold = fold or _Fold(source, paths)
                    pending.append((None, FLAT, fold.after(node, base)))
                siblings, roles_here, before = iter(arguments), IN_COMMAND, base
                break
            elif role is _ARGUMENT:
                tokens.append((value(node, source), base, node.start_byte >> 1, node.end_byte >> 1))
            elif role is _BACKGROUND:
                base = before
            else:
                pending.append((siblings, roles_here, base))
                siblings, roles_here = _opened(node, role, base, pending)
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
