"""The core and the dynamic replay, against every call of the logs that the package wrote itself."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from audit.core.call import ToolCall
from audit.core.decide import Decision
from audit.core.gates import Gate
from audit.core.policy.compose import compose
from audit.core.policy.rule import Ruleset
from audit.core.revision import revision
from audit.replay.sessions import SessionCall, SessionRow, replay_sessions
from tests.real.ground_truth import RealLog

pytestmark = pytest.mark.golden


CORES = {
    "20.7.3": "20.7.3",
    "533-after": "18.1.1-after-533",
    "307-after": "9.1.0-after-307",
    "148-after": "5.16.0-after-148",
}
"""The revision that wrote each log."""
CALLS = {"20.7.3": 11_954, "533-after": 2_985, "307-after": 2_987, "148-after": 2_922}


@pytest.fixture(scope="module", params=CORES)
def log(request: pytest.FixtureRequest) -> RealLog:
    return RealLog(request.param)


@pytest.fixture(scope="module")
def rows(log: RealLog) -> list[tuple[dict[str, object], SessionRow]]:
    policies = log.policies()
    truth = {call["call_id"]: call for call in log.calls()}
    rulesets: dict[tuple[str, str | None], Ruleset] = {}

    def ruleset(call: SessionCall) -> Ruleset:
        key = (str(truth[call.id]["policy"]), call.agent)
        if key not in rulesets:
            rulesets[key] = compose(policies[key[0]], call.agent)
        return rulesets[key]

    replayed = replay_sessions(_session_calls(log), ruleset, revision(CORES[log.name]))
    return [(truth[row.call.id], row) for row in replayed]


def _session_calls(log: RealLog) -> Iterator[SessionCall]:
    reloads = {session["session"]: list(session["reloads"]) for session in log.timeline["sessions"]}
    for call in log.calls():
        waiting = reloads[call["session"]]
        passed = [moment for moment in waiting if moment <= call["time"]]
        reloads[call["session"]] = waiting[len(passed) :]
        yield SessionCall(
            id=call["call_id"],
            session=call["session"],
            call=ToolCall(call["call"]["tool"], call["call"]["input"]),
            agent=call["agent"],
            place=log.place(call),
            approved_for_session=frozenset(
                Gate(prompt["gate"]) for prompt in call.get("prompts", ()) if prompt["answer"] == "session"
            ),
            after_reload=bool(passed),
        )


def test_every_call_alone_is_decided_as_recorded(
    log: RealLog, rows: list[tuple[dict[str, object], SessionRow]]
) -> None:
    wrong = [
        row.call.id
        for truth, row in rows
        if not isinstance(row.static, Decision)
        or row.static.action != _member(truth.get("without_session", truth), "decision")
    ]
    assert len(rows) == CALLS[log.name]
    assert wrong == []


def test_every_call_in_its_session_is_decided_as_recorded(
    rows: list[tuple[dict[str, object], SessionRow]],
) -> None:
    wrong = [
        row.call.id
        for truth, row in rows
        if not isinstance(row.dynamic, Decision) or row.dynamic.action != truth["decision"]
    ]
    assert wrong == []


def test_approvals_grant_what_the_package_recorded(
    rows: list[tuple[dict[str, object], SessionRow]],
) -> None:
    granting = [(truth, row) for truth, row in rows if truth.get("grants")]
    assert len(granting) > 70
    for truth, row in granting:
        recorded = [(grant["surface"], grant["pattern"]) for grant in truth["grants"]]  # type: ignore[attr-defined]
        assert list(row.granted) == recorded


def _member(value: object, name: str) -> object:
    assert isinstance(value, dict)
    return value[name]
