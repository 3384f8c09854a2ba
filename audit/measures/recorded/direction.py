"""Do asks about outside paths want to read or to write? Two classifiers, side by side (M04).

The strict classifier is the directional rule of core-bash.md 16.2 over the parsed command: read or write
only where that is proven. It errs toward unproven: an interpreter, an editor, a copy is never proven, and
neither is a reader with an argument that could make it write.

The loose classifier looks at the first word of the command in which a path stands, and at nothing behind
it. It errs toward read: what such a word does with its options, and where its output is redirected, it does
not see, and a copy counts as reading at both of its ends. What the strict one calls read, the loose one
does, too; the truth about reading lies between the two, but for words that neither knows.

Neither uses regular expressions; both stand on the same parse, and cut commands are not parsed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from audit.core.bash.effects import OPERATORS, READERS, Effect, Site, effect_at
from audit.core.bash.wrappers import base_name
from audit.log.calls import GateName
from audit.measures.measure import Measure, Share, Unit
from audit.measures.recorded.outside import Outside, OutsidePath, reasons
from audit.measures.recorded.requests import Logged


class Direction(StrEnum):
    """What an ask wants with the outside paths it is about."""

    READ = "read"
    """Every path is read."""
    WRITE = "write"
    """Every path is written."""
    BOTH = "both"
    """Some are read, the others written."""
    UNPROVEN = "unproven"
    """At least one path of which the classifier cannot tell."""


MEASURE = Measure(
    "external-direction",
    1,
    "asks about paths outside the working directory whose paths are found in the command or told",
    "number that read, write, do both or are unproven, by the strict and by the loose classifier, over the "
    "population, with the cross table of the two",
)


@dataclass(frozen=True, slots=True)
class Classifier:
    """What a classifier is, and which way it errs."""

    name: str
    version: int
    rule: str
    errs: str


STRICT = Classifier(
    "strict",
    1,
    "the directional rule of core-bash.md 16.2: a redirect by its operator, an argument by a short list of "
    "commands that only read, unless an argument withdraws it; read, grep, find and ls tools read, write and "
    "edit tools write",
    "toward unproven: copies, editors, interpreters and version control are never proven",
)
LOOSE = Classifier(
    "loose",
    1,
    "the first word of the command in which the path stands, by a list of words that may only read and one "
    "of words that write; an input redirect reads, an output redirect reads behind a reading word and writes "
    "behind any other",
    "toward read: copies, options that write and output redirects of reading words count as read",
)

LOOSE_READERS = READERS | frozenset(
    {
        "awk", "gawk", "nawk", "sed", "jq", "yq", "less", "more", "bat", "tree", "du", "df", "cut", "tr",
        "uniq", "comm", "cmp", "nl", "od", "xxd", "hexdump", "strings", "md5sum", "sha1sum", "sha256sum",
        "shasum", "readlink", "test", "[", "git", "ag", "ack", "column", "paste", "join", "tac", "rev",
        "printf", "type", "pushd", "zcat", "gunzip", "unzip", "tar", "source", ".", "xargs", "cp", "rsync",
        "scp", "ln", "install", "dd", "zip", "gzip",
    }
)  # fmt: skip
"""Words after which a path may be only read; many can write as well."""
LOOSE_WRITERS = frozenset(
    {
        "mv", "rm", "rmdir", "mkdir", "touch", "tee", "chmod", "chown", "chgrp", "truncate", "mktemp",
        "shred", "unlink", "patch", "mkfifo", "mknod",
    }
)  # fmt: skip
"""Words that change what they name."""

READING_TOOLS = frozenset({"read", "grep", "find", "ls"})
WRITING_TOOLS = frozenset({"write", "edit"})


@dataclass(frozen=True, slots=True)
class DirectionShare:
    """The share of one direction by both classifiers."""

    direction: Direction
    strict: Share
    loose: Share


@dataclass(frozen=True, slots=True)
class Cross:
    """One cell of the cross table."""

    strict: Direction
    loose: Direction
    asks: int


@dataclass(frozen=True, slots=True)
class MonthlyDirections:
    """The directions of one month."""

    month: str
    asks: int
    strict: Mapping[Direction, int]
    loose: Mapping[Direction, int]


@dataclass(frozen=True, slots=True)
class Directions:
    """Both classifiers over the same asks; the cells add up to the population."""

    measure: Measure
    strict: Classifier
    loose: Classifier
    external: int
    """All asks about outside paths: the population and those left out."""
    classified: int
    directions: tuple[DirectionShare, ...]
    cross: tuple[Cross, ...]
    months: tuple[MonthlyDirections, ...]
    left_out: Mapping[str, int]
    """Asks that could not be classified, by reason."""


def directions(found: Sequence[tuple[Logged, Outside]]) -> Directions:
    """Classify asks about outside paths, given with their paths."""
    classed = [(one, *classify(one, paths.paths)) for one, paths in found if paths.paths]
    cells = {(strict, loose): 0 for strict in Direction for loose in Direction}
    months: dict[str, list[tuple[Direction, Direction]]] = {}
    for one, strict, loose in classed:
        cells[strict, loose] += 1
        months.setdefault(one.period.month, []).append((strict, loose))
    of = len(classed)
    return Directions(
        measure=MEASURE,
        strict=STRICT,
        loose=LOOSE,
        external=len(found),
        classified=of,
        directions=tuple(
            DirectionShare(
                direction,
                Share(sum(strict is direction for _, strict, _ in classed), of, Unit.PROMPT),
                Share(sum(loose is direction for _, _, loose in classed), of, Unit.PROMPT),
            )
            for direction in Direction
        ),
        cross=tuple(Cross(strict, loose, asks) for (strict, loose), asks in cells.items()),
        months=tuple(
            MonthlyDirections(
                month,
                len(pairs),
                _counted(strict for strict, _ in pairs),
                _counted(loose for _, loose in pairs),
            )
            for month, pairs in sorted(months.items())
        ),
        left_out=reasons(paths for _, paths in found),
    )


def classify(one: Logged, paths: Iterable[OutsidePath]) -> tuple[Direction, Direction]:
    """Return the direction of an ask by the strict and by the loose classifier."""
    if one.request.gate is not GateName.BASH_EXTERNAL_DIRECTORY:
        direction = _of_tool(one.call.tool)
        return direction, direction
    mentions = tuple(paths)
    return _fold(mentions, effect_at), _fold(mentions, loose_effect)


def loose_effect(site: Site) -> Effect:
    """Return what the loose classifier makes of a token at a site."""
    if site.operator is not None and OPERATORS.get(site.operator) is Effect.READ:
        return Effect.READ
    word = base_name(site.name)
    if word in LOOSE_READERS:
        return Effect.READ
    return Effect.WRITE if word in LOOSE_WRITERS or site.operator is not None else Effect.UNPROVEN


def _of_tool(tool: str) -> Direction:
    if tool in READING_TOOLS:
        return Direction.READ
    return Direction.WRITE if tool in WRITING_TOOLS else Direction.UNPROVEN


def _fold(mentions: Iterable[OutsidePath], effect: Callable[[Site], Effect]) -> Direction:
    """Put the mentions of an ask together; two that differ about one path prove nothing."""
    by_path: dict[str, set[Effect]] = {}
    for mention in mentions:
        by_path.setdefault(mention.path, set()).add(effect(mention.site))
    effects = {Effect.UNPROVEN if len(found) > 1 else next(iter(found)) for found in by_path.values()}
    if Effect.UNPROVEN in effects:
        return Direction.UNPROVEN
    if len(effects) > 1:
        return Direction.BOTH
    return Direction.READ if Effect.READ in effects else Direction.WRITE


def _counted(found: Iterable[Direction]) -> dict[Direction, int]:
    counted = dict.fromkeys(Direction, 0)
    for direction in found:
        counted[direction] += 1
    return counted
