"""Token shapes: what can be a path at all (core-bash.md 9)."""

from __future__ import annotations

import re

_URL = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://")
_REGEX_LIKE = re.compile(r"\\\||\\\(|\\\)|\.\*|\.\+|\[[^\n\r\u2028\u2029]*?\]|\^/")
_DRIVE = re.compile(r"[A-Za-z]:[/\\]")


def rejection(token: str) -> str | None:
    """Return why a token can be no path, in plain words, or None if it may be one (C1)."""
    if not token:
        return "empty"
    if token[0] == "-":
        return "a flag"
    equals = token.find("=")
    if equals >= 0:
        slash = token.find("/")
        if slash < 0 or equals < slash:
            return "an assignment"
    if _URL.match(token):
        return "a URL"
    if token[0] == "@" and not token.startswith("@/"):
        return "a scoped name"
    if _REGEX_LIKE.search(token):
        return "looks like a regular expression"
    return None


def has_strict_shape(token: str) -> bool:
    """Tell whether a token that is not rejected may leave the working directory (C2)."""
    return token.startswith(("/", "~/")) or ".." in token or _DRIVE.match(token) is not None
