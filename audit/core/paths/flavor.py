"""POSIX and win32 path semantics behind one object, chosen once per place."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from audit.core.ecma import WHITESPACE, from_code_units, to_code_units, trim
from audit.core.paths import posix, win32
from audit.core.place import Platform

DEVICES = frozenset({"/dev/null", "/dev/stdin", "/dev/stdout", "/dev/stderr"})
"""Device names that are never outside the working directory (P10)."""

_CLEANED_LAST = frozenset(WHITESPACE + "'\"")
_CLEANED_FIRST = _CLEANED_LAST | set("@~$")

HOME_NAMES = ("~", "$HOME")
"""How a path can begin with the home directory (P2)."""


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

    def expand_home(self, text: str, home: str, names: tuple[str, ...] = HOME_NAMES) -> str:
        """Expand a leading name of home (P2); the join normalizes and keeps a trailing separator."""
        for name in names:
            if text.startswith(name):
                if len(text) == len(name):
                    return home
                if text[len(name)] in "/\\":
                    return self.join(home, text[len(name) + 1 :])
        return text

    def literal(self, text: str, home: str, names: tuple[str, ...] = HOME_NAMES) -> str:
        """Clean a path as typed (P1): trim, at most one quote at each end, one `@`, home."""
        if text and text[0] not in _CLEANED_FIRST and text[-1] not in _CLEANED_LAST:
            return text
        text = trim(text)
        if text[:1] in {"'", '"'}:
            text = text[1:]
        if text[-1:] in {"'", '"'}:
            text = text[:-1]
        return self.expand_home(text.removeprefix("@"), home, names)

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


POSIX = Flavor(
    platform=Platform.POSIX,
    separator=posix.SEPARATOR,
    resolve=posix.resolve,
    join=posix.join,
    is_absolute=posix.is_absolute,
    basename=posix.basename,
    dirname=posix.dirname,
    fold=_unchanged,
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
)


def flavor(platform: Platform) -> Flavor:
    """Return the path semantics of a platform."""
    return WIN32 if platform is Platform.WIN32 else POSIX
