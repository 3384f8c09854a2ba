"""Eras of the log's schema, told from the data (review-log.md 2.1).

A line by itself gives two bounds: the oldest era that writes such a line and the newest. Between them a
state decides: the newest feature that any line showed up to that moment. Features only get added, so the
state never falls; where two releases share one agent directory the bounds keep the older lines apart.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import IntEnum

import msgspec


class Era(IntEnum):
    """The eras of section 2, oldest first."""

    E0 = 0
    E1 = 1
    E2 = 2
    E3 = 3
    E4 = 4
    E5 = 5
    E6 = 6
    E7 = 7
    E8 = 8
    E9 = 9
    E10 = 10
    E11 = 11
    E12 = 12


class Feature(IntEnum):
    """A step inside an era that decides how a line is read; in order of release, numbered after the eras."""

    BLOCKED_MESSAGE = 13
    """3.3.0: `blocked` lines of external gates carry a message, so that one without is a path gate's."""
    FULL_COMMAND = 14
    """10.7.1: the sentence of the tool gate names the whole command where it is not the unit."""


MARKS = len(Era) + len(Feature)
NEVER = "~"
"""Sorts after every moment."""

PATH_GATE_DAY = "2026-05-05"
"""From this day on, a log that shows no feature is taken to be of a release with path gates."""

SENTINELS: Mapping[str, Era] = {
    "<unparseable-bash-command>": Era.E6,
    "<opaque-bash-wrapper>": Era.E6,
    "<indirection-bash-wrapper>": Era.E8,
}

EVENT_BOUNDS: Mapping[str, tuple[Era, Era]] = {
    "project_trust.skipped": (Era.E9, Era.E12),
    "authorizer_chain_unregistered_link": (Era.E9, Era.E12),
    "authorizer_chain_resolved": (Era.E9, Era.E12),
    "authorizer_chain_delegated": (Era.E9, Era.E12),
    "authorizer_link_vacant": (Era.E12, Era.E12),
    "child_node_absent": (Era.E12, Era.E12),
    "permission_request.rpc_prompt": (Era.E4, Era.E7),
    "permission_request.infrastructure_auto_allowed": (Era.E3, Era.E12),
    "forwarded_permission.no_serving_session": (Era.E9, Era.E12),
    "forwarded_permission.auto_denied": (Era.E8, Era.E12),
    "forwarded_permission.session_recorded": (Era.E8, Era.E12),
    "lifecycle.reload": (Era.E1, Era.E12),
    "permission.decision": (Era.E6, Era.E12),
    "permission.session_summary": (Era.E6, Era.E12),
}
"""The bounds that the event alone gives."""


class Marks:
    """When each era, and each feature inside one, was first seen."""

    def __init__(self) -> None:
        self.first: list[str] = [NEVER] * MARKS

    def saw(self, mark: int, moment: str) -> None:
        """Note that a line of this moment shows this era or feature."""
        self.first[mark] = min(self.first[mark], moment)

    def merge(self, other: Sequence[str]) -> None:
        """Take over what another part of the log showed."""
        for mark, moment in enumerate(other):
            self.saw(mark, moment)


class Timeline(msgspec.Struct, frozen=True):
    """The state machine over a whole log: which era and which features were in use at a moment."""

    starts: list[str]
    states: list[Era]
    """The state from each start on; `states` has one more, for before the first."""
    first: list[str]

    def between(self, seen: int, low: int, high: int) -> Era:
        """Return the era of a line with these bounds, after so many starts."""
        return Era(max(low, min(self.states[seen], high)))

    def since(self, feature: Feature) -> str:
        """Return the moment from which on a feature, or a later era, had been seen, or `NEVER`."""
        era = Era.E4 if feature is Feature.BLOCKED_MESSAGE else Era.E6
        later = (start for start, state in zip(self.starts, self.states[1:], strict=True) if state >= era)
        return min(self.first[feature], next(later, NEVER))

    def has(self, feature: Feature, moment: str) -> bool:
        """Tell whether a feature had been seen by then, or a later era."""
        return self.since(feature) <= moment

    def plain_block_is_path(self, moment: str) -> bool:
        """Tell whether a `blocked` line with a path and no message is a path gate's (section 9)."""
        if self.has(Feature.BLOCKED_MESSAGE, moment):
            return True
        return moment >= PATH_GATE_DAY


def timeline(first: Sequence[str]) -> Timeline:
    """Return the state machine for the moments at which marks were first seen."""
    starts: list[str] = []
    states = [Era.E0]
    for moment, era in sorted(
        (moment, era) for era, moment in enumerate(first[: len(Era)]) if moment != NEVER
    ):
        if era > states[-1]:
            starts.append(moment)
            states.append(Era(era))
    return Timeline(starts, states, list(first))
