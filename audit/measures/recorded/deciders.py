"""Who settled the requests of a log, forwarding unwrapped (M22)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from audit.log.calls import Decider
from audit.measures.measure import Measure, Share, Unit
from audit.measures.recorded.requests import Logged

MEASURE = Measure(
    "deciders",
    1,
    "requests of the log that were settled; those left open stand beside them",
    "number by who or what settled them, over all settled; a forwarded ask counts for who answered it in the "
    "end",
)


@dataclass(frozen=True, slots=True)
class DeciderShare:
    """What one kind of decider settled."""

    decider: Decider
    share: Share
    forwarded: int
    """Of these, asked in another session."""
    months: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Deciders:
    """The shares add up to all settled requests."""

    measure: Measure
    settled: int
    open: int
    deciders: tuple[DeciderShare, ...]
    links: Mapping[str, int]
    """What each link of the authorizer chain settled, by its name; adds up to the share of links."""


UNNAMED_LINK = "(no name)"


def deciders(requests: Sequence[Logged]) -> Deciders:
    """Count settled requests by who settled them."""
    settled = [one for one in requests if one.request.decider is not Decider.OPEN]
    found: dict[Decider, list[Logged]] = {decider: [] for decider in Decider}
    for one in settled:
        found[one.request.decider].append(one)
    links = Counter(one.request.link or UNNAMED_LINK for one in found[Decider.LINK])
    return Deciders(
        measure=MEASURE,
        settled=len(settled),
        open=len(requests) - len(settled),
        deciders=tuple(
            DeciderShare(
                decider,
                Share(len(these), len(settled), Unit.REQUEST),
                sum(one.request.forwarded is not None for one in these),
                dict(sorted(Counter(one.period.month for one in these).items())),
            )
            for decider, these in found.items()
            if these
        ),
        links=dict(sorted(links.items())),
    )
