"""Token shapes: what can be a path at all (core-bash.md 9)."""

from __future__ import annotations

import re

_ASSIGNMENT = re.compile(r"[^=/]*=")
"""An equals sign with no slash before it, which is also one in a token without a slash."""
_URL = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://")
_REGEX_LIKE = re.compile(r"\\\||\\\(|\\\)|\.\*|\.\+|\[[^\n\r\u2028\u2029]*?\]|\^/")
_DRIVE = re.compile(r"[A-Za-z]:[/\\]")


def rejection(token: str) -> str | None:
    """Return why a token can be no path, in plain words, or None if it may be one (C1)."""
    if not token:
        return "empty"
    first = token[0]
    why: str | None = None
    if first == "-":
        why = "a flag"
    elif "=" in token and _ASSIGNMENT.match(token):
        why = "an assignment"
    elif ":" in token and _URL.match(token):
        why = "a URL"
    elif first == "@" and token[:2] != "@/":
        why = "a scoped name"
    elif _may_be_regex(token) and _REGEX_LIKE.search(token):
        why = "looks like a regular expression"
    return why


def _may_be_regex(token: str) -> bool:
    """Tell whether the search for a regular expression can succeed; it is slow on long texts."""
    return "[" in token or "\\" in token or ".*" in token or ".+" in token or "^/" in token


def has_strict_shape(token: str) -> bool:
    """Tell whether a token that is not rejected may leave the working directory (C2)."""
    return (
        token[:1] == "/"
        or ".." in token
        or token[:2] == "~/"
        or (token[1:2] == ":" and _DRIVE.match(token) is not None)
    )
