"""What a candidate changes in one replayed case: exactly one class, and what moved underneath it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from audit.core.action import Action
from audit.core.decide import Decision
from audit.core.gates import GateResult
from audit.core.program import BashProgram
from audit.log.cases import Case
from audit.protocol.engine import Answer, Decided


class ChangeClass(StrEnum):
    """The class of a replayed case; each case has exactly one."""

    UNCHANGED = "unchanged"
    """Same decision for the same reason."""
    OTHER_REASON = "other_reason"
    """Same decision, but another gate, surface, pattern or value stands behind it."""
    DECISION = "decision"
    """One of the six cells off the diagonal of the change matrix."""
    FAILED = "failed"
    """One side or both could not answer, so there is nothing to compare."""


class Differs(StrEnum):
    """In what the reasons of two equal decisions differ."""

    STOPS = "stops"
    """The number of gates that ask or deny, that is how often a person is interrupted."""
    GATE = "gate"
    SURFACE = "surface"
    PATTERN = "pattern"
    VALUE = "value"
    """The same rule asks about or denies something else."""


@dataclass(frozen=True, slots=True)
class ReplayRow:
    """One case, answered by both arms."""

    case: Case
    baseline: Answer
    candidate: Answer


def program_of(answer: Answer) -> BashProgram | None:
    """Return the program that an answer shows, if it is one about a shell command."""
    return answer.decision.program if isinstance(answer, Decided) else None


@dataclass(frozen=True, slots=True)
class ProgramChange:
    """Units, external paths and path tokens that only one side sees; texts in the side's own order."""

    units_lost: tuple[str, ...] = ()
    units_gained: tuple[str, ...] = ()
    external_lost: tuple[str, ...] = ()
    external_gained: tuple[str, ...] = ()
    candidates_lost: tuple[str, ...] = ()
    candidates_gained: tuple[str, ...] = ()
    freshly_external: bool = False
    """No external path before, at least one now."""
    external_vanished: bool = False
    """At least one external path before, none now."""

    @property
    def lost(self) -> tuple[str, ...]:
        """What the baseline saw and the candidate does not, each text once."""
        return tuple(dict.fromkeys((*self.units_lost, *self.external_lost, *self.candidates_lost)))

    @property
    def gained(self) -> tuple[str, ...]:
        """What the candidate sees and the baseline did not, each text once."""
        return tuple(dict.fromkeys((*self.units_gained, *self.external_gained, *self.candidates_gained)))


@dataclass(frozen=True, slots=True)
class Change:
    """The class of one row, with what differs."""

    kind: ChangeClass
    baseline: Action | None
    """None: this side failed."""
    candidate: Action | None
    differs: tuple[Differs, ...] = ()
    """In what the reasons differ; filled for OTHER_REASON only."""
    program: ProgramChange | None = None
    """None: both sides see the same program, or one of them shows none."""


@dataclass(frozen=True, slots=True)
class Compared:
    """A replayed row with its change; what every measure counts over."""

    row: ReplayRow
    change: Change

    @property
    def case(self) -> Case:
        """Return the case that was replayed."""
        return self.row.case


def compare(rows: Iterable[ReplayRow]) -> tuple[Compared, ...]:
    """Classify rows, keeping their order."""
    return tuple(Compared(row, classify(row)) for row in rows)


def is_changed(row: Compared) -> bool:
    """Tell whether both sides answered and not alike, in what they see of a command, too."""
    kind = row.change.kind
    return kind is not ChangeClass.FAILED and (
        kind is not ChangeClass.UNCHANGED or row.change.program is not None
    )


def classify(row: ReplayRow) -> Change:
    """Put one row into its class."""
    baseline = row.baseline.decision if isinstance(row.baseline, Decided) else None
    candidate = row.candidate.decision if isinstance(row.candidate, Decided) else None
    if baseline is None or candidate is None:
        return Change(
            ChangeClass.FAILED,
            None if baseline is None else baseline.action,
            None if candidate is None else candidate.action,
        )
    program = program_change(baseline.program, candidate.program)
    if baseline.action is not candidate.action:
        return Change(ChangeClass.DECISION, baseline.action, candidate.action, (), program)
    differs = reasons_differ(baseline, candidate)
    kind = ChangeClass.OTHER_REASON if differs else ChangeClass.UNCHANGED
    return Change(kind, baseline.action, candidate.action, differs, program)


def stops(decision: Decision) -> tuple[GateResult, ...]:
    """Return the gates that ask or deny, in pipeline order."""
    return tuple(result for result in decision.gates if result.effect is not Action.ALLOW)


def prompts(decision: Decision) -> int:
    """Count the prompts a person meets in this call when every ask is granted once."""
    return sum(result.effect is Action.ASK for result in decision.gates)


def deciding(decision: Decision) -> GateResult | None:
    """Return the gate behind the net decision.

    For ask and deny it is the first with that effect, for allow the last that checked; None where an
    engine reports no gates.
    """
    if decision.action is not Action.ALLOW:
        return next((result for result in decision.gates if result.effect is decision.action), None)
    checked = [result for result in decision.gates if result.action is not None]
    return checked[-1] if checked else None


def reasons_differ(baseline: Decision, candidate: Decision) -> tuple[Differs, ...]:
    """Tell in what the reasons of two equal decisions differ; nothing when they are the same."""
    before, after = _reasons(baseline), _reasons(candidate)
    found: set[Differs] = set()
    if len(before) != len(after):
        found.add(Differs.STOPS)
    for one, other in zip(before, after, strict=False):
        if one.gate is not other.gate:
            found.add(Differs.GATE)
        if one.surface != other.surface:
            found.add(Differs.SURFACE)
        if one.matched_pattern != other.matched_pattern:
            found.add(Differs.PATTERN)
        if one.effect is not Action.ALLOW and (one.value, one.paths) != (other.value, other.paths):
            found.add(Differs.VALUE)
    return tuple(kind for kind in Differs if kind in found)


def _reasons(decision: Decision) -> Sequence[GateResult]:
    found = stops(decision)
    if found:
        return found
    last = deciding(decision)
    return () if last is None else (last,)


def program_change(baseline: BashProgram | None, candidate: BashProgram | None) -> ProgramChange | None:
    """Compare what both sides see in a command, as sets with multiplicity."""
    if baseline is None or candidate is None or baseline is candidate or baseline == candidate:
        return None
    units = [[(unit.text, unit.text) for unit in side.units] for side in (baseline, candidate)]
    external = [[(path.value, path.value) for path in side.external] for side in (baseline, candidate)]
    candidates = [
        [((item.token, item.path.match_values), item.token) for item in side.candidates]
        for side in (baseline, candidate)
    ]
    change = ProgramChange(
        units_lost=_only_in(units[0], units[1]),
        units_gained=_only_in(units[1], units[0]),
        external_lost=_only_in(external[0], external[1]),
        external_gained=_only_in(external[1], external[0]),
        candidates_lost=_only_in(candidates[0], candidates[1]),
        candidates_gained=_only_in(candidates[1], candidates[0]),
        freshly_external=not baseline.external and bool(candidate.external),
        external_vanished=bool(baseline.external) and not candidate.external,
    )
    return None if change == ProgramChange() else change


def _only_in(
    these: Sequence[tuple[Hashable, str]], others: Sequence[tuple[Hashable, str]]
) -> tuple[str, ...]:
    """Return the texts of the members of one list that the other lacks, counting repeats."""
    left = Counter(identity for identity, _ in others)
    only: list[str] = []
    for identity, text in these:
        if left[identity]:
            left[identity] -= 1
        else:
            only.append(text)
    return tuple(only)
