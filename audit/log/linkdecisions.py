"""Decisions of the authorizer chain that third parties logged: who decided in the end (review-log.md 14).

A link's decision settles a request where it lies between the ask and the answer and says what the answer
says. From E12 on `decidedBy` says it and nothing is inferred. A link's allow never counts on the path and
external families: the chain turns it into defer.
"""

from __future__ import annotations

from collections.abc import Iterable

import polars as pl
from msgspec.structs import replace

from audit.log.asks import E12_ONLY, PERM
from audit.log.calls import Decider, GateName, Request
from audit.log.cases import Outcome
from audit.log.gather import Gathered
from audit.log.part import LinkLine
from audit.log.store.texts import to_utf8

_NEVER_ALLOWED = frozenset(
    {
        GateName.PATH,
        GateName.BASH_PATH,
        GateName.EXTERNAL_DIRECTORY,
        GateName.BASH_EXTERNAL_DIRECTORY,
    }
)


def credit_links(log: Gathered) -> None:
    """Name the link as the decider of each request that one settled."""
    verdicts = [line for line in log.links if line.verdict in {"allow", "deny"}]
    if not verdicts:
        return
    ids = [to_utf8(line.request) for line in verdicts if line.request]
    commands = [to_utf8(line.command) for line in verdicts if not line.request and line.command]
    log.take_out(pl.col("id").is_in(ids) | pl.col("key").is_in(ids) | pl.col("command").is_in(commands))
    calls = log.calls
    by_id, by_command = _asked(calls, verdicts)
    for line in sorted(verdicts, key=lambda line: (line.at, line.pos)):
        spots = by_id.get(line.request, ()) if line.request else by_command.get(line.command, ())
        for key, index in spots:
            credited = _credited(calls[key][index], line)
            if credited is not None:
                calls[key][index] = credited
                break


def _asked(
    calls: dict[str, list[Request]], lines: Iterable[LinkLine]
) -> tuple[dict[str | None, list[tuple[str, int]]], dict[str | None, list[tuple[str, int]]]]:
    """Return the asks that the lines may be about, by request id and by command."""
    ids = {line.request for line in lines if line.request}
    commands = {line.command for line in lines if not line.request and line.command}
    perms = {request for request in ids if request.startswith(PERM)}
    by_id: dict[str | None, list[tuple[str, int]]] = {
        request: [(request, index) for index in range(len(calls[request]))]
        for request in ids - perms
        if request in calls
    }
    by_command: dict[str | None, list[tuple[str, int]]] = {}
    if perms or commands:
        for key, requests in calls.items():
            for index, request in enumerate(requests):
                if request.id in perms:
                    by_id.setdefault(request.id, []).append((key, index))
                if request.command in commands:
                    by_command.setdefault(request.command, []).append((key, index))
    return by_id, by_command


def _credited(request: Request, line: LinkLine) -> Request | None:
    """Return the request as settled by the link; None where it was not."""
    if request.asked is None or request.settled is None or request.answer_bounds == E12_ONLY:
        return None
    if not request.asked <= line.at <= request.settled or request.decider is not Decider.PERSON:
        return None
    if line.verdict == "allow" and request.outcome is Outcome.APPROVED:
        if request.gate in _NEVER_ALLOWED:
            return None
        return replace(request, outcome=Outcome.LINK_ALLOWED, decider=Decider.LINK, link=line.event)
    if line.verdict == "deny" and request.outcome is Outcome.DENIED:
        return replace(request, outcome=Outcome.LINK_DENIED, decider=Decider.LINK, link=line.event)
    return None
