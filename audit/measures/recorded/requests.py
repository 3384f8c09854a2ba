"""The requests of a log with the facts that measures group by, each worked out once."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from audit.log.calls import Call, GateName, Request
from audit.log.cases import Outcome
from audit.log.cut import damage
from audit.log.eras import Era, Timeline
from audit.measures.recorded.stamps import Calendar, Period, milliseconds

ASKS = frozenset(
    {
        Outcome.APPROVED,
        Outcome.APPROVED_FOR_SESSION,
        Outcome.DENIED,
        Outcome.UNAVAILABLE,
        Outcome.UNANSWERED,
    }
)
"""A person was asked, or would have been had one been there. What a rule, a session rule, an automatic
mode or a program settled is no ask, even where the log has a waiting line for it."""
ANSWERED = frozenset({Outcome.APPROVED, Outcome.APPROVED_FOR_SESSION, Outcome.DENIED})
"""A person said yes or no. Pending is no yes and a time-out is no no."""
SHOWN = ANSWERED | {Outcome.UNANSWERED}
"""A person saw the question, as far as the log can tell."""

UNKNOWN_SURFACE = "unknown"

EXTERNAL_GATES = frozenset({GateName.EXTERNAL_DIRECTORY, GateName.BASH_EXTERNAL_DIRECTORY})
_SURFACES = {
    GateName.SKILL_READ: "skill",
    GateName.SKILL_INPUT: "skill",
    GateName.PATH: "path",
    GateName.BASH_PATH: "path",
    GateName.EXTERNAL_DIRECTORY: "external_directory",
    GateName.BASH_EXTERNAL_DIRECTORY: "external_directory",
    GateName.UNKNOWN: UNKNOWN_SURFACE,
}


class Logged(NamedTuple):
    """One request of one call; a tuple, since a log makes hundreds of thousands."""

    request: Request
    call: Call
    surface: str
    """As logged; before E11, where no line names it, the surface that its gate asks about."""
    moment: int | None
    """Of its first line, in milliseconds since 1970; None where the stamp is no moment."""
    answered_at: int | None
    """Of its last line."""
    period: Period
    era: Era
    """Of its first line."""

    @property
    def outcome(self) -> Outcome:
        """How it ended."""
        return self.request.outcome

    @property
    def is_ask(self) -> bool:
        """Tell whether it was put to a person, or would have been had one been there."""
        return self.request.outcome in ASKS

    @property
    def is_shown(self) -> bool:
        """Tell whether a person saw it: answered, or left open."""
        return self.request.outcome in SHOWN

    @property
    def is_external(self) -> bool:
        """Tell whether it is about paths outside the working directory."""
        return self.request.gate in EXTERNAL_GATES


def logged(calls: Iterable[Call], known: Timeline | None = None) -> tuple[Logged, ...]:
    """Return the requests of all calls.

    `known` says which era was in use when; without it the oldest that could have written a line is taken.
    """
    calendar = Calendar()
    return tuple(_logged(request, call, calendar, known) for call in calls for request in call.requests)


def asks(requests: Iterable[Logged]) -> list[Logged]:
    """Return those that were put to a person, or would have been had one been there."""
    return [one for one in requests if one.is_ask]


def shown(requests: Iterable[Logged]) -> list[Logged]:
    """Return those that a person saw."""
    return [one for one in requests if one.is_shown]


def moments(requests: Iterable[Logged]) -> list[int]:
    """Return the moments of their first lines, rising; requests without one are left out."""
    return sorted(one.moment for one in requests if one.moment is not None)


def percentile(rising: Sequence[int], per_cent: int) -> int | None:
    """Return the smallest value that at least this share of the values does not exceed; None of nothing."""
    if not rising:
        return None
    return rising[max(0, -(-len(rising) * per_cent // 100) - 1)]


def damage_of(text: str, request: Request) -> str | None:
    """Return what the log's writer did to a text of a request; None for a text that is whole."""
    return damage(text, request.bounds & 15)


def _logged(request: Request, call: Call, calendar: Calendar, known: Timeline | None) -> Logged:
    moment = milliseconds(request.time)
    return Logged(
        request,
        call,
        surface=_surface(request),
        moment=moment,
        answered_at=moment if request.asked is None else milliseconds(request.settled),
        period=calendar.period(moment),
        era=_era(request, known),
    )


_ERAS = tuple(Era)


def _era(request: Request, known: Timeline | None) -> Era:
    low, high = request.bounds >> 4, request.bounds & 15
    if low == high or known is None:
        return _ERAS[low]
    return _ERAS[max(low, min(known.states[bisect_right(known.starts, request.time)], high))]


def _surface(request: Request) -> str:
    if request.surface is not None:
        return request.surface
    if request.gate is not GateName.TOOL:
        return _SURFACES[request.gate]
    if request.target is not None:
        return "mcp"
    if request.command is not None:
        return "bash"
    return request.tool or UNKNOWN_SURFACE
