"""Names of inputs without the folders of the machine they were read on."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import PurePath

from audit.log.cases import LogReading


def without_folders(reading: LogReading) -> LogReading:
    """Return a reading whose inputs are named by no more of their paths than tells them apart."""
    names = short_names(file.name for file in reading.files)
    return replace(
        reading,
        files=tuple(replace(file, name=names[file.name]) for file in reading.files),
        rejects=tuple(
            replace(reject, file=names.get(reject.file, reject.file)) for reject in reading.rejects
        ),
    )


def short_names(names: Iterable[str]) -> dict[str, str]:
    """Return for each path the shortest tail that no other path ends in."""
    parts = {name: PurePath(name).parts for name in names}
    short: dict[str, str] = {}
    for name, own in parts.items():
        others = [other for other in parts.values() if other != own]
        size = 1
        while size < len(own) and any(other[-size:] == own[-size:] for other in others):
            size += 1
        short[name] = "/".join(own[-size:]).replace("//", "/") if own else name
    return short
