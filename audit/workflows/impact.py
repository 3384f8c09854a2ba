"""Two policies over the same log: from files to a blast-radius report."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from hashlib import sha256

from audit.core.place import Platform
from audit.core.policy.compose import PolicySources, compose
from audit.core.revision import revision
from audit.engines.inprocess import open_core
from audit.files import open_logs
from audit.log.cases import LogReading
from audit.log.places import PlaceFile, moment
from audit.log.read import ReadOptions, read_logs, require_usable
from audit.replay.arm import Arm, PlaceRule, Side
from audit.replay.run import replay
from audit.report.build import Making, build_report
from audit.report.model import Report

Progress = Callable[[str, int, int | None], None]
"""Called with what is being done, how much of it is done, and how much there is (None: unknown)."""


@dataclass(frozen=True, slots=True)
class PlaceOptions:
    """Facts about places that the user supplies; None where the log's own evidence is to be used."""

    cwd: str | None = None
    home: str | None = None
    platform: Platform | None = None
    file: PlaceFile = field(default_factory=PlaceFile)
    """What a place file supplies; the members above go before it."""

    def rule(self, reading: LogReading) -> PlaceRule:
        """Return how the places of a reading's cases are made."""
        return PlaceRule(
            home=self.home or self.file.home,
            platform=self.platform or self.file.platform or reading.platform or Platform.POSIX,
            links=self.file.links or reading.links,
            agent_dir=self.file.agent_dir,
            infrastructure=self.file.infrastructure,
        )

    def cwd_at(self, time: str, agent: str | None) -> str | None:
        """Return the working directory that the place file supplies for a call."""
        return self.file.cwd_of(moment(time), agent)


@dataclass(frozen=True, slots=True)
class Comparison:
    """What to compare: the sources and core of both sides."""

    baseline: PolicySources
    candidate: PolicySources
    core: str
    candidate_core: str


def read_cases(patterns: Sequence[str], places: PlaceOptions, progress: Progress) -> LogReading:
    """Read logs by path, glob or `-`; raise `LogError`."""
    sources = open_logs(patterns)
    options = ReadOptions(
        cwd=places.cwd,
        home=places.home or places.file.home,
        platform=places.platform or places.file.platform,
        cwd_rule=places.cwd_at if places.file.working_directories else None,
        progress=lambda done: progress("reading", done, None),
    )
    return require_usable(read_logs(sources, options))


def compare_policies(
    reading: LogReading, comparison: Comparison, places: PlaceOptions, making: Making, progress: Progress
) -> Report:
    """Replay the cases of a log under both sides and measure what differs."""
    rule = places.rule(reading)
    arms = (
        _arm(Side.BASELINE, comparison.baseline, comparison.core, rule),
        _arm(Side.CANDIDATE, comparison.candidate, comparison.candidate_core, rule),
    )
    replayed = replay(reading.cases, *arms, progress=lambda done, total: progress("replaying", done, total))
    return build_report(reading, reading.case_classes, replayed, arms, making)


def _arm(side: Side, sources: PolicySources, core: str, rule: PlaceRule) -> Arm:
    revision(core)
    return Arm(
        side=side,
        opening=partial(open_core, core, side.value, sources),
        policy=side.value,
        digest=policy_digest(sources),
        places=rule,
    )


def policy_digest(sources: PolicySources) -> str:
    """Return what identifies a policy in a report: the digest of what it means to the nameless agent.

    Agents that the sources name take part with their own rulesets.
    """
    agents = sorted({*sources.agents, *sources.project_agents})
    if not agents:
        return compose(sources).digest
    parts = [compose(sources).digest, *(compose(sources, agent).digest for agent in agents)]
    return sha256("\n".join(parts).encode("ascii")).hexdigest()
