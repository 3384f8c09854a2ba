"""Which facts the lines of each era tell (M21)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from audit.log.cases import CwdSource
from audit.log.inputs import UNIT_ONLY
from audit.measures.measure import Measure, Share, Unit
from audit.measures.recorded.requests import Logged, damage_of

MEASURE = Measure(
    "field-coverage",
    1,
    "requests of the log, by the era of their first line",
    "number that tell the fact, over all of the era that could; eras by the features that lines show",
)

KNOWN_PLACES = frozenset({CwdSource.RECORDED, CwdSource.INFERRED, CwdSource.SUPPLIED})


@dataclass(frozen=True, slots=True)
class EraCoverage:
    """What the requests of one era tell."""

    era: str
    entries: int
    """Lines of the era, of whatever kind."""
    pattern: Share
    """Name the rule pattern, the sentinel or the session's pattern that decided."""
    whole_command: Share
    """Tell the whole command and not one unit of it, over the shell's requests that tell a command."""
    cut: Share
    """Have a command of which the log holds only the beginning, or hides a part; over the same."""
    directory_named: Share
    """Name the working directory themselves."""
    directory_known: Share
    """Belong to a call whose working directory is recorded, inferred or supplied."""


@dataclass(frozen=True, slots=True)
class Coverage:
    """Every era that has entries, oldest first."""

    measure: Measure
    eras: tuple[EraCoverage, ...]

    @property
    def without_requests(self) -> tuple[EraCoverage, ...]:
        """Return the eras of which lines are there and no request: nothing above counts them."""
        return tuple(era for era in self.eras if not era.pattern.denominator)


def coverage(requests: Sequence[Logged], entries: Mapping[str, int]) -> Coverage:
    """Measure what each era's requests tell; `entries` counts the lines of each era."""
    by_era: dict[str, list[Logged]] = {era: [] for era in entries}
    for one in requests:
        by_era.setdefault(one.era.name, []).append(one)
    order = sorted(by_era, key=lambda name: (len(name), name))
    return Coverage(MEASURE, tuple(_coverage(name, entries.get(name, 0), by_era[name]) for name in order))


def _coverage(era: str, entries: int, found: Sequence[Logged]) -> EraCoverage:
    facts = Counter(fact for one in found for fact in _facts(one))
    of, shell = len(found), facts["command"]
    return EraCoverage(
        era=era,
        entries=entries,
        pattern=Share(facts["pattern"], of, Unit.REQUEST),
        whole_command=Share(facts["whole"], shell, Unit.REQUEST),
        cut=Share(facts["cut"], shell, Unit.REQUEST),
        directory_named=Share(facts["named"], of, Unit.REQUEST),
        directory_known=Share(facts["known"], of, Unit.REQUEST),
    )


def _facts(one: Logged) -> list[str]:
    request = one.request
    told: list[str] = []
    if request.pattern is not None or request.session_pattern is not None:
        told.append("pattern")
    if request.cwd is not None:
        told.append("named")
    if one.call.cwd is not None and one.call.cwd_source in KNOWN_PLACES:
        told.append("known")
    command = request.full or request.command
    if command is None:
        return told
    told.append("command")
    if damage_of(command, request) is not None:
        told.append("cut")
    elif request.full is not None or UNIT_ONLY not in one.call.reasons:
        told.append("whole")
    return told
