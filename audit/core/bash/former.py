"""How releases before 4.2.0 found words that can be outside paths (core-bash.md 16.1, external-source)."""

from __future__ import annotations

import re
from collections.abc import Callable

from audit.core.revision import Revision
from audit.core.switches import ExternalSource

_QUOTED_TWICE = re.compile('"[^"]*"')
_QUOTED_ONCE = re.compile("'[^']*'")
_BETWEEN = re.compile("[|;&><\\s\ufeff]+")

Split = Callable[[str], list[str]]
"""Splits a command, given as a code-unit string, into words."""


def external_words(revision: Revision) -> Split | None:
    """Return how a revision finds the words for outside paths; None: they are the tokens of the tree."""
    return {
        ExternalSource.NONE: no_words,
        ExternalSource.REGEX: words_between_operators,
        ExternalSource.SHELL_QUOTE: plain_words,
        ExternalSource.TREE: None,
    }[revision.external_source]


def no_words(_command: str) -> list[str]:
    """Return nothing."""
    return []


def words_between_operators(command: str) -> list[str]:
    """Return what stands between blanks and operators, once quoted parts are deleted."""
    bare = _QUOTED_ONCE.sub("", _QUOTED_TWICE.sub("", command))
    return [word for word in _BETWEEN.split(bare) if word]


_OPERATOR = r"\|\||&&|;;|\|&|<\(|<<<|>>|>&|<&|[&;()|<>]"
_PLAIN = r"(?:\\['\"|&;()<> \t]|[^\s\ufeff'\"|&;()<> \t])+"
_IN_SINGLE = r"'(?:\\'|[^'])*?'"
_IN_DOUBLE = r'"(?:\\"|[^"])*?"'
_CHUNK = re.compile(f"(?P<operator>{_OPERATOR})|(?:{_PLAIN}|{_IN_SINGLE}|{_IN_DOUBLE})+")
_ALONE = re.compile(f"(?:{_OPERATOR})\\Z")
_NAME = re.compile("[A-Za-z0-9_]*")
_SPECIAL = frozenset("*@#?$!_-")
_OPERATORS = frozenset("&;()|<>")


class _Word:
    """Reads one word of the shell-quote library: quotes off, escapes and variables resolved."""

    __slots__ = ("_at", "_is_glob", "_is_operator", "_parts", "_word", "is_closed", "is_commented")

    def __init__(self, word: str) -> None:
        self._word = word
        self._at = 0
        self._parts: list[str] = []
        self._is_operator = self._is_glob = False
        self.is_closed = True
        """Whether every variable in braces ends; the library fails on one that does not."""
        self.is_commented = False
        """Whether a comment begins inside, which ends the command."""
        self._read()

    @property
    def text(self) -> str | None:
        """The word as a plain text; None where it is an operator, a glob or a comment."""
        text = "".join(self._parts)
        if self.is_commented and not self._is_operator:
            return text or None
        return None if self._is_operator or self._is_glob else text

    def _read(self) -> None:
        quote = ""
        while self._at < len(self._word) and not self.is_commented:
            character = self._word[self._at]
            if quote == "'":
                quote = self._quoted(character, quote)
            elif quote:
                quote = self._in_double(character)
            elif character in "'\"":
                quote = character
            elif character in _OPERATORS:
                self._is_operator = True
                return
            elif character == "#":
                self.is_commented = True
            elif character == "\\":
                self._at += 1
                self._globs(self._word[self._at : self._at + 1])
                self._parts.append(self._word[self._at : self._at + 1])
            elif character == "$":
                self._variable()
            else:
                self._globs(character)
                self._parts.append(character)
            self._at += 1

    def _globs(self, character: str) -> None:
        """Note that an unquoted wildcard makes the word a glob, escaped or not."""
        if character in {"*", "?"}:
            self._is_glob = True

    def _quoted(self, character: str, quote: str) -> str:
        if character == quote:
            return ""
        self._parts.append(character)
        return quote

    def _in_double(self, character: str) -> str:
        if character == "\\":
            self._at += 1
            escaped = self._word[self._at : self._at + 1]
            self._parts.append(escaped if escaped in {'"', "\\", "$"} else "\\" + escaped)
        elif character == "$":
            self._variable()
        else:
            return self._quoted(character, '"')
        return '"'

    def _variable(self) -> None:
        """Skip a variable, which has no value; a `$` alone stays."""
        following = self._word[self._at + 1 : self._at + 2]
        if following == "{":
            end = self._word.find("}", self._at + 2)
            if end <= self._at + 2:
                self.is_closed = False
            self._at = max(end, self._at)
        elif following and following in _SPECIAL:
            self._at += 2
        else:
            name = _NAME.match(self._word, self._at + 1)
            length = len(name[0]) if name else 0
            if not length:
                self._parts.append("$")
            self._at += length


def plain_words(command: str) -> list[str]:
    """Return the words that the shell-quote library (1.8.3) gives as plain texts; none where it fails.

    Operators, globs and what stands behind a `#` are not among them. Variables are empty.
    """
    words: list[str] = []
    for chunk in _CHUNK.finditer(command):
        if chunk["operator"] is not None or _ALONE.match(chunk[0]):
            continue
        word = _Word(chunk[0])
        if not word.is_closed:
            return []
        if word.text is not None:
            words.append(word.text)
        if word.is_commented:
            break
    return words
