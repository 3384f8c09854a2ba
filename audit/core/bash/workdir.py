"""The effective working directory, folded through a command, and the tokens under it (core-bash.md 8).

A base is the offset of the effective working directory from the session's working directory, or None
where it is unknown. One walk pairs each token with the base in force where it stands.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum, auto

from audit.core.bash.parser import Node, kinds, roles
from audit.core.bash.text import ARGUMENT, literal, value
from audit.core.bash.tokens import Members, name_and_arguments
from audit.core.paths.access_path import DRIVE_MOUNT, PLAIN, Paths

COMMAND_NAME = kinds("command_name")
ASSIGNMENT = kinds("variable_assignment")
_SKIPPED = ("heredoc_body", "heredoc_end", "comment")
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
    **dict.fromkeys(_SKIPPED, _BARREN),
}
_ARGUMENTS = {"word": _WORD, "string": _ARGUMENT, "raw_string": _ARGUMENT, "concatenation": _ARGUMENT}
_LEAVES = dict.fromkeys(
    (
        "ansi_c_string", "extglob_pattern", "file_descriptor", "heredoc_content", "heredoc_start",
        "raw_string", "regex", "simple_expansion", "special_variable_name", "string_content",
        "test_operator", "variable_name", "word",
    ),
    _BARREN,
)  # fmt: skip
"""Kinds that the grammar gives no commands and no redirects inside."""

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
FLAT: _Roles = roles({**_BY_NAME, **_LEAVES}, named=_FLAT, anonymous=_BARREN)
"""Tokens only, no `cd` takes effect (T1, B6)."""
IN_COMMAND: _Roles = roles(
    {
        **_BY_NAME,
        **_LEAVES,
        **_ARGUMENTS,
        "command_name": _BARREN,
        "variable_assignment": _BARREN,
        "simple_expansion": _BARREN,
    },
    named=_FLAT,
    anonymous=_BARREN,
)
"""Children of a command (T5)."""
STATEMENTS: dict[int, bool] = roles(dict.fromkeys(_SKIPPED, False), named=True, anonymous=False)
"""Whether a child of a pipeline or list is one of its stages or items."""
IN_REDIRECT: _Roles = roles(_ARGUMENTS, named=_BARREN, anonymous=_BARREN)
"""Destinations of a redirect (T3)."""

START = ""
"""The base of the session's own working directory."""


_INSIDE = {_SEQUENCE: IN_SEQUENCE, _REDIRECT: IN_REDIRECT, _FLAT: FLAT, _STAGED_BODY: IN_FIRST_STAGE}
"""What the children are, for nodes that are merely entered."""

_After = tuple[str | None] | None
"""The base to go on with after what is inside a node; None: the one that is then in force."""
_Siblings = tuple[Iterator[Node], _Roles, str | None, _After]
"""Nodes still to walk, what they are where they stand, the base before the last one walked, and after it."""


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


def _after_cd(command: Node, source: str, paths: Paths, base: str | None) -> tuple[str | None]:
    target = _target(command, source)
    return (None if target is None else enter(base, target, paths),)


def _stages(node: Node, role: _Role, base: str | None) -> list[_Siblings]:
    """Return what to walk of a pipeline (B7), or of a list that is its first stage (B8); last first."""
    if role is _SUBSHELL:
        return [(iter(node.children), IN_SEQUENCE, base, None)]
    stages = [child for child in node.children if STATEMENTS[child.kind_id]]
    if role is _PIPELINE:
        return [(iter(stages[1:]), FLAT, base, None), (iter(stages[:1]), IN_FIRST_STAGE, base, None)]
    return [(iter(stages[-1:]), FLAT, base, None), (iter(stages[:-1]), IN_SEQUENCE, base, None)]


def collect_tokens(root: Node, source: str, paths: Paths, base: str | None) -> list[Members]:
    """Return the tokens of a parsed command in order, each with the base it stands under, as `Members`.

    `base` is where the walk starts: `START`, or what the workdir of a shell alias leads to.
    """
    flavor = paths.flavor
    tokens: list[Members] = []
    siblings, roles_here, before = iter((root,)), IN_SEQUENCE, base
    pending: list[_Siblings] = []
    while True:
        for node in siblings:
            role = roles_here[node.kind_id]
            if role is _WORD or role is _ARGUMENT:
                start, end = node.start_byte >> 1, node.end_byte >> 1
                text = source[start:end] if role is _WORD else value(node, source)
                tokens.append((text, base, start, end))
            elif role is _BARREN:
                before = base
            elif role is _BACKGROUND:
                base = before
            else:
                inside = _INSIDE.get(role)
                if inside is not None:
                    pending.append((siblings, roles_here, base, None))
                    siblings, roles_here = iter(node.children), inside
                elif role is _COMMAND or role is _MOVING:
                    name, arguments = name_and_arguments(node, source, flavor)
                    moves = name == "cd" and role is _MOVING
                    after = _after_cd(node, source, paths, base) if moves else None
                    pending.append((siblings, roles_here, base, after))
                    siblings, roles_here = iter(arguments), IN_COMMAND
                else:
                    after = (base,) if role is _SUBSHELL else None
                    pending += (siblings, roles_here, base, after), *_stages(node, role, base)
                    siblings, roles_here, _, _ = pending.pop()
                before = base
                break
        else:
            if not pending:
                return tokens
            siblings, roles_here, before, after = pending.pop()
            if after is not None:
                (base,) = after
