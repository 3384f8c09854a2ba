"""The file system: logs by path, glob or standard input; results written whole or not at all."""

from __future__ import annotations

import glob
import gzip
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from io import BufferedReader
from pathlib import Path
from typing import BinaryIO, cast

from audit.errors import (
    BinaryLog,
    DocumentError,
    EmptyLog,
    LogError,
    LogIsDirectory,
    MissingLog,
    Mistake,
    OutputError,
)
from audit.log.source import LogSource

STANDARD_INPUT = "-"
GZIP_MAGIC = b"\x1f\x8b"
PROBE = 1 << 16
"""Bytes looked at to tell text from anything else."""


def open_logs(patterns: Sequence[str]) -> list[LogSource]:
    """Return the sources that paths, glob patterns or `-` name, each file once, in the order given.

    Raises `MissingLog`, `LogIsDirectory`, `BinaryLog`, or `EmptyLog` where all of them are empty.
    """
    paths: dict[str, None] = {}
    for pattern in patterns:
        paths.update(dict.fromkeys(_matching(pattern)))
    sources = [_standard_input() if path == STANDARD_INPUT else _file(Path(path)) for path in paths]
    if all(source.size == 0 for source in sources):
        raise EmptyLog(f"`{', '.join(paths)}` is empty", "there is nothing to read in it")
    return sources


def open_transcripts(patterns: Sequence[str]) -> list[LogSource]:
    """Return the sources that paths, folders or glob patterns name; of a folder, every `.jsonl` below it.

    Raises as `open_logs` does.
    """
    expanded: list[str] = []
    for pattern in patterns:
        path = Path(pattern)
        if path.is_dir():
            inside = sorted(str(file) for ending in ("*.jsonl", "*.jsonl.gz") for file in path.rglob(ending))
            if not inside:
                raise MissingLog(f"there is no `.jsonl` file below `{pattern}`", "give a folder of sessions")
            expanded += inside
        else:
            expanded.append(pattern)
    return open_logs(expanded)


def _matching(pattern: str) -> list[str]:
    if pattern == STANDARD_INPUT or Path(pattern).exists():
        return [pattern]
    found = sorted(glob.glob(pattern, recursive=True))  # noqa: PTH207 - patterns may be absolute
    if not found:
        what = "no file matches" if glob.has_magic(pattern) else "there is no file"
        raise MissingLog(f"{what} `{pattern}`", "give the path of a review log, a glob pattern, or `-`")
    return found


def _standard_input() -> LogSource:
    def opened() -> BinaryIO:
        stream = cast("BufferedReader", sys.stdin.buffer)
        packed = stream.peek(len(GZIP_MAGIC))[: len(GZIP_MAGIC)] == GZIP_MAGIC
        return cast("BinaryIO", gzip.open(stream, "rb")) if packed else stream

    return LogSource("standard input", opened)


def _file(path: Path) -> LogSource:
    if path.is_dir():
        raise LogIsDirectory(f"`{path}` is a folder", "give the files in it, for one as `FOLDER/*.jsonl`")
    try:
        with path.open("rb") as stream:
            packed = stream.read(2) == GZIP_MAGIC
        with _open(path, packed=packed) as stream:
            start = stream.read(PROBE)
        size = path.stat().st_size if start else 0
    except (OSError, EOFError) as error:
        raise LogError(f"`{path}` cannot be read: {error}") from None
    if start and not _looks_like_text(start):
        raise BinaryLog(f"`{path}` is not text", "a review log has one JSON object a line")
    return LogSource(str(path), lambda: _open(path, packed=packed), None if packed and size else size)


def _open(path: Path, *, packed: bool) -> BinaryIO:
    return cast("BinaryIO", gzip.open(path, "rb")) if packed else path.open("rb")


def _looks_like_text(start: bytes) -> bool:
    """Tell text from the rest; one damaged line does not make a log binary."""
    if b"\0" not in start:
        return True
    return any(line.startswith(b"{") for line in start.split(b"\n"))


def read_git_file(folder: Path, revision: str, name: str) -> str:
    """Return a file beside `folder` as it was at a revision of its repository; raise `DocumentError`."""
    words = ["git", "-C", str(folder), "show", f"{revision}:./{name}"]
    try:
        shown = subprocess.run(words, capture_output=True, check=False)
    except FileNotFoundError:
        found = "git is not installed"
    else:
        if shown.returncode == 0:
            return shown.stdout.decode("utf-8", "replace")
        found = shown.stderr.decode("utf-8", "replace").strip().removeprefix("fatal: ")
    raise DocumentError([Mistake(f"{name}@{revision}", "(document)", found, "a file at a known revision")])


def write_atomically(path: Path, text: str) -> None:
    """Write a file whole or not at all, whatever interrupts; raise `OutputError`.

    A link is followed; a device or pipe is written to as it is.
    """
    written = text.encode("utf-8", "surrogatepass")
    if path.exists() and not path.is_file():
        with _told(path):
            path.write_bytes(written)
        return
    with whole_file(path) as part, part.open("wb") as stream:
        stream.write(written)


@contextmanager
def whole_file(path: Path) -> Iterator[Path]:
    """Give a name to write to that becomes `path` once all is written; raise `OutputError`.

    A link is followed. Whatever interrupts, `path` stays as it was.
    """
    path = path.resolve() if path.is_symlink() else path
    with _told(path):
        handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=".part")
        os.close(handle)
        part = Path(temporary)
        try:
            yield part
            with part.open("rb") as stream:
                os.fsync(stream.fileno())
            _take_permissions(part, path)
            part.replace(path)
        finally:
            with suppress(OSError):
                part.unlink()


@contextmanager
def _told(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise OutputError(f"`{path}` cannot be written: {error.strerror or error}") from None


def _take_permissions(temporary: Path, path: Path) -> None:
    """Give the new file the mode of the one it replaces, or that of any new file."""
    if path.exists():
        temporary.chmod(path.stat().st_mode & 0o777)
        return
    mask = os.umask(0)
    os.umask(mask)
    temporary.chmod(0o666 & ~mask)
