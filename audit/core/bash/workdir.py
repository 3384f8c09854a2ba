"""The effective working directory, folded through a command, and the tokens under it (core-bash.md 8).

A base is the offset of the effective working directory from the session's working directory, or None
where it is unknown. One walk pairs each token with the base in force where it stands.
"""

from __future__ import annotations

from enum import Enum, auto

from audit.core.bash.parser import Node, kinds
from audit.core.bash.text import ARGUMENT, literal
from audit.core.bash.tokens import Collector, Token
from audit.core.paths.access_path import Paths, Reading

SEQUENCE = kinds("program", "list", "redirected_statement", "compound_statement")
SUBSHELL = kinds("subshell")
PIPELINE = kinds("pipeline")
COMMAND = kinds("command")
LIST = kinds("list")
REDIRECTED = kinds("redirected_statement")
FILE_REDIRECT = kinds("file_redirect")
COMMAND_NAME = kinds("command_name")
ASSIGNMENT = kinds("variable_assignment")
SKIPPED = kinds("heredoc_body", "heredoc_end", "comment")

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


_Pending = list[tuple[_Step, Node | None, str | None]]


def enter(base: str | None, target: str, paths: Paths) -> str | None:
    """Return the base after `cd target` (B10)."""
    reading, text = paths.reading(target)
    if reading is Reading.DRIVE_MOUNT:
        return text
    if reading is not Reading.PLAIN:
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


def _sequence(node: Node) -> _Pending:
    """Return the steps of a sequence, last first (B3)."""
    steps: _Pending = []
    following = ""
    for child in reversed(node.children):
        if child.is_named:
            if child.kind_id not in SKIPPED:
                steps.append((_Step.BACKGROUND if following == "&" else _Step.VISIT, child, None))
            following = ""
        else:
            following = child.type
    return steps


class _Walk:
    """One walk over one command."""

    __slots__ = ("base", "collector", "paths", "pending", "source")

    def __init__(self, source: str, paths: Paths, base: str | None) -> None:
        self.source = source
        self.paths = paths
        self.base = base
        self.collector = Collector(source, paths.flavor)
        self.pending: _Pending = []

    def run(self, root: Node) -> list[Token]:
        self.pending.append((_Step.VISIT, root, None))
        while self.pending:
            step, node, base = self.pending.pop()
            if node is None:
                self.base = base
            elif step is _Step.VISIT:
                self._visit(node)
            elif step is _Step.FLAT:
                self.collector.flat(node, self.base)
            elif step is _Step.STAGE:
                self._stage(node)
            else:
                self.pending.append((_Step.RESTORE, None, self.base))
                self._visit(node)
        return self.collector.tokens

    def _visit(self, node: Node) -> None:
        kind = node.kind_id
        if kind in COMMAND:
            if self.collector.command(node, self.base) == "cd":
                target = _target(node, self.source)
                self.base = None if target is None else enter(self.base, target, self.paths)
        elif kind in SEQUENCE:
            self.pending.extend(_sequence(node))
        elif kind in PIPELINE:
            stages = _named(node)
            self.pending.extend((_Step.FLAT, stage, None) for stage in reversed(stages[1:]))
            self.pending.extend((_Step.STAGE, stage, None) for stage in stages[:1])
        elif kind in SUBSHELL:
            self.pending.append((_Step.RESTORE, None, self.base))
            self.pending.extend(_sequence(node))
        else:
            self.collector.flat(node, self.base)

    def _stage(self, node: Node) -> None:
        kind = node.kind_id
        if kind in LIST:
            items = _named(node)
            self.pending.extend((_Step.FLAT, item, None) for item in items[-1:])
            self.pending.extend((_Step.VISIT, item, None) for item in reversed(items[:-1]))
        elif kind in REDIRECTED:
            for child in reversed(node.named_children):
                step = _Step.FLAT if child.kind_id in FILE_REDIRECT else _Step.STAGE
                self.pending.append((step, child, None))
        else:
            self.collector.flat(node, self.base)


def collect_tokens(root: Node, source: str, paths: Paths, base: str | None) -> list[Token]:
    """Return the tokens of a parsed command in order, each with the base it stands under.

    `base` is where the walk starts: `START`, or what the workdir of a shell alias leads to.
    """
    return _Walk(source, paths, base).run(root)
