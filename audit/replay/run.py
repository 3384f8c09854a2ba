"""Put every case to both arms. The order of the rows is the order of the cases, whatever the processes."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, replace
from multiprocessing import get_context

from audit.core.call import ToolCall
from audit.core.place import NOTHING_KNOWN, Place
from audit.errors import EngineError
from audit.log.cases import Case, Exactness
from audit.log.inputs import ALIAS
from audit.protocol.engine import Detail, EngineInfo, Failed, FailureKind
from audit.replay.arm import Arm, check_arms
from audit.replay.change import ReplayRow
from audit.replay.worker import Chunk, Clerk, Desk, Pair, Work, answer_chunk, start

CHUNK = 256
"""Cases a process takes at a time."""
ALONE_BELOW = 1500
"""With fewer cases than this, starting processes costs more than they save."""

MAX_LOST = 20
"""Calls that may end their process before the run is given up."""
NO_REASON = "no reason given"
NO_WORKING_DIRECTORY = "no working directory"

_ENDED = Failed(FailureKind.INTERNAL, "the process that decided this call ended")
LOST: Pair = (_ENDED, _ENDED)

Progress = Callable[[int, int], None]
"""Called with the number of cases done and to do."""


@dataclass(frozen=True, slots=True)
class NotReplayed:
    """A case that was put to no engine, and why."""

    case: Case
    reasons: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Replay:
    """All cases of a log, each either in a row or not replayed."""

    rows: tuple[ReplayRow, ...]
    not_replayed: tuple[NotReplayed, ...]
    engines: tuple[EngineInfo, EngineInfo]
    """What the baseline's and the candidate's engine say of themselves."""
    detail: Detail
    """The finest detail at which the two can be compared."""
    restarts: tuple[int, int] = (0, 0)
    """How often the engine of either side broke and was started again."""


def replay(
    cases: Sequence[Case],
    baseline: Arm,
    candidate: Arm,
    *,
    processes: int | None = None,
    progress: Progress | None = None,
) -> Replay:
    """Replay cases through both arms.

    `processes`: how many to use; None takes one for each processor, and none beside this one when there
    are few cases. Raises `EngineError` for arms that see different places or cannot be compared,
    `ValueError` for a case that occurs twice.
    """
    check_arms(baseline, candidate)
    if len({case.id for case in cases}) != len(cases):
        raise ValueError("a case occurs twice; replay takes distinct cases")
    replayed: list[Case] = []
    work: list[Work] = []
    not_replayed: list[NotReplayed] = []
    places: dict[tuple[str, str | None], Place] = {}
    rule = replace(baseline.places, links=(), entries=NOTHING_KNOWN)
    for case in cases:
        if case.exactness is Exactness.NOT_REPLAYABLE:
            not_replayed.append(NotReplayed(case, case.reasons or (NO_REASON,)))
        elif case.cwd is None:
            not_replayed.append(NotReplayed(case, (NO_WORKING_DIRECTORY,)))
        else:
            key = (case.cwd, case.home)
            place = places.get(key) or places.setdefault(key, rule.place(*key))
            replayed.append(case)
            work.append(work_of(case, place))
    desk = Desk(
        (baseline.opening, candidate.opening),
        (baseline.policy, candidate.policy),
        baseline.places.links,
        baseline.places.entries,
    )
    clerk = Clerk(desk)
    count = _process_count(len(work), processes)
    done = _collected(_alone(clerk, work) if count == 1 else _pooled(desk, work, count), len(work), progress)
    rows = tuple(ReplayRow(case, *pair) for case, pair in zip(replayed, done.pairs, strict=True))
    return Replay(rows, tuple(not_replayed), clerk.engines, clerk.detail, done.restarts)


def work_of(case: Case, place: Place) -> Work:
    """Return a case as what a replay process takes."""
    return Work(ToolCall(case.tool, case.input), case.agent, place, case.policy, ALIAS in case.reasons)


def _process_count(cases: int, asked: int | None) -> int:
    if asked is not None:
        return max(1, asked)
    return 1 if cases < ALONE_BELOW else os.cpu_count() or 1


def _collected(chunks: Iterable[Chunk], total: int, progress: Progress | None) -> Chunk:
    done: list[Pair] = []
    baseline = candidate = 0
    for chunk in chunks:
        done.extend(chunk.pairs)
        baseline, candidate = baseline + chunk.restarts[0], candidate + chunk.restarts[1]
        if progress is not None:
            progress(len(done), total)
    return Chunk(done, (baseline, candidate))


def _chunked(work: Sequence[Work]) -> list[Sequence[Work]]:
    return [work[at : at + CHUNK] for at in range(0, len(work), CHUNK)]


def _alone(clerk: Clerk, work: Sequence[Work]) -> Iterator[Chunk]:
    return (clerk.chunk(chunk) for chunk in _chunked(work))


def _pool(desk: Desk, processes: int) -> ProcessPoolExecutor:
    return ProcessPoolExecutor(
        max_workers=processes, mp_context=get_context("spawn"), initializer=start, initargs=(desk,)
    )


def _pooled(desk: Desk, work: Sequence[Work], processes: int) -> Iterator[Chunk]:
    """Yield the pairs of each chunk in order; a process that dies costs the case that killed it."""
    left = _chunked(work)
    lost = 0
    while left:
        finished = 0
        for chunk in _until_broken(desk, left, min(processes, len(left))):
            finished += 1
            yield chunk
        left = left[finished:]
        if left:
            pairs = _salvaged(desk, left.pop(0))
            lost += sum(pair == LOST for pair in pairs)
            if lost > MAX_LOST:
                raise EngineError(f"more than {MAX_LOST} calls ended the process that decided them")
            yield Chunk(pairs)


def _until_broken(desk: Desk, chunks: Sequence[Sequence[Work]], processes: int) -> Iterator[Chunk]:
    """Yield the pairs of each chunk in order; stop early when a process ends unasked."""
    with _pool(desk, processes) as pool:
        try:
            for future in [pool.submit(answer_chunk, chunk) for chunk in chunks]:
                yield future.result()
        except BrokenProcessPool:
            return
        finally:
            pool.shutdown(wait=False, cancel_futures=True)


def _salvaged(desk: Desk, chunk: Sequence[Work]) -> list[Pair]:
    """Answer a chunk in a process of its own, halving it until the case that ends the process is alone."""
    answered = next(_until_broken(desk, [chunk], 1), None)
    if answered is not None:
        return answered.pairs
    if len(chunk) == 1:
        return [LOST]
    middle = len(chunk) // 2
    return _salvaged(desk, chunk[:middle]) + _salvaged(desk, chunk[middle:])
