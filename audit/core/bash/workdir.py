"""The effective working directory, folded through a command, and the tokens under it (core-bash.md 8).

A base is the offset of the effective working directory from the session's working directory, or None
where it is unknown. One walk pairs each token with the base in force where it stands.
"""

from __future__ import annotations

from enum import Enum, auto

from audit.core.bash.parser import Node, kinds, roles
from audit.core.bash.text import ARGUMENT, literal
from audit.core.bash.tokens import Collector, Token
from audit.core.paths.access_path import DRIVE_MOUNT, PLAIN, Paths

LIST = kinds("list")
REDIRECTED = kinds("redirected_statement")
FILE_REDIRECT = kinds("file_redirect")
COMMAND_NAME = kinds("command_name")
ASSIGNMENT = kinds("variable_assignment")


class _Role(Enum):
    """What a node is to the ordinary walk."""

    SEQUENCE = auto()
    SUBSHELL = auto()
    PIPELINE = auto()
    COMMAND = auto()
    REDIRECT = auto()
    SKIPPED = auto()
    FLAT = auto()
    """No `cd` inside takes effect (B6)."""
    ANONYMOUS = auto()


_SEQUENCE, _SUBSHELL, _PIPELINE, _COMMAND, _REDIRECT, _SKIPPED, _COLLECTED, _ANONYMOUS = _Role
_ROLES = roles(
    {
        "program": _SEQUENCE,
        "list": _SEQUENCE,
        "redirected_statement": _SEQUENCE,
        "compound_statement": _SEQUENCE,
        "subshell": _SUBSHELL,
        "pipeline": _PIPELINE,
        "command": _COMMAND,
        "file_redirect": _REDIRECT,
        "heredoc_body": _SKIPPED,
        "heredoc_end": _SKIPPED,
        "comment": _SKIPPED,
    },
    named=_COLLECTED,
    anonymous=_ANONYMOUS,
)

START = ""
"""The base of the session's own working directory."""


class _Step(Enum):
    VISIT = auto()
    """The ordinary walk (B2 to B6)."""
    BACKGROUND = auto()
    """The ordinary walk of a statement before `&`: its base is forgotten (B3)."""
    STAGE = auto()
    """The first stage of a pipeline (B8)."""
    FLAT = auto()
    """Tokens only, no `cd` takes effect (B6)."""
    RESTORE = auto()
    """Return to an earlier base."""


_VISIT, _BACKGROUND, _STAGE, _FLAT, _RESTORE = _Step
_Pending = list[tuple[_Step, Node | None, str | None]]


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
    return [child for child in node.named_children if _ROLES[child.kind_id] is not _SKIPPED]


def _push_sequence(node: Node, pending: _Pending) -> None:
    """Push the steps of a sequence, last first (B3)."""
    following = ""
    for child in reversed(node.children):
        role = _ROLES[child.kind_id]
        if role is _ANONYMOUS:
            following = child.type
            continue
        if role is not _SKIPPED:
            pending.append((_BACKGROUND if following == "&" else _VISIT, child, None))
        following = ""


class _Walk:
    """One walk over one command."""

    __slots__ = ("_base", "_collector", "_paths", "_pending", "_source")

    def __init__(self, source: str, paths: Paths, base: str | None) -> None:
        self._source = source
        self._paths = paths
        self._base = base
        self._collector = Collector(source, paths.flavor)
        self._pending: _Pending = []

    def run(self, root: Node) -> list[Token]:
        pending = self._pending
        pending.append((_VISIT, root, None))
        while pending:
            step, node, base = pending.pop()
            if node is None:
                self._base = base
            elif step is _VISIT:
                self._visit(node)
            elif step is _FLAT:
                self._collector.flat(node, self._base)
            elif step is _STAGE:
                self._stage(node)
            else:
                pending.append((_RESTORE, None, self._base))
                self._visit(node)
        return self._collector.tokens

    def _visit(self, node: Node) -> None:
        role = _ROLES[node.kind_id]
        if role is _COMMAND:
            if self._collector.command(node, self._base) == "cd":
                target = _target(node, self._source)
                self._base = None if target is None else enter(self._base, target, self._paths)
        elif role is _REDIRECT:
            self._collector.redirect(node, self._base)
        elif role is _SEQUENCE:
            _push_sequence(node, self._pending)
        elif role is _PIPELINE:
            stages = _named(node)
            self._pending.extend([(_FLAT, stage, None) for stage in reversed(stages[1:])])
            self._pending.extend([(_STAGE, stage, None) for stage in stages[:1]])
        elif role is _SUBSHELL:
            self._pending.append((_RESTORE, None, self._base))
            _push_sequence(node, self._pending)
        else:
            self._collector.flat(node, self._base)

    def _stage(self, node: Node) -> None:
        kind = node.kind_id
        if kind in LIST:
            items = _named(node)
            self._pending.extend([(_FLAT, item, None) for item in items[-1:]])
            self._pending.extend([(_VISIT, item, None) for item in reversed(items[:-1])])
        elif kind in REDIRECTED:
            for child in reversed(node.named_children):
                step = _FLAT if child.kind_id in FILE_REDIRECT else _STAGE
                self._pending.append((step, child, None))
        else:
            self._collector.flat(node, self._base)


def collect_tokens(root: Node, source: str, paths: Paths, base: str | None) -> list[Token]:
    """Return the tokens of a parsed command in order, each with the base it stands under.

    `base` is where the walk starts: `START`, or what the workdir of a shell alias leads to.
    """
    return _Walk(source, paths, base).run(root)
