"""One call: decided, or explained step by step."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from audit.core.call import ToolCall
from audit.core.explain import Explanation, explain
from audit.core.place import Place
from audit.core.policy.compose import PolicySources, compose
from audit.core.revision import revision
from audit.engines.inprocess import InProcessEngine, open_core
from audit.errors import AuditError, DocumentError, Mistake
from audit.protocol.engine import Decided, Failed, FailureKind, Question
from audit.protocol.messages import (
    Malformed,
    decision_message,
    decode,
    failure_message,
    read_place,
)

POLICY = "policy"


@dataclass(frozen=True, slots=True)
class Setting:
    """What single calls are decided under."""

    sources: PolicySources
    place: Place
    core: str
    """Name of a core revision."""
    agent: str | None = None


def explain_call(call: ToolCall, setting: Setting) -> Explanation:
    """Explain one call; raise `AuditError` where the core cannot decide it."""
    ruleset = compose(setting.sources, setting.agent)
    explanation = explain(call, ruleset, setting.place, revision(setting.core))
    if explanation is None:
        raise AuditError("the call is beyond a limit of the core", "no decision was made for it")
    return explanation


def decide_call(call: ToolCall, setting: Setting) -> dict[str, object]:
    """Return the answer to one call as the engine protocol writes it."""
    engine = open_core(setting.core, {POLICY: setting.sources})
    return _answered(engine, None, Question(call, setting.place, POLICY, setting.agent))


def decide_lines(lines: Iterable[str], setting: Setting) -> Iterator[dict[str, object]]:
    """Answer requests, one JSON object a line, in order.

    A request holds `command`, or `tool` and `input`, or `call` with both; `id`, `agent` and `place` are
    optional and default to the setting. A line that is no request is answered with a failure.
    """
    engine = open_core(setting.core, {POLICY: setting.sources})
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            message = decode(line)
            identity = message.get("id", number)
            yield _answered(engine, identity, _question(message, setting))
        except Malformed as error:
            yield failure_message(number, Failed(FailureKind.MALFORMED, str(error)))


def _question(message: Mapping[str, object], setting: Setting) -> Question:
    place, agent = message.get("place"), message.get("agent", setting.agent)
    if place is not None and not isinstance(place, dict):
        raise Malformed("member `place` is not an object")
    if agent is not None and not isinstance(agent, str):
        raise Malformed("member `agent` is not text")
    return Question(
        call=call_of(message),
        place=setting.place if place is None else read_place(place),
        policy=POLICY,
        agent=agent,
    )


def call_of(message: Mapping[str, object]) -> ToolCall:
    """Return the call of a request; raise `Malformed`."""
    command = message.get("command")
    if isinstance(command, str):
        return ToolCall("bash", {"command": command})
    call = message.get("call", message)
    if not isinstance(call, dict) or not isinstance(call.get("tool"), str):
        raise Malformed("a request needs `command`, or `tool` and `input`")
    given = call.get("input", {})
    if not isinstance(given, dict):
        raise Malformed("member `input` is not an object")
    return ToolCall(call["tool"], given)


def call_from(command: str | None, tool: str, path: str | None, given: str | None) -> ToolCall:
    """Return the call that command-line words describe; raise `DocumentError`."""
    members: dict[str, object] = {}
    if given is not None:
        try:
            decoded = json.loads(given)
        except ValueError as error:
            raise _bad_input(f"not JSON: {error}") from None
        if not isinstance(decoded, dict):
            raise _bad_input("not an object")
        members.update(decoded)
    if path is not None:
        members["path"] = path
    if command is not None:
        members["command"] = command
    return ToolCall(tool, members)


def _bad_input(found: str) -> DocumentError:
    return DocumentError([Mistake("--input", "(document)", found, "a JSON object with the tool's arguments")])


def _answered(engine: InProcessEngine, identity: object, question: Question) -> dict[str, object]:
    answer = engine.answer(question)
    if isinstance(answer, Decided):
        return decision_message(identity, answer.decision)
    return failure_message(identity, answer)
