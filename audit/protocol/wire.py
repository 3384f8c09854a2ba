"""What an engine writes, as typed messages: nothing is trusted before it fits here (engine-protocol.md).

JSON is decoded by the standard library, which keeps lone surrogates, and then held against these types.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any, TypeVar

import msgspec
from msgspec import Struct

from audit.core.action import Action, strictest
from audit.core.bash.units import Context, Unit
from audit.core.bash.wrappers import Wrapper
from audit.core.decide import Decision
from audit.core.gates import Gate, GateOutcome, GateResult
from audit.core.paths.access_path import AccessPath
from audit.core.program import BashProgram, Candidate
from audit.protocol.engine import PROTOCOL_VERSION, Decided, Detail, EngineInfo, Failed, FailureKind
from audit.protocol.messages import Malformed

T = TypeVar("T")

PIPELINE = tuple(Gate)


class Hello(Struct, frozen=True):
    """The first line of an engine."""

    protocol: int
    engine: str
    revision: str
    details: list[str]
    switches: dict[str, str] = {}
    source: str | None = None


class WireUnit(Struct, frozen=True):
    """A command unit."""

    text: str
    context: Context | None = None
    wrapper: Wrapper | None = None


class WirePath(Struct, frozen=True):
    """A path outside the working directory."""

    value: str
    match_values: list[str] = []
    boundary: str = ""


class WireCandidate(Struct, frozen=True):
    """A token offered to the `path` surface."""

    token: str
    values: list[str] = []


class WireGate(Struct, frozen=True):
    """What one gate said."""

    gate: Gate
    outcome: GateOutcome
    state: Action | None = None
    surface: str | None = None
    value: str | None = None
    matched_pattern: str | None = None
    origin: str | None = None
    context: str | None = None
    paths: list[str] | None = None


class WireDecision(Struct, frozen=True):
    """A decision, in as much detail as the engine has."""

    decision: Action
    first: Action | None = None
    gates: list[WireGate] | None = None
    units: list[WireUnit] | None = None
    external: list[WirePath] | None = None
    candidates: list[WireCandidate] | None = None


class WireFailure(Struct, frozen=True):
    """No decision."""

    kind: FailureKind
    message: str = ""


def _fitted(message: object, kind: type[T]) -> T:
    try:
        return msgspec.convert(message, kind)
    except msgspec.ValidationError as error:
        raise Malformed(str(error)) from None


def read_hello(message: dict[str, Any]) -> EngineInfo:
    """Return what an engine says of itself; raise `Malformed`.

    Details it names beyond those of this version are left out.
    """
    if message.get("type") != "hello":
        raise Malformed(f"the first line is of type `{message.get('type')}`, not `hello`")
    hello = _fitted(message, Hello)
    if hello.protocol != PROTOCOL_VERSION:
        raise Malformed(f"it speaks protocol {hello.protocol}, this is protocol {PROTOCOL_VERSION}")
    details = tuple(detail for detail in Detail if detail.value in hello.details)
    if not details:
        raise Malformed("its hello names no detail that is known here")
    return EngineInfo(hello.engine, hello.revision, details, hello.switches, hello.source)


def read_failure(message: dict[str, Any]) -> Failed:
    """Return a failure; raise `Malformed`."""
    failure = _fitted(message, WireFailure)
    return Failed(failure.kind, failure.message)


def read_decision(message: dict[str, Any], detail: Detail, command: str | None) -> Decided:
    """Return a decision with all that an engine of this detail has to tell; raise `Malformed`.

    `command` is the shell command that was asked about, None for any other call.
    """
    wire = _fitted(message, WireDecision)
    if detail is Detail.DECISION:
        return Decided(Decision(wire.decision, wire.decision, ()))
    _check_gates(wire)
    gates = tuple(_gate(gate) for gate in wire.gates or ())
    program = _program(wire, command or "") if detail is Detail.PROGRAM else None
    return Decided(Decision(wire.decision, wire.first or wire.decision, gates, program))


def _check_gates(wire: WireDecision) -> None:
    """Raise `Malformed` unless gates and decisions are as the page says."""
    gates = wire.gates
    if not gates or wire.first is None:
        raise Malformed("a decision without `gates` or `first`")
    order = [PIPELINE.index(gate.gate) for gate in gates]
    if any(one >= other for one, other in pairwise(order)):
        raise Malformed("`gates` are not in pipeline order")
    for gate in gates:
        told = gate.state is not None and gate.surface is not None and gate.value is not None
        if gate.outcome is GateOutcome.CHECK and not told:
            raise Malformed(f"gate `{gate.gate}` checked without state, surface or value")
        if gate.outcome is not GateOutcome.CHECK and gate.state not in (None, Action.ALLOW):
            raise Malformed(f"gate `{gate.gate}` did not check and is not allow")
    states = [gate.state or Action.ALLOW for gate in gates]
    if Action.DENY in states[:-1]:
        raise Malformed("there are gates after the one that denies")
    first = next((state for state in states if state is not Action.ALLOW), Action.ALLOW)
    if wire.decision is not strictest(states) or wire.first is not first:
        raise Malformed("`decision` or `first` is not what the gates say")


def _gate(gate: WireGate) -> GateResult:
    return GateResult(
        gate=gate.gate,
        outcome=gate.outcome,
        action=Action.ALLOW if gate.outcome is GateOutcome.BYPASS else gate.state,
        surface=gate.surface,
        value=gate.value,
        matched_pattern=gate.matched_pattern,
        origin=gate.origin,
        context=gate.context,
        paths=_tuple(gate.paths),
    )


def _tuple(items: Sequence[str] | None) -> tuple[str, ...] | None:
    return None if items is None else tuple(items)


def _program(wire: WireDecision, command: str) -> BashProgram | None:
    parts = (wire.units, wire.external, wire.candidates)
    if all(part is None for part in parts):
        return None
    if wire.units is None or wire.external is None or wire.candidates is None:
        raise Malformed("`units`, `external` and `candidates` are null only together")
    return BashProgram(
        command=command,
        units=tuple(Unit(unit.text, unit.context, unit.wrapper) for unit in wire.units),
        external=tuple(
            AccessPath(path.value, tuple(path.match_values), path.boundary) for path in wire.external
        ),
        candidates=tuple(
            Candidate(item.token, AccessPath("", tuple(item.values), "")) for item in wire.candidates
        ),
    )
