"""Token shapes: what can be a path at all (core-bash.md 9)."""

from __future__ import annotations

import re
from collections.abc import Callable

from audit.core.paths.flavor import Flavor
from audit.core.place import Platform
from audit.core.revision import Revision
from audit.core.switches import DriveShapes, RegexReject, SlashOnlyReject, WinBackslashShape

_URL = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://")
_DRIVE = re.compile(r"[A-Za-z]:[/\\]")
_LINE_END = re.compile("[\n\r\u2028\u2029]")


class Shapes:
    """The shapes of tokens under one revision and platform."""

    __slots__ = ("_flavor", "_has_drives", "_rejects_regex", "_rejects_slashes", "broad")

    def __init__(self, revision: Revision, flavor: Flavor) -> None:
        self._flavor = flavor
        self._rejects_slashes = revision.slash_only_reject is SlashOnlyReject.ON
        self._rejects_regex = revision.regex_reject is RegexReject.ON
        self._has_drives = revision.drive_shapes is DriveShapes.ON
        has_backslash = (
            flavor.platform is Platform.WIN32 and revision.win_backslash_shape is WinBackslashShape.ON
        )
        plain = _broad_with_drives if self._has_drives else _broad
        self.broad: Callable[[str], bool] = _broad_with_backslash if has_backslash else plain
        """Tells whether a token that is not rejected looks like a path (C3)."""

    def rejection(self, token: str) -> str | None:
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
        elif self._rejects_slashes and not token.strip("/"):
            why = "nothing but slashes"
        elif self._rejects_regex and _looks_like_regex(token):
            why = "looks like a regular expression"
        return why

    def strict(self, token: str) -> bool:
        """Tell whether a token that is not rejected may leave the working directory (C2)."""
        return (
            token.startswith(("/", "~/"))
            or ".." in token
            or (self._has_drives and ":" in token and _DRIVE.match(token) is not None)
        )

    def is_relative(self, token: str) -> bool:
        """Tell whether a token depends on the effective working directory (X1.2)."""
        if not self._has_drives:
            return not token.startswith(("/", "~"))
        return not self._flavor.is_absolute(token) and not token.startswith("~")


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


def _broad(token: str) -> bool:
    return "/" in token or ("." in token and (token[0] == "." or ".." in token))


def _broad_with_drives(token: str) -> bool:
    return (
        "/" in token
        or ("." in token and (token[0] == "." or ".." in token))
        or (":\\" in token and _DRIVE.match(token) is not None)
    )


def _broad_with_backslash(token: str) -> bool:
    return "/" in token or "\\" in token or ("." in token and (token[0] == "." or ".." in token))
