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
from audit.core.record import Kept, record

MAX_PATH_TEXT = 16_000_000
"""Code units of directories over all path tokens of one command: each token repeats its directory."""
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

    __slots__ = ("paths", "seen")

    def __init__(self, paths: Paths) -> None:
        self.paths = paths
        self.seen: Kept[tuple[str, str | None], Seen | None] = Kept(self._seen, _length)
        """What a token with the shape of a path shows, by its text and base; None if it is rejected."""

    def of(self, text: str, base: str | None) -> Seen | None:
        """Return what a token with the shape of a path shows under a base; None if it is rejected."""
        return self.seen[text, base]

    def _seen(self, text_and_base: tuple[str, str | None]) -> Seen | None:
        text, base = text_and_base
        if rejection(text) is not None:
            return None
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


def _length(text_and_base: tuple[str, str | None]) -> int:
    text, base = text_and_base
    return len(text) + len(base or "")


class CommandReading:
    """A command parsed and walked once in one place, before any policy has had its say.

    Texts are code-unit strings. Making one raises `TooLarge`. `program` adds what depends on the policy.
    """

    __slots__ = ("_bare", "_candidates", "_paths", "command", "external", "units", "walked")

    def __init__(self, command: str, paths: TokenPaths, workdir: str | None = None) -> None:
        root = parse(command)
        start = START if workdir is None else enter(START, workdir, paths.paths)
        self.command = command
        self.units = command_units(root, command)
        self.walked = tuple(collect_tokens(root, command, paths.paths, start))
        self._paths = paths
        external: dict[str, AccessPath] = {}
        bare: dict[str, None] = {}
        shaped: list[tuple[str, AccessPath]] = []
        has_shape, seen_as = paths.paths.flavor.has_shape, paths.seen
        size = 0
        for text, base, _, _ in self.walked:
            if not has_shape(text):
                bare[text] = None
                continue
            size += len(base or paths.paths.cwd)
            if size > MAX_PATH_TEXT:
                raise TooLarge(f"the paths of the command have more than {MAX_PATH_TEXT} code units")
            seen = seen_as[text, base]
            if seen is not None:
                candidate, outside = seen
                shaped.append((text, candidate))
                if outside is not None:
                    external.setdefault(outside.boundary or outside.value, outside)
        self._bare = tuple(bare)
        self._candidates = _candidates(shaped, NOTHING) if shaped else ()
        self.external = tuple(external.values()) if external else ()
        if workdir is not None:
            self.external = _with_workdir(paths.of_workdir(workdir), external)

    def program(self, promotes: Callable[[str], bool]) -> BashProgram:
        """Return the program under a policy that promotes these bare words."""
        promoted = {word for word in filter(promotes, self._bare) if rejection(word) is None}
        candidates = self._with_promoted(promoted) if promoted else self._candidates
        return BashProgram(self.command, self.units, self.external, candidates, self.walked, self._bare)

    def _with_promoted(self, promoted: AbstractSet[str]) -> tuple[Candidate, ...]:
        has_shape, of = self._paths.paths.flavor.has_shape, self._paths.of
        offered = (
            (text, of(text, base)) for text, base, _, _ in self.walked if text in promoted or has_shape(text)
        )
        return _candidates([(text, seen[0]) for text, seen in offered if seen is not None], promoted)


def _candidates(
    offered: Iterable[tuple[str, AccessPath]], promoted: AbstractSet[str]
) -> tuple[Candidate, ...]:
    """Leave out tokens without a form and those with the forms of an earlier one (X2)."""
    found: dict[tuple[str, ...], Candidate] = {}
    for text, path in offered:
        forms = path.match_values
        if forms and forms not in found:
            found[forms] = Candidate(text, path, text in promoted)
    return tuple(found.values())


def _with_workdir(workdir: AccessPath | None, external: dict[str, AccessPath]) -> tuple[AccessPath, ...]:
    """Put an external workdir first unless an entry has the same identity (X3)."""
    if workdir is None or (workdir.boundary or workdir.value) in external:
        return tuple(external.values())
    return (workdir, *external.values())
