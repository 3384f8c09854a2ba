"""How an ingest folder is known, and that its files are what was written."""

from __future__ import annotations

from hashlib import file_digest
from pathlib import Path

from audit.log.store.manifest import is_manifest

MANIFEST = "manifest.json"


def is_ingest_folder(path: Path) -> bool:
    """Tell whether a path is a folder that ingest made, of any version, sound or not."""
    try:
        return is_manifest((path / MANIFEST).read_text("utf-8", "replace"))
    except OSError:
        return False


def digest_of(file: Path) -> str:
    """Return the SHA-256 of a file, in hexadecimal digits."""
    with file.open("rb") as stream:
        return file_digest(stream, "sha256").hexdigest()
