"""Path tokens: the arguments and redirect destinations a command shows (core-bash.md 7)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from audit.core.bash.parser import Node, kinds
from audit.core.bash.text import ARGUMENT, WORD, value
from audit.core.paths.flavor import Flavor

COMMAND = kinds("command")
COMMAND_NAME = kinds("command_name")
ASSIGNMENT = kinds("variable_assignment")
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


def command_name(node: Node, source: str, flavor: Flavor) -> str:
    """Return a command's name after its last separator (T4), quotes included; empty if none."""
    for child in node.children:
        if child.kind_id in COMMAND_NAME:
            return flavor.basename(source[child.start_byte >> 1 : child.end_byte >> 1])
    return ""


class Collector:
    """Collects the tokens of subtrees of one command, in order."""

    __slots__ = ("_flavor", "_source", "tokens")

    def __init__(self, source: str, flavor: Flavor) -> None:
        self._source = source
        self._flavor = flavor
        self.tokens: list[Token] = []

    def flat(self, node: Node, base: str | None) -> None:
        """Collect everything below a node with one base (T1)."""
        pending: list[Node | Token] = [node]
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
        """Collect the tokens of a command (T2) and return its name."""
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
            if child.kind_id in ARGUMENT:
                self.tokens.append(self._token(child, base))

    def _token(self, node: Node, base: str | None) -> Token:
        start, end = node.start_byte >> 1, node.end_byte >> 1
        text = self._source[start:end] if node.kind_id in WORD else value(node, self._source)
        return Token(text, base, start, end)

    def _command_parts(self, node: Node, base: str | None) -> tuple[str, list[Node | Token]]:
        name: str | None = None
        arguments: list[Node] = []
        leading = 0
        for child in node.children:
            kind = child.kind_id
            if kind in COMMAND_NAME:
                if name is None:
                    leading = len(arguments)
                    text = self._source[child.start_byte >> 1 : child.end_byte >> 1]
                    name = self._flavor.basename(text)
            elif kind not in ASSIGNMENT:
                arguments.append(child)
        if name is None:
            leading = len(arguments)
        table = PATTERN_FIRST.get(name or "")
        if table is not None:
            return name or "", self._pattern_first_parts(table, arguments, base)
        return name or "", self._ordinary_parts(arguments, base, leading)

    def _ordinary_parts(self, arguments: list[Node], base: str | None, leading: int) -> list[Node | Token]:
        """Follow T5; in a damaged program the first argument before the name is taken for the name."""
        parts: list[Node | Token] = []
        nameless = leading > 0
        for at, child in enumerate(arguments):
            if child.kind_id in ARGUMENT:
                if nameless and at < leading:
                    nameless = False
                else:
                    parts.append(self._token(child, base))
            elif child.child_count:
                parts.append(child)
        return parts

    def _pattern_first_parts(
        self, table: PatternFirst, arguments: list[Node], base: str | None
    ) -> list[Node | Token]:
        """Follow T6: a script or pattern is no token, a script file is."""
        parts: list[Node | Token] = []
        scripted = past_flags = False
        positionals = 0
        pending = ""
        for child in arguments:
            if child.kind_id not in ARGUMENT:
                if child.child_count:
                    parts.append(child)
                continue
            token = self._token(child, base)
            text = token.value
            if pending:
                if pending == "take":
                    parts.append(token)
                pending = ""
            elif not past_flags and child.kind_id in WORD and text.startswith("-") and len(text) > 1:
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
