"""The words of the engine protocol: plain JSON objects to values and back (engine-protocol.md).

JSON is written in ASCII, so a lone surrogate travels as an escape and survives both ways.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

from audit.core.bash.units import Unit
from audit.core.call import ToolCall
from audit.core.decide import Decision
from audit.core.gates import GateResult
from audit.core.paths.access_path import AccessPath
from audit.core.place import NOTHING_KNOWN, Place, Platform, Skill, listed
from audit.protocol.engine import EngineInfo, Failed, Question

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
        infrastructure=_texts(message.get("infrastructure") or [], "infrastructure"),
        skills=tuple(_skill(skill) for skill in _optional(message, "skills", list) or ()),
    )


def _skill(message: object) -> Skill:
    if not isinstance(message, dict):
        raise Malformed("member `skills` holds something that is not an object")
    return Skill(_member(message, "name", str), _member(message, "location", str))


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
    if place.infrastructure:
        message["infrastructure"] = list(place.infrastructure)
    if place.skills:
        message["skills"] = [{"name": skill.name, "location": skill.location} for skill in place.skills]
    return message


def policy_message(name: str, policy: Mapping[str, object]) -> dict[str, object]:
    """Return a policy, in the shape that engines define it with, as the message that names it."""
    return {"type": "policy", "name": name, **policy}


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
        **({} if info.source is None else {"source": info.source}),
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
        # The net decision has to follow from the states, so what the prompter approves is an allow here.
        message["state"] = (result.effect if result.source == "yolo" else result.action).value
    for name in ("surface", "value", "matched_pattern", "origin", "context"):
        member = getattr(result, name)
        if member is not None:
            message[name] = str(member)
    if result.paths is not None:
        message["paths"] = list(result.paths)
    return message
