"""Plain call files: one call a line, for agents whose own session files are not known here.

A line is `{"call_id", "time", "session", "cwd", "agent", "call": {"tool", "input"}}`; all but `call` and
`time` may be missing, and further members are ignored. Tools and inputs are those that the permission
system sees.
"""

from __future__ import annotations

from typing import Any

import msgspec

from audit.log.moments import utc_time
from audit.log.transcripts.gathering import Gathering, decode
from audit.log.transcripts.model import AgentFormat, CallOutcome, EntryKind, TranscriptCall


class _Call(msgspec.Struct):
    """What was called."""

    tool: str
    input: dict[str, Any] = {}


class _Line(msgspec.Struct):
    """One call."""

    call: _Call
    time: str
    call_id: str = ""
    session: str = ""
    cwd: str | None = None
    agent: str | None = None
    outcome: str | None = None


class _Probe(msgspec.Struct):
    """Tells a line of this format from those of agents."""

    call: Any = None
    time: Any = None


_DECODER = msgspec.json.Decoder(_Line)
_PROBE = msgspec.json.Decoder(_Probe)


class PlainDecoder:
    """Reads plain call files."""

    source = AgentFormat.PLAIN

    def __init__(self, gathering: Gathering) -> None:
        self._gathering = gathering

    def line(self, number: int, raw: bytes) -> EntryKind | None:
        """Read one line; None where it is no call of this format."""
        probe = decode(raw, _PROBE)
        if not isinstance(probe.call, dict) or probe.time is None:
            return None
        line = decode(raw, _DECODER)
        time = utc_time(line.time)
        self._gathering.seen(time)
        self._gathering.call(
            number,
            TranscriptCall(
                source=self.source,
                session=line.session,
                call_id=line.call_id,
                time=time,
                cwd=line.cwd,
                tool=line.call.tool,
                input=line.call.input,
                agent=line.agent,
                outcome=CallOutcome.RAN if line.outcome == "allowed" else CallOutcome.UNKNOWN,
            ),
        )
        return EntryKind.CALLS
