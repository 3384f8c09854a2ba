"""A child process at two pipes: lines out, lines in, what it says on standard error kept to a stated size."""

from __future__ import annotations

import queue
import subprocess
import tempfile
import threading
import weakref
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import BinaryIO

LONGEST_LINE = 64 << 20
"""Bytes of one line; an engine that writes a longer one has broken the protocol."""
KEPT_ERRORS = 4096
"""Bytes of standard error that are kept, the last ones."""
SECONDS_TO_LEAVE = 2.0


class Ended(Exception):
    """The process writes no more lines."""


@dataclass(frozen=True, slots=True)
class Launch:
    """How a process is started; never by a shell."""

    words: tuple[str, ...]
    environment: Mapping[str, str] | None = None
    """None: that of this process."""
    folder: str | None = None
    """Where it runs; None: the folder of temporary files."""


class Pipes:
    """One running process. Threads of its own write and read, so that no full pipe stops both sides."""

    def __init__(self, launch: Launch) -> None:
        """Start the process; raise `OSError`."""
        self._process = subprocess.Popen(
            launch.words,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=launch.environment,
            cwd=launch.folder or tempfile.gettempdir(),
            start_new_session=True,
        )
        process = self._process
        assert process.stdin is not None  # noqa: S101 - asked for above
        assert process.stdout is not None  # noqa: S101
        assert process.stderr is not None  # noqa: S101
        self._lines: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._requests: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        self._errors = bytearray()
        threads = (
            threading.Thread(target=_write, args=(process.stdin, self._requests), daemon=True),
            threading.Thread(target=_read, args=(process.stdout, self._lines), daemon=True),
            threading.Thread(target=_keep, args=(process.stderr, self._errors), daemon=True),
        )
        for thread in threads:
            thread.start()
        self._hears = threads[2]
        self._finalizer = weakref.finalize(self, _end, process, self._requests)

    def send(self, line: str) -> None:
        """Hand over a line; it is written when the process takes it."""
        self._requests.put(line)

    def line(self, seconds: float) -> bytes:
        """Return the next line; raise `Ended`, or `TimeoutError` after so many seconds without one."""
        try:
            line = self._lines.get(timeout=seconds)
        except queue.Empty:
            raise TimeoutError from None
        if line is None:
            raise Ended
        return line

    def said(self) -> str:
        """Return how the process ended, and the end of what it said on standard error."""
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(SECONDS_TO_LEAVE)
        self._hears.join(SECONDS_TO_LEAVE)
        code = self._process.returncode
        ended = "is still running" if code is None else f"ended with code {code}"
        words = self._errors.decode("utf-8", "replace").strip()
        return f"{ended}: {words}" if words else ended

    def close(self) -> None:
        """End the process."""
        self._finalizer()


def _end(process: subprocess.Popen[bytes], requests: queue.SimpleQueue[str | None]) -> None:
    requests.put(None)
    if process.poll() is None:
        process.kill()
    process.wait()


def _write(stream: BinaryIO, requests: queue.SimpleQueue[str | None]) -> None:
    with suppress(OSError), stream:
        while (line := requests.get()) is not None:
            stream.write(line.encode("ascii") + b"\n")
            if requests.empty():
                stream.flush()


def _read(stream: BinaryIO, lines: queue.SimpleQueue[bytes | None]) -> None:
    with stream:
        while line := stream.readline(LONGEST_LINE):
            lines.put(line)
    lines.put(None)


def _keep(stream: BinaryIO, errors: bytearray) -> None:
    with stream:
        while piece := stream.read1(KEPT_ERRORS):  # type: ignore[attr-defined]
            errors += piece
            del errors[:-KEPT_ERRORS]
