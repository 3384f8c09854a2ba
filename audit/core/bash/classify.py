"""Token shapes: what can be a path at all (core-bash.md 9)."""

from __future__ import annotations

import re

_URL = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://")
_DRIVE = re.compile(r"[A-Za-z]:[/\\]")
_LINE_END = re.compile("[\n\r\u2028\u2029]")


def rejection(token: str) -> str | None:
    """Return why a token can be no path, in plain words, or None if it may be one (C1)."""
    if not token:
        return "empty"
    first = token[0]
    why: str | None = None
    if first == "-":
        why = "a flag"
    elif "=" in token and "/" not in token.partition("=")[0]:
        why = "an assignment"
    elif "://" in token and _URL.match(token):
        why = "a URL"
    elif first == "@" and not token.startswith("@/"):
        why = "a scoped name"
    elif _looks_like_regex(token):
        why = "looks like a regular expression"
    return why


def _looks_like_regex(token: str) -> bool:
    return (
        ".*" in token
        or ".+" in token
        or "^/" in token
        or ("\\" in token and ("\\|" in token or "\\(" in token or "\\)" in token))
        or ("[" in token and _has_brackets(token))
    )


def _has_brackets(token: str) -> bool:
    """Tell whether a `]` follows a `[` on one line; in one pass, however many there are."""
    return any(0 <= line.find("[") < line.rfind("]") for line in _LINE_END.split(token))


def has_strict_shape(token: str) -> bool:
    """Tell whether a token that is not rejected may leave the working directory (C2)."""
    return (
        token.startswith(("/", "~/")) or ".." in token or (":" in token and _DRIVE.match(token) is not None)
    )
