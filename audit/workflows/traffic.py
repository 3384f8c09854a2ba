"""Transcripts beside a log: every call that was made, and whose session it was in."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence

from audit.errors import NoUsableLine
from audit.files import open_transcripts
from audit.log.calls import Call
from audit.log.cases import LogReading, SessionStart
from audit.log.transcripts.read import read_transcripts
from audit.log.transcripts.reading import TrafficReading, with_transcripts

SessionOf = Callable[[int, Call], str]
"""Names the session of a call, given its index in the reading; approvals last within one name."""


def add_traffic(reading: LogReading, patterns: Sequence[str]) -> TrafficReading:
    """Read transcripts by path, folder or glob and join them to a reading; raise `LogError`."""
    transcripts = read_transcripts(open_transcripts(patterns))
    if not transcripts.formats:
        raise NoUsableLine(
            f"{transcripts.ledger.none_is} of a transcript",
            "session files of Pi, Claude Code or Codex are read, and plain call files",
        )
    return with_transcripts(reading, transcripts)


def sessions_by_project(starts: Sequence[SessionStart]) -> SessionOf:
    """Return the best guess of a log alone: a project's session lasts until its next start (12)."""
    by_cwd = _times_by_cwd(starts)

    def session_of(_index: int, call: Call) -> str:
        return f"{call.cwd} {bisect_right(by_cwd.get(call.cwd, []), call.time)}"

    return session_of


def sessions_by_transcript(joined: TrafficReading) -> SessionOf:
    """Return the sessions that transcripts name; a reload in a session ends its approvals.

    A start line of a project belongs to the session whose first call follows it, unless that session
    has a later one. What is left while just one session of the project runs is a reload of it.
    """
    guess = sessions_by_project(joined.reading.session_starts)
    reloads = _reloads(joined)

    def session_of(index: int, call: Call) -> str:
        session = joined.sessions.get(index)
        if session is None:
            return guess(index, call)
        return f"{session} {bisect_right(reloads.get(session, []), call.time)}"

    return session_of


def _times_by_cwd(starts: Sequence[SessionStart]) -> dict[str | None, list[str]]:
    by_cwd: dict[str | None, list[str]] = {}
    for start in starts:
        by_cwd.setdefault(start.cwd, []).append(start.time)
    for times in by_cwd.values():
        times.sort()
    return by_cwd


def _reloads(joined: TrafficReading) -> dict[str, list[str]]:
    spans: dict[str, tuple[str | None, str, str]] = {}
    for index, session in joined.sessions.items():
        call = joined.reading.calls[index]
        cwd, first, last = spans.get(session, (call.cwd, call.time, call.time))
        spans[session] = cwd, min(first, call.time), max(last, call.time)
    reloads: dict[str, list[str]] = {}
    for cwd, times in _times_by_cwd(joined.reading.session_starts).items():
        running = {session: span[1:] for session, span in spans.items() if span[0] == cwd}
        left = set(times)
        for first, _ in sorted(running.values()):
            before = [time for time in times if time <= first and time in left]
            left.difference_update(before[-1:])
        for time in sorted(left):
            inside = [session for session, (first, last) in running.items() if first < time <= last]
            if len(inside) == 1:
                reloads.setdefault(inside[0], []).append(time)
    return reloads
