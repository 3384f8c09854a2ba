"""JSON with comments, read as strictly as the reference reads it (core-policy.md 2.2)."""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NoReturn

from audit.errors import DocumentError, Mistake

_COMMENT_OR_STRING = re.compile(
    r"""
    (?P<line>//[^\n]*(?P<end>\n)?)
    | (?P<block>/\*.*?(?:\*/|\Z))
    | "(?:[^"\\]|\\.)*+(?:"|\\?\Z)
    | '(?:[^'\\]|\\.)*+(?:'|\\?\Z)
    """,
    re.DOTALL | re.VERBOSE,
)
_CONSTANT_OR_STRING = re.compile(r'"(?:[^"\\]|\\.)*+"|(?P<constant>NaN|-?Infinity)', re.DOTALL)
_BLANKS = " \t\n\r"
_LONGEST_INTEGER = 300

_EXPECTED = {
    "Expecting property name": "a key in double quotes",
    "Expecting value": "a value: an object, a list, a text in double quotes, a number, true, false or null",
    "Expecting ',' delimiter": "a comma, or the end of the object or list",
    "Expecting ':' delimiter": "a colon between key and value",
    "Illegal trailing comma": "another entry after the comma, or no comma",
    "Extra data": "nothing after the end of the document",
    "Unterminated string": "a double quote that ends the text",
    "Invalid control character": 'line breaks and control characters as escapes such as "\\n"',
    "Invalid \\u": "four hexadecimal digits after \\u",
    "Invalid \\": 'one of \\" \\\\ \\/ \\b \\f \\n \\r \\t \\u after a backslash',
}
"""What may stand there, by how the message of the standard library begins."""


@dataclass(frozen=True, slots=True)
class ParsedJson:
    """A JSON value, and the keys that some object of it holds twice (the last value counts)."""

    value: object
    repeated_keys: tuple[str, ...]


def strip_comments(text: str) -> str:
    """Drop comments in one scan from left to right; texts in either kind of quote stay untouched."""
    return "".join(kept for _, kept in _without_comments(text))


def parse_json(text: str, document: str) -> ParsedJson:
    """Parse JSON with comments; raise `DocumentError` with line and column for anything else."""
    kept = list(_without_comments(text))
    stripped = "".join(part for _, part in kept)
    repeated: list[str] = []

    def collect(pairs: list[tuple[str, object]]) -> dict[str, object]:
        members = dict(pairs)
        if len(members) < len(pairs):
            keys = [key for key, _ in pairs]
            repeated.extend(key for key in members if keys.count(key) > 1)
        return members

    def constant(name: str) -> NoReturn:
        raise _ConstantError(name)

    decoder = json.JSONDecoder(object_pairs_hook=collect, parse_constant=constant, parse_int=_integer)
    try:
        value = decoder.decode(stripped)
    except json.JSONDecodeError as error:
        found, allowed = _syntax_mistake(stripped, error)
        place = _place(text, _original_offset(kept, error.pos))
        raise DocumentError([Mistake(document, place, found, allowed)]) from None
    except _ConstantError as error:
        place = _place(text, _original_offset(kept, _constant_offset(stripped)))
        raise DocumentError([Mistake(document, place, f"`{error}`", "a number written in digits")]) from None
    except RecursionError:
        raise DocumentError(
            [Mistake(document, "line 1, column 1", "a text nested too deeply to be read", "a policy")]
        ) from None
    return ParsedJson(value, tuple(repeated))


class _ConstantError(Exception):
    """NaN or an infinity stands where JSON has no such word."""


def _without_comments(text: str) -> Iterator[tuple[int, str]]:
    """Yield the parts that stay, each with its offset in the text."""
    start = 0
    for match in _COMMENT_OR_STRING.finditer(text):
        if match.lastgroup is None:
            continue
        yield start, text[start : match.start()]
        start = match.end()
        if match["end"]:
            yield start - 1, "\n"
    yield start, text[start:]


def _original_offset(kept: list[tuple[int, str]], offset: int) -> int:
    starts: list[int] = []
    length = 0
    for _, part in kept:
        starts.append(length)
        length += len(part)
    index = bisect_right(starts, offset) - 1
    return kept[index][0] + offset - starts[index]


def _place(text: str, offset: int) -> str:
    line = text.count("\n", 0, offset) + 1
    column = offset - (text.rfind("\n", 0, offset) + 1) + 1
    return f"line {line}, column {column}"


def _constant_offset(stripped: str) -> int:
    for match in _CONSTANT_OR_STRING.finditer(stripped):
        if match["constant"]:
            return match.start()
    return 0


def _syntax_mistake(stripped: str, error: json.JSONDecodeError) -> tuple[str, str]:
    """Return what stands at the place of a syntax error, and what may stand there."""
    allowed = next((text for start, text in _EXPECTED.items() if error.msg.startswith(start)), "JSON")
    rest = stripped[error.pos :]
    if not rest.strip(_BLANKS):
        found = "the end of the document"
    elif rest.startswith("\ufeff"):
        found, allowed = "a byte-order mark", "an opening brace first"
    elif error.msg.startswith("Unterminated string"):
        found = "a text without an end"
    elif error.msg.startswith("Invalid control character"):
        found = f"the character U+{ord(rest[0]):04X} inside a text"
    else:
        word = re.match(r"[A-Za-z_$][\w$]*|.", rest, re.DOTALL)
        found = f"`{word[0] if word else rest[0]}`"
        if rest[0] in "]}" and stripped[: error.pos].rstrip(_BLANKS).endswith(","):
            found += " after a comma"
            allowed = f"{allowed}; or no comma before the bracket"
        elif rest[0] == "'":
            allowed = f"{allowed}; single quotes do not quote"
    return found, allowed


def _integer(digits: str) -> int | float:
    return int(digits) if len(digits) <= _LONGEST_INTEGER else float(digits)
