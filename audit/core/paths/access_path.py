"""The forms under which one path is matched and bounded (core-bash.md 10.3, core-policy.md 8.2)."""

from __future__ import annotations

import re
from enum import Enum

from audit.core.ecma import to_code_units
from audit.core.paths.flavor import DEVICES, Flavor, flavor
from audit.core.place import Place, Platform
from audit.core.record import record

MAX_LINK_ROUNDS = 40
_DRIVE_MOUNT = re.compile(r"/([A-Za-z])(?:/([^\n\r\u2028\u2029]*))?\Z")


@record
class AccessPath:
    """One path in all its forms."""

    value: str
    """The lexical form: shown and stored."""
    match_values: tuple[str, ...]
    """What patterns are tested against: lexical, relative to the working directory, literal, resolved."""
    boundary: str
    """The resolved form, which decides inside or outside; empty where there is none."""


NO_PATH = AccessPath("", (), "")


class Reading(Enum):
    """How Git Bash on win32 reads a token (P11); on POSIX every token is plain."""

    PLAIN = "plain"
    DEVICE = "device"
    DRIVE_MOUNT = "drive mount"
    FOREIGN = "foreign absolute"


PLAIN, DEVICE, DRIVE_MOUNT, FOREIGN = Reading


class Paths:
    """The path operations of one place.

    Texts are code-unit strings. Nothing here touches a file system: links come from the place.
    """

    __slots__ = (
        "_below_boundary",
        "_below_cwd",
        "_fold",
        "_links",
        "_plain",
        "_resolve",
        "boundary_cwd",
        "cwd",
        "flavor",
        "home",
        "lexical_cwd",
    )

    def __init__(self, place: Place) -> None:
        self.flavor: Flavor = flavor(place.platform)
        self._resolve, self._fold = self.flavor.resolve, self.flavor.fold
        self._plain = place.platform is Platform.POSIX
        self.cwd = to_code_units(place.cwd)
        self.home = to_code_units(place.home)
        self._links = tuple(
            (to_code_units(link), self.flavor.below(to_code_units(link)), to_code_units(target))
            for link, target in place.links
        )
        self.lexical_cwd = self.lexical(self.cwd, self.cwd)
        self._below_cwd = self.flavor.below(self.lexical_cwd)
        self.boundary_cwd = self.canonical(self.lexical_cwd)
        self._below_boundary = self.flavor.below(self.boundary_cwd)

    def lexical(self, path: str, base: str) -> str:
        """Return the resolved, folded, not link-followed form of a path as typed (P3)."""
        literal = self.flavor.literal(path, self.home)
        return self.flavor.fold(self.flavor.resolve(base, literal)) if literal else ""

    def canonical(self, lexical: str) -> str:
        """Follow links by the link map: first matching prefix, again until none matches (P4)."""
        if not lexical or not self._links:
            return lexical
        path = lexical
        for _ in range(MAX_LINK_ROUNDS):
            for link, below, target in self._links:
                if path == link:
                    path = target
                    break
                if path.startswith(below):
                    path = self.flavor.below(target) + path[len(below) :]
                    break
            else:
                return self.flavor.fold(path)
        return lexical

    def is_outside(self, boundary: str) -> bool:
        """Tell whether a resolved path lies outside the resolved working directory (P10)."""
        if not boundary or not self.boundary_cwd or boundary == self.boundary_cwd or boundary in DEVICES:
            return False
        return self.flavor.relative(boundary, self._below_boundary) is None

    def resolved(self, path: str, base: str) -> AccessPath:
        """Return the access path of a path as typed, seen from `base` (P6, first row of P7)."""
        literal = self.flavor.literal(path, self.home)
        if not literal:
            return NO_PATH
        lexical = self._fold(self._resolve(base, literal))
        canonical = self.canonical(lexical) if self._links else lexical
        if literal == "*":
            values = ["*"]
        else:
            values = [lexical]
            relative = self.flavor.relative(lexical, self._below_cwd)
            if relative and relative != lexical:
                values.append(relative)
            if literal not in values:
                values.append(literal)
        if canonical not in values:
            values.append(canonical)
        return AccessPath(lexical, tuple(values), canonical)

    def literal(self, text: str, *extra: str) -> AccessPath:
        """Return an access path that is matched as written and has no resolved form."""
        if not text:
            return NO_PATH
        return AccessPath(text, tuple(dict.fromkeys(form for form in (text, *extra) if form)), "")

    def reading(self, token: str) -> tuple[Reading, str]:
        """Classify a token or a `cd` target (P11); beside it, the text to go on with."""
        if self._plain or token[:1] != "/":
            return PLAIN, token
        if token in DEVICES:
            return DEVICE, token
        mount = _DRIVE_MOUNT.match(token)
        if mount is not None:
            drive, rest = mount.groups()
            return DRIVE_MOUNT, f"{drive.upper()}:\\" + (rest or "").replace("/", "\\")
        return FOREIGN, token

    def of_token(self, token: str, base: str) -> AccessPath:
        """Return the access path of a shell token, seen from `base` (P12)."""
        if self._plain:
            return self.resolved(token, base)
        reading, text = self.reading(token)
        if reading is FOREIGN:
            cleaned = self.flavor.literal(token, self.home)
            return self.literal(cleaned, cleaned.replace("/", "\\"))
        if reading is DEVICE:
            return AccessPath(token, (token,), token)
        return self.resolved(text, base)

    def is_relative(self, token: str) -> bool:
        """Tell whether a token depends on the effective working directory (X1.2)."""
        return not self.flavor.is_absolute(token) and not token.startswith("~")
