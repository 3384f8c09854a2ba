"""Cases, decisions and arms for tests, with everything a test does not care about filled in."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial
from hashlib import sha256

from audit.core.action import Action, strictest
from audit.core.bash.units import Unit
from audit.core.decide import Decision
from audit.core.gates import Gate, GateOutcome, GateResult
from audit.core.paths.access_path import AccessPath
from audit.core.policy.compose import PolicySources
from audit.core.program import BashProgram, Candidate
from audit.core.revision import LATEST
from audit.engines.inprocess import InProcessEngine
from audit.log.cases import Case, CwdSource, Exactness, Outcome
from audit.protocol.engine import Answer, Decided, Detail, EngineInfo, Failed, FailureKind, Question
from audit.replay.arm import Arm, PlaceRule, Side
from audit.replay.change import Compared, ReplayRow, classify

HOME = "/home/mia"
CWD = "/home/mia/garden"

ALLOW, ASK, DENY = Action.ALLOW, Action.ASK, Action.DENY


def case(
    command: str = "ls",
    occurrences: int = 1,
    outcomes: Mapping[Outcome, int] | None = None,
    *,
    cwd: str | None = CWD,
    exactness: Exactness = Exactness.EXACT,
    reasons: tuple[str, ...] = (),
    tool: str = "bash",
    given: Mapping[str, object] | None = None,
    lines: int | None = None,
    id: str | None = None,  # noqa: A002 - the name of the field
) -> Case:
    return Case(
        id=id or sha256(repr((command, cwd, tool, given)).encode()).hexdigest()[:12],
        tool=tool,
        input={"command": command} if given is None else given,
        agent=None,
        cwd=cwd,
        cwd_source=CwdSource.RECORDED if cwd else CwdSource.UNKNOWN,
        exactness=exactness,
        reasons=reasons,
        occurrences=occurrences,
        lines=occurrences if lines is None else lines,
        first_seen="2026-07-01T10:00:00.000Z",
        last_seen="2026-07-02T10:00:00.000Z",
        outcomes=outcomes or {},
    )


def check(
    action: Action,
    surface: str = "bash",
    pattern: str | None = "*",
    gate: Gate = Gate.TOOL,
    value: str = "ls",
    **more: object,
) -> GateResult:
    return GateResult(gate, GateOutcome.CHECK, action, surface, value, pattern, "global", "bash", **more)  # type: ignore[arg-type]


def program(
    command: str = "ls",
    units: tuple[str, ...] | None = None,
    external: tuple[str, ...] = (),
    candidates: tuple[str, ...] = (),
    promoted: tuple[str, ...] = (),
    survivors: tuple[str, ...] = (),
) -> BashProgram:
    return BashProgram(
        command=command,
        units=tuple(Unit(text) for text in (units if units is not None else (command,))),
        external=tuple(AccessPath(path, (path,), path) for path in external),
        candidates=tuple(
            Candidate(token, AccessPath(f"{CWD}/{token}", (f"{CWD}/{token}", token), f"{CWD}/{token}"), kind)
            for kind, tokens in ((False, candidates), (True, promoted))
            for token in tokens
        ),
        survivors=survivors,
    )


def decided(*gates: GateResult, shows: BashProgram | None = None) -> Decided:
    effects = [gate.effect for gate in gates]
    first = next((effect for effect in effects if effect is not Action.ALLOW), Action.ALLOW)
    return Decided(Decision(strictest(effects), first, gates, shows))


def failed(kind: FailureKind = FailureKind.TOO_LARGE) -> Failed:
    return Failed(kind, "the command is too large")


def row(baseline: Answer | Action, candidate: Answer | Action, of: Case | None = None) -> Compared:
    answers = [
        decided(check(answer)) if isinstance(answer, Action) else answer for answer in (baseline, candidate)
    ]
    replayed = ReplayRow(of or case(), answers[0], answers[1])
    return Compared(replayed, classify(replayed))


def open_core(permission: Mapping[str, object]) -> InProcessEngine:
    engine = InProcessEngine(LATEST)
    engine.define_sources("p", PolicySources(permission=permission))
    return engine


def arm(side: Side, permission: Mapping[str, object], home: str = HOME) -> Arm:
    return Arm(side, partial(open_core, permission), "p", repr(permission), PlaceRule(home))


def arms(baseline: Mapping[str, object], candidate: Mapping[str, object]) -> tuple[Arm, Arm]:
    return arm(Side.BASELINE, baseline), arm(Side.CANDIDATE, candidate)


@dataclass
class FakeEngine:
    """An engine without a core: answers by looking the command up."""

    answers: Mapping[str, Answer] = field(default_factory=dict)
    details: tuple[Detail, ...] = tuple(Detail)

    @property
    def info(self) -> EngineInfo:
        return EngineInfo("fake", "1", self.details)

    def define(self, name: str, policy: Mapping[str, object]) -> Failed | None:
        raise NotImplementedError

    def answer(self, question: Question) -> Answer:
        return self.answers[str(question.call.input["command"])]
