"""What one command shows to a policy: units, external paths, rule candidates (core-bash.md 11)."""

from __future__ import annotations

from dataclasses import field

from audit.core.bash.effects import Effect
from audit.core.bash.tokens import Members, Token
from audit.core.bash.units import Unit
from audit.core.paths.access_path import AccessPath
from audit.core.record import record


@record
class Candidate:
    """A token offered to the `path` surface."""

    token: str
    path: AccessPath
    promoted: bool = field(default=False, compare=False)
    """A bare word that a path rule names, rather than a token with the shape of a path."""
    effect: Effect = field(default=Effect.UNPROVEN, compare=False)
    """What is proven to become of the path, for revisions that ask."""


@record
class BashProgram:
    """What one command shows to a policy."""

    command: str
    units: tuple[Unit, ...]
    external: tuple[AccessPath, ...]
    candidates: tuple[Candidate, ...]
    walked: tuple[Members, ...] = field(default=(), compare=False, repr=False)
    """Every token with its base and span, in order; `tokens` gives its members names."""
    survivors: tuple[str, ...] = field(default=(), compare=False, repr=False)
    """The distinct bare words that could name a path by the rejection prelude, offered or not."""
    external_effects: tuple[Effect, ...] = field(default=(), compare=False, repr=False)
    """What is proven to become of each external path; empty for revisions that do not ask."""
    probed: tuple[str, ...] = field(default=(), compare=False, repr=False)
    """The distinct paths whose existence was asked about, for revisions that ask."""

    @property
    def tokens(self) -> tuple[Token, ...]:
        """Every token of the command, in order."""
        return tuple(map(Token._make, self.walked))
