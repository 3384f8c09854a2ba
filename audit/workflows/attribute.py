"""Which switches and policy edits cause which changes: from files to a report of causes."""

from __future__ import annotations

from functools import partial

from audit.core.revision import revision
from audit.errors import EngineError
from audit.log.cases import LogReading
from audit.measures.finding import finding
from audit.replay.attribution import Attributor
from audit.replay.change import compare, is_changed
from audit.replay.run import work_of
from audit.report.attribution import AttributionReport, Changed, build_attribution
from audit.report.build import Making, build_report
from audit.workflows.impact import Comparison, core_of, replay_both
from audit.workflows.reading import PlaceOptions, Progress


def attribute(
    reading: LogReading, comparison: Comparison, places: PlaceOptions, making: Making, progress: Progress
) -> AttributionReport:
    """Replay the cases of a log under both sides, and attribute every change.

    Raises `EngineError` for an engine that is not one of our cores, and for a baseline that follows history.
    """
    cores = tuple(revision(core_of(engine)) for engine in (comparison.engine, comparison.candidate_engine))
    if comparison.baseline.always is None:
        raise EngineError(
            "changes are attributed against one baseline policy, and that of the place file changes",
            "give the baseline with --policy",
        )
    policies = (comparison.baseline.policies[comparison.baseline.always], comparison.candidate)
    rule = places.rule(reading)
    reading, replayed, arms = replay_both(reading, comparison, rule, progress)
    rows = [row for row in compare(replayed.rows) if is_changed(row)]
    attributor = Attributor((cores[0], cores[1]), policies)
    works = [work_of(row.case, rule.place(row.case.cwd or "", row.case.home)) for row in rows]
    causes = attributor.causes(works, partial(progress, "attributing"))
    changed = [Changed(row, finding(row), found) for row, found in zip(rows, causes, strict=True)]
    report = build_report(reading, replayed, arms, making)
    return build_attribution(report, attributor.factors, changed)
