"""Why a replayed case changed: the smallest set of switches and policy edits that makes the change.

From the baseline, each factor is flipped towards the candidate by itself, and then every pair. A set causes a
change where flipping it alone gives the candidate's whole answer, the program included; where none does and
the decision changed, where it gives the candidate's decision.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from math import comb

from audit.core.action import Action
from audit.core.bash.parser import TooLarge
from audit.core.decide import Decision, Judge, Undecided
from audit.core.place import Place
from audit.core.policy.compose import PolicySources, compose
from audit.core.reading import CommandReading
from audit.core.revision import Revision, changed_switches
from audit.core.switches import Switch
from audit.replay.edits import Edit, PolicyEdits
from audit.replay.worker import Work, with_argument

LARGEST = 2
"""Factors that are flipped together at most."""


@dataclass(frozen=True, slots=True)
class Flip:
    """A switch of the core with the candidate's value."""

    switch: str
    before: str
    after: Switch = field(compare=False)

    @property
    def text(self) -> str:
        """The flip in words."""
        return f"{self.switch}: {self.before} to {self.after.value}"


Progress = Callable[[int, int], None]
"""Called with how many sets have been flipped so far, and how many there are."""
Factor = Flip | Edit
Cause = tuple[Factor, ...]


@dataclass(frozen=True, slots=True)
class Attribution:
    """The smallest sets that make one change; none where no factor and no pair does."""

    causes: tuple[Cause, ...] = ()
    decision_only: bool = False
    """They give the candidate's decision, and not all that it says beside it."""


class Attributor:
    """Finds the causes of changes between two cores and two policies."""

    def __init__(
        self, revisions: tuple[Revision, Revision], policies: tuple[PolicySources, PolicySources]
    ) -> None:
        self._revisions = revisions
        self._edits = PolicyEdits(*policies)
        changed = changed_switches(*revisions)
        flips = [Flip(name, before.value, after) for name, (before, after) in changed.items()]
        self.factors: tuple[Factor, ...] = (*flips, *self._edits.edits)
        """Everything in which the two sides differ."""

    def causes(self, works: Iterable[Work], progress: Progress | None = None) -> list[Attribution]:
        """Return for each call the smallest sets of factors that give the candidate's answer to it.

        A set is flipped once for all calls: making its ruleset takes longer than deciding by it.
        """
        cases = [_Case(work) for work in works]
        for case, answer in self._answers((), cases):
            case.before = answer
        for case, answer in self._answers(self.factors, cases):
            case.wanted = answer
        pending, done = cases, 0
        for size in range(1, LARGEST + 1):
            total = done + comb(len(self.factors), size)
            for cause in combinations(self.factors, size):
                for case, answer in self._answers(cause, pending):
                    case.note(cause, answer)
                done += 1
                if progress is not None and pending:
                    progress(done, total)
            pending = [case for case in pending if not case.whole]
        return [case.attribution for case in cases]

    def judge(self, cause: Cause, work: Work) -> Judge:
        """Return the judge of the baseline with these factors flipped."""
        flips = {factor.switch: factor.after for factor in cause if isinstance(factor, Flip)}
        policy = self._edits.policy([factor for factor in cause if isinstance(factor, Edit)])
        return Judge(compose(policy, work.agent), work.place, self._revisions[0].with_values(flips))

    def _answers(self, cause: Cause, cases: Sequence[_Case]) -> Iterator[tuple[_Case, Decision | Undecided]]:
        """Yield what the baseline with these factors flipped answers to each case."""
        judges: dict[tuple[str | None, Place], Judge] = {}
        for case in cases:
            key = case.work.agent, case.work.place
            if key not in judges:
                judges[key] = self.judge(cause, case.work)
            yield case, case.answer(judges[key])


class _Case:
    """One changed call, and which sets of factors make its change; its syntax tree is made once."""

    def __init__(self, work: Work) -> None:
        self.work = work
        self.before: Decision | Undecided | None = None
        self.wanted: Decision | Undecided | None = None
        self.whole: list[Cause] = []
        """Sets that give the candidate's whole answer, all of one size."""
        self._decided: list[Cause] = []
        """Sets that give its decision, the smallest first."""
        self._parsed: CommandReading | None = None

    def answer(self, judge: Judge) -> Decision | Undecided:
        """Return a judge's answer to the call."""
        call = with_argument(self.work.call, judge) if self.work.argument_unknown else self.work.call
        try:
            reading = judge.read(call, self._parsed)
        except TooLarge:
            return judge.decide(call)
        self._parsed = self._parsed or reading
        return judge.decide(call, reading)

    def note(self, cause: Cause, answer: Decision | Undecided) -> None:
        """Take in what a set of factors comes to."""
        if answer == self.wanted:
            self.whole.append(cause)
        if _action(answer) is _action(self.wanted):
            self._decided.append(cause)

    @property
    def attribution(self) -> Attribution:
        """What was found, once every set has been flipped."""
        if self.whole or _action(self.wanted) is _action(self.before):
            return Attribution(tuple(self.whole))
        smallest = min(map(len, self._decided), default=0)
        return Attribution(tuple(cause for cause in self._decided if len(cause) == smallest), True)


def _action(answer: Decision | Undecided | None) -> Action | None:
    return answer.action if isinstance(answer, Decision) else None
