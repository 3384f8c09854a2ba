"""Which cautions a comparison raises, by rule."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from audit.log.cases import CwdSource, Exactness
from audit.measures.fidelity import Fidelity
from audit.measures.matrix import ChangeMatrix
from audit.measures.measure import MIN_DENOMINATOR
from audit.protocol.engine import Detail
from audit.replay.change import Compared
from audit.replay.ledger import Fate, ReplayLedger
from audit.report.model import Caution, CautionKind, Header

FIDELITY_FLOOR = 95
"""Per cent of recorded decisions that the baseline should reproduce."""
SHORTENED_CEILING = 2
"""Per cent of distinct commands that may be shortened before the report says so (measures.md 5.2)."""
SHORTENED_WORDS = ("cut", "shortened")
"""A reason that holds one of these words speaks of a shortened command."""


def cautions(
    header: Header,
    ledger: ReplayLedger,
    fidelity: Fidelity,
    matrix: ChangeMatrix,
    rows: Sequence[Compared],
) -> tuple[Caution, ...]:
    """Return the cautions of a report, gravest first."""
    raised = (
        *_of_population(header, ledger, matrix),
        *_of_engines(header, matrix),
        *_of_inputs(header, ledger, fidelity, rows),
    )
    order = list(CautionKind)
    return tuple(sorted(raised, key=lambda caution: order.index(caution.kind)))


def _of_population(header: Header, ledger: ReplayLedger, matrix: ChangeMatrix) -> Iterator[Caution]:
    compared = matrix.population.commands
    if not compared:
        yield Caution(CautionKind.NOTHING_COMPARED, {"commands": ledger.commands, "lines": ledger.lines})
    elif compared < MIN_DENOMINATOR:
        yield Caution(CautionKind.SMALL_POPULATION, {"commands": compared, "floor": MIN_DENOMINATOR})
    traffic = header.log.traffic
    if traffic is None:
        yield Caution(CautionKind.SILENT_ALLOWS, {})
    elif not header.log.lines:
        yield Caution(CautionKind.NO_LOG, {})
    else:
        if traffic.log_only:
            values = {"log_only": traffic.log_only, "calls": ledger.calls}
            yield Caution(CautionKind.PARTIAL_TRAFFIC, values)
        if traffic.never_watched:
            yield Caution(CautionKind.NEVER_WATCHED, {"agents": len(traffic.never_watched)})
        if traffic.silent_outside_log:
            counts = {"outside": traffic.silent_outside_log, "silent": traffic.silent}
            yield Caution(CautionKind.SILENT_OUTSIDE_LOG, counts)
    if header.log.first and header.log.last and header.log.first[:7] == header.log.last[:7]:
        yield Caution(CautionKind.ONE_MONTH, {})


def _of_engines(header: Header, matrix: ChangeMatrix) -> Iterator[Caution]:
    one, other = header.baseline, header.candidate
    if replace(one, side=other.side, restarts=other.restarts) == other:
        changed = matrix.changed.commands + matrix.other_reason.commands
        if changed:
            yield Caution(CautionKind.UNSTABLE_ENGINE, {"commands": changed})
        else:
            yield Caution(CautionKind.SAME_ARMS, {})
    if matrix.failed.commands:
        yield Caution(
            CautionKind.FAILED_ANSWERS, {"commands": matrix.failed.commands, "calls": matrix.failed.calls}
        )
    if one.restarts or other.restarts:
        yield Caution(CautionKind.RESTARTED_ENGINE, {"baseline": one.restarts, "candidate": other.restarts})
    if header.detail is not Detail.PROGRAM:
        yield Caution(CautionKind.COARSE_DETAIL, {})


def _of_inputs(
    header: Header, ledger: ReplayLedger, fidelity: Fidelity, rows: Sequence[Compared]
) -> Iterator[Caution]:
    agree = fidelity.agree
    if agree.denominator and agree.numerator * 100 < agree.denominator * FIDELITY_FLOOR:
        yield Caution(CautionKind.LOW_FIDELITY, {"agree": agree.numerator, "of": agree.denominator})
    shortened = sum(
        entry.commands
        for entry in ledger.of(Fate.NOT_REPLAYABLE, Fate.PARTIAL)
        if any(word in entry.detail.split() for word in SHORTENED_WORDS)
    )
    if shortened * 100 > ledger.commands * SHORTENED_CEILING:
        yield Caution(CautionKind.SHORTENED, {"commands": shortened, "of": ledger.commands})
    partial = sum(row.case.exactness is Exactness.PARTIAL for row in rows)
    if partial:
        yield Caution(CautionKind.PARTIAL, {"commands": partial, "of": len(rows)})
    uncertain = sum(row.case.cwd_source in (CwdSource.AMBIGUOUS, CwdSource.UNKNOWN) for row in rows)
    if uncertain:
        yield Caution(CautionKind.UNCERTAIN_PLACES, {"commands": uncertain, "of": len(rows)})
    if header.log.rejects:
        yield Caution(CautionKind.REJECTED_LINES, {"rejects": header.log.rejects, "lines": header.log.lines})
