"""The form of a shell text that `bash` patterns are matched against (core-bash.md M5)."""

from __future__ import annotations

from audit.core.ecma import WHITESPACE


def without_comment_lines(text: str) -> str:
    """Drop every line that starts with `#` after white space, wherever it stands, and trim the rest."""
    if "#" in text:
        text = "\n".join(line for line in text.split("\n") if "#" not in line or not _is_comment(line))
    return text.strip(WHITESPACE)


def _is_comment(line: str) -> bool:
    return line.lstrip(WHITESPACE).startswith("#")


def bash_value(text: str) -> str:
    """Return the value to match: the text without comment lines, or as it is when nothing is left."""
    return (without_comment_lines(text) if "#" in text else text.strip(WHITESPACE)) or text
