"""Whether an era's lines hold what the measures look for (measures.md, pitfall 2).

Releases change how they write a fact. A measure that looks in the old place then counts nothing, and a
nothing looks like a zero. Each selector says since which era every prompt of a kind holds a fact; an era that
has such prompts and never shows it was read wrongly, and its figures are no figures.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from audit.log.asks import checksum
from audit.log.calls import GateName
from audit.log.eras import Era
from audit.log.messages import unit_sentence
from audit.measures.measure import Measure, Share, Unit
from audit.measures.recorded.requests import Logged

MEASURE = Measure(
    "selectors",
    1,
    "prompts of the log, by the era of their first line",
    "number in which a fact was found, over all of the era that hold it",
)


@dataclass(frozen=True, slots=True)
class Selector:
    """A fact that all prompts of a kind hold since some era."""

    fact: str
    since: Era
    looks_at: Callable[[Logged], bool]
    finds: Callable[[Logged], bool]


def _any(one: Logged) -> bool:
    del one
    return True


def _of_shell(one: Logged) -> bool:
    return one.request.tool == "bash" and one.request.gate is GateName.TOOL


def _has_read_sentence(one: Logged) -> bool:
    """Tell whether a sentence told something, or is the one that tells nothing but its members."""
    request = one.request
    if any(told is not None for told in (request.pattern, request.context, request.full)):
        return True
    return checksum(unit_sentence(request.agent, request.command or "")) == request.message


SELECTORS = (
    Selector("answer", Era.E0, _any, lambda one: one.request.settled is not None),
    Selector("command", Era.E0, _of_shell, lambda one: one.request.command is not None),
    Selector("sentence", Era.E0, lambda one: _of_shell(one) and one.request.message != 0, _has_read_sentence),
    Selector("pattern", Era.E4, _of_shell, lambda one: one.request.pattern is not None),
    Selector("surface", Era.E11, _any, lambda one: one.request.surface is not None),
)


@dataclass(frozen=True, slots=True)
class Selected:
    """In how many prompts of an era one selector found its fact."""

    era: str
    fact: str
    found: Share

    @property
    def is_blind(self) -> bool:
        """Tell whether prompts are there and the fact is in none."""
        return not self.found.numerator


@dataclass(frozen=True, slots=True)
class Selectors:
    """Every selector in every era that has prompts it looks at, oldest first."""

    measure: Measure
    selected: tuple[Selected, ...]

    @property
    def blind(self) -> tuple[Selected, ...]:
        """Return those that found nothing."""
        return tuple(one for one in self.selected if one.is_blind)


def selectors(requests: Sequence[Logged]) -> Selectors:
    """Look for each fact in the prompts of each era."""
    looked, found = Counter[tuple[Era, str]](), Counter[tuple[Era, str]]()
    for one in requests:
        if one.request.asked is None:
            continue
        for selector in SELECTORS:
            if one.era >= selector.since and selector.looks_at(one):
                looked[one.era, selector.fact] += 1
                found[one.era, selector.fact] += selector.finds(one)
    return Selectors(
        MEASURE,
        tuple(
            Selected(era.name, fact, Share(found[era, fact], looked[era, fact], Unit.PROMPT))
            for era, fact in sorted(looked)
        ),
    )
