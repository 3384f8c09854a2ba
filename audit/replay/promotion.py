"""What the bare words of commands name, and what comes of taking them for paths: told by deciding again."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from audit.core.decide import Decision, Judge
from audit.core.place import Entries
from audit.core.policy.compose import PolicySources, compose
from audit.core.revision import Revision
from audit.core.switches import BareTokens
from audit.protocol.engine import Answer, Decided
from audit.replay.worker import Work

_SWITCH = "bare-tokens"


@dataclass(frozen=True, slots=True)
class WordFacts:
    """What is known of the bare words of one command."""

    asked: int
    """Distinct paths that they could name; 0 where nothing is known of the file system."""
    existing: int
    unknown: int
    """Paths of which it is not known whether they exist."""
    changed: bool
    """The command would be decided otherwise if no bare word were a path."""


NO_WORDS = WordFacts(0, 0, 0, False)


class WordReader:
    """Reads the bare words of commands for one core and its policies, by name, in places of one world."""

    def __init__(self, core: Revision, policies: Mapping[str, PolicySources]) -> None:
        self._core = core
        self._policies = policies
        self._judges: dict[tuple[BareTokens, str, str | None, str, str], Judge] = {}

    def has_words(self, answer: Answer, entries: Entries) -> bool:
        """Tell whether there is anything to be known of the words of an answered command."""
        if not isinstance(answer, Decided) or answer.decision.program is None:
            return False
        return bool(answer.decision.program.probed) or _tells(entries) or _promotes(answer.decision)

    def facts(self, work: Work, policy: str, answer: Answer) -> WordFacts:
        """Return what is known of the words of a command that was answered so."""
        if not isinstance(answer, Decided) or answer.decision.program is None:
            return NO_WORDS
        looks = self._core.bare_tokens is BareTokens.EXISTENCE
        asked = answer.decision.program.probed if looks else self._asked(work, policy)
        entries = work.place.entries
        seen = [entries.seen(path) for path in asked]
        existing = sum(one is True for one in seen)
        taken = existing > 0 if looks else _promotes(answer.decision)
        return WordFacts(
            len(asked),
            existing,
            sum(one is None for one in seen),
            taken and self._changes(work, policy, answer.decision),
        )

    def _asked(self, work: Work, policy: str) -> tuple[str, ...]:
        """Return the paths that bare words could name, where anything is to be known of them."""
        if not _tells(work.place.entries):
            return ()
        decision = self._judge(BareTokens.EXISTENCE, policy, work).decide(work.call)
        return decision.program.probed if isinstance(decision, Decision) and decision.program else ()

    def _changes(self, work: Work, policy: str, decision: Decision) -> bool:
        without = self._judge(BareTokens.NONE, policy, work).decide(work.call)
        return isinstance(without, Decision) and without.action is not decision.action

    def _judge(self, value: BareTokens, policy: str, work: Work) -> Judge:
        # A place is told by its directories: to hash the rest of a world for every call takes long.
        key = (value, policy, work.agent, work.place.cwd, work.place.home)
        judge = self._judges.get(key)
        if judge is None:
            core = self._core.with_values({_SWITCH: value})
            ruleset = compose(self._policies[policy], work.agent)
            judge = self._judges[key] = Judge(ruleset, work.place, core)
        return judge


def _promotes(decision: Decision) -> bool:
    return decision.program is not None and any(one.promoted for one in decision.program.candidates)


def _tells(entries: Entries) -> bool:
    return bool(entries.known or entries.roots)
