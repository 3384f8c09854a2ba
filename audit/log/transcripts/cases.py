"""Transcripts without a review log: distinct calls, with their whole input, ready for replay.

A transcript has no asks, so these cases have no outcomes; it has every call, allowed or not, so their
occurrences are the traffic. Calls that the agent dropped itself are none of it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence

from audit.log.callrows import NO_PLACE
from audit.log.caseids import case_id
from audit.log.cases import Case, CwdSource, Exactness
from audit.log.inputs import Given
from audit.log.transcripts.model import CallOutcome, TranscriptCall

ELSEWHERE = "runs in another folder"
"""The agent gave the shell a working directory of its own, which the shell tool of the core has not."""
EVIDENCE = "transcript"


def transcript_cases(calls: Iterable[TranscriptCall]) -> tuple[Case, ...]:
    """Return the cases of some calls, in order of first appearance.

    A call by the same tool, with the same input, by the same agent, in the same working directory is
    the same case, whichever product the agent is part of; a shell command that the review log has as
    a whole has the same identifier there. `lines` counts calls, as a line may hold several.
    """
    grouped: dict[str, list[TranscriptCall]] = {}
    for call in calls:
        if call.outcome is not CallOutcome.NOT_RUN:
            grouped.setdefault(_identity(call), []).append(call)
    return tuple(_case(identity, same) for identity, same in grouped.items())


def _identity(call: TranscriptCall) -> str:
    given, text = _text(call)
    return case_id((call.tool, int(given), text, False, call.agent, call.cwd))


def _text(call: TranscriptCall) -> tuple[Given, str]:
    """Return the input as one text, in the way the review log's cases have theirs."""
    if not call.input:
        return Given.NOTHING, ""
    if len(call.input) == 1:
        [(name, value)] = call.input.items()
        if name in _SINGLE and isinstance(value, str):
            return _SINGLE[name], value
    return Given.MEMBERS, json.dumps(call.input, sort_keys=True)


_SINGLE = {"command": Given.COMMAND, "path": Given.PATH}


def _case(identity: str, same: Sequence[TranscriptCall]) -> Case:
    first = same[0]
    times = [call.time for call in same if call.time]
    exactness, reasons = _certainty(first)
    return Case(
        id=identity,
        tool=first.tool,
        input=first.input,
        agent=first.agent,
        cwd=first.cwd,
        cwd_source=CwdSource.UNKNOWN if first.cwd is None else CwdSource.RECORDED,
        exactness=exactness,
        reasons=reasons,
        occurrences=len(same),
        lines=len(same),
        first_seen=min(times, default=""),
        last_seen=max(times, default=""),
        cwd_evidence="" if first.cwd is None else EVIDENCE,
    )


def _certainty(call: TranscriptCall) -> tuple[Exactness, tuple[str, ...]]:
    if call.cwd is None:
        return Exactness.NOT_REPLAYABLE, (NO_PLACE,)
    if call.tool == "bash" and "workdir" in call.input:
        return Exactness.PARTIAL, (ELSEWHERE,)
    return Exactness.EXACT, ()
