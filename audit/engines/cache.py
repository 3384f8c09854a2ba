"""Where engines that are made ready are kept: a folder of the user's cache, one entry for each digest."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from audit.errors import EngineError


def cached(kind: str, digest: str, fill: Callable[[Path], None]) -> Path:
    """Return the folder of an entry, which `fill` makes if it is not there; raise `EngineError`.

    An entry appears whole or not at all, and is never changed afterwards.
    """
    folder = _home() / kind / digest
    if folder.is_dir():
        return folder
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        temporary = Path(tempfile.mkdtemp(prefix=f".{digest[:12]}.", dir=folder.parent))
    except OSError as error:
        raise EngineError(f"`{folder.parent}` cannot be written: {error.strerror}") from None
    try:
        fill(temporary)
        with suppress(OSError):  # another process was quicker
            temporary.rename(folder)
    except OSError as error:
        raise EngineError(f"`{temporary}` cannot be written: {error.strerror}") from None
    finally:
        shutil.rmtree(temporary, ignore_errors=True)
    return folder


def _home() -> Path:
    given = os.environ.get("XDG_CACHE_HOME")
    return (Path(given) if given else Path.home() / ".cache") / "permission-audit"
