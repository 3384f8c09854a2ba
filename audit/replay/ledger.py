"""The ledger of a comparison: every line of the log in exactly one class, down to what replay made of it."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from enum import StrEnum

from audit.log.cases import Case, Exactness, LineLedger
from audit.protocol.engine import Failed
from audit.replay.arm import Side
from audit.replay.change import ReplayRow
from audit.replay.run import Replay


class Fate(StrEnum):
    """What became of a line, in the order of a ledger."""

    EXACT = "replayed exactly"
    ASSUMED = "replayed on assumptions"
    PARTIAL = "replayed in part"
    FAILED = "put to the engines, not decided"
    NOT_REPLAYABLE = "not replayable"
    NO_CASE = "not a call to replay"
    """Blank lines, other events, transport, duplicates, lines that are no entries."""


_REPLAYED = {
    Exactness.EXACT: Fate.EXACT,
    Exactness.ASSUMED: Fate.ASSUMED,
    Exactness.PARTIAL: Fate.PARTIAL,
}


@dataclass(frozen=True, slots=True)
class Entry:
    """One class of the ledger."""

    fate: Fate
    detail: str
    """Which assumption, which reason, which kind of line; empty for the exact ones."""
    lines: int
    commands: int
    """Distinct commands; zero for lines that belong to no case."""
    calls: int

    @property
    def name(self) -> str:
        """Return the class as one stable text."""
        return f"{self.fate}: {self.detail}" if self.detail else str(self.fate)


@dataclass(frozen=True, slots=True)
class ReplayLedger:
    """All classes; their lines add up to the log, their commands to its cases."""

    lines: int
    commands: int
    calls: int
    entries: tuple[Entry, ...]

    def __post_init__(self) -> None:
        for name in ("lines", "commands", "calls"):
            total = sum(getattr(entry, name) for entry in self.entries)
            if total != getattr(self, name):
                raise AssertionError(f"ledger classes hold {total} {name} of {getattr(self, name)}")

    def of(self, *fates: Fate) -> tuple[Entry, ...]:
        """Return the classes of these fates."""
        return tuple(entry for entry in self.entries if entry.fate in fates)


def replay_ledger(log: LineLedger, case_classes: Collection[str], replay: Replay) -> ReplayLedger:
    """Extend the ledger of a log by what replay made of its cases.

    `case_classes` names the classes of `log` whose lines belong to cases. Raises AssertionError where
    those lines are not the lines of the cases, or the parts do not add up.
    """
    tallies: dict[tuple[Fate, str], list[int]] = {}

    def add(fate: Fate, detail: str, case: Case) -> None:
        tally = tallies.setdefault((fate, detail), [0, 0, 0])
        tally[0] += case.lines
        tally[1] += 1
        tally[2] += case.occurrences

    for row in replay.rows:
        add(*_fate(row), row.case)
    for left in replay.not_replayed:
        add(Fate.NOT_REPLAYABLE, _joined(left.reasons), left.case)
    entries = [Entry(fate, detail, *tally) for (fate, detail), tally in tallies.items()]
    entries += [
        Entry(Fate.NO_CASE, name, lines, 0, 0)
        for name, lines in log.classes.items()
        if name not in case_classes and lines
    ]
    order = list(Fate)
    entries.sort(key=lambda entry: (order.index(entry.fate), -entry.lines, entry.detail))
    cases = [row.case for row in replay.rows] + [left.case for left in replay.not_replayed]
    return ReplayLedger(log.lines, len(cases), sum(case.occurrences for case in cases), tuple(entries))


def _fate(row: ReplayRow) -> tuple[Fate, str]:
    failures = [
        f"{side} {answer.kind}"
        for side, answer in ((Side.BASELINE, row.baseline), (Side.CANDIDATE, row.candidate))
        if isinstance(answer, Failed)
    ]
    if failures:
        return Fate.FAILED, _joined(failures)
    return _REPLAYED[row.case.exactness], _joined(row.case.reasons)


def _joined(reasons: Iterable[str]) -> str:
    return "; ".join(dict.fromkeys(reasons))
