"""Words of a log's reading: how far to trust it, where a place is from, how a request ended."""

from __future__ import annotations

from enum import StrEnum


class Exactness(StrEnum):
    """How far the replay of a case can be trusted (review-log.md 13)."""

    EXACT = "exact"
    ASSUMED = "assumed"
    """A fact was guessed or supplied by rule: working directory, home, links."""
    PARTIAL = "partial"
    """A unit instead of the whole command, or an input known in part."""
    NOT_REPLAYABLE = "not replayable"


class CwdSource(StrEnum):
    """Where the working directory of a case comes from."""

    RECORDED = "recorded"
    INFERRED = "inferred"
    SUPPLIED = "supplied"
    AMBIGUOUS = "ambiguous"
    """Several projects interleave and none of them is certain."""
    UNKNOWN = "unknown"


class Outcome(StrEnum):
    """How one logged request ended."""

    APPROVED = "approved"
    APPROVED_FOR_SESSION = "approved_for_session"
    DENIED = "denied"
    """A person refused."""
    UNAVAILABLE = "unavailable"
    """Nobody could be asked, or nobody answered in time; not a person's refusal."""
    UNANSWERED = "unanswered"
    """Waiting without an end; not a decision."""
    POLICY_DENIED = "policy_denied"
    SESSION_APPROVED = "session_approved"
    AUTO_APPROVED = "auto_approved"
    """Yolo mode."""
    LINK_ALLOWED = "link_allowed"
    """An authorizer that is no person allowed it."""
    LINK_DENIED = "link_denied"
    INFRASTRUCTURE = "infrastructure"
    GATE_ERROR = "gate_error"
