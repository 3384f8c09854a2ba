"""From a replay to its report."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from audit.core.action import Action
from audit.log.cases import CwdSource, LogReading
from audit.measures.candidate_sets import candidate_sets
from audit.measures.causes import causes
from audit.measures.fidelity import fidelity
from audit.measures.ladder import bypass_ladder
from audit.measures.matrix import ChangeMatrix, change_matrix
from audit.measures.new_prompts import new_prompts
from audit.measures.prompt_rate import prompt_rate
from audit.measures.selectivity import SideWords, selectivity
from audit.measures.session_prompts import SessionPrompts
from audit.protocol.engine import EngineInfo
from audit.replay.arm import Arm, PlaceRule
from audit.replay.change import Compared, compare
from audit.replay.ledger import replay_ledger
from audit.replay.run import Replay
from audit.report.cautions import cautions
from audit.report.examples import clusters
from audit.report.model import ExistenceRange, Header, LogFacts, PlaceFacts, Report, SideFacts


@dataclass(frozen=True, slots=True)
class Making:
    """How a report is made: the tool's version and the invocation that makes it again."""

    tool_version: str
    command: str


@dataclass(frozen=True, slots=True)
class Existence:
    """What is known of the bare words of commands."""

    words: tuple[SideWords | None, SideWords | None] = (None, None)
    present: tuple[Compared, ...] | None = None
    """The rows with words of unknown existence, where these are taken as present; None for no such row."""


NOTHING_ASKED = Existence()


def build_report(
    reading: LogReading,
    replay: Replay,
    arms: tuple[Arm, Arm],
    making: Making,
    sessions: SessionPrompts | None = None,
    existence: Existence = NOTHING_ASKED,
) -> Report:
    """Measure a replay.

    `arms` are the baseline and the candidate that were replayed, `sessions` what a replay in sessions
    gave, `existence` what is known of bare words. Raises AssertionError when the ledger does not add up.
    """
    rows = compare(replay.rows)
    header = _header(reading, replay, arms, making, rows)
    ledger = replay_ledger(reading.ledger, reading.case_classes, replay)
    matrix = change_matrix(rows)
    agreement = fidelity(rows)
    shapes, changes = clusters(rows, arms[0].places.home)
    return Report(
        header=header,
        ledger=ledger,
        fidelity=agreement,
        matrix=matrix,
        prompt_rate=prompt_rate(rows),
        sessions=sessions,
        ladder=bypass_ladder(rows),
        new_prompts=new_prompts(rows),
        candidate_sets=candidate_sets(rows),
        selectivity=selectivity(rows, existence.words),
        existence=None if existence.present is None else _range(matrix, rows, existence.present),
        causes=causes(rows),
        clusters=shapes,
        changes=changes,
        cautions=cautions(header, ledger, agreement, matrix, rows),
    )


def _header(
    reading: LogReading, replay: Replay, arms: tuple[Arm, Arm], making: Making, rows: Sequence[Compared]
) -> Header:
    baseline, candidate = arms
    return Header(
        log=LogFacts(
            digest=reading.digest,
            lines=reading.ledger.lines,
            first=reading.first,
            last=reading.last,
            eras=reading.eras,
            rejects=len(reading.rejects),
            traffic=reading.traffic,
        ),
        baseline=_side(baseline, replay.engines[0], replay.restarts[0]),
        candidate=_side(candidate, replay.engines[1], replay.restarts[1]),
        places=_places(baseline.places, rows),
        detail=replay.detail,
        tool_version=making.tool_version,
        command=making.command,
    )


def _range(absent: ChangeMatrix, rows: Sequence[Compared], present: Sequence[Compared]) -> ExistenceRange:
    """Return the counts with unknown words absent and present; `present` are the rows that have any."""
    again = {row.case.id for row in present}
    before = change_matrix([row for row in rows if row.case.id in again])
    after = change_matrix(present)

    def ends(counted: Callable[[ChangeMatrix], int]) -> tuple[int, int]:
        return counted(absent), counted(absent) - counted(before) + counted(after)

    def decided(side: str, action: Action) -> tuple[int, int]:
        return ends(
            lambda matrix: sum(cell.count.commands for cell in matrix.cells if getattr(cell, side) is action)
        )

    return ExistenceRange(
        population=absent.population.commands,
        changed=ends(lambda matrix: matrix.changed.commands),
        baseline_asks=decided("baseline", Action.ASK),
        baseline_denials=decided("baseline", Action.DENY),
        candidate_asks=decided("candidate", Action.ASK),
        candidate_denials=decided("candidate", Action.DENY),
    )


def _side(arm: Arm, info: EngineInfo, restarts: int) -> SideFacts:
    named = (info.engine, info.revision, info.switches, info.source)
    return SideFacts(arm.side, arm.digest, *named, restarts=restarts)


def _places(rule: PlaceRule, rows: Sequence[Compared]) -> PlaceFacts:
    sources = Counter(row.case.cwd_source for row in rows)
    return PlaceFacts(
        platform=rule.platform,
        working_directories={source: sources[source] for source in CwdSource if sources[source]},
        distinct_working_directories=len({row.case.cwd for row in rows}),
        links=len(rule.links),
        entries=len(rule.entries.known) if rule.entries.roots else None,
        world=rule.world,
    )
