"""Cases under the policy that was in force: the same call under two policies is two cases."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace

import msgspec

from audit.log.calls import Call
from audit.log.caseids import case_id
from audit.log.cases import Case, Exactness, LogReading, Outcome

NO_POLICY = "no policy is known for its time and place"

PolicyAt = Callable[[str, str | None], str | None]
"""Gives the name of the policy in force at a moment for a working directory."""


def by_policy_in_force(reading: LogReading, policy_at: PolicyAt) -> LogReading:
    """Return a reading whose cases name the policy that was in force when their calls were made.

    Calls under no known policy become cases that are not replayable.
    """
    index: dict[tuple[int, str | None], int] = {}
    tallies: list[_Tally] = []
    calls: list[Call] = []
    for call in reading.calls:
        case = reading.cases[call.case]
        key = (call.case, policy_at(call.time, case.cwd))
        at = index.get(key)
        if at is None:
            at = index[key] = len(tallies)
            tallies.append(_Tally(case, key[1]))
        tallies[at].add(call)
        calls.append(msgspec.structs.replace(call, case=at))
    return replace(reading, cases=tuple(tally.case() for tally in tallies), calls=tuple(calls))


class _Tally:
    """A case while its calls are counted."""

    def __init__(self, case: Case, policy: str | None) -> None:
        self._case = case
        self._policy = policy
        self._calls = 0
        self._lines = 0
        self._outcomes: Counter[Outcome] = Counter()
        self._first = ""
        self._last = ""

    def add(self, call: Call) -> None:
        self._calls += 1
        self._first = self._first or call.time
        self._last = call.time
        for request in call.requests:
            self._lines += len(request.lines)
            self._outcomes[request.outcome] += 1

    def case(self) -> Case:
        known = self._policy is not None
        return replace(
            self._case,
            id=case_id((self._case.id, self._policy)),
            policy=self._policy,
            exactness=self._case.exactness if known else Exactness.NOT_REPLAYABLE,
            reasons=self._case.reasons if known else (NO_POLICY,),
            occurrences=self._calls,
            lines=self._lines,
            first_seen=self._first,
            last_seen=self._last,
            outcomes=dict(self._outcomes),
        )
