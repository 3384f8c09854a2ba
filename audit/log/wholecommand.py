"""The whole command of a shell call, from any of its lines (review-log.md 13)."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import msgspec

from audit.log.calls import GateName, Request
from audit.log.eras import Feature, Timeline


class Command(msgspec.Struct, frozen=True, gc=False):
    """A command, and whether it is all that the agent wanted run."""

    text: str
    whole: bool
    newest: int
    """The newest era that may have written it."""


def whole_command(
    requests: Sequence[Request], eras: Timeline, named_whole: Collection[str]
) -> Command | None:
    """Return the whole command of a call, else the unit that its tool gate logged; None without either.

    `named_whole` are the tools whose sentences named a whole command somewhere: for a shell tool other than
    `bash` that shows that its argument is called `command`, without which sentences never name it.
    """
    unit: Request | None = None
    for request in requests:
        if request.full is not None:
            return Command(request.full, True, request.bounds & 15)
        if request.command is not None and (unit is None or request.gate is GateName.TOOL):
            unit = request
    if unit is None or unit.command is None:
        return None
    return Command(unit.command, unit_is_whole(unit, eras, named_whole), unit.bounds & 15)


FIRST_UNIT_DAY = "2026-06-01"
"""The day of 9.0.1, since which the tool gate logs the worst unit."""


def unit_is_whole(request: Request, eras: Timeline, named_whole: Collection[str]) -> bool:
    """Tell whether a command at the tool gate without a whole one beside it is the whole one.

    Before 9.0.1 it always is. Features bound an era from below only, so the day has to prove that.
    """
    if request.gate is not GateName.TOOL or request.time < FIRST_UNIT_DAY:
        return True
    if not request.message or (request.tool not in {None, "bash"} and request.tool not in named_whole):
        return False
    return eras.has(Feature.FULL_COMMAND, request.time)
