"""Which gate wrote a line, and how what it says ended (review-log.md 3, 6 and 9)."""

from __future__ import annotations

from enum import IntEnum

import msgspec

from audit.log.calls import Decider, GateName
from audit.log.cases import Outcome
from audit.log.line import Decision, GateEntry
from audit.log.messages import Shape


class Kind(IntEnum):
    """The events of a gate."""

    WAITING = 0
    APPROVED = 1
    DENIED = 2
    BLOCKED = 3
    SESSION = 4
    AUTO = 5
    INFRASTRUCTURE = 6


KINDS = {
    "permission_request.waiting": Kind.WAITING,
    "permission_request.approved": Kind.APPROVED,
    "permission_request.denied": Kind.DENIED,
    "permission_request.blocked": Kind.BLOCKED,
    "permission_request.session_approved": Kind.SESSION,
    "permission_request.auto_approved": Kind.AUTO,
    "permission_request.infrastructure_auto_allowed": Kind.INFRASTRUCTURE,
}

_OF_SHAPE = {
    Shape.UNIT: GateName.TOOL,
    Shape.TARGET: GateName.TOOL,
    Shape.TOOL: GateName.TOOL,
    Shape.EXTERNAL: GateName.EXTERNAL_DIRECTORY,
    Shape.SHELL_EXTERNAL: GateName.BASH_EXTERNAL_DIRECTORY,
    Shape.SKILL: GateName.SKILL_INPUT,
    Shape.SKILL_READ: GateName.SKILL_READ,
}
_PATH_SURFACES = frozenset({"path", "path_read", "path_write"})
_EXTERNAL_SURFACES = frozenset({"external_directory", "external_directory_read", "external_directory_write"})


def gate_of(entry: GateEntry, kind: Kind, shape: Shape) -> GateName | None:
    """Return the gate that wrote a line; None where a path or an external gate may have, by era."""
    if entry.source == "tool_call" or entry.source is None:
        if entry.surface is not None:
            return _of_surface(entry)
        gate = _OF_SHAPE.get(shape)
        if gate is not None:
            return gate
        return _of_members(entry, kind, shape)
    if entry.source == "skill_input":
        return GateName.SKILL_INPUT
    if entry.source == "skill_read":
        return GateName.SKILL_READ
    return _of_members(entry, kind, shape)


def _of_surface(entry: GateEntry) -> GateName:
    shell = entry.command is not None or entry.toolName == "bash"
    if entry.surface in _PATH_SURFACES:
        return GateName.BASH_PATH if shell else GateName.PATH
    if entry.surface in _EXTERNAL_SURFACES:
        return GateName.BASH_EXTERNAL_DIRECTORY if shell else GateName.EXTERNAL_DIRECTORY
    if entry.surface == "skill" and entry.toolName != "skill":
        return GateName.SKILL_READ if entry.path is not None else GateName.SKILL_INPUT
    return GateName.TOOL


def _of_members(  # noqa: PLR0911 - a return for each row of the table
    entry: GateEntry, kind: Kind, shape: Shape
) -> GateName | None:
    shell = entry.command is not None
    if shape is Shape.PATH:
        return GateName.BASH_PATH if shell or entry.toolName == "bash" else GateName.PATH
    if entry.resolution == "gate_error":
        return GateName.UNKNOWN
    if entry.tokens is not None:
        return GateName.BASH_PATH
    if entry.externalPaths is not None:
        return GateName.BASH_EXTERNAL_DIRECTORY
    if kind is Kind.INFRASTRUCTURE:
        return GateName.EXTERNAL_DIRECTORY
    if entry.origin is None and entry.path is not None and entry.toolName is not None:
        if shell:
            return GateName.BASH_PATH
        return None if kind is Kind.BLOCKED else GateName.EXTERNAL_DIRECTORY
    return GateName.TOOL if entry.toolName or shell or entry.target else GateName.UNKNOWN


class Ending(msgspec.Struct, frozen=True, gc=False):
    """How a request ended, who settled it, and the name of the link where one did."""

    outcome: Outcome
    decider: Decider
    link: str | None = None


UNANSWERED = Ending(Outcome.UNANSWERED, Decider.OPEN)
_UNAVAILABLE = Ending(Outcome.UNAVAILABLE, Decider.NOBODY)
_FAILED = Ending(Outcome.GATE_ERROR, Decider.FAILURE)
_YOLO = Ending(Outcome.AUTO_APPROVED, Decider.YOLO)
_APPROVED = Ending(Outcome.APPROVED, Decider.PERSON)
_FOR_SESSION = Ending(Outcome.APPROVED_FOR_SESSION, Decider.PERSON)
_DENIED = Ending(Outcome.DENIED, Decider.PERSON)
SERVING_ALLOWED = Ending(Outcome.LINK_ALLOWED, Decider.SERVING_RULE)
SERVING_DENIED = Ending(Outcome.LINK_DENIED, Decider.SERVING_RULE)

_APPROVALS = {
    "approved_for_session": _FOR_SESSION,
    "approved_for_serving_session": _FOR_SESSION,
}
_BLOCKS = {
    "policy_denied": Ending(Outcome.POLICY_DENIED, Decider.RULE),
    "confirmation_unavailable": _UNAVAILABLE,
}
"""Any other `blocked` line, of a gate failure or of a skill without an agent (E0), is no decision."""
_SETTLED = {
    Kind.SESSION: Ending(Outcome.SESSION_APPROVED, Decider.SESSION_RULE),
    Kind.AUTO: _YOLO,
    Kind.INFRASTRUCTURE: Ending(Outcome.INFRASTRUCTURE, Decider.INFRASTRUCTURE),
}


_known: dict[tuple[Kind, str | None], Ending] = {}
"""Endings of lines that do not say who decided, as they come up; there are about twenty."""
_MANY = 1000


def ending(kind: Kind, resolution: str | None, decided: Decision | None) -> Ending:
    """Return how a line other than a waiting one ends its request."""
    known = _known.get((kind, resolution))
    if known is None:
        known = _by_resolution(kind, resolution)
        if len(_known) < _MANY:
            _known[kind, resolution] = known
    if decided is None or kind in _SETTLED or (decided.kind == "user" and kind is not Kind.BLOCKED):
        return known
    return _decided(known, kind, decided)


def _by_resolution(kind: Kind, resolution: str | None) -> Ending:
    if kind is Kind.APPROVED:
        return _APPROVALS.get(resolution or "", _APPROVED)
    if kind is Kind.DENIED:
        return _UNAVAILABLE if resolution == "confirmation_unavailable" else _DENIED
    if kind is Kind.BLOCKED:
        return _BLOCKS.get(resolution or "", _FAILED)
    return _SETTLED[kind]


def _decided(known: Ending, kind: Kind, decided: Decision) -> Ending:
    """Let `decidedBy` say who settled it."""
    forwarded = decided.kind == "forwarded"
    while decided.kind == "forwarded" and decided.decision is not None:
        decided = decided.decision
    allowed = kind is Kind.APPROVED
    if decided.kind == "authorizer":
        outcome = Outcome.LINK_ALLOWED if allowed else Outcome.LINK_DENIED
        return Ending(outcome, Decider.LINK, decided.name)
    if decided.kind == "unavailable":
        return _UNAVAILABLE
    if decided.kind == "gate_error":
        return _FAILED
    if forwarded and decided.kind == "yolo":
        return _YOLO
    if forwarded and decided.kind in {"rule", "session_approval", "infrastructure_read"}:
        return SERVING_ALLOWED if allowed else SERVING_DENIED
    return known
