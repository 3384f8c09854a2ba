"""Requests, calls and readings for tests, with everything a test does not care about filled in."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from audit.core.place import Platform
from audit.log.calls import Call, Decider, GateName, Request
from audit.log.cases import CwdSource, Exactness, LineLedger, LogReading, Outcome
from audit.log.eras import Era

HOME = "/home/mia"
CWD = "/home/mia/garden"
START = "2026-07-15T09:00:00.000Z"

PERSON = frozenset({Outcome.APPROVED, Outcome.APPROVED_FOR_SESSION, Outcome.DENIED})
_DECIDERS = {
    Outcome.UNAVAILABLE: Decider.NOBODY,
    Outcome.UNANSWERED: Decider.OPEN,
    Outcome.POLICY_DENIED: Decider.RULE,
    Outcome.SESSION_APPROVED: Decider.SESSION_RULE,
    Outcome.AUTO_APPROVED: Decider.YOLO,
    Outcome.LINK_ALLOWED: Decider.LINK,
    Outcome.LINK_DENIED: Decider.LINK,
    Outcome.INFRASTRUCTURE: Decider.INFRASTRUCTURE,
    Outcome.GATE_ERROR: Decider.FAILURE,
}


def at(seconds: float, day: str = "2026-07-15") -> str:
    """Return a stamp so many seconds after nine o'clock."""
    minutes, rest = divmod(round(seconds * 1000), 60_000)
    hours, minutes = divmod(minutes, 60)
    return f"{day}T{9 + hours:02d}:{minutes:02d}:{rest // 1000:02d}.{rest % 1000:03d}Z"


def request(
    command: str | None = "make all",
    outcome: Outcome = Outcome.APPROVED,
    asked: str | None = START,
    settled: str | None = None,
    *,
    era: Era = Era.E8,
    **over: Any,
) -> Request:
    """Return a request of the tool gate of the shell; `settled` is six seconds after START if not given."""
    asks = outcome in PERSON or outcome in (Outcome.UNANSWERED, Outcome.UNAVAILABLE)
    members: dict[str, Any] = {
        "gate": GateName.TOOL,
        "outcome": outcome,
        "decider": _DECIDERS.get(outcome, Decider.PERSON),
        "asked": asked if asks else None,
        "settled": None if outcome is Outcome.UNANSWERED else settled or (at(6) if asks else asked),
        "tool": "bash",
        "command": command,
        "bounds": era << 4 | era,
        "answer_bounds": -1,
        "paths": (),
        "twins": (),
        "lines": (1,),
    }
    flags: dict[str, Any] = dict.fromkeys(("bypass", "by_era", "served"), False) | {"message": 0, "child": 0}
    unknown: dict[str, Any] = dict.fromkeys(Request.__struct_fields__)
    return Request(**(unknown | flags | members | over))


def external(command: str, outcome: Outcome = Outcome.APPROVED, **over: Any) -> Request:
    """Return a request of the shell's gate for outside paths."""
    return request(command, outcome, gate=GateName.BASH_EXTERNAL_DIRECTORY, full=command, **over)


def call(*requests: Request, tool: str = "bash", cwd: str | None = CWD, **over: Any) -> Call:
    """Return a call with these requests."""
    members: dict[str, Any] = {
        "id": "c1",
        "time": requests[0].time,
        "tool": tool,
        "agent": None,
        "requests": requests,
        "cwd": cwd,
        "cwd_source": CwdSource.RECORDED if cwd else CwdSource.UNKNOWN,
        "cwd_evidence": "",
        "home": HOME,
        "exactness": Exactness.EXACT,
        "reasons": (),
        "case": 0,
    }
    return Call(**(members | over))


def calls(*requests: Request) -> tuple[Call, ...]:
    """Return one call for each request."""
    return tuple(call(one, tool=one.tool or "bash") for one in requests)


def reading(
    found: Iterable[Call], eras: Mapping[str, int] | None = None, classes: Mapping[str, int] | None = None
) -> LogReading:
    """Return a reading of these calls."""
    found = tuple(found)
    lines = {"replayed exactly": len(found), "blank": 1} if classes is None else dict(classes)
    times = sorted(one.time for one in found)
    return LogReading(
        cases=(),
        ledger=LineLedger(sum(lines.values()), lines),
        eras=eras if eras is not None else {"E8": len(found)},
        rejects=(),
        digest="9f" * 32,
        first=times[0] if times else None,
        last=times[-1] if times else None,
        calls=found,
        home=HOME,
        platform=Platform.POSIX,
    )
