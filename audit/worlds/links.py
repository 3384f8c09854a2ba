"""Where recorded links lead in the end, as the host would find it."""

from __future__ import annotations

from collections.abc import Mapping

from audit.core.place import Platform

MAX_ROUNDS = 40
"""Links that a host follows before it gives a path up."""
_LONG_PREFIX = "\\\\?\\"


def resolved_links(targets: Mapping[str, str], platform: Platform) -> tuple[tuple[str, str], ...]:
    """Return each link with the path it resolves to, in order; a link that leads in a circle is left out.

    `targets`: what each link says, by its path, whose folder is free of links.
    """
    separator = "\\" if platform is Platform.WIN32 else "/"
    found = ((path, _followed(path, targets, separator)) for path in sorted(targets))
    return tuple((path, target) for path, target in found if target is not None)


def _followed(path: str, targets: Mapping[str, str], separator: str) -> str | None:
    here, _, name = path.rpartition(separator)
    waiting = [name]
    rounds = 0
    while waiting:
        part = waiting.pop()
        if part in {"", "."}:
            continue
        if part == "..":
            here = here.rpartition(separator)[0] or here.partition(separator)[0]
            continue
        step = f"{here}{separator}{part}"
        target = targets.get(step)
        if target is None:
            here = step
            continue
        rounds += 1
        if rounds > MAX_ROUNDS:
            return None
        if separator == "\\":
            target = target.removeprefix(_LONG_PREFIX).replace("/", separator)
        if target.startswith(separator):
            here = here.partition(separator)[0]
        elif separator == "\\" and target[1:2] == ":":
            here, target = target[:2], target[2:]
        waiting += reversed(target.split(separator))
    return here if separator in here else here + separator
