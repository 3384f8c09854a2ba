"""Where the bytes of a log come from. Opening files is not this layer's affair; a source only says how."""

from __future__ import annotations

import io
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import BinaryIO

from audit.errors import LogError

BLOCK = 1 << 22
"""Bytes read at a time."""


@dataclass(frozen=True, slots=True)
class LogSource:
    """A name for messages and reports, and how to open the stream of its (uncompressed) bytes once."""

    name: str
    open: Callable[[], BinaryIO]
    size: int | None = None
    """Bytes to expect, for progress; None where nobody knows, as for a pipe."""


def source_of(name: str, data: bytes) -> LogSource:
    """Return a source over bytes in memory."""
    return LogSource(name, lambda: io.BytesIO(data), len(data))


def blocks_of(stream: BinaryIO) -> Iterator[bytes]:
    """Yield the stream in blocks that end at the end of a line, the last one perhaps within one."""
    rest = b""
    while True:
        block = stream.read(BLOCK)
        if not block:
            break
        end = block.rfind(b"\n") + 1
        if end:
            yield rest + block[:end]
            rest = block[end:]
        else:
            rest += block
    if rest:
        yield rest


def blocks_in(source: LogSource) -> Iterator[bytes]:
    """Yield the blocks of a source; raise `LogError` where it cannot be read to its end."""
    try:
        with source.open() as stream:
            yield from blocks_of(stream)
    except (OSError, EOFError, zlib.error) as error:
        raise LogError(f"`{source.name}` cannot be read to its end: {error}") from None


def lines_of(block: bytes) -> list[bytes]:
    """Return the lines of a block."""
    lines = block.split(b"\n")
    if not lines[-1]:
        lines.pop()
    return lines
