"""What runs in a replay process: two open engines and a list of calls.

Imports the core and the protocol only, so that a fresh process is ready quickly.
"""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Protocol, runtime_checkable

from audit.core.call import ToolCall
from audit.core.decide import Decision, Judge, Undecided
from audit.core.place import NOTHING_KNOWN, Entries, Place
from audit.protocol.engine import (
    Answer,
    Decided,
    Detail,
    Engine,
    EngineInfo,
    Failed,
    FailureKind,
    Question,
    RemoteEngine,
    finest_common,
)
from audit.replay.unicode_locale import use_unicode_locale


@dataclass(frozen=True, slots=True)
class Work:
    """One call to put to both engines."""

    call: ToolCall
    agent: str | None
    place: Place
    """Without links and entries, which are the same for all calls."""
    policy: str | None = None
    """The baseline's policy for this call, where it is not the desk's."""
    argument_unknown: bool = False
    """The log tells the command of a shell alias and not the name of its argument: the policy does."""


@dataclass(frozen=True, slots=True)
class Desk:
    """How a process opens its two engines, and what it keeps for all calls."""

    openings: tuple[Callable[[], Engine], Callable[[], Engine]]
    policies: tuple[str, str]
    """The names both are asked under."""
    links: tuple[tuple[str, str], ...] = ()
    entries: Entries = NOTHING_KNOWN
    """With the links, what a world holds: too much to go along with every call."""


Pair = tuple[Answer, Answer]


@dataclass(frozen=True, slots=True)
class Chunk:
    """The answers to a chunk of work, in order."""

    pairs: list[Pair]
    restarts: tuple[int, int] = (0, 0)
    """How often the engine of either side had to be started again meanwhile."""


@runtime_checkable
class HasJudge(Protocol):
    """An engine that decides in this process, so that both sides can share one reading of a command."""

    def judge(self, question: Question) -> Judge | Failed:
        """Return the judge that would answer this question."""


class Clerk:
    """Puts each call to both engines of a desk."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._places: dict[Place, Place] = {}
        self._policies = desk.policies
        self._baseline: Engine = desk.openings[0]()
        self._candidate: Engine = desk.openings[1]()
        self._detail = finest_common(self._baseline.info, self._candidate.info)
        self._counted = (0, 0)
        self._last: tuple[str | None, str | None, Place, _Judges | None] | None = None

    @property
    def engines(self) -> tuple[EngineInfo, EngineInfo]:
        """Return what the two engines say of themselves."""
        return self._baseline.info, self._candidate.info

    @property
    def detail(self) -> Detail:
        """Return the finest detail at which the two can be compared."""
        return self._detail

    def chunk(self, work: Sequence[Work]) -> Chunk:
        """Answer every piece of work, in order."""
        placed = [self._in_place(piece) for piece in work]
        engines = (self._baseline, self._candidate)
        if any(isinstance(engine, RemoteEngine) for engine in engines):
            pairs: Iterable[Pair] = zip(self._side(0, placed), self._side(1, placed), strict=True)
        else:
            pairs = map(self._pair, placed)
        done = [_slim(pair) for pair in pairs]
        before, now = self._counted, (_restarts(engines[0]), _restarts(engines[1]))
        self._counted = now
        return Chunk(done, (now[0] - before[0], now[1] - before[1]))

    def _side(self, side: int, work: Sequence[Work]) -> list[Answer]:
        """Answer every piece of work with one engine, at the detail that both engines have."""
        engine = self._candidate if side else self._baseline
        questions = [self._questions(piece)[side] for piece in work]
        if isinstance(engine, RemoteEngine):
            known = [question for question, piece in zip(questions, work, strict=True) if _is_whole(piece)]
            told = iter(engine.answers(known))
            answers = [next(told) if _is_whole(piece) else _UNNAMED for piece in work]
        else:
            answers = [
                _answer(
                    engine, _with_argument_asked(engine, question) if piece.argument_unknown else question
                )
                for question, piece in zip(questions, work, strict=True)
            ]
        return [_at_detail(answer, self._detail) for answer in answers]

    def _in_place(self, work: Work) -> Work:
        """Return a piece of work with its place whole."""
        place = self._places.get(work.place)
        if place is None:
            whole = replace(work.place, links=self._desk.links, entries=self._desk.entries)
            place = self._places[work.place] = whole
        return replace(work, place=place)

    def _pair(self, work: Work) -> Pair:
        try:
            judges = self._judges(work)
            if judges is not None:
                return judges.pair(work)
        except Exception:  # noqa: BLE001, S110 - asked again one by one, where the failure gets its name
            pass
        baseline, candidate = self._questions(work)
        if work.argument_unknown:
            baseline = _with_argument_asked(self._baseline, baseline)
            candidate = _with_argument_asked(self._candidate, candidate)
        return _answer(self._baseline, baseline), _answer(self._candidate, candidate)

    def _questions(self, work: Work) -> tuple[Question, Question]:
        baseline, candidate = self._policies
        return (
            Question(work.call, work.place, work.policy or baseline, work.agent),
            Question(work.call, work.place, candidate, work.agent),
        )

    def _judges(self, work: Work) -> _Judges | None:
        """Return two judges that can share one parse of the command; None where there are none.

        Cases of one place come in runs, so the last pair is kept rather than looked up.
        """
        last = self._last
        if last is not None and last[:2] == (work.agent, work.policy) and last[2] is work.place:
            return last[3]
        found = self._find_judges(*self._questions(work))
        self._last = work.agent, work.policy, work.place, found
        return found

    def _find_judges(self, baseline: Question, candidate: Question) -> _Judges | None:
        if not isinstance(self._baseline, HasJudge) or not isinstance(self._candidate, HasJudge):
            return None
        one, other = self._baseline.judge(baseline), self._candidate.judge(candidate)
        if isinstance(one, Failed) or isinstance(other, Failed):
            return None
        return _Judges(one, other, one.reads_like(other))


@dataclass(frozen=True, slots=True)
class _Judges:
    """The judges of both sides for one agent, policy and place."""

    baseline: Judge
    candidate: Judge
    read_alike: bool

    def pair(self, work: Work) -> Pair:
        """Decide on one reading of the command, or at least on one syntax tree; raise `TooLarge`."""
        call = other = work.call
        if work.argument_unknown:
            call, other = with_argument(call, self.baseline), with_argument(call, self.candidate)
        reading = self.baseline.read(call)
        shared = reading if self.read_alike else self.candidate.read(other, reading)
        return _as_answer(self.baseline.decide(call, reading)), _as_answer(
            self.candidate.decide(other, shared)
        )


_UNNAMED = Failed(FailureKind.UNSUPPORTED, "the log does not name the argument that holds the command")


def _is_whole(work: Work) -> bool:
    """Tell whether a call can be put to an engine whose reading of the policy is not ours to ask."""
    return not work.argument_unknown


def _restarts(engine: Engine) -> int:
    return engine.restarts if isinstance(engine, RemoteEngine) else 0


def _at_detail(answer: Answer, detail: Detail) -> Answer:
    """Return an answer without what only one of the engines can tell."""
    if isinstance(answer, Failed) or detail is Detail.PROGRAM:
        return answer
    decision = answer.decision
    if detail is Detail.GATES:
        return Decided(replace(decision, program=None))
    return Decided(Decision(decision.action, decision.action, ()))


def with_argument(call: ToolCall, judge: Judge) -> ToolCall:
    """Return a call of a shell alias with its command under the name that the policy gives it."""
    alias = judge.ruleset.shell_tools.get(call.tool)
    return call if alias is None else ToolCall(call.tool, {alias.command_argument: call.input["command"]})


def _with_argument_asked(engine: Engine, question: Question) -> Question:
    judge = engine.judge(question) if isinstance(engine, HasJudge) else None
    return (
        replace(question, call=with_argument(question.call, judge)) if isinstance(judge, Judge) else question
    )


def _as_answer(decision: Decision | Undecided) -> Answer:
    if isinstance(decision, Undecided):
        return Failed(FailureKind(decision.kind), decision.message)
    return Decided(decision)


def _answer(engine: Engine, question: Question) -> Answer:
    try:
        return engine.answer(question)
    except Exception as error:  # noqa: BLE001 - a broken engine costs one case, not the whole report
        return Failed(FailureKind.INTERNAL, f"{type(error).__name__}: {error}")


def _slim(pair: Pair) -> Pair:
    """Drop what no measure reads, and send two equal answers once: pickling is the dear part."""
    baseline, candidate = map(_without_tokens, pair)
    return (baseline, baseline) if _same(baseline, candidate) else (baseline, candidate)


def _without_tokens(answer: Answer) -> Answer:
    if isinstance(answer, Failed) or answer.decision.program is None or not answer.decision.program.walked:
        return answer
    return Decided(replace(answer.decision, program=replace(answer.decision.program, walked=())))


def _same(one: Answer, other: Answer) -> bool:
    """Tell whether two answers are equal, in the members too that equality leaves out."""
    if one != other:
        return False
    if isinstance(one, Failed) or isinstance(other, Failed):
        return True
    first, second = one.decision.program, other.decision.program
    if first is None or second is None:
        return True
    return first.survivors == second.survivors and [item.promoted for item in first.candidates] == [
        item.promoted for item in second.candidates
    ]


_clerks: list[Clerk] = []


def start(desk: Desk) -> None:
    """Open the engines of this process; an interruption is the parent's affair."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    use_unicode_locale()
    _clerks[:] = [Clerk(desk)]


def answer_chunk(work: Sequence[Work]) -> Chunk:
    """Answer a chunk with the engines that `start` opened."""
    return _clerks[0].chunk(work)
