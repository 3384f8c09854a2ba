"""The calls of a reading with their places, one by one and in sessions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from audit.core.call import ToolCall
from audit.core.gates import Gate
from audit.core.place import Place
from audit.log.calls import Call
from audit.log.cases import Case, Exactness, LogReading, Outcome
from audit.replay.arm import PlaceRule
from audit.replay.sessions import SessionCall
from audit.workflows.traffic import SessionOf

REPLAYED = frozenset({Exactness.EXACT, Exactness.ASSUMED, Exactness.PARTIAL})
_GATES = {gate.value: gate for gate in Gate}


@dataclass(frozen=True, slots=True)
class PlacedCall:
    """A call that can be replayed, and where."""

    index: int
    """Of the call in the reading."""
    call: Call
    case: Case
    place: Place


def placed_calls(reading: LogReading, rule: PlaceRule) -> Iterator[PlacedCall | Call]:
    """Yield every call of a reading: with its place, or bare where it cannot be replayed."""
    known: dict[tuple[str, str | None], Place] = {}
    for index, call in enumerate(reading.calls):
        case = reading.cases[call.case]
        if call.exactness not in REPLAYED or case.cwd is None:
            yield call
            continue
        key = (case.cwd, case.home)
        place = known.get(key)
        if place is None:
            place = known[key] = rule.place(*key)
        yield PlacedCall(index, call, case, place)


def session_calls(calls: Iterable[PlacedCall], session_of: SessionOf) -> list[SessionCall]:
    """Return calls in order of time, with what people approved for the session; ids are indexes."""
    ordered = sorted(calls, key=lambda one: (one.call.time, one.index))
    return [
        SessionCall(
            id=str(one.index),
            session=session_of(one.index, one.call),
            call=ToolCall(one.case.tool, one.case.input),
            agent=one.case.agent,
            place=one.place,
            approved_for_session=frozenset(
                _GATES[request.gate.value]
                for request in one.call.requests
                if request.outcome is Outcome.APPROVED_FOR_SESSION and request.gate.value in _GATES
            ),
        )
        for one in ordered
    ]
