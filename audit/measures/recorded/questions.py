"""What a person was asked: the same question again is one distinct prompt."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from audit.log.calls import GateName, Request
from audit.measures.recorded.requests import Logged, damage_of


class Question(NamedTuple):
    """A distinct prompt. Agents and working directories do not tell two apart."""

    gate: GateName
    tool: str
    value: str


Asked = dict[Question, list[Logged]]


def question_of(one: Logged) -> Question | None:
    """Return what was asked; None where the log does not tell it, or not all of it."""
    value = _value(one.request)
    if not value or damage_of(value, one.request) is not None:
        return None
    return Question(one.request.gate, one.call.tool, value)


def by_question(requests: Iterable[Logged]) -> Asked:
    """Return the requests whose question is known, by question."""
    found: Asked = {}
    for one in requests:
        question = question_of(one)
        if question is not None:
            found.setdefault(question, []).append(one)
    return found


def _value(request: Request) -> str | None:
    """Return the value that the prompt named."""
    if request.gate in (GateName.SKILL_READ, GateName.SKILL_INPUT):
        return request.skill
    if request.gate is GateName.BASH_EXTERNAL_DIRECTORY:
        return request.command
    if request.gate in (GateName.PATH, GateName.BASH_PATH, GateName.EXTERNAL_DIRECTORY):
        return request.path
    return request.command or request.target or request.preview or request.path
