"""How few directories hold the outside paths that people are asked about (M06)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from audit.core.paths.flavor import Flavor, flavor
from audit.core.place import Platform
from audit.measures.measure import Measure, Share, Unit
from audit.measures.recorded.outside import UNKNOWN_HOME, Outside, reasons
from audit.measures.recorded.requests import Logged

MOST_ROOTS = 10

MEASURE = Measure(
    "root-concentration",
    1,
    "asks about paths outside the working directory whose paths are found in the command or told",
    "asks of which every outside path lies under the first k directories, for k = 1, 2, ...; directories are "
    "chosen greedily: the one that completes most asks, among equals the one that holds most paths, then the "
    "deepest; the file system's root, home directories and what is above them are not chosen",
)


@dataclass(frozen=True, slots=True)
class Root:
    """One directory, and how far one gets with it and those before it."""

    label: str
    """Home written as `~`."""
    added: int
    """Asks that this one completes."""
    share: Share
    """Asks completed so far, over all."""


@dataclass(frozen=True, slots=True)
class Roots:
    """The directories in the order in which they were chosen."""

    measure: Measure
    asks: int
    paths: int
    """Distinct outside paths."""
    roots: tuple[Root, ...]
    left_out: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class _Ask:
    paths: frozenset[str]
    number: int


def roots(found: Sequence[tuple[Logged, Outside]], platform: Platform, home: str | None = None) -> Roots:
    """Choose directories for asks about outside paths, given with their paths."""
    semantics = flavor(platform)
    counted: Counter[frozenset[str]] = Counter()
    told = {one.call.home for one, _ in found if one.call.home}
    homes = sorted({semantics.fold(one) for one in (UNKNOWN_HOME, home, *told) if one})
    for _, outside in found:
        if outside.paths:
            counted[frozenset(mention.path for mention in outside.paths)] += 1
    asks = [_Ask(paths, number) for paths, number in counted.items()]
    forbidden = {above for home_path in homes for above in _upward(semantics, home_path)}
    total = counted.total()
    return Roots(
        measure=MEASURE,
        asks=total,
        paths=len({path for ask in asks for path in ask.paths}),
        roots=tuple(
            Root(_label(chosen, homes, semantics), added, Share(done, total, Unit.PROMPT))
            for chosen, added, done in _greedy(asks, forbidden, semantics)
        ),
        left_out=reasons(outside for _, outside in found),
    )


def _greedy(asks: Sequence[_Ask], forbidden: set[str], semantics: Flavor) -> Iterable[tuple[str, int, int]]:
    """Yield each chosen directory with the asks it completes and all completed so far."""
    above = {
        path: [directory for directory in _upward(semantics, path) if directory not in forbidden]
        for ask in asks
        for path in ask.paths
    }
    left = list(asks)
    done = 0
    for _ in range(MOST_ROOTS):
        completes: Counter[str] = Counter()
        holds: Counter[str] = Counter()
        for ask in left:
            directories = [above[path] for path in ask.paths]
            for directory in set(directories[0]).intersection(*directories[1:]):
                completes[directory] += ask.number
            for one in directories:
                for directory in one:
                    holds[directory] += ask.number
        if not holds:
            return
        chosen = max(holds, key=lambda name: (completes[name], holds[name], len(name), name))
        left, completed = _without(left, chosen, above)
        done += completed
        yield chosen, completed, done


def _without(asks: Iterable[_Ask], chosen: str, above: Mapping[str, Sequence[str]]) -> tuple[list[_Ask], int]:
    """Take the paths under a directory out of every ask; return what is left and the asks completed."""
    left: dict[frozenset[str], int] = {}
    completed = 0
    for ask in asks:
        paths = frozenset(path for path in ask.paths if chosen not in above[path])
        if paths:
            left[paths] = left.get(paths, 0) + ask.number
        else:
            completed += ask.number
    return [_Ask(paths, number) for paths, number in left.items()], completed


def _upward(semantics: Flavor, path: str) -> list[str]:
    """Return a path and every directory above it."""
    chain = [path]
    while (parent := semantics.dirname(chain[-1])) != chain[-1]:
        chain.append(parent)
    return chain


def _label(path: str, homes: Iterable[str], semantics: Flavor) -> str:
    for home in homes:
        if semantics.within(path, home):
            return "~" + path[len(home) :]
    return path
