"""Sessions: requests in order, the people who answer them, and all the lines they leave."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime

from . import lines
from .calls import HOME, Mood, Shell, SkillInput, Tool
from .chance import BASE36, BASE58, Chance
from .era import Era, later
from .judge import Judge
from .lines import Ask, Members
from .traffic import Request

Put = Callable[[datetime, Era, str, Members], None]

REFUSALS = {
    Mood.ROUTINE: 0,
    Mood.USUAL: 4,
    Mood.DOUBTFUL: 30,
    Mood.RISKY: 65,
    Mood.NEVER: 100,
}
"""How many of a hundred asks people refuse."""
REASONS = (
    "not on main, open a pull request",
    "say first which files this touches",
    "leave the lockfile alone",
    "the dev server is running, use another port",
    "that file holds live keys",
    "nicht jetzt, erst die Tests",
)
JUDGE = "model-judge"
USER: Members = {"kind": "user", "via": "dialog"}
NO_UI: Members = {"kind": "unavailable", "reason": "No interactive UI is available to confirm this request"}


@dataclass(frozen=True, slots=True)
class Answer:
    """What became of an ask."""

    resolution: str
    reason: str | None = None
    by: Members | None = None

    @property
    def granted(self) -> bool:
        """Return True where the call goes on."""
        return self.resolution.startswith("approved")


@dataclass(frozen=True, slots=True)
class Manner:
    """How a session runs."""

    id: str
    agent: str | None = None
    parent: str | None = None
    """The session that answers for a subagent."""
    headless: bool = False
    yolo: bool = False


class Session:
    """Writes one session."""

    def __init__(self, era: Era, manner: Manner, judge: Judge, chance: Chance, put: Put) -> None:
        self._era = era
        self._manner = manner
        self._judge = judge
        self._chance = chance
        self._put = put
        self._ended = False

    def run(self, moment: datetime, requests: list[Request]) -> datetime:
        """Write all lines of the session; return when it ended."""
        self._put(moment, self._era, "config.resolved", lines.configuration())
        for request in requests:
            moment = later(moment, self._chance.between(900, 42_000))
            moment = self._request(moment, request)
            if self._ended:
                break
        return moment

    def _request(self, moment: datetime, request: Request) -> datetime:
        if isinstance(request, SkillInput):
            return self._skill(moment, request)
        if isinstance(request, Shell) and request.only not in (None, self._era.name):
            return moment
        call = "toolu_01" + self._chance.letters(BASE58, 22)
        if isinstance(request, Shell) and self._era.name != "E5" and self._chance.happens(0.002):
            self._failed_gate(moment, request)
            return moment
        for gate in self._judge.gates(request):
            ask = Ask(self._era, call, self._request_id(call), self._manner.agent, request, gate)
            moment, goes_on = self._at_gate(moment, ask)
            if not goes_on:
                break
        return moment

    def _request_id(self, call: str) -> str:
        return f"perm-{self._chance.uuid()}" if self._era.structured else call

    def _at_gate(self, moment: datetime, ask: Ask) -> tuple[datetime, bool]:
        """Write what one gate leaves; return when, and whether the call goes on."""
        gate = ask.gate
        if gate.state == "ask":
            return self._asked(moment, ask)
        if gate.state == "deny":
            by: Members = {"kind": "rule", "surface": lines.surface(ask), "pattern": gate.pattern}
            by["origin"] = gate.origin
            self._direct(moment, "blocked", lines.direct(ask, "policy_denied"), by)
        elif gate.state == "bypass":
            by = {"kind": "session_approval", "surface": gate.surface, "pattern": None}
            self._direct(moment, "session_approved", lines.bypass(ask), by)
        elif gate.state == "infrastructure":
            by = {"kind": "infrastructure_read"}
            self._direct(moment, "infrastructure_auto_allowed", lines.infrastructure(ask), by)
        elif gate.state == "session":
            by = {"kind": "session_approval", "surface": gate.surface, "pattern": gate.pattern}
            self._direct(moment, "session_approved", lines.direct(ask, "session_approved", gate.pattern), by)
        elif gate.state == "yolo":
            by = {"kind": "yolo", "pattern": gate.pattern}
            self._direct(moment, "auto_approved", lines.direct(ask, "auto_approved"), by)
        return moment, gate.state != "deny"

    def _direct(self, moment: datetime, event: str, members: Members, by: Members) -> None:
        if self._era.decided_by:
            members = {**members, "decidedBy": by}
        self._put(moment, self._era, f"permission_request.{event}", members)

    def _failed_gate(self, moment: datetime, shell: Shell) -> None:
        why = "the grammar could not be loaded"
        members: Members = {"requestId": self._request_id("")} if self._era.structured else {}
        members.update(toolName="bash", command=shell.command, resolution="gate_error", error=why)
        self._direct(moment, "blocked", members, {"kind": "gate_error", "reason": why})

    def _skill(self, moment: datetime, request: SkillInput) -> datetime:
        gate = self._judge.skill(request.name)
        stem = f"skill-input-{int(moment.timestamp() * 1000)}-{self._chance.letters(BASE36, 8)}-4711"
        ask = Ask(self._era, None, self._request_id(stem), self._manner.agent, request, gate)
        if gate.state != "ask" or self._manner.headless or self._manner.parent is not None:
            return moment
        return self._prompted(moment, ask, self._answer(Mood.USUAL, ask))[0]

    def _asked(self, moment: datetime, ask: Ask) -> tuple[datetime, bool]:
        request = ask.request
        mood = request.mood if isinstance(request, Shell | Tool) else Mood.USUAL
        if self._manner.headless:
            return self._nobody(moment, ask), False
        if self._chance.happens(0.012) and self._manner.parent is None:
            self._put(moment, self._era, "permission_request.waiting", lines.prompt(ask))
            self._ended = True
            return moment, False
        answer = self._answer(mood, ask)
        if self._manner.parent is not None:
            return self._forwarded(moment, ask, answer)
        if self._era.decided_by and ask.gate.surface == "external_directory":
            answer = self._judged(moment, ask, answer)
        return self._prompted(moment, ask, answer)

    def _answer(self, mood: Mood, ask: Ask) -> Answer:
        chance = self._chance
        if chance.below(100) < REFUSALS[mood]:
            if chance.happens(0.4):
                return Answer("denied_with_reason", chance.pick(REASONS), USER)
            return Answer("denied", None, USER)
        if mood <= Mood.USUAL and chance.happens(0.14) and ask.call is not None:
            return Answer("approved_for_session", None, USER)
        return Answer("approved", None, USER)

    def _wait(self) -> int:
        """Return how long a person takes, in milliseconds: mostly seconds, at times a lunch."""
        low, high = self._chance.pick(
            (
                (700, 2_500),
                (1_500, 6_000),
                (2_000, 9_000),
                (5_000, 40_000),
                (4_000, 20_000),
                (60_000, 1_500_000),
            )
        )
        return self._chance.between(low, high)

    def _end(self, moment: datetime, answer: Answer, members: Members) -> None:
        event = "permission_request." + ("approved" if answer.granted else "denied")
        if self._era.decided_by and answer.by is not None:
            members = {"decidedBy": answer.by, **members}
        self._put(moment, self._era, event, members)

    def _prompted(self, moment: datetime, ask: Ask, answer: Answer) -> tuple[datetime, bool]:
        self._put(moment, self._era, "permission_request.waiting", lines.prompt(ask))
        moment = later(moment, self._wait())
        self._end(moment, answer, lines.prompt(ask, answer.resolution, answer.reason))
        if answer.resolution == "approved_for_session":
            self._judge.grant(ask.gate)
        return moment, answer.granted

    def _nobody(self, moment: datetime, ask: Ask) -> datetime:
        """Write an ask that nobody can answer."""
        if not self._era.serves:
            self._put(
                moment, self._era, "permission_request.blocked", lines.direct(ask, "confirmation_unavailable")
            )
            return moment
        self._put(moment, self._era, "permission_request.waiting", lines.prompt(ask))
        answer = Answer("confirmation_unavailable", None, NO_UI)
        self._end(later(moment, 1), answer, lines.prompt(ask, answer.resolution))
        return later(moment, 1)

    def _judged(self, moment: datetime, ask: Ask, answer: Answer) -> Answer:
        """Let the model judge look first; it says no or leaves the ask to people."""
        refuses = answer.resolution.startswith("denied") and self._chance.happens(0.5)
        moment = later(moment, self._chance.between(300, 600))
        members: Members = {"requestId": ask.request_id, "links": [JUDGE]}
        self._put(later(moment, -250), self._era, "authorizer_chain_resolved", members)
        verdict: Members = {
            "requestId": ask.request_id,
            "surface": lines.surface(ask),
            "path": ask.gate.paths[0],
            "modelCalled": True,
            "modelId": "till/small",
            "latencyMs": self._chance.between(180, 240),
            "verdict": "deny" if refuses else "defer",
            "deferReason": None if refuses else "unsure",
        }
        self._put(moment, self._era, "model_judge.decision", verdict)
        if not refuses:
            return answer
        why = "outside the task"
        by: Members = {"kind": "authorizer", "name": JUDGE, "verdict": "deny", "reason": why}
        return Answer("denied_with_reason", why, by)

    def _forwarded(self, moment: datetime, ask: Ask, answer: Answer) -> tuple[datetime, bool]:
        """Write a subagent's ask with the lines of the session that answers it."""
        era, chance, manner = self._era, self._chance, self._manner
        number = f"{int(moment.timestamp() * 1000)}-{chance.letters(BASE36, 8)}-4712"
        request_id = ask.request_id if era.structured else number
        base = f"{HOME}/.pi/agent/sessions/permission-forwarding/sessions/{manner.parent}"
        files = {
            "requestPath": f"{base}/requests/{request_id}.json",
            "responsePath": f"{base}/responses/{request_id}.json",
        }
        who: Members = {"requesterAgentName": manner.agent, "requesterSessionId": manner.id}
        who["targetSessionId"] = manner.parent
        self._put(moment, era, "permission_request.waiting", lines.prompt(ask))
        created: Members = {"requestId": request_id, **who, **files}
        self._put(later(moment, 1), era, "forwarded_permission.request_created", created)
        if chance.happens(0.15 if era.structured else 0.04):
            return self._timed_out(moment, ask, created), False
        asked = later(moment, chance.between(20, 240))
        served: Members = {"requestId": request_id, "source": "primary", **who}
        prompted: Members = {**served, "requestPath": files["requestPath"]}
        self._put(asked, era, "forwarded_permission.prompted", prompted)
        answered = later(asked, self._wait())
        there = replace(ask, request_id=request_id)
        if era.serves:
            self._put(later(asked, 2), era, "permission_request.waiting", lines.served(there, manner.id))
            ended = lines.served(there, manner.id, answer.resolution, answer.reason)
            self._end(answered, answer, ended)
        self._respond(answered, ask, answer, {**served, "responsePath": files["responsePath"]})
        if answer.resolution == "approved_for_session":
            self._judge.grant(ask.gate)
        return later(answered, 90), answer.granted

    def _respond(self, moment: datetime, ask: Ask, answer: Answer, served: Members) -> None:
        """Write the answer's way back to the subagent."""
        era, parent = self._era, self._manner.parent
        outcome: Members = {"resolution": answer.resolution, "denialReason": answer.reason}
        back: Members = {
            "requestId": served["requestId"],
            "approved": answer.granted,
            "state": answer.resolution,
            "denialReason": answer.reason,
            "responderSessionId": parent,
            "targetSessionId": parent,
            "responsePath": served["responsePath"],
        }
        by: Members = {"kind": "forwarded", "responderSessionId": parent, "decision": answer.by}
        if era.decided_by:
            outcome["decidedBy"], back["decidedBy"] = answer.by, by
        event = "forwarded_permission." + ("approved" if answer.granted else "denied")
        self._put(later(moment, 1), era, event, {**served, **outcome})
        self._put(later(moment, 80), era, "forwarded_permission.response_received", back)
        end = replace(answer, by=by)
        self._end(later(moment, 81), end, lines.prompt(ask, answer.resolution, answer.reason))

    def _timed_out(self, moment: datetime, ask: Ask, created: Members) -> datetime:
        """Write an ask that the parent never answered, or in later releases is not there to answer."""
        if self._era.structured:
            gone, event, why = later(moment, 40), "no_serving_session", "no session serves this one"
            names: tuple[str, ...] = ("requestId", "requesterSessionId", "targetSessionId")
        else:
            gone, event, why = later(moment, 600_000), "response_timed_out", "no answer within ten minutes"
            names = ("requestId", "requesterAgentName", "targetSessionId", "responsePath")
        members = {name: created[name] for name in names}
        self._put(gone, self._era, f"forwarded_permission.{event}", members)
        late: Members = {"kind": "unavailable", "reason": why}
        resolution = "confirmation_unavailable" if self._era.structured else "denied"
        answer = Answer(resolution, why if self._era.structured else None, late)
        self._end(later(gone, 1), answer, lines.prompt(ask, answer.resolution, answer.reason))
        return later(gone, 1)
