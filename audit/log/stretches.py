"""Stretches of lines, read by all processors where a log is long enough to be worth it."""

from __future__ import annotations

import gc
import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from hashlib import sha256
from itertools import chain, islice
from multiprocessing import get_context

from audit.log.gather import FileRead
from audit.log.part import FILE_SHIFT, Part
from audit.log.source import LogSource, blocks_in, lines_of
from audit.log.stretch import StretchReader

Progress = Callable[[int], None]
"""Called with the number of bytes read so far."""
Block = tuple[bytes, int]
"""Whole lines, and the position of the line before the first."""

ALONE = 8
"""Up to so many blocks, starting processes costs more than they save."""
AHEAD = 1
"""Blocks that each process finds waiting."""


def parts_of(
    sources: Iterable[LogSource], files: list[FileRead], width: int, progress: Progress | None
) -> Iterator[Part]:
    """Yield what each block of the sources leaves behind, in order, and keep the books of the files.

    `width` is that of the log's fields. Raises `LogError` for a source that cannot be read to its end.
    """
    blocks = _numbered(sources, files, progress)
    first = list(islice(blocks, ALONE + 1))
    processes = os.cpu_count() or 1
    if len(first) <= ALONE or processes == 1:
        reader = StretchReader(width)
        parts: Iterator[Part] = (
            reader.read(lines_of(block), before) for block, before in chain(first, blocks)
        )
    else:
        parts = _pooled(chain(first, blocks), width, processes)
    del first
    for part in parts:
        file = files[part.file]
        file.first = file.first or part.first
        file.last = max(file.last, part.last)
        yield part


def _pooled(blocks: Iterator[Block], width: int, processes: int) -> Iterator[Part]:
    waiting: deque[Future[Part]] = deque()
    context = get_context("spawn")
    with ProcessPoolExecutor(processes, context, initializer=_start, initargs=(width,)) as pool:
        try:
            for block in blocks:
                waiting.append(pool.submit(_read, *block))
                if len(waiting) > processes * AHEAD:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        finally:
            pool.shutdown(wait=False, cancel_futures=True)


_readers: list[StretchReader] = []
"""The one of this process, where it is there to read blocks for another."""


def _start(width: int) -> None:
    """Get this process ready. It makes no cycles, and ends soon: there is nothing to collect."""
    gc.disable()
    _readers.append(StretchReader(width))


def _read(block: bytes, before: int) -> Part:
    return _readers[0].read(lines_of(block), before)


def _numbered(
    sources: Iterable[LogSource], files: list[FileRead], progress: Progress | None
) -> Iterator[Block]:
    """Yield the blocks of all sources, each with the position before it, and keep the books of the files."""
    done = 0
    for source in sources:
        file = FileRead(source.name)
        base = len(files) << FILE_SHIFT
        files.append(file)
        digest = sha256()
        for block in blocks_in(source):
            digest.update(block)
            before = base + file.lines
            file.lines += block.count(b"\n") + (not block.endswith(b"\n"))
            yield block, before
            done += len(block)
            if progress is not None:
                progress(done)
        file.digest = digest.hexdigest()
