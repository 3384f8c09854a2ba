"""Path tokens: the arguments and redirect destinations a command shows (core-bash.md 7)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto
from functools import partial
from typing import NamedTuple

from audit.core.bash.parser import Node, kinds, roles
from audit.core.bash.text import value
from audit.core.paths.flavor import Flavor

COMMAND = kinds("command")
COMMAND_NAME = kinds("command_name")
FILE_REDIRECT = kinds("file_redirect")
SKIPPED = kinds("heredoc_body", "heredoc_end", "comment")


class Token(NamedTuple):
    """A token, its span in code units of the command, and the base in force where it stands."""

    value: str
    base: str | None
    """Offset of the effective working directory from the session's; None: unknown."""
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class PatternFirst:
    """How a command takes a pattern or script before its files (table 7.1)."""

    skip: frozenset[str]
    """Flags whose argument is no path."""
    take: frozenset[str]
    """Flags whose argument is a file, which holds the script."""
    positionals: int
    """How many leading positionals are patterns."""


def _pattern_first(skip: str, take: str, positionals: int = 1) -> PatternFirst:
    return PatternFirst(frozenset(skip.split()), frozenset(take.split()), positionals)


_AWK = _pattern_first("-e -F -v", "-f")
_GREP = _pattern_first("-e -A -B -C -m", "-f")
PATTERN_FIRST = {
    "sed": _pattern_first("-e -i", "-f"),
    "awk": _AWK,
    "gawk": _AWK,
    "nawk": _AWK,
    "grep": _GREP,
    "egrep": _GREP,
    "fgrep": _GREP,
    "rg": _pattern_first("-e -A -B -C -m -g -t -T -j -M -r -E", "-f"),
    "sd": _pattern_first("-n -f", "", 2),
}
SCRIPT_FLAGS = frozenset({"-e", "-f"})


class _Role(Enum):
    """What a child is to its command."""

    NAME = auto()
    BARREN = auto()
    """Gives no token and holds nothing that does (T5.2)."""
    WORD = auto()
    """An argument that is its own value."""
    ARGUMENT = auto()
    """An argument with quotes."""
    OTHER = auto()
    """No argument; may hold nested commands and redirects."""


_NAME, _BARREN, _WORD, _ARGUMENT, _OTHER = _Role
_ROLES = roles(
    {
        "command_name": _NAME,
        "variable_assignment": _BARREN,
        "simple_expansion": _BARREN,
        "word": _WORD,
        "string": _ARGUMENT,
        "raw_string": _ARGUMENT,
        "concatenation": _ARGUMENT,
    },
    named=_OTHER,
    anonymous=_OTHER,
)

Parts = list["Node | Token"]
_new_token = partial(tuple.__new__, Token)


class Collector:
    """Collects the tokens of subtrees of one command, in order."""

    __slots__ = ("_flavor", "_source", "tokens")

    def __init__(self, source: str, flavor: Flavor) -> None:
        self._source = source
        self._flavor = flavor
        self.tokens: list[Token] = []

    def flat(self, node: Node, base: str | None) -> None:
        """Collect everything below a node with one base (T1)."""
        pending: Parts = [node]
        while pending:
            node_or_token = pending.pop()
            if isinstance(node_or_token, Token):
                self.tokens.append(node_or_token)
                continue
            kind = node_or_token.kind_id
            if kind in COMMAND:
                pending.extend(reversed(self._command_parts(node_or_token, base)[1]))
            elif kind in FILE_REDIRECT:
                self.redirect(node_or_token, base)
            elif kind not in SKIPPED:
                pending.extend(reversed(node_or_token.children))

    def command(self, node: Node, base: str | None) -> str:
        """Collect the tokens of a command (T2) and return its name (T4), quotes included."""
        name, parts = self._command_parts(node, base)
        for part in parts:
            if isinstance(part, Token):
                self.tokens.append(part)
            else:
                self.flat(part, base)
        return name

    def redirect(self, node: Node, base: str | None) -> None:
        """Collect the destinations of a redirect (T3); nothing inside them."""
        for child in node.children:
            role = _ROLES[child.kind_id]
            if role is _WORD or role is _ARGUMENT:
                self.tokens.append(self._token(child, role, base))

    def _token(self, node: Node, role: _Role, base: str | None) -> Token:
        start, end = node.start_byte >> 1, node.end_byte >> 1
        text = self._source[start:end] if role is _WORD else value(node, self._source)
        return _new_token((text, base, start, end))

    def _command_parts(self, node: Node, base: str | None) -> tuple[str, Parts]:
        """Return a command's name, and in order its tokens and the children to collect from."""
        children = node.children
        first = children[0]
        if first.kind_id in COMMAND_NAME:
            name = self._source[first.start_byte >> 1 : first.end_byte >> 1]
            leading = 0
        else:
            at = next((at for at, child in enumerate(children) if child.kind_id in COMMAND_NAME), None)
            leading = len(children) if at is None else at
            first = children[leading - 1] if at is None else children[at]
            name = "" if at is None else self._source[first.start_byte >> 1 : first.end_byte >> 1]
        if not name.isalnum():
            name = self._flavor.basename(name)
        table = PATTERN_FIRST.get(name)
        if table is not None:
            return name, self._pattern_first_parts(table, children, base)
        return name, self._ordinary_parts(children, base, leading)

    def _ordinary_parts(self, children: list[Node], base: str | None, leading: int) -> Parts:
        """Follow T5; in a damaged program the first argument before the name is taken for the name."""
        parts: Parts = []
        for at, child in enumerate(children):
            role = _ROLES[child.kind_id]
            if role is _WORD or role is _ARGUMENT:
                if at < leading:
                    leading = 0
                else:
                    parts.append(self._token(child, role, base))
            elif role is _OTHER and child.child_count:
                parts.append(child)
        return parts

    def _pattern_first_parts(self, table: PatternFirst, children: list[Node], base: str | None) -> Parts:
        """Follow T6: a script or pattern is no token, a script file is."""
        parts: Parts = []
        scripted = past_flags = False
        positionals = 0
        pending = ""
        for child in children:
            role = _ROLES[child.kind_id]
            if role is not _WORD and role is not _ARGUMENT:
                if role is _OTHER and child.child_count:
                    parts.append(child)
                continue
            token = self._token(child, role, base)
            text = token.value
            if pending:
                if pending == "take":
                    parts.append(token)
                pending = ""
            elif not past_flags and role is _WORD and text.startswith("-") and len(text) > 1:
                if text == "--":
                    past_flags = True
                elif text in table.skip:
                    pending = "skip"
                    scripted = scripted or text in SCRIPT_FLAGS
                elif text in table.take:
                    pending = "take"
                    scripted = True
            elif not scripted and positionals < table.positionals:
                positionals += 1
            else:
                parts.append(token)
        return parts
