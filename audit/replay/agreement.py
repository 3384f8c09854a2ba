"""Recorded against replayed, request by request: does the policy in force give what the log says?

A request is one gate of one call. Its recorded outcome says what that gate decided; the replay of the
same call under the policy then in force has to decide the same at the same gate.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum

from audit.core.action import Action
from audit.core.decide import Decision, Undecided
from audit.core.gates import Gate, GateOutcome, GateResult
from audit.log.calls import Call, GateName, Request
from audit.log.cases import Outcome

ASKED = frozenset(
    {
        Outcome.APPROVED,
        Outcome.APPROVED_FOR_SESSION,
        Outcome.DENIED,
        Outcome.UNAVAILABLE,
        Outcome.UNANSWERED,
        Outcome.LINK_ALLOWED,
        Outcome.LINK_DENIED,
    }
)


class Recorded(StrEnum):
    """What a request shows that its gate decided."""

    ASK = "ask"
    DENY = "deny"
    SESSION = "session approval"
    YOLO = "automatic approval"
    BYPASS = "bypass"


class LeftOut(StrEnum):
    """Why a request takes no part."""

    NOT_EXACT = "the call cannot be replayed exactly"
    NO_CALL = "no tool call"
    FAILURE = "the gate failed"
    SESSION_ONLY = "a session approval decided it, which a static replay does not know"
    NO_POLICY = "no policy is known for its time and place"
    UNDECIDED = "the core gave no decision"


def recorded(request: Request) -> Recorded | None:
    """Return what a request shows; None for a gate that failed."""
    if request.outcome in ASKED:
        return Recorded.ASK
    if request.bypass and request.gate is GateName.BASH_PATH:
        return Recorded.SESSION
    if request.bypass or request.outcome is Outcome.INFRASTRUCTURE:
        return Recorded.BYPASS
    return {
        Outcome.POLICY_DENIED: Recorded.DENY,
        Outcome.SESSION_APPROVED: Recorded.SESSION,
        Outcome.AUTO_APPROVED: Recorded.YOLO,
    }.get(request.outcome)


def replayed(result: GateResult | None) -> Recorded | Action | None:
    """Return what a replayed gate shows, in the same words; None where the gate does not apply."""
    if result is None or result.outcome is GateOutcome.NONE:
        return None
    if result.outcome is GateOutcome.BYPASS:
        return Recorded.SESSION if result.gate is Gate.BASH_PATH else Recorded.BYPASS
    if result.source == "session":
        return Recorded.SESSION
    if result.source == "yolo":
        return Recorded.YOLO
    if result.action is Action.ALLOW:
        return Recorded.YOLO if result.origin == "yolo" else Action.ALLOW
    return Recorded.ASK if result.action is Action.ASK else Recorded.DENY


@dataclass(frozen=True, slots=True)
class Disagreement:
    """A request that the replay decides otherwise."""

    call: Call
    request: Request
    recorded: Recorded
    replayed: Recorded | Action | None
    """None: the gate does not apply to the replayed call."""
    result: GateResult | None


@dataclass(slots=True)
class Agreement:
    """The tally over a log; `agree` and `disagreements` add up to `of`."""

    agree: int
    disagreements: list[Disagreement]
    left_out: Counter[LeftOut]

    @property
    def of(self) -> int:
        """How many requests were compared."""
        return self.agree + len(self.disagreements)

    @property
    def left_out_by_reason(self) -> Mapping[str, int]:
        """How many requests took no part, by reason."""
        return {reason.value: self.left_out[reason] for reason in LeftOut if self.left_out[reason]}

    @classmethod
    def empty(cls) -> Agreement:
        """Return a tally of nothing."""
        return cls(0, [], Counter())

    def leave_out(self, call: Call, reason: LeftOut) -> None:
        """Count every request of a call as taking no part."""
        self.left_out[reason] += len(call.requests)

    def compare(
        self,
        call: Call,
        decision: Decision | Undecided,
        in_session: Callable[[], Decision | Undecided] | None = None,
    ) -> None:
        """Hold a call's recorded requests against its replayed decision.

        `in_session` gives the decision with the approvals of its session, where `decision` knows none. It is
        asked only where `decision` is not what was recorded.
        """
        if isinstance(decision, Undecided):
            self.leave_out(call, LeftOut.UNDECIDED)
            return
        overruled = False
        for request in call.requests:
            told = recorded(request)
            if told is None:
                self.left_out[LeftOut.FAILURE] += 1
            elif request.gate is GateName.SKILL_INPUT or request.gate is GateName.UNKNOWN:
                self.left_out[LeftOut.NO_CALL] += 1
            else:
                result = _at(decision, request)
                shown = replayed(result)
                if in_session is not None and (overruled or _took_a_session(request, told, shown)):
                    self.left_out[LeftOut.SESSION_ONLY] += 1
                    # An approval for the session goes before a rule that denies. The replay ends at that
                    # gate, while the recorded call went on to the later ones.
                    overruled = overruled or shown is Recorded.DENY
                elif shown == told:
                    self.agree += 1
                elif in_session is not None and replayed(_at(in_session(), request)) == told:
                    # Approved was a part of what the gate looks at, or a path, which leaves no line.
                    self.left_out[LeftOut.SESSION_ONLY] += 1
                else:
                    self.disagreements.append(Disagreement(call, request, told, shown, result))


def _at(decision: Decision | Undecided, request: Request) -> GateResult | None:
    """Return what a decision has of the gate of a request."""
    gates = decision.gates if isinstance(decision, Decision) else ()
    return next((result for result in gates if result.gate.value == request.gate.value), None)


def _took_a_session(request: Request, told: Recorded, shown: Recorded | Action | None) -> bool:
    """Tell whether only a session approval explains a line.

    A shell bypass is logged as one whatever allowed the paths, so it is one only where the policy alone
    would have stopped the call (review-log.md 3.3).
    """
    if told is Recorded.SESSION:
        return True
    return request.bypass and shown in {Recorded.ASK, Recorded.DENY}
