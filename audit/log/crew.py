"""Read a large log with several processes.

A block of lines is read without knowing anything of the others, so blocks go to whichever process is free
and their parts come back in order. A small log is read here: starting processes costs more than it saves.
"""

from __future__ import annotations

import gc
import os
import signal
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from multiprocessing import get_context

from audit.log.part import Part
from audit.log.stretch import StretchReader

ALONE_BELOW = 24 << 20
"""Bytes that are read here before other processes are started."""
AHEAD = 3
"""Blocks that wait for each process."""

Block = tuple[bytes, int]
"""Whole lines, and the position of the line before the first."""


def lines_of(block: bytes) -> list[bytes]:
    """Return the lines of a block."""
    lines = block.split(b"\n")
    if not lines[-1]:
        lines.pop()
    return lines


def parts_of(blocks: Iterable[Block], processes: int | None) -> Iterator[Part]:
    """Yield what each block leaves behind, in order; `processes` None takes one for each processor."""
    count = processes if processes is not None else os.cpu_count() or 1
    reader = StretchReader()
    rest = iter(blocks)
    done = 0
    for block, before in rest:
        yield reader.read(lines_of(block), before)
        done += len(block)
        if count > 1 and done >= ALONE_BELOW:
            yield from _shared(rest, count, reader)


def _shared(blocks: Iterator[Block], processes: int, reader: StretchReader) -> Iterator[Part]:
    waiting: deque[tuple[Block, Future[Part]]] = deque()
    with _pool(processes) as pool:
        broken = False
        for block in blocks:
            if broken:
                yield reader.read(lines_of(block[0]), block[1])
                continue
            try:
                waiting.append((block, pool.submit(_read, *block)))
            except BrokenProcessPool:
                broken = True
                yield from _finished(waiting, reader)
                yield reader.read(lines_of(block[0]), block[1])
            if len(waiting) > processes * AHEAD:
                yield _result(*waiting.popleft(), reader)
        yield from _finished(waiting, reader)


def _finished(waiting: deque[tuple[Block, Future[Part]]], reader: StretchReader) -> Iterator[Part]:
    while waiting:
        yield _result(*waiting.popleft(), reader)


def _result(block: Block, future: Future[Part], reader: StretchReader) -> Part:
    """Return the part of a block; where its process ended unasked, it is read here."""
    try:
        return future.result()
    except BrokenProcessPool:
        return reader.read(lines_of(block[0]), block[1])


@contextmanager
def _pool(processes: int) -> Iterator[ProcessPoolExecutor]:
    pool = ProcessPoolExecutor(processes, get_context("spawn"), _start)
    try:
        yield pool
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


_readers: list[StretchReader] = []


def _start() -> None:
    """Make the reader of this process; an interruption is the parent's affair."""
    gc.disable()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _readers[:] = [StretchReader()]


def _read(block: bytes, before: int) -> Part:
    return _readers[0].read(lines_of(block), before)
