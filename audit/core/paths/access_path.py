"""The forms under which one path is matched and bounded (core-bash.md 10.3, core-policy.md 8.2)."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from enum import Enum
from functools import partial

from audit.core.ecma import from_code_units, to_code_units
from audit.core.paths.flavor import DEVICES, HOME_NAMES, Flavor, flavor
from audit.core.place import Place, Platform
from audit.core.record import record
from audit.core.revision import Revision
from audit.core.switches import (
    DeviceException,
    ExternalValue,
    HomeValues,
    RuleValues,
    VarExpansion,
    WinFold,
    WinTokens,
)

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
    """The form that decides inside or outside; empty where there is none."""


NO_PATH = AccessPath("", (), "")


class Reading(Enum):
    """How Git Bash on win32 reads a token (P11); on POSIX every token is plain."""

    PLAIN = "plain"
    DEVICE = "device"
    DRIVE_MOUNT = "drive mount"
    FOREIGN = "foreign absolute"


PLAIN, DEVICE, DRIVE_MOUNT, FOREIGN = Reading


class Folding(Enum):
    """What is done to patterns and values of path surfaces before they are compared."""

    NOTHING = "nothing"
    PATTERN = "pattern"
    """Case is ignored, and slashes of the pattern become backslashes."""
    BOTH = "both"
    """Slashes of the value do so too."""


_FOLDING = {
    WinFold.OFF: Folding.NOTHING,
    WinFold.PATTERN: Folding.PATTERN,
    WinFold.BOTH: Folding.BOTH,
}

Form = Callable[[str, str], AccessPath]
"""Makes the access path of a text, seen from a base."""


class Paths:
    """The path operations of one place under one revision.

    Texts are code-unit strings. Nothing here touches a file system: links come from the place.
    """

    __slots__ = (
        "_below_boundary",
        "_below_cwd",
        "_fold",
        "_follows_links",
        "_links",
        "_outside_is_typed",
        "_place",
        "_plain",
        "_resolve",
        "_within_by_prefix",
        "argument_outside_form",
        "argument_rule_form",
        "boundary_cwd",
        "candidate_form",
        "candidate_names",
        "cwd",
        "devices",
        "flavor",
        "folding",
        "home",
        "home_names",
        "lexical_cwd",
        "outside_form",
        "outside_names",
        "variables",
    )

    def __init__(self, place: Place, revision: Revision) -> None:
        self.flavor: Flavor = flavor(place.platform)
        self._resolve, self._fold = self.flavor.resolve, self.flavor.fold
        is_win32 = place.platform is Platform.WIN32
        self._plain = not is_win32 or revision.win_tokens is WinTokens.NATIVE
        self.folding = _FOLDING[revision.win_fold] if is_win32 else Folding.NOTHING
        """How patterns of path surfaces meet values."""
        self._within_by_prefix = is_win32 and self.folding is Folding.NOTHING
        self.devices = DEVICES if revision.device_exception is DeviceException.ON else frozenset[str]()
        """The names that are never outside the working directory (P10)."""
        self._place = place
        self.cwd = to_code_units(place.cwd)
        self.home = to_code_units(place.home)
        self._set_home(revision)
        self._links = tuple(
            (to_code_units(link), self.flavor.below(to_code_units(link)), to_code_units(target))
            for link, target in place.links
        )
        self.lexical_cwd = self.lexical(self.cwd, self.cwd)
        self._below_cwd = self.flavor.below(self.lexical_cwd)
        follows = revision.external_value is not ExternalValue.LEXICAL
        self.boundary_cwd = self.canonical(self.lexical_cwd) if follows else self.lexical_cwd
        self._below_boundary = self.flavor.below(self.boundary_cwd)
        self._follows_links = follows
        self._outside_is_typed = revision.external_value is ExternalValue.TYPED
        self.argument_outside_form: Form = self._outside_form(revision.external_value)
        """Makes what `external_directory` rules and the boundary see of a path in an input."""
        self.argument_rule_form: Form = self._rule_form(revision.rule_values)
        """Makes what other rules see of it."""
        self.outside_form: Form = self._read_form(self.argument_outside_form)
        """Makes what `external_directory` rules and the boundary see of a token (P12)."""
        self.candidate_form: Form = (
            self.outside_form
            if self.argument_rule_form is self.argument_outside_form
            else self._read_form(self.argument_rule_form)
        )
        """Makes what `path` rules see of a token."""

    def _set_home(self, revision: Revision) -> None:
        expands = revision.var_expansion is VarExpansion.HOME_PWD
        self.variables: Mapping[str, str] = {"HOME": self.home, "PWD": "."} if expands else {}
        """What variables inside an argument stand for."""
        self.home_names = (*HOME_NAMES, "${HOME}") if expands else HOME_NAMES
        """How a path or a pattern can begin with the home directory (P2)."""
        has_values = revision.home_values is HomeValues.ON
        self.outside_names = self.home_names if has_values else HOME_NAMES[:1]
        self.candidate_names = self.home_names if has_values else ()

    def _outside_form(self, external_value: ExternalValue) -> Form:
        if external_value is ExternalValue.LEXICAL:
            return self._lexical_form
        if external_value is ExternalValue.CANONICAL:
            return self._canonical_form
        return partial(self._typed_form, names=self.outside_names)

    def _rule_form(self, rule_values: RuleValues) -> Form:
        if rule_values is RuleValues.RAW:
            return self._raw_form
        if rule_values is RuleValues.ALIASES:
            return self._alias_form
        if self._outside_is_typed and self.outside_names == self.candidate_names:
            return self.argument_outside_form
        return partial(self._typed_form, names=self.candidate_names)

    def lexical(self, path: str, base: str) -> str:
        """Return the resolved, folded, not link-followed form of a path as typed (P3)."""
        literal = self.flavor.literal(path, self.home, self.home_names)
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
        if not boundary or not self.boundary_cwd or boundary == self.boundary_cwd or boundary in self.devices:
            return False
        if self._within_by_prefix:
            return not boundary.startswith(self._below_boundary)
        return self.flavor.relative(boundary, self._below_boundary) is None

    def exists(self, path: str) -> bool:
        """Tell whether the place has an entry at a lexical path; a link is one, whatever it leads to."""
        if any(path == link for link, _, _ in self._links):
            return True
        name = self.flavor.basename(path)
        folder = self.canonical(self.flavor.dirname(path)) if self._links else ""
        there = self.flavor.below(folder) + name if self._links and name else path
        return self._place.entries.exists(from_code_units(there))

    def resolved(self, path: str, base: str) -> AccessPath:
        """Return the access path of a path as typed, seen from `base` (P6, first row of P7)."""
        return self._typed_form(path, base, self.home_names)

    def _typed_form(self, path: str, base: str, names: tuple[str, ...]) -> AccessPath:
        literal = self.flavor.literal(path, self.home, names)
        if not literal:
            return NO_PATH
        lexical = self._fold(self._resolve(base, literal))
        canonical = self.canonical(lexical) if self._links else lexical
        values = self._aliases(literal, lexical)
        if canonical not in values:
            values.append(canonical)
        return AccessPath(lexical, tuple(values), canonical if self._follows_links else lexical)

    def _aliases(self, literal: str, lexical: str) -> list[str]:
        if literal == "*":
            return ["*"]
        values = [lexical]
        relative = self.flavor.relative(lexical, self._below_cwd)
        if relative and relative != lexical:
            values.append(relative)
        if literal not in values:
            values.append(literal)
        return values

    def _lexical_form(self, path: str, base: str) -> AccessPath:
        literal = self.flavor.literal(path, self.home, self.outside_names)
        lexical = self._fold(self._resolve(base, literal)) if literal else ""
        return AccessPath(lexical, (lexical,), lexical) if lexical else NO_PATH

    def _canonical_form(self, path: str, base: str) -> AccessPath:
        literal = self.flavor.literal(path, self.home, self.outside_names)
        canonical = self.canonical(self._fold(self._resolve(base, literal))) if literal else ""
        return AccessPath(canonical, (canonical,), canonical) if canonical else NO_PATH

    def _alias_form(self, path: str, base: str) -> AccessPath:
        literal = self.flavor.literal(path, self.home, self.candidate_names)
        if not literal:
            return NO_PATH
        lexical = self._fold(self._resolve(base, literal))
        return AccessPath(lexical, tuple(self._aliases(literal, lexical)), lexical)

    def _raw_form(self, path: str, _base: str) -> AccessPath:
        return self.literal(self.flavor.expand_home(path, self.home, self.candidate_names))

    def literal(self, text: str, *extra: str) -> AccessPath:
        """Return an access path that is matched as written and has no resolved form."""
        if not text:
            return NO_PATH
        return AccessPath(text, tuple(dict.fromkeys(form for form in (text, *extra) if form)), "")

    def literal_candidate(self, token: str) -> AccessPath:
        """Return what `path` rules see of a relative token whose directory is unknown (X2.2)."""
        if self.argument_rule_form == self._raw_form:
            return self._raw_form(token, "")
        return self.literal(self.flavor.literal(token, self.home, self.candidate_names))

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

    def _read_form(self, form: Form) -> Form:
        """Return a form that reads tokens as Git Bash does first, where that applies (P12)."""
        return form if self._plain or form == self._raw_form else partial(self._as_read, form)

    def _as_read(self, form: Form, token: str, base: str) -> AccessPath:
        reading, text = self.reading(token)
        if reading is FOREIGN:
            cleaned = self.flavor.literal(token, self.home, self.home_names)
            turned = () if self.folding is Folding.BOTH else (cleaned.replace("/", "\\"),)
            return self.literal(cleaned, *turned)
        if reading is DEVICE:
            return AccessPath(token, (token,), token)
        return form(text, base)
