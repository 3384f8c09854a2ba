"""Why a replayed case changed: the smallest set of switches and policy edits that makes the change.

From the baseline, each factor is flipped towards the candidate by itself, and then every pair. A set causes a
change where flipping it alone gives the candidate's whole answer, the program included; where none does and
the decision changed, where it gives the candidate's decision.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import combinations

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
JUDGES = 2048
"""Combinations of factors, agent and place that are kept ready."""


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
        self._judge = lru_cache(maxsize=JUDGES)(self._make_judge)

    def causes(self, work: Work) -> Attribution:
        """Return the smallest sets of factors that give the candidate's answer to a call."""
        answers = _Answers(self, work)
        wanted = answers[self.factors]
        whole = self._smallest(lambda cause: answers[cause] == wanted)
        if whole or _action(wanted) is _action(answers[()]):
            return Attribution(whole)
        return Attribution(self._smallest(lambda cause: _action(answers[cause]) is _action(wanted)), True)

    def _smallest(self, makes: Callable[[Cause], bool]) -> tuple[Cause, ...]:
        for size in range(1, LARGEST + 1):
            found = tuple(filter(makes, combinations(self.factors, size)))
            if found:
                return found
        return ()

    def judge(self, cause: Cause, work: Work) -> Judge:
        """Return the judge of the baseline with these factors flipped."""
        return self._judge(frozenset(cause), work.agent, work.place)

    def _make_judge(self, cause: frozenset[Factor], agent: str | None, place: Place) -> Judge:
        flips = {factor.switch: factor.after for factor in cause if isinstance(factor, Flip)}
        edits = [factor for factor in cause if isinstance(factor, Edit)]
        ruleset = compose(self._edits.policy(edits), agent)
        return Judge(ruleset, place, self._revisions[0].with_values(flips))


class _Answers(dict[Cause, Decision | Undecided]):
    """The answers to one call under sets of factors, each worked out once, all on one syntax tree."""

    def __init__(self, attributor: Attributor, work: Work) -> None:
        self._attributor, self._work = attributor, work
        self._parsed: CommandReading | None = None

    def __missing__(self, cause: Cause) -> Decision | Undecided:
        work = self._work
        judge = self._attributor.judge(cause, work)
        call = with_argument(work.call, judge) if work.argument_unknown else work.call
        try:
            reading = judge.read(call, self._parsed)
        except TooLarge:
            answer = judge.decide(call)
        else:
            self._parsed = self._parsed or reading
            answer = judge.decide(call, reading)
        self[cause] = answer
        return answer


def _action(answer: Decision | Undecided) -> Action | None:
    return answer.action if isinstance(answer, Decision) else None
