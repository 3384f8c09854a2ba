"""One parsed command and its three slices: units, external paths, rule candidates (core-bash.md 11)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field

from audit.core.bash.classify import has_strict_shape, rejection
from audit.core.bash.parser import parse
from audit.core.bash.tokens import Token
from audit.core.bash.units import Unit, command_units
from audit.core.bash.workdir import START, collect_tokens, enter
from audit.core.paths.access_path import AccessPath, Paths
from audit.core.paths.flavor import DEVICES
from audit.core.record import record


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
    tokens: tuple[Token, ...] = field(default=(), compare=False, repr=False)
    bare: tuple[str, ...] = field(default=(), compare=False, repr=False)
    """The distinct tokens without the shape of a path."""

    @property
    def survivors(self) -> tuple[str, ...]:
        """The distinct bare words that could name a path by the rejection prelude, promoted or not."""
        return tuple(word for word in self.bare if rejection(word) is None)


class CommandReading:
    """A command parsed and walked once in one place, before any policy has had its say.

    Texts are code-unit strings. `program` adds what depends on the policy.
    """

    __slots__ = ("_bare", "_known", "_paths", "_shaped", "_workdir", "command", "external", "tokens", "units")

    def __init__(self, command: str, paths: Paths, workdir: str | None = None) -> None:
        root = parse(command)
        start = START if workdir is None else enter(START, workdir, paths)
        self.command = command
        self._paths = paths
        self._workdir = workdir
        self.units = command_units(root, command)
        self.tokens = tuple(collect_tokens(root, command, paths, start))
        find_shape = paths.flavor.shapes.search
        bare: dict[str, None] = {}
        shaped: list[Token] = []
        for token in self.tokens:
            if not find_shape(token.value):
                bare[token.value] = None
            elif rejection(token.value) is None:
                shaped.append(token)
        self._bare = tuple(bare)
        self._shaped = shaped
        self._known: dict[tuple[str, str | None], AccessPath] = {}
        self.external = self._external_paths()

    def program(self, promotes: Callable[[str], bool]) -> BashProgram:
        """Return the program under a policy that promotes these bare words."""
        promoted = {word for word in self._bare if promotes(word) and rejection(word) is None}
        offered = self._shaped
        if promoted:
            shaped = set(offered)
            offered = [token for token in self.tokens if token in shaped or token.value in promoted]
        return BashProgram(
            command=self.command,
            units=self.units,
            external=self.external,
            candidates=self._candidates(offered, promoted),
            tokens=self.tokens,
            bare=self._bare,
        )

    def _access_path(self, token: Token) -> AccessPath:
        """Return the path of a token under its base, the working directory where that is unknown."""
        text, base, _, _ = token
        path = self._known.get((text, base))
        if path is None:
            paths = self._paths
            directory = paths.flavor.resolve(paths.cwd, base) if base else paths.cwd
            path = self._known[text, base] = paths.of_token(text, directory)
        return path

    def _external_paths(self) -> tuple[AccessPath, ...]:
        """Follow X1 and X3."""
        paths = self._paths
        found: dict[str, AccessPath] = {}
        for token in self._shaped:
            text, base = token.value, token.base
            if not has_strict_shape(text):
                continue
            if base is None and paths.is_relative(text):
                path = paths.resolved(text, paths.cwd)
                if path.boundary and path.boundary not in DEVICES:
                    found.setdefault(path.boundary, path)
                continue
            path = self._access_path(token)
            if path.value and (not path.boundary or paths.is_outside(path.boundary)):
                found.setdefault(path.boundary or path.value, path)
        if self._workdir is not None:
            path = paths.of_token(self._workdir, paths.cwd)
            identity = path.boundary or path.value
            if (not path.boundary or paths.is_outside(path.boundary)) and identity not in found:
                return (path, *found.values())
        return tuple(found.values())

    def _candidates(self, offered: list[Token], promoted: set[str]) -> tuple[Candidate, ...]:
        """Follow X2."""
        paths = self._paths
        found: dict[tuple[str, ...], Candidate] = {}
        for token in offered:
            text, base = token.value, token.base
            if base is None and paths.is_relative(text):
                path = paths.literal(paths.flavor.literal(text, paths.home))
            else:
                path = self._access_path(token)
            if path.match_values and path.match_values not in found:
                found[path.match_values] = Candidate(text, path, text in promoted)
        return tuple(found.values())
