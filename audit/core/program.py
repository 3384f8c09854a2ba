"""One parsed command and its three slices: units, external paths, rule candidates (core-bash.md 11)."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from collections.abc import Set as AbstractSet
from dataclasses import field

from audit.core.bash.classify import has_strict_shape, rejection
from audit.core.bash.parser import TooLarge, parse
from audit.core.bash.tokens import Members, Token
from audit.core.bash.units import Unit, command_units
from audit.core.bash.workdir import START, collect_tokens, enter
from audit.core.paths.access_path import AccessPath, Paths
from audit.core.paths.flavor import DEVICES
from audit.core.record import record

MAX_PATH_TEXT = 16_000_000
"""Code units of directories over all path tokens of one command: each token repeats its directory."""

_KEPT_TOKENS = 1 << 14
_LONGEST_KEPT = 1 << 10
NOTHING: frozenset[str] = frozenset()


@record
class Candidate:
    """A token offered to the `path` surface."""

    token: str
    path: AccessPath
    promoted: bool = field(default=False, compare=False)
    """A bare word that a path rule names, rather than a token with the shape of a path."""


@record
class BashProgram:
    """What one command shows to a policy."""

    command: str
    units: tuple[Unit, ...]
    external: tuple[AccessPath, ...]
    candidates: tuple[Candidate, ...]
    walked: tuple[Members, ...] = field(default=(), compare=False, repr=False)
    """Every token with its base and span, in order; `tokens` gives its members names."""
    bare: tuple[str, ...] = field(default=(), compare=False, repr=False)
    """The distinct tokens without the shape of a path."""

    @property
    def tokens(self) -> tuple[Token, ...]:
        """Every token of the command, in order."""
        return tuple(map(Token._make, self.walked))

    @property
    def survivors(self) -> tuple[str, ...]:
        """The distinct bare words that could name a path by the rejection prelude, promoted or not."""
        return tuple(word for word in self.bare if rejection(word) is None)


Seen = tuple[AccessPath, AccessPath | None]
"""What a token that looks like a path shows to the two path surfaces.

First the path as `path` rules see it, which may have no form at all (X2.2); then as `external_directory`
rules see it, None inside the working directory (X1).
"""


class TokenPaths:
    """Reads tokens as paths in one place. Texts are code-unit strings.

    Answers to short tokens are kept, because the commands of one place name the same paths again and again.
    """

    __slots__ = ("_known", "paths")

    def __init__(self, paths: Paths) -> None:
        self.paths = paths
        self._known: dict[tuple[str, str | None], Seen | None] = {}

    def of(self, text: str, base: str | None) -> Seen | None:
        """Return what a token with the shape of a path shows under a base; None if it is rejected."""
        key = (text, base)
        seen = self._known.get(key)
        if seen is None and key not in self._known:
            seen = None if rejection(text) is not None else self._seen(text, base)
            if len(text) + len(base or "") <= _LONGEST_KEPT:
                if len(self._known) >= _KEPT_TOKENS:
                    self._known.clear()
                self._known[key] = seen
        return seen

    def _seen(self, text: str, base: str | None) -> Seen:
        paths = self.paths
        if base is None and paths.is_relative(text):
            candidate = paths.literal(paths.flavor.literal(text, paths.home))
            in_cwd = paths.resolved(text, paths.cwd)
            outside = bool(in_cwd.boundary) and in_cwd.boundary not in DEVICES
            return candidate, in_cwd if outside and has_strict_shape(text) else None
        path = paths.of_token(text, paths.flavor.resolve(paths.cwd, base) if base else paths.cwd)
        is_external = path.value and has_strict_shape(text) and self._is_external(path)
        return path, path if is_external else None

    def of_workdir(self, workdir: str) -> AccessPath | None:
        """Return the path of a workdir if it is external (X3)."""
        path = self.paths.of_token(workdir, self.paths.cwd)
        return path if self._is_external(path) else None

    def _is_external(self, path: AccessPath) -> bool:
        return not path.boundary or self.paths.is_outside(path.boundary)


class CommandReading:
    """A command parsed and walked once in one place, before any policy has had its say.

    Texts are code-unit strings. Making one raises `TooLarge`. `program` adds what depends on the policy.
    """

    __slots__ = ("_bare", "_candidates", "_paths", "_seen", "command", "external", "units", "walked")

    def __init__(self, command: str, paths: TokenPaths, workdir: str | None = None) -> None:
        root = parse(command)
        start = START if workdir is None else enter(START, workdir, paths.paths)
        self.command = command
        self.units = command_units(root, command)
        self.walked = tuple(collect_tokens(root, command, paths.paths, start))
        self._paths = paths
        has_shape = paths.paths.flavor.has_shape
        bare: dict[str, None] = {}
        seen: list[tuple[str, Seen | None]] = []
        size = 0
        for text, base, _, _ in self.walked:
            if has_shape(text):
                size += len(base or paths.paths.cwd)
                if size > MAX_PATH_TEXT:
                    raise TooLarge(f"the paths of the command have more than {MAX_PATH_TEXT} code units")
                seen.append((text, paths.of(text, base)))
            else:
                bare[text] = None
        self._bare = tuple(bare)
        self._seen = seen
        self._candidates = _candidates(seen, NOTHING) if seen else ()
        at = None if workdir is None else paths.of_workdir(workdir)
        self.external = _external_paths(seen, at) if seen or at else ()

    def program(self, promotes: Callable[[str], bool]) -> BashProgram:
        """Return the program under a policy that promotes these bare words."""
        promoted = {word for word in filter(promotes, self._bare) if rejection(word) is None}
        candidates = self._with_promoted(promoted) if promoted else self._candidates
        return BashProgram(self.command, self.units, self.external, candidates, self.walked, self._bare)

    def _with_promoted(self, promoted: AbstractSet[str]) -> tuple[Candidate, ...]:
        has_shape, of = self._paths.paths.flavor.has_shape, self._paths.of
        offered = [
            (text, of(text, base)) for text, base, _, _ in self.walked if text in promoted or has_shape(text)
        ]
        return _candidates(offered, promoted)


def _candidates(
    offered: Iterable[tuple[str, Seen | None]], promoted: AbstractSet[str]
) -> tuple[Candidate, ...]:
    """Leave out rejected tokens, those without a form and those with the forms of an earlier one (X2)."""
    found: dict[tuple[str, ...], Candidate] = {}
    for text, seen in offered:
        if seen is not None:
            path = seen[0]
            forms = path.match_values
            if forms and forms not in found:
                found[forms] = Candidate(text, path, text in promoted)
    return tuple(found.values())


def _external_paths(
    seen_tokens: Iterable[tuple[str, Seen | None]], workdir: AccessPath | None
) -> tuple[AccessPath, ...]:
    """Leave out paths inside the working directory and those of an earlier identity (X1, X3)."""
    found: dict[str, AccessPath] = {}
    for _, seen in seen_tokens:
        path = None if seen is None else seen[1]
        if path is not None:
            found.setdefault(path.boundary or path.value, path)
    if workdir is not None and (workdir.boundary or workdir.value) not in found:
        return (workdir, *found.values())
    return tuple(found.values())
