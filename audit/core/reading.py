"""From a command to its program: parse, walk, see tokens as paths (core-bash.md 11).

What a policy adds, the promotion of bare words, comes last: `CommandReading.program`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from collections.abc import Set as AbstractSet
from typing import TypeVar

from audit.core.bash.classify import Shapes
from audit.core.bash.effects import Effect, asks_directions, combined, doubts, effect_at, token_sites
from audit.core.bash.former import external_words
from audit.core.bash.parser import Node, TooLarge, parse
from audit.core.bash.tokens import Members
from audit.core.bash.transparency import finishing
from audit.core.bash.units import Unit, command_units, unit_rules
from audit.core.bash.workdir import START, TokenWalk, collect_tokens
from audit.core.paths.access_path import AccessPath, Paths
from audit.core.place import Place
from audit.core.program import BashProgram, Candidate
from audit.core.revision import Revision, changed_switches
from audit.core.switches import BareTokens, PathSurface
from audit.core.token_paths import TokenPaths

K = TypeVar("K")

MAX_PATH_TEXT = 16_000_000
"""Code units of directories over all path tokens of one command: each token repeats its directory."""
NOTHING: frozenset[str] = frozenset()
ASKED_LATER = frozenset(
    {
        "comment-strip", "deny-objects", "external-per-path", "path-default-silent", "pattern-home",
        "question-mark", "shell-aliases", "trailing-star-optional", "wildcard-newline", "yolo", "zero-units",
    }
)  # fmt: skip
"""Switches that rules and gates ask for: revisions that differ in these alone read a command alike."""


def reads_alike(one: Revision, other: Revision) -> bool:
    """Tell whether a command reading made under one revision serves another."""
    return changed_switches(one, other).keys() <= ASKED_LATER


class Reader:
    """Reads commands in one place as one revision does."""

    __slots__ = (
        "directional",
        "doubt",
        "external_words",
        "has_path_surface",
        "paths",
        "promotes",
        "revision",
        "token_paths",
        "unit_rules",
        "walk",
    )

    def __init__(self, place: Place, revision: Revision) -> None:
        self.revision = revision
        self.paths = Paths(place, revision)
        self.unit_rules = unit_rules(revision)
        self.walk = TokenWalk(revision, self.paths, self.unit_rules.token_side)
        self.token_paths = TokenPaths(
            self.paths,
            Shapes(revision, self.paths.flavor),
            moves_candidates=self.walk.moves_candidates,
            probes=revision.bare_tokens is BareTokens.EXISTENCE,
        )
        self.promotes = revision.bare_tokens is BareTokens.PROMOTION
        """Whether a bare word is a path where a rule names it."""
        self.has_path_surface = revision.path_surface is PathSurface.ON
        self.external_words = external_words(revision)
        """Splits a command into the words that can be outside paths; None: they are its tokens."""
        self.doubt = doubts(revision)
        self.directional = asks_directions(revision)
        """Whether reading and writing are asked apart."""

    def read(
        self, command: str, workdir: str | None = None, root: Node | None = None, written: str | None = None
    ) -> CommandReading:
        """Read a command given as a code-unit string; raise `TooLarge`.

        `root` is its syntax tree, where another reader has parsed it. `written` is the command with the
        blanks around it, which releases without units ask about.
        """
        tree = parse(command) if root is None else root
        finish = finishing(self.revision, tree, command, self.doubt)
        units = command_units(tree, command, self.unit_rules, finish)
        if self.unit_rules.roles is None and written is not None:
            units = (Unit(written, end=len(written)),)
        return CommandReading(self, command, tree, units, workdir)

    def tokens(self, root: Node, command: str, workdir: str | None = None) -> list[Members]:
        """Return the tokens of a parsed command in order, each with its base; raise `TooLarge`."""
        return collect_tokens(root, command, self.walk, self.walk.start(root, command, workdir))


class CommandReading:
    """A command parsed and walked once in one place, before any policy has had its say.

    Texts are code-unit strings. `program` adds what depends on the policy.
    """

    __slots__ = ("_candidates", "_effects", "_probed", "_reader", "command", "external", "root", "survivors",
                 "units", "walked")  # fmt: skip

    def __init__(
        self, reader: Reader, command: str, root: Node, units: tuple[Unit, ...], workdir: str | None
    ) -> None:
        self._reader = reader
        self.command = command
        self.root = root
        self.units = units
        self.walked = tuple(reader.tokens(root, command, workdir))
        bare, shaped, external = self._shown(reader.token_paths)
        if reader.external_words is not None:
            external = _outside(reader.external_words(command), reader.token_paths)
        rejection = reader.token_paths.rejection
        self.survivors = tuple([word for word in bare if rejection[word] is None])
        self._effects = _Effects(self, reader) if reader.directional else None
        self._candidates = self._offered(shaped, NOTHING) if shaped else ()
        self._probed = _probed(self.walked, reader.token_paths) if reader.token_paths.probes else ()
        self.external = tuple(external.values()) if external else ()
        if workdir is not None:
            self.external = _with_workdir(reader.token_paths.of_workdir(workdir), external)

    def _shown(
        self, token_paths: TokenPaths
    ) -> tuple[dict[str, None], list[tuple[str, AccessPath]], dict[str, AccessPath]]:
        """Return the bare words, the tokens offered as candidates, and the external paths by identity."""
        external: dict[str, AccessPath] = {}
        bare: dict[str, None] = {}
        shaped: list[tuple[str, AccessPath]] = []
        has_shape, seen_as, probes = token_paths.shapes.broad, token_paths.seen, token_paths.probes
        cwd = token_paths.paths.cwd
        size = 0
        for text, base, _, _ in self.walked:
            if not has_shape(text):
                bare[text] = None
                if not probes:
                    continue
            size += len(base or cwd)
            if size > MAX_PATH_TEXT:
                raise TooLarge(f"the paths of the command have more than {MAX_PATH_TEXT} code units")
            seen = seen_as[text, base]
            if seen is not None:
                candidate, outside = seen
                shaped.append((text, candidate))
                if outside is not None:
                    external.setdefault(outside.boundary or outside.value, outside)
        return bare, shaped, external

    def program(self, promotes: Callable[[str], bool]) -> BashProgram:
        """Return the program under a policy that names these bare words."""
        promoted = set(filter(promotes, self.survivors)) if self._reader.promotes else NOTHING
        candidates = self._with_promoted(promoted) if promoted else self._candidates
        return BashProgram(
            self.command,
            self.units,
            self.external,
            candidates,
            self.walked,
            self.survivors,
            () if self._effects is None else tuple(map(self._effects.of_external, self.external)),
            self._probed,
        )

    def _with_promoted(self, promoted: AbstractSet[str]) -> tuple[Candidate, ...]:
        token_paths = self._reader.token_paths
        has_shape, of = token_paths.shapes.broad, token_paths.of
        offered = (
            (text, of(text, base)) for text, base, _, _ in self.walked if text in promoted or has_shape(text)
        )
        return self._offered([(text, seen[0]) for text, seen in offered if seen is not None], promoted)

    def _offered(
        self, offered: Iterable[tuple[str, AccessPath]], promoted: AbstractSet[str]
    ) -> tuple[Candidate, ...]:
        """Leave out tokens without a form and those with the forms of an earlier one (X2)."""
        if not self._reader.has_path_surface:
            return ()
        found: dict[tuple[str, ...], Candidate] = {}
        for text, path in offered:
            forms = path.match_values
            if forms and forms not in found:
                found[forms] = Candidate(text, path, text in promoted)
                if self._effects is not None:
                    found[forms] = Candidate(text, path, text in promoted, self._effects.of_forms(forms))
        return tuple(found.values())


class _Effects:
    """What is proven to become of the paths of a command; two mentions that differ prove nothing."""

    __slots__ = ("_by_forms", "_by_identity")

    def __init__(self, reading: CommandReading, reader: Reader) -> None:
        self._by_forms: dict[tuple[str, ...], Effect] = {}
        self._by_identity: dict[str, Effect] = {}
        sites = token_sites(reading.root, reading.command, reader.doubt)
        effects = {span: effect_at(site) for span, site in sites.items()}
        for text, base, start, end in reading.walked:
            seen = reader.token_paths.of(text, base)
            if seen is None:
                continue
            effect = effects.get((start, end), Effect.UNPROVEN)
            _note(self._by_forms, seen[0].match_values, effect)
            if seen[1] is not None:
                _note(self._by_identity, seen[1].boundary or seen[1].value, effect)

    def of_forms(self, forms: tuple[str, ...]) -> Effect:
        """Return what becomes of a candidate with these forms."""
        return self._by_forms.get(forms, Effect.UNPROVEN)

    def of_external(self, path: AccessPath) -> Effect:
        """Return what becomes of an external path."""
        return self._by_identity.get(path.boundary or path.value, Effect.UNPROVEN)


def _note(known: dict[K, Effect], key: K, effect: Effect) -> None:
    known[key] = combined(known.get(key, effect), effect)


def _outside(words: Iterable[str], token_paths: TokenPaths) -> dict[str, AccessPath]:
    """Return the external paths among words that are read from the working directory, by identity."""
    external: dict[str, AccessPath] = {}
    for word in words:
        seen = token_paths.of(word, START)
        if seen is not None and seen[1] is not None:
            external.setdefault(seen[1].boundary or seen[1].value, seen[1])
    return external


def _probed(walked: Iterable[Members], token_paths: TokenPaths) -> tuple[str, ...]:
    asked = (token_paths.probed(text, base) for text, base, _, _ in walked)
    return tuple(dict.fromkeys(path for path in asked if path is not None))


def _with_workdir(workdir: AccessPath | None, external: Mapping[str, AccessPath]) -> tuple[AccessPath, ...]:
    """Put an external workdir first unless an entry has the same identity (X3)."""
    if workdir is None or (workdir.boundary or workdir.value) in external:
        return tuple(external.values())
    return (workdir, *external.values())
