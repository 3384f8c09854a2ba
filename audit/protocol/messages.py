"""The words of the engine protocol: plain JSON objects to values and back (engine-protocol.md).

JSON is written in ASCII, so a lone surrogate travels as an escape and survives both ways.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

from audit.core.action import Action
from audit.core.bash.units import Context, Unit
from audit.core.bash.wrappers import Wrapper
from audit.core.call import ToolCall
from audit.core.decide import Decision
from audit.core.gates import Gate, GateOutcome, GateResult
from audit.core.paths.access_path import AccessPath
from audit.core.place import NOTHING_KNOWN, Place, Platform, listed
from audit.core.program import BashProgram, Candidate
from audit.protocol.engine import Answer, Decided, EngineInfo, Failed, FailureKind, Question

T = TypeVar("T")


class Malformed(Exception):
    """A message that does not fit the protocol page."""


def encode(message: Mapping[str, object]) -> str:
    """Return a message as one line without its line feed."""
    return json.dumps(message, separators=(",", ":"))


def decode(line: str) -> dict[str, Any]:
    """Return the object on one line; raise `Malformed`."""
    try:
        message = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise Malformed(f"the line is not JSON: {error}") from None
    if not isinstance(message, dict):
        raise Malformed("the line is not a JSON object")
    return message


def _member(message: Mapping[str, Any], name: str, kind: type[T]) -> T:
    value = message.get(name)
    if not isinstance(value, kind):
        raise Malformed(f"member `{name}` is missing or of the wrong type")
    return value


def _optional(message: Mapping[str, Any], name: str, kind: type[T]) -> T | None:
    return None if message.get(name) is None else _member(message, name, kind)


def _word(words: Callable[[str], T], value: object, name: str) -> T:
    try:
        return words(str(value))
    except ValueError:
        raise Malformed(f"member `{name}` holds the unknown word `{value}`") from None


def _texts(value: object, name: str) -> tuple[str, ...]:
    if not isinstance(value, Sequence) or isinstance(value, str):
        raise Malformed(f"member `{name}` is not a list")
    if not all(isinstance(item, str) for item in value):
        raise Malformed(f"member `{name}` holds something that is not text")
    return tuple(value)


def read_place(message: Mapping[str, Any]) -> Place:
    """Return the place of a `decide` message; raise `Malformed`."""
    links = _optional(message, "realpath", dict) or {}
    entries = message.get("entries")
    _texts(list(links.values()), "realpath")
    return Place(
        cwd=_member(message, "cwd", str),
        home=_member(message, "home", str),
        platform=_word(Platform, message.get("platform", "posix"), "platform"),
        links=tuple(links.items()),
        entries=NOTHING_KNOWN if entries is None else listed(_texts(entries, "entries")),
        agent_dir=_optional(message, "agent_dir", str),
    )


def read_question(message: Mapping[str, Any]) -> Question:
    """Return the question of a `decide` message; raise `Malformed`."""
    call = _member(message, "call", dict)
    given = call.get("input")
    return Question(
        call=ToolCall(_member(call, "tool", str), given if isinstance(given, dict) else {}),
        place=read_place(_member(message, "place", dict)),
        policy=_member(message, "policy", str),
        agent=_optional(message, "agent", str),
    )


def place_message(place: Place) -> dict[str, object]:
    """Return a place as the protocol writes it."""
    message: dict[str, object] = {
        "cwd": place.cwd,
        "home": place.home,
        "platform": place.platform.value,
        "realpath": dict(place.links),
        "entries": sorted(place.entries.known) if place.entries.roots else None,
    }
    if place.agent_dir is not None:
        message["agent_dir"] = place.agent_dir
    return message


def question_message(number: int, question: Question) -> dict[str, object]:
    """Return a question as a `decide` message."""
    return {
        "type": "decide",
        "id": number,
        "policy": question.policy,
        "agent": question.agent,
        "call": {"tool": question.call.tool, "input": dict(question.call.input)},
        "place": place_message(question.place),
    }


def hello_message(info: EngineInfo, protocol: int) -> dict[str, object]:
    """Return what an engine says first."""
    return {
        "type": "hello",
        "protocol": protocol,
        "engine": info.engine,
        "revision": info.revision,
        "switches": dict(info.switches),
        "details": [detail.value for detail in info.details],
    }


def failure_message(number: object, failure: Failed) -> dict[str, object]:
    """Return a failure as the protocol writes it."""
    return {"type": "failure", "id": number, "kind": failure.kind.value, "message": failure.message}


def decision_message(number: object, decision: Decision) -> dict[str, object]:
    """Return a decision in full detail."""
    program = decision.program
    return {
        "type": "decision",
        "id": number,
        "decision": decision.action.value,
        "first": decision.first.value,
        "units": None if program is None else [_unit_message(unit) for unit in program.units],
        "external": None if program is None else [_path_message(path) for path in program.external],
        "candidates": None
        if program is None
        else [
            {"token": candidate.token, "values": list(candidate.path.match_values)}
            for candidate in program.candidates
        ],
        "gates": [_gate_message(result) for result in decision.gates],
    }


def _unit_message(unit: Unit) -> dict[str, object]:
    message: dict[str, object] = {"text": unit.text}
    if unit.context is not None:
        message["context"] = unit.context.value
    if unit.wrapper is not None:
        message["wrapper"] = unit.wrapper.value
    return message


def _path_message(path: AccessPath) -> dict[str, object]:
    return {"value": path.value, "match_values": list(path.match_values), "boundary": path.boundary}


def _gate_message(result: GateResult) -> dict[str, object]:
    message: dict[str, object] = {"gate": result.gate.value, "outcome": result.outcome.value}
    if result.action is not None:
        message["state"] = result.action.value
    for name in ("surface", "value", "matched_pattern", "origin", "context"):
        member = getattr(result, name)
        if member is not None:
            message[name] = str(member)
    if result.paths is not None:
        message["paths"] = list(result.paths)
    return message


def read_answer(message: Mapping[str, Any]) -> tuple[object, Answer]:
    """Return the id and the answer of a `decision` or `failure` message; raise `Malformed`."""
    kind = message.get("type")
    number = message.get("id")
    if kind == "failure":
        word = _word(FailureKind, message.get("kind"), "kind")
        return number, Failed(word, str(message.get("message", "")))
    if kind != "decision":
        raise Malformed(f"unexpected message of type `{kind}`")
    decision = Decision(
        action=_word(Action, message.get("decision"), "decision"),
        first=_word(Action, message.get("first", message.get("decision")), "first"),
        gates=tuple(_read_gate(gate) for gate in _optional(message, "gates", list) or ()),
        program=_read_program(message),
    )
    return number, Decided(decision)


def _read_gate(message: Mapping[str, Any]) -> GateResult:
    state, paths = message.get("state"), message.get("paths")
    return GateResult(
        gate=_word(Gate, message.get("gate"), "gate"),
        outcome=_word(GateOutcome, message.get("outcome"), "outcome"),
        action=None if state is None else _word(Action, state, "state"),
        surface=_optional(message, "surface", str),
        value=_optional(message, "value", str),
        matched_pattern=_optional(message, "matched_pattern", str),
        origin=_optional(message, "origin", str),
        context=_optional(message, "context", str),
        paths=None if paths is None else _texts(paths, "paths"),
    )


def _read_program(message: Mapping[str, Any]) -> BashProgram | None:
    units = _optional(message, "units", list)
    if units is None:
        return None
    external = _optional(message, "external", list) or []
    candidates = _optional(message, "candidates", list) or []
    return BashProgram(
        command="",
        units=tuple(
            Unit(
                _member(unit, "text", str),
                None if unit.get("context") is None else _word(Context, unit["context"], "context"),
                None if unit.get("wrapper") is None else _word(Wrapper, unit["wrapper"], "wrapper"),
            )
            for unit in units
        ),
        external=tuple(
            AccessPath(
                _member(path, "value", str),
                _texts(path.get("match_values", []), "match_values"),
                _optional(path, "boundary", str) or "",
            )
            for path in external
        ),
        candidates=tuple(
            Candidate(
                _member(candidate, "token", str),
                AccessPath("", _texts(candidate.get("values", []), "values"), ""),
            )
            for candidate in candidates
        ),
    )
