"""The first step of an ordered list of engines at which each change appears: from files to a report."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from audit.core.revision import REVISIONS, revision
from audit.engines.gitref import commits_in
from audit.engines.spec import EngineChoice, choose_engine
from audit.errors import EngineError, UnknownName
from audit.log.cases import LogReading
from audit.replay.arm import Arm
from audit.replay.bisection import bisect
from audit.replay.run import Replay
from audit.report.bisection import BisectionReport, build_bisection
from audit.report.build import Making, build_report
from audit.workflows.impact import Comparison, replay_both
from audit.workflows.reading import PlaceOptions, Progress


def revisions_between(first: str, last: str) -> tuple[str, ...]:
    """Return the engine specifications of the registered revisions from one to another, both included.

    A derived revision stands for its registered one in the order. Raises `UnknownName`.
    """
    names = list(REVISIONS)
    ends = [revision(name).name for name in (first, last)]
    low, high = (names.index(end.partition("+")[0]) for end in ends)
    if low > high:
        raise UnknownName(f"`{first}` is no earlier revision than `{last}`", "name the older one first")
    between = names[low + 1 : high]
    return tuple(f"core:{name}" for name in dict.fromkeys((ends[0], *between, ends[1])))


def commits_between(given: str, core: str | None) -> tuple[str, ...]:
    """Return the engine specifications of the commits of a range `A..B`; raise `EngineError`."""
    tail = f"/core:{core}" if core else ""
    return tuple(f"git:{commit}{tail}" for commit in commits_in(given))


def bisect_engines(
    reading: LogReading,
    comparison: Comparison,
    specs: Sequence[str],
    places: PlaceOptions,
    making: Making,
    progress: Progress,
) -> BisectionReport:
    """Replay the cases of a log through the first of some engines and as many others as it takes.

    Both sides have the policies of the comparison. Raises `EngineError` for fewer than two engines.
    """
    if len(specs) < 2:
        raise EngineError("there is nothing between one engine and itself", "name two engines or more")
    rule = places.rule(reading)
    chosen: dict[int, EngineChoice] = {}

    def engine(step: int) -> EngineChoice:
        if step not in chosen:
            chosen[step] = choose_engine(specs[step])
        return chosen[step]

    def replay_step(step: int) -> Replay:
        sides = replace(comparison, engine=engine(0), candidate_engine=engine(step))
        found = replay_both(reading, sides, rule, progress)
        if step == len(specs) - 1:
            whole.append(found)
        return found[1]

    whole: list[tuple[LogReading, Replay, tuple[Arm, Arm]]] = []
    found = bisect(replay_step, len(specs))
    read, replayed, arms = whole[0]
    return build_bisection(build_report(read, replayed, arms, making), specs, found)
