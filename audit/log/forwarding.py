"""Forwarded asks: a child's ask and its parent's lines are one request (review-log.md 10.4 and 11).

The child's pair counts. The lines of the serving session are transport, unless the child wrote to another
log: then they are all there is, and count.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping

import msgspec
import polars as pl
from msgspec.structs import replace

from audit.log.asks import PERM
from audit.log.calls import Decider, GateName, Request
from audit.log.cases import Outcome
from audit.log.gates import SERVING_ALLOWED, SERVING_DENIED, Kind, ending
from audit.log.gather import Gathered
from audit.log.part import ForwardLine
from audit.log.rows import BY_REQUEST
from audit.log.store.texts import to_utf8

TWIN = "transport: forwarded twin"

Spot = tuple[str, int]
"""A call's key and the index of one of its requests."""


class Traffic(msgspec.Struct):
    """All forwarding lines of one forwarded ask, by event."""

    created: ForwardLine | None = None
    events: dict[str, ForwardLine] = {}


def settle_forwarded(log: Gathered) -> int:
    """Make one request of each forwarded ask; return how many lines turned out to be twins."""
    if not log.forwards:
        return _merge_twins(
            log.calls, {key for key, many in log.calls.items() if len(many) > 1 and many[1].served}
        )
    traffic = _traffic(log.forwards)
    _take_out(log, traffic)
    served = _served(log.calls, traffic)
    children = _children(log.calls, traffic, served)
    twins = 0
    gone: set[Spot] = set()
    for forwarded, spot in children.items():
        others = [other for other in served.get(forwarded, ()) if other != spot]
        gone.update(others)
        lines = tuple(line for key, index in others for line in log.calls[key][index].lines)
        twins += len(lines)
        key, index = spot
        log.calls[key][index] = _answered(log.calls[key][index], forwarded, traffic[forwarded], lines)
    _drop(log.calls, gone)
    _count_bare_traffic(log, traffic, children, served)
    return twins


def _take_out(log: Gathered, traffic: Mapping[str, Traffic]) -> None:
    """Take out the rows that may be one side of a forwarded ask: those with its id, and those open then."""
    log.take_out(pl.col("id").is_in(list(map(to_utf8, traffic))))
    created = [
        about.created
        for forwarded, about in traffic.items()
        if about.created and not forwarded.startswith(PERM)
    ]
    if not created:
        return
    written = pl.DataFrame(
        [(to_utf8(line.agent or _NO_AGENT), line.at) for line in created],
        {"by": pl.String, "at": pl.String},
        orient="row",
    ).with_columns(next=pl.col("at"))
    asks = log.rows.left(
        "key",
        "settled",
        pl.col("agent").cast(pl.String).fill_null(_NO_AGENT).alias("by"),
        pl.col("asked").alias("at"),
    )
    following = (
        asks.drop_nulls("at")
        .sort("at")
        .join_asof(written.sort("at"), on="at", by="by", strategy="forward", check_sortedness=False)
    )
    was_open = pl.col("next").is_not_null() & (
        pl.col("settled").is_null() | (pl.col("settled") >= pl.col("next"))
    )
    log.take_out(pl.col("key").is_in(following.filter(was_open)["key"].implode()))


def _merge_twins(calls: dict[str, list[Request]], keys: Iterable[str]) -> int:
    """Without traffic: of a child's and a parent's request with one id of its own, the child's counts."""
    twins = 0
    gone: set[Spot] = set()
    for key in keys:
        own = {request.id for request in calls[key] if not request.served}
        for index, request in enumerate(calls[key]):
            if (
                request.served
                and request.id in own
                and request.id is not None
                and request.id.startswith(PERM)
            ):
                gone.add((key, index))
                twins += len(request.lines)
    _drop(calls, gone)
    return twins


def _traffic(lines: Iterable[ForwardLine]) -> dict[str, Traffic]:
    traffic: dict[str, Traffic] = {}
    for line in sorted(lines, key=lambda line: (line.at, line.pos)):
        about = traffic.setdefault(line.id, Traffic())
        about.events.setdefault(line.event, line)
        if line.event == "request_created" and about.created is None:
            about.created = line
    return traffic


def _served(calls: dict[str, list[Request]], traffic: dict[str, Traffic]) -> dict[str, list[Spot]]:
    """Return the requests that carry a forwarded id, by that id."""
    found: dict[str, list[Spot]] = {}
    for key, requests in calls.items():
        for index, request in enumerate(requests):
            if request.id is not None and request.id in traffic:
                found.setdefault(request.id, []).append((key, index))
    return found


def _children(
    calls: dict[str, list[Request]], traffic: dict[str, Traffic], served: dict[str, list[Spot]]
) -> dict[str, Spot]:
    """Return the child's own request of each forwarded ask whose child is in the log."""
    children: dict[str, Spot] = {}
    by_time: list[tuple[str, ForwardLine]] = []
    for forwarded, about in traffic.items():
        if forwarded.startswith(PERM):
            own = [(key, index) for key, index in served.get(forwarded, ()) if not calls[key][index].served]
            if own:
                children[forwarded] = own[0]
            continue
        if about.created is not None:
            by_time.append((forwarded, about.created))
    if by_time:
        asks = _asks_by_agent(calls, traffic, {created.agent for _, created in by_time})
        taken: set[Spot] = set()
        for forwarded, created in sorted(by_time, key=lambda item: (item[1].at, item[1].pos)):
            wanted = {calls[key][index].child for key, index in served.get(forwarded, ())} - {0}
            spot = _open_before(calls, asks.get(created.agent, []), created, wanted, taken)
            if spot is not None:
                taken.add(spot)
                children[forwarded] = spot
    return children


def _asks_by_agent(
    calls: dict[str, list[Request]], traffic: dict[str, Traffic], agents: set[str | None]
) -> dict[str | None, list[tuple[str, int, Spot]]]:
    """Return the asks of children, in order of time, by agent."""
    asks: dict[str | None, list[tuple[str, int, Spot]]] = {}
    for key, requests in calls.items():
        if key.startswith(BY_REQUEST):
            continue
        for index, request in enumerate(requests):
            if request.asked is not None and request.agent in agents and request.id not in traffic:
                asks.setdefault(request.agent, []).append((request.asked, request.lines[0], (key, index)))
    for of_agent in asks.values():
        of_agent.sort()
    return asks


_NO_AGENT = "\0"
_WINDOW = 64
"""How many asks of one agent may have opened between a child's ask and its forwarding."""


def _open_before(
    calls: dict[str, list[Request]],
    asks: list[tuple[str, int, Spot]],
    created: ForwardLine,
    wanted: set[int],
    taken: set[Spot],
) -> Spot | None:
    """Return the ask that was open when its forwarding was written, the latest one first."""
    end = bisect_left(asks, (created.at, created.pos, ("", 0)))
    for _, _, spot in reversed(asks[max(0, end - _WINDOW) : end]):
        request = calls[spot[0]][spot[1]]
        still_open = request.settled is None or request.settled >= created.at
        if spot not in taken and still_open and (not wanted or request.message in wanted):
            return spot
    return None


def _answered(request: Request, forwarded: str, about: Traffic, twins: tuple[int, ...]) -> Request:
    """Return the child's request with what the traffic tells about its answer."""
    outcome, decider = request.outcome, request.decider
    if decider is Decider.PERSON:
        events = about.events
        if outcome is Outcome.DENIED and "response_timed_out" in events and "response_received" not in events:
            outcome, decider = Outcome.UNAVAILABLE, Decider.NOBODY
        elif outcome is Outcome.APPROVED and "auto_approved" in events:
            outcome, decider = SERVING_ALLOWED.outcome, SERVING_ALLOWED.decider
        elif outcome is Outcome.DENIED and "auto_denied" in events:
            outcome, decider = SERVING_DENIED.outcome, SERVING_DENIED.decider
    return replace(request, outcome=outcome, decider=decider, forwarded=forwarded, twins=twins)


def _drop(calls: dict[str, list[Request]], gone: set[Spot]) -> None:
    for key in {key for key, _ in gone}:
        left = [request for index, request in enumerate(calls[key]) if (key, index) not in gone]
        if left:
            calls[key] = left
        else:
            del calls[key]


def _count_bare_traffic(
    log: Gathered, traffic: dict[str, Traffic], children: dict[str, Spot], served: dict[str, list[Spot]]
) -> None:
    """Count asks of which only a parent's transport is left (before 20.2.0 it wrote no prompt entries)."""
    counted: set[int] = set()
    for forwarded, about in traffic.items():
        if forwarded in children or forwarded in served or about.created is not None:
            continue
        lines = list(_parent_lines(about))
        if lines:
            log.calls[BY_REQUEST + forwarded] = [_bare(forwarded, lines)]
            counted.update(line.pos for line in lines)
    if counted:
        log.others = [line for line in log.others if line.pos not in counted]


def _parent_lines(about: Traffic) -> Iterator[ForwardLine]:
    """Yield the line that opened an ask on the parent and the one that settled it."""
    for names in (("prompted",), ("approved", "denied", "auto_approved", "auto_denied")):
        for name in names:
            if name in about.events:
                yield about.events[name]
                break


def _bare(forwarded: str, lines: list[ForwardLine]) -> Request:
    """Return a request of which nothing but its transport is known."""
    last = lines[-1]
    asked = lines[0].at if lines[0].event == "prompted" else None
    outcome, decider = Outcome.UNANSWERED, Decider.OPEN
    if last.event == "auto_approved":
        outcome, decider = SERVING_ALLOWED.outcome, SERVING_ALLOWED.decider
    elif last.event == "auto_denied":
        outcome, decider = SERVING_DENIED.outcome, SERVING_DENIED.decider
    elif last.event != "prompted":
        end = ending(Kind.APPROVED if last.event == "approved" else Kind.DENIED, last.resolution, None)
        outcome, decider = end.outcome, end.decider
    return Request(
        gate=GateName.UNKNOWN,
        outcome=outcome,
        decider=decider,
        asked=asked,
        settled=last.at if last.event != "prompted" else None,
        resolution=last.resolution,
        reason=last.reason,
        link=None,
        tool=None,
        agent=lines[0].agent,
        surface=None,
        pattern=None,
        session_pattern=None,
        context=None,
        command=None,
        full=None,
        path=None,
        target=None,
        skill=None,
        preview=None,
        paths=(),
        cwd=None,
        bypass=False,
        by_era=False,
        id=forwarded,
        forwarded=forwarded,
        message=0,
        served=True,
        child=0,
        bounds=lines[0].bounds,
        answer_bounds=last.bounds if len(lines) > 1 else -1,
        twins=(),
        lines=tuple(line.pos for line in lines),
    )
