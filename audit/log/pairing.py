"""Join the lines of one call: each answer with the oldest open ask that it can be the answer to (10).

Asks and answers are matched by request id and sentence; from E10 on, where the id is one ask's own, by
the id alone. The order is that of time, so it does not matter which file a line came from.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

import msgspec

from audit.log.asks import PERM
from audit.log.calls import Decider, GateName, Request
from audit.log.cases import Outcome
from audit.log.cut import MARK
from audit.log.part import Answer

Key = tuple[str | None, int]


class Joined(msgspec.Struct):
    """The lines of one key, joined."""

    requests: list[Request]
    answers: list[Answer]
    """Answers to no ask: orphans, unless another part has the ask."""
    copies: list[int]
    """Positions of lines that say what another line says."""


def pair(ask: Request, answer: Answer) -> Request:
    """Return an ask together with its answer."""
    return msgspec.structs.replace(
        ask,
        outcome=answer.outcome,
        decider=answer.decider,
        settled=answer.at,
        resolution=answer.resolution,
        reason=answer.reason,
        link=answer.link,
        answer_bounds=answer.bounds,
        lines=(*ask.lines, answer.pos),
    )


def unpair(request: Request) -> tuple[Request, Answer | None]:
    """Take an answered ask apart again; anything else comes back as it is."""
    if request.asked is None or request.settled is None:
        return request, None
    answer = Answer(
        request.settled,
        request.id,
        request.message,
        request.resolution,
        request.reason,
        request.outcome,
        request.decider,
        request.link,
        request.served,
        request.answer_bounds,
        request.lines[1],
    )
    ask = msgspec.structs.replace(
        request,
        outcome=Outcome.UNANSWERED,
        decider=Decider.OPEN,
        settled=None,
        resolution=None,
        reason=None,
        link=None,
        answer_bounds=-1,
        lines=request.lines[:1],
    )
    return ask, answer


def join(asks: Iterable[Request], answers: Iterable[Answer]) -> Joined:
    """Pair single lines; those that say what another one says are left out and told."""
    lines: list[Request | Answer] = [*asks, *answers]
    lines.sort(key=_when)
    copies: list[int] = []
    kept: list[Request | Answer] = []
    for line in lines:
        if any(_same(line, other) for other in _at_same_moment(kept, line)):
            copies.append(line.pos if isinstance(line, Answer) else line.lines[0])
        else:
            kept.append(line)
    return _paired(kept, copies)


def join_again(requests: Sequence[Request], answers: Iterable[Answer] = ()) -> Joined:
    """Put requests of one key in order of time, leave copies out, and give answers to open asks."""
    asks: list[Request] = []
    loose = list(answers)
    ordered = sorted(requests, key=_when)
    if not loose and _in_order(ordered):
        return Joined(ordered, [], [])
    for request in requests:
        ask, answer = unpair(request)
        asks.append(ask)
        if answer is not None:
            loose.append(answer)
    return join(asks, loose)


def _in_order(requests: Sequence[Request]) -> bool:
    """Tell whether each request begins after the one before it has begun: then none is a copy."""
    return all(one.time < other.time for one, other in pairwise(requests))


def calls_of(requests: Sequence[Request]) -> Iterator[list[Request]]:
    """Yield the calls that the requests of one id belong to, in order: some hosts use an id again.

    The tool gate is the last of a call, and each gate looks at a call once, at one thing.
    """
    call: list[Request] = []
    for request in requests:
        if call and _starts_anew(request, call):
            yield call
            call = []
        call.append(request)
    if call:
        yield call


def _starts_anew(request: Request, call: Sequence[Request]) -> bool:
    if request.tool != call[-1].tool and None not in {request.tool, call[-1].tool}:
        return True
    if call[-1].gate is GateName.TOOL and request.gate not in {GateName.TOOL, GateName.UNKNOWN}:
        return True
    asked = request.full if request.full is not None else request.command
    whole = next((other.full for other in call if other.full is not None), None)
    if asked is not None and whole is not None and not whole.endswith(MARK) and asked not in whole:
        return True
    return any(
        other.gate is request.gate
        and other.surface == request.surface
        and (other.command, other.target, other.preview) != (request.command, request.target, request.preview)
        for other in call
    )


def _paired(lines: Sequence[Request | Answer], copies: list[int]) -> Joined:
    done: list[Request | None] = []
    open_asks: dict[Key, list[int]] = {}
    orphans: list[Answer] = []
    for line in lines:
        if isinstance(line, Request):
            if line.settled is None:
                open_asks.setdefault(_key(line), []).append(len(done))
            done.append(line)
            continue
        waiting = open_asks.get(_key(line))
        if not waiting:
            orphans.append(line)
            continue
        at = waiting.pop(0)
        ask = done[at]
        done[at] = pair(ask, line) if ask is not None else None
    return Joined([request for request in done if request is not None], orphans, copies)


def _key(line: Request | Answer) -> Key:
    if line.id is not None and line.id.startswith(PERM):
        return line.id, int(line.served)
    return line.id, line.message


def _when(line: Request | Answer) -> tuple[str, int]:
    return (line.at, line.pos) if isinstance(line, Answer) else (line.time, line.lines[0])


def _at_same_moment(kept: Sequence[Request | Answer], line: Request | Answer) -> Iterable[Request | Answer]:
    moment = _when(line)[0]
    for other in reversed(kept):
        if _when(other)[0] != moment:
            return
        yield other


def _same(line: Request | Answer, other: Request | Answer) -> bool:
    """Tell whether two lines say the same; where they lie does not matter."""
    if isinstance(line, Answer):
        return isinstance(other, Answer) and msgspec.structs.replace(line, pos=other.pos) == other
    return isinstance(other, Request) and msgspec.structs.replace(line, lines=other.lines) == other
