"""How many prompts people would have seen: calls in order, session approvals in force."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from audit.core.decide import Decision, Undecided
from audit.measures.measure import Measure, Share, Unit
from audit.replay.change import prompts
from audit.replay.sessions import SessionRow

MEASURE = Measure(
    "session_prompts",
    1,
    "calls replayed in order of time, each in its session",
    "asks met, static (every call alone) and dynamic (with the approvals people granted for the session)",
)


@dataclass(frozen=True, slots=True)
class SideSessions:
    """What one side's sessions look like."""

    static: int
    """Prompts when every call is decided alone."""
    dynamic: int
    """Prompts when approvals for the session are in force."""
    calls_asked: Share
    """Calls that meet at least one prompt in their session."""
    grants: int
    """Session rules that people's answers recorded."""


@dataclass(frozen=True, slots=True)
class SessionPrompts:
    """Both sides over the same calls."""

    measure: Measure
    sessions: int
    calls: int
    undecided: int
    """Calls that a side could not decide; they count for neither."""
    baseline: SideSessions
    candidate: SideSessions


def session_prompts(baseline: Iterable[SessionRow], candidate: Iterable[SessionRow]) -> SessionPrompts:
    """Count the prompts of both sides; the rows of both are the same calls in the same order."""
    pairs = list(zip(baseline, candidate, strict=True))
    decided = [pair for pair in pairs if all(map(_is_decided, pair))]
    return SessionPrompts(
        measure=MEASURE,
        sessions=len({one.call.session for one, _ in pairs}),
        calls=len(decided),
        undecided=len(pairs) - len(decided),
        baseline=_side([one for one, _ in decided]),
        candidate=_side([other for _, other in decided]),
    )


def _is_decided(row: SessionRow) -> bool:
    return isinstance(row.static, Decision) and isinstance(row.dynamic, Decision)


def _prompts(decision: Decision | Undecided) -> int:
    return prompts(decision) if isinstance(decision, Decision) else 0


def _side(rows: list[SessionRow]) -> SideSessions:
    return SideSessions(
        static=sum(_prompts(row.static) for row in rows),
        dynamic=sum(_prompts(row.dynamic) for row in rows),
        calls_asked=Share(sum(_prompts(row.dynamic) > 0 for row in rows), len(rows), Unit.CALL),
        grants=sum(len(row.granted) for row in rows),
    )
