"""The only importer of tree-sitter: text in, syntax tree out (core-bash.md 2).

The parser is handed UTF-16LE, because error recovery weighs skipped text by bytes. So every byte
offset of a node is twice its offset in code units.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import count
from typing import TypeVar

import tree_sitter_bash
from tree_sitter import Language, Node, Parser

from audit.core.ecma import from_code_units

MAX_CODE_UNITS = 1_200_000
"""Longer commands are not parsed: nine times the longest text that Linux hands to `bash -c`."""
LONGEST_UNWATCHED = 8_192
"""Up to this many code units no command keeps the parser busy for more than a second or two."""
MAX_PIPES = 5_000
"""Repair of a long pipeline takes time and memory by the square of its length."""
MAX_ROUNDS_WITH_PIPES = 1_000
"""Rounds of a hundred steps in which a text with more pipe characters must be parsed.

Where they stand in a heredoc or a string it is, a pipeline so long is not.
"""
MAX_BYTES_READ = 100_000_000
"""What the parser may read of a long command, counted each time it looks again.

Commands from real sessions are read at most twice. On some damaged ones, `))))` among them, the grammar
looks at all that follows for every token, which would take hours. The limit counts bytes and no seconds, so
it strikes the same commands everywhere.
"""
_READ_AT_ONCE = 4_096

STAND_INS = {"\u0085": "\u2028", "\u1680": "\u00a0"}
"""The two characters that the platform's C library classes otherwise than the reference's (2.6).

Their stand-ins have the same width and the class the reference sees; text is sliced from the original.
"""

_PAIR = re.compile("[\ud800-\udbff][\udc00-\udfff]")
STAND_INS_FOR_PAIRS = {
    (True, False): "\u00e9\u00e9",
    (False, False): "\u00d7\u00d7",
    (True, True): "\u0100\u0100",
    (False, True): "\u2200\u2200",
}
"""Stand-ins for characters outside the basic plane: those that can be part of a name, and the others.

The grammar's scanner asks the C library about any character that follows `{`, `?` or a dash, and the
library looks it up in a table that ends long before: the answer is arbitrary, or the process dies. The
second member says whether the lowest byte is zero, at which the name of a heredoc's end is cut.
"""

LANGUAGE = Language(tree_sitter_bash.language())
ERROR_KIND = 0xFFFF
"""The id that every grammar gives to an error region."""

T = TypeVar("T")

__all__ = ["MAX_CODE_UNITS", "Node", "TooLarge", "kinds", "parse", "reads_unicode_spaces", "roles"]


class TooLarge(Exception):  # a stated limit, turned into a failure value by `decide`
    """A command beyond a limit of the core."""


_PARSER = Parser(LANGUAGE)


def kinds(*names: str) -> frozenset[int]:
    """Return the ids under which the grammar knows the named node types of these names."""
    return frozenset(
        kind
        for kind in range(LANGUAGE.node_kind_count)
        if LANGUAGE.node_kind_for_id(kind) in names and LANGUAGE.node_kind_is_named(kind)
    )


def roles(
    names: Mapping[str, T], named: T, anonymous: T, operators: Mapping[str, T] | None = None
) -> dict[int, T]:
    """Return what each node kind is to a walker, so that a walk looks up each node once.

    `names` says it for named kinds by name; `named` is for all other named kinds, damage among them,
    `operators` and `anonymous` say it for delimiters and operators.
    """
    table: dict[int, T] = {}
    for kind in range(LANGUAGE.node_kind_count):
        name = LANGUAGE.node_kind_for_id(kind) or ""
        if LANGUAGE.node_kind_is_named(kind):
            table[kind] = names.get(name, named)
        else:
            table[kind] = (operators or {}).get(name, anonymous)
    table[ERROR_KIND] = names.get("ERROR", named)
    return table


class _WatchedText:
    """Hands a long text to the parser in pieces, until it has read too much; then the text just ends."""

    __slots__ = ("_data", "left")

    def __init__(self, data: bytes) -> None:
        self._data = data
        self.left = MAX_BYTES_READ

    def __call__(self, offset: int, _position: object) -> bytes:
        if self.left < 0:
            return b""
        end = offset + _READ_AT_ONCE
        if self._data[end - 1 : end] and self._data[end - 1] & 0xFC == 0xD8:
            end += 2  # a surrogate pair stays together
        self.left -= _READ_AT_ONCE
        return self._data[offset:end]


def parse(text: str) -> Node:
    """Return the root node of a command given as a code-unit string; raise `TooLarge`."""
    if len(text) > LONGEST_UNWATCHED:
        return _parse_watched(text)
    return _PARSER.parse(_encoded(text), encoding="utf16le").root_node


def _encoded(text: str) -> bytes:
    if not text.isascii():
        for character, stand_in in STAND_INS.items():
            text = text.replace(character, stand_in)
        text = _PAIR.sub(_stand_in, text)
    return text.encode("utf-16-le", "surrogatepass")


def _stand_in(pair: re.Match[str]) -> str:
    character = from_code_units(pair[0])
    return STAND_INS_FOR_PAIRS[character.isalnum(), ord(character) & 0xFF == 0]


def _parse_watched(text: str) -> Node:
    if len(text) > MAX_CODE_UNITS:
        raise TooLarge(f"the command has {len(text)} code units, more than {MAX_CODE_UNITS}")
    watched = _WatchedText(_encoded(text))
    pipes = text.count("|")
    rounds = count(1)

    def gives_up(_offset: int, _damaged: bool) -> bool:
        return pipes > MAX_PIPES and next(rounds) > MAX_ROUNDS_WITH_PIPES

    try:
        root = _PARSER.parse(watched, encoding="utf16le", progress_callback=gives_up).root_node
    except ValueError:
        _PARSER.reset()
        raise TooLarge(f"the command has {pipes} pipe characters, more than {MAX_PIPES}") from None
    if watched.left < 0:
        raise TooLarge(f"the parser had to read more than {MAX_BYTES_READ} bytes of a damaged command")
    return root


def reads_unicode_spaces() -> bool:
    """Tell whether the C library classes characters as the reference does.

    False under the plain C locale: then trees of commands with unusual white space would differ.
    """
    return parse("echo 'x'\u2028y").children[0].child_count == 3
