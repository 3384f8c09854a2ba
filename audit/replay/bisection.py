"""Over an ordered list of engines, the first at which each change appears.

The first engine is the baseline of all others. The last is held against it, and then the middle of every
span between two steps that do not show the same changes; a span whose ends show the same is taken to hold
no other.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from audit.replay.change import Compared, compare, is_changed
from audit.replay.run import Replay

ReplayStep = Callable[[int], Replay]
"""Replays all cases through the first engine and that of a step."""


@dataclass(frozen=True, slots=True)
class Bisection:
    """The steps that were looked at, and where each change appears."""

    steps: Mapping[int, tuple[Compared, ...]]
    """The rows of each step that was replayed, in order of the steps."""
    appears: Mapping[str, int]
    """For each case that the last step changes: the step from which on it is changed as at the last."""
    passing: Mapping[str, tuple[int, ...]]
    """For each case that the last step does not change: the steps that did change it, if any."""


def bisect(replay_step: ReplayStep, steps: int) -> Bisection:
    """Find where changes appear among `steps` engines, numbered from 0; at least two."""
    seen: dict[int, tuple[Compared, ...]] = {}
    marks: dict[int, Mapping[str, object]] = {0: {}}

    def look(step: int) -> Mapping[str, object]:
        if step not in marks:
            seen[step] = compare(replay_step(step).rows)
            marks[step] = {row.case.id: _mark(row) for row in seen[step] if is_changed(row)}
        return marks[step]

    spans = [(0, steps - 1)]
    look(steps - 1)
    while spans:
        low, high = spans.pop()
        if high - low > 1 and look(low) != look(high):
            middle = (low + high) // 2
            look(middle)
            spans += [(low, middle), (middle, high)]
    order = sorted(seen)
    last = marks[steps - 1]
    appears = {case: _first(case, mark, order, marks) for case, mark in last.items()}
    gone: dict[str, list[int]] = {}
    for step in order:
        for case in marks[step].keys() - last.keys():
            gone.setdefault(case, []).append(step)
    return Bisection(
        {step: seen[step] for step in order}, appears, {case: tuple(found) for case, found in gone.items()}
    )


def _mark(row: Compared) -> object:
    """Return what makes two changes of one case the same."""
    return row.row.candidate


def _first(case: str, mark: object, order: Sequence[int], marks: Mapping[int, Mapping[str, object]]) -> int:
    """Return the first step from which on a case is changed as at the last."""
    first = order[-1]
    for step in reversed(order):
        if marks[step].get(case) != mark:
            break
        first = step
    return first
