"""POSIX and win32 path semantics behind one object, chosen once per place."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from audit.core.ecma import WHITESPACE, from_code_units, to_code_units, trim
from audit.core.paths import posix, win32
from audit.core.place import Platform

DEVICES = frozenset({"/dev/null", "/dev/stdin", "/dev/stdout", "/dev/stderr"})
"""Device names that are never outside the working directory (P10)."""

_CLEANED_LAST = frozenset(WHITESPACE + "'\"")
_CLEANED_FIRST = _CLEANED_LAST | set("@~$")
_DRIVE = re.compile(r"[A-Za-z]:\\")
_HOME_PREFIXES = ("~/", "~\\", "$HOME/", "$HOME\\")


@dataclass(frozen=True, slots=True)
class Flavor:
    """The path operations that differ between platforms."""

    platform: Platform
    separator: str
    resolve: Callable[[str, str], str]
    join: Callable[..., str]
    is_absolute: Callable[[str], bool]
    basename: Callable[[str], str]
    dirname: Callable[[str], str]
    fold: Callable[[str], str]
    """Lower-casing on win32, nothing on POSIX."""
    has_shape: Callable[[str], bool]
    """Tell whether a token that is not rejected looks like a path: the broad shape (C3)."""

    def expand_home(self, text: str, home: str) -> str:
        """Expand a leading `~` or `$HOME` (P2); the join normalizes and keeps a trailing separator."""
        if text in {"~", "$HOME"}:
            return home
        for prefix in _HOME_PREFIXES:
            if text.startswith(prefix):
                return self.join(home, text[len(prefix) :])
        return text

    def literal(self, text: str, home: str) -> str:
        """Clean a path as typed (P1): trim, at most one quote at each end, one `@`, home."""
        if text and text[0] not in _CLEANED_FIRST and text[-1] not in _CLEANED_LAST:
            return text
        text = trim(text)
        if text[:1] in {"'", '"'}:
            text = text[1:]
        if text[-1:] in {"'", '"'}:
            text = text[:-1]
        return self.expand_home(text.removeprefix("@"), home)

    def within(self, path: str, directory: str) -> bool:
        """Tell whether a normal absolute path is a directory or lies below it (P9)."""
        if not path or not directory:
            return False
        return path == directory or self.relative(path, self.below(directory)) is not None

    def relative(self, path: str, below: str) -> str | None:
        """Return a normal absolute path as seen from a directory it lies below, given as `below` (P8, P9).

        None if it does not. On win32 that includes a path such as `c:\\src\\d:\\x`, whose rest is absolute.
        """
        if not path.startswith(below):
            return None
        rest = path[len(below) :]
        return None if self.is_absolute(rest) else rest

    def below(self, directory: str) -> str:
        """Return the prefix that every path below a normal absolute directory starts with."""
        return directory if directory.endswith(self.separator) else directory + self.separator


def _lower(text: str) -> str:
    if text.isascii():
        return text.lower()
    return to_code_units(from_code_units(text).lower())


def _unchanged(text: str) -> str:
    return text


def _has_posix_shape(token: str) -> bool:
    return (
        "/" in token
        or ("." in token and (token[0] == "." or ".." in token))
        or (":\\" in token and _DRIVE.match(token) is not None)
    )


def _has_win32_shape(token: str) -> bool:
    return "/" in token or "\\" in token or ("." in token and (token[0] == "." or ".." in token))


POSIX = Flavor(
    platform=Platform.POSIX,
    separator=posix.SEPARATOR,
    resolve=posix.resolve,
    join=posix.join,
    is_absolute=posix.is_absolute,
    basename=posix.basename,
    dirname=posix.dirname,
    fold=_unchanged,
    has_shape=_has_posix_shape,
)

WIN32 = Flavor(
    platform=Platform.WIN32,
    separator=win32.SEPARATOR,
    resolve=win32.resolve,
    join=win32.join,
    is_absolute=win32.is_absolute,
    basename=win32.basename,
    dirname=win32.dirname,
    fold=_lower,
    has_shape=_has_win32_shape,
)


def flavor(platform: Platform) -> Flavor:
    """Return the path semantics of a platform."""
    return WIN32 if platform is Platform.WIN32 else POSIX
