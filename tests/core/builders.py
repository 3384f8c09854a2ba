"""Commands, policies and judges, with everything a test does not care about filled in."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from hypothesis import strategies as st

from audit.core.action import Action
from audit.core.bash.units import Unit
from audit.core.call import ToolCall, shell
from audit.core.decide import Decision, Judge
from audit.core.ecma import to_code_units
from audit.core.gates import Gate, GateResult
from audit.core.paths.access_path import Paths
from audit.core.place import Place, Platform, Skill
from audit.core.policy.compose import PolicySources, compose
from audit.core.policy.evaluate import RulesInPlace, in_place, matching
from audit.core.policy.rule import Ruleset
from audit.core.program import BashProgram
from audit.core.reading import Reader
from audit.core.revision import LATEST, Revision

ALLOW, ASK, DENY = Action.ALLOW, Action.ASK, Action.DENY

HOME = "/home/kim"
CWD = "/srv/shop"
WIN_HOME = "C:\\Users\\kim"
WIN_CWD = "C:\\Src\\Shop"

POSIX_PLACE = Place(CWD, HOME)
WIN_PLACE = Place(WIN_CWD, WIN_HOME, Platform.WIN32)

BASIC_PLANE = st.characters(max_codepoint=0xFFFF) | st.just("\ud800")
"""Characters that are safe to parse: the grammar's scanner asks `isdigit` of whatever follows a brace,
which reads out of bounds for characters far outside the basic plane."""


@dataclass(frozen=True)
class Case:
    """A policy and where it applies."""

    permission: Mapping[str, object] = field(default_factory=dict)
    session: tuple[tuple[str, str], ...] = ()
    config: Mapping[str, object] = field(default_factory=dict)
    place: Place = POSIX_PLACE
    revision: Revision = LATEST

    def ruleset(self) -> Ruleset:
        return compose(PolicySources(self.permission, config=self.config)).with_session(self.session)

    def judge(self) -> Judge:
        return Judge(self.ruleset(), self.place, self.revision)


def rules_in(ruleset: Ruleset, home: str, platform: Platform, revision: Revision = LATEST) -> RulesInPlace:
    return in_place(ruleset, matching(Paths(Place("/", home, platform), revision), revision))


def linked(*links: tuple[str, str]) -> Place:
    return Place(CWD, HOME, links=links)


def with_skills(*skills: tuple[str, str]) -> Place:
    return Place(CWD, HOME, skills=tuple(Skill(name, location) for name, location in skills))


def program(
    command: str,
    place: Place = POSIX_PLACE,
    workdir: str | None = None,
    promoted: Iterable[str] = (),
    revision: Revision = LATEST,
) -> BashProgram:
    reading = Reader(place, revision).read(to_code_units(command), workdir)
    return reading.program(frozenset(promoted).__contains__)


def units(command: str) -> list[str]:
    """Return the units as text, a context and a mark behind it where there is one."""
    return [_unit(unit) for unit in program(command).units]


def _unit(unit: Unit) -> str:
    marks = [mark.value for mark in (unit.context, unit.wrapper) if mark is not None]
    return f"{unit.text} [{', '.join(marks)}]" if marks else unit.text


def tokens(command: str, place: Place = POSIX_PLACE) -> list[str]:
    return [token.value for token in program(command, place).tokens]


def bases(command: str, place: Place = POSIX_PLACE, workdir: str | None = None) -> dict[str, str | None]:
    """Return the base under which each token stands."""
    return {token.value: token.base for token in program(command, place, workdir).tokens}


def external(command: str, place: Place = POSIX_PLACE, workdir: str | None = None) -> list[str]:
    return [path.value for path in program(command, place, workdir).external]


def candidates(
    command: str, place: Place = POSIX_PLACE, promoted: Iterable[str] = ()
) -> dict[str, tuple[str, ...]]:
    """Return the forms of each token that path rules are asked about."""
    found = program(command, place, promoted=promoted).candidates
    return {candidate.token: candidate.path.match_values for candidate in found}


def decided(call: ToolCall | str, case: Case) -> Decision:
    decision = case.judge().decide(shell(call) if isinstance(call, str) else call)
    assert isinstance(decision, Decision)
    return decision


def gate(decision: Decision, name: Gate) -> GateResult:
    (found,) = [result for result in decision.gates if result.gate is name]
    return found
