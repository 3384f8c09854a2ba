"""An engine in a process of its own: many questions in flight, a crash counted and never hidden."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from audit.engines.pipes import Ended, Launch, Pipes
from audit.errors import EngineError
from audit.protocol.caller import FENCE, Caller
from audit.protocol.engine import Answer, EngineInfo, Failed, FailureKind, Question
from audit.protocol.messages import Malformed

IN_FLIGHT = 64
"""Questions that are asked before the first of them is answered; so many can be lost to a crash."""
MOST_RESTARTS = 1


@dataclass(frozen=True, slots=True)
class Patience:
    """Seconds without a line after which an engine counts as hanging."""

    hello: float = 60.0
    answer: float = 60.0


@dataclass(frozen=True, slots=True)
class EngineProgram:
    """A program that speaks the engine protocol, and how to start it."""

    name: str
    """What messages call it, the specification as given."""
    launch: Launch
    source: str | None = None
    """What identifies its code, where the caller knows that better than the engine."""
    patience: Patience = Patience()


class ProcessEngine:
    """Speaks the caller's side of the protocol with one process, and starts it once more if it breaks."""

    def __init__(self, program: EngineProgram) -> None:
        """Start the engine and hear its hello; raise `EngineError`."""
        self._program = program
        self._policies: dict[str, Mapping[str, object]] = {}
        self._gone: Failed | None = None
        self.restarts = 0
        self._info = self._start()

    @property
    def info(self) -> EngineInfo:
        """What the engine is."""
        return self._info

    def define(self, name: str, policy: Mapping[str, object]) -> Failed | None:
        """Give a policy a name; return what the engine says against it."""
        self._policies[name] = policy
        if self._gone is not None:
            return self._gone
        self._pipes.send(self._caller.define(name, policy))
        [answer] = self.answers([replace(FENCE, policy=name)])
        gone: Failed | None = self._gone
        return self._caller.complaint or (answer if isinstance(answer, Failed) and gone else None)

    def answer(self, question: Question) -> Answer:
        """Answer one question."""
        return self.answers([question])[0]

    def answers(self, questions: Sequence[Question]) -> list[Answer]:
        """Answer questions, in order. Those open when the engine breaks are failures."""
        found: dict[int, Answer] = {}
        asked: dict[int, int] = {}
        todo = iter(enumerate(questions))
        while len(found) < len(questions):
            if self._gone is None:
                try:
                    self._fill(asked, todo)
                    self._hear(asked, found)
                    continue
                except (Malformed, Ended, TimeoutError) as breach:
                    failure = self._broken(breach)
                    found |= dict.fromkeys(asked.values(), failure)
                    asked.clear()
                    continue
            found |= {index: self._gone for index, _ in todo}
        return [found[index] for index in range(len(questions))]

    def close(self) -> None:
        """End the process."""
        self._pipes.close()

    def _fill(self, asked: dict[int, int], todo: Iterator[tuple[int, Question]]) -> None:
        """Ask until so many questions are in flight."""
        for index, question in islice(todo, IN_FLIGHT - len(asked)):
            number, line = self._caller.ask(question)
            asked[number] = index
            self._pipes.send(line)

    def _hear(self, asked: dict[int, int], found: dict[int, Answer]) -> None:
        """Take one line of the engine."""
        heard = self._caller.receive(self._pipes.line(self._program.patience.answer))
        if heard is not None:
            number, answer = heard
            found[asked.pop(number)] = answer

    def _start(self) -> EngineInfo:
        """Start the process and hear its hello; raise `EngineError`."""
        program = self._program
        try:
            self._pipes = Pipes(program.launch)
        except OSError as error:
            raise EngineError(f"engine `{program.name}` cannot be started: {error}") from None
        self._caller = Caller()
        try:
            while self._caller.info is None:
                self._caller.receive(self._pipes.line(program.patience.hello))
        except (Malformed, Ended, TimeoutError) as breach:
            raise EngineError(
                f"engine `{program.name}` did not say hello: {self._told(breach)}",
                "an engine speaks the protocol of docs/engine-protocol.md on standard input and output",
            ) from None
        info = self._caller.info
        return info if program.source is None else replace(info, source=program.source)

    def _told(self, breach: Exception) -> str:
        """End the process and return what went wrong in one line."""
        if isinstance(breach, TimeoutError):
            told = "it wrote nothing for too long"
            self._pipes.close()
        elif isinstance(breach, Ended):
            told = f"it {self._pipes.said()}"
        else:
            told = str(breach)
        self._pipes.close()
        return told

    def _broken(self, breach: Exception) -> Failed:
        """Start the engine again, or give it up; return the failure of the questions that were open."""
        failure = Failed(FailureKind.INTERNAL, f"the engine broke: {self._told(breach)}")
        if self.restarts >= MOST_RESTARTS:
            self._gone = Failed(FailureKind.INTERNAL, "the engine broke twice and was not started again")
            return failure
        self.restarts += 1
        try:
            info = self._start()
        except EngineError as error:
            self._gone = Failed(FailureKind.INTERNAL, error.message)
            return failure
        if info != self._info:
            self._gone = Failed(FailureKind.INTERNAL, "the engine came back as another one")
            return failure
        for name, policy in self._policies.items():
            self._pipes.send(self._caller.define(name, policy))
        return failure


def open_process(program: EngineProgram, policies: Mapping[str, Mapping[str, object]]) -> ProcessEngine:
    """Return an engine with policies defined; raise `EngineError` where it cannot be had or refuses one."""
    engine = ProcessEngine(program)
    for name, policy in policies.items():
        refusal = engine.define(name, policy)
        if refusal is not None:
            engine.close()
            raise EngineError(f"engine `{program.name}` does not take the policy: {refusal.message}")
    return engine
