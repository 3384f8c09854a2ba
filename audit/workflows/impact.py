"""Two policies over the same log: from files to a blast-radius report."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from hashlib import sha256

from audit.core.policy.compose import PolicySources, compose
from audit.core.policy.rule import Ruleset
from audit.core.revision import revision
from audit.core.switches import BareTokens
from audit.engines.spec import EngineChoice
from audit.errors import EngineError
from audit.log.cases import LogReading
from audit.log.policy_cases import by_policy_in_force
from audit.measures.session_prompts import SessionPrompts, session_prompts
from audit.replay.arm import Arm, PlaceRule, Side
from audit.replay.change import compare
from audit.replay.promotion import WordFacts, WordReader
from audit.replay.run import Replay, replay, work_of
from audit.replay.sessions import SessionCall, SessionRow, replay_sessions
from audit.report.build import Existence, Making, build_report
from audit.report.model import Report
from audit.workflows.history import PolicyHistory
from audit.workflows.placed import PlacedCall, placed_calls, session_calls
from audit.workflows.reading import PlaceOptions, Progress
from audit.workflows.traffic import SessionOf


@dataclass(frozen=True, slots=True)
class Comparison:
    """What to compare: policies and core of both sides, and whether in sessions, too."""

    baseline: PolicyHistory
    """What was in force: one policy, or those of a place file, each at its time."""
    candidate: PolicySources
    engine: EngineChoice
    candidate_engine: EngineChoice
    session_of: SessionOf | None = None
    """Names the session of each call; None: calls are replayed alone only."""


def compare_policies(
    reading: LogReading, comparison: Comparison, places: PlaceOptions, making: Making, progress: Progress
) -> Report:
    """Replay the cases of a log under both sides and measure what differs."""
    cores = None
    if comparison.session_of is not None:
        cores = core_of(comparison.engine), core_of(comparison.candidate_engine)
    rule = places.rule(reading)
    reading, replayed, arms = replay_both(reading, comparison, rule, progress)
    sessions = None
    if comparison.session_of is not None and cores is not None:
        sessions = _in_sessions(reading, comparison, comparison.session_of, rule, cores)
    existence = _existence(replayed, comparison, rule, progress)
    return build_report(reading, replayed, arms, making, sessions, existence)


def _arms(comparison: Comparison, rule: PlaceRule) -> tuple[Arm, Arm]:
    history = comparison.baseline
    candidate = {Side.CANDIDATE.value: comparison.candidate}
    return (
        _arm(Side.BASELINE, history.policies, history.always, comparison.engine, rule),
        _arm(Side.CANDIDATE, candidate, Side.CANDIDATE.value, comparison.candidate_engine, rule),
    )


def _existence(replayed: Replay, comparison: Comparison, rule: PlaceRule, progress: Progress) -> Existence:
    """Return what is known of bare words; replay the cases again whose unknown words a core asks about."""
    candidate = {Side.CANDIDATE.value: comparison.candidate}
    history = comparison.baseline
    sides = (
        _words(replayed, 0, comparison.engine, history.policies, history.always, rule),
        _words(replayed, 1, comparison.candidate_engine, candidate, Side.CANDIDATE.value, rule),
    )
    looking = (_looks(comparison.engine), _looks(comparison.candidate_engine))
    unknown = {
        case
        for looks, words in zip(looking, sides, strict=True)
        for case, one in (words or {}).items()
        if looks and one.unknown
    }
    if not unknown:
        return Existence(sides)
    present = replace(rule, entries=replace(rule.entries, otherwise=True))
    cases = [row.case for row in replayed.rows if row.case.id in unknown]
    arms = _arms(comparison, present)
    again = replay(cases, *arms, progress=lambda done, total: progress("replaying again", done, total))
    return Existence(sides, compare(again.rows))


def _looks(engine: EngineChoice) -> bool:
    return engine.core is not None and revision(engine.core).bare_tokens is BareTokens.EXISTENCE


def _words(
    replayed: Replay,
    side: int,
    engine: EngineChoice,
    policies: Mapping[str, PolicySources],
    always: str | None,
    rule: PlaceRule,
) -> dict[str, WordFacts] | None:
    """Return what is known of the bare words of each case; None for an engine that is not ours."""
    if engine.core is None:
        return None
    reader = WordReader(revision(engine.core), policies)
    found: dict[str, WordFacts] = {}
    for row in replayed.rows:
        case, answer = row.case, row.candidate if side else row.baseline
        if not reader.has_words(answer, rule.entries):
            continue
        work = work_of(case, rule.place(case.cwd or "", case.home))
        policy = (None if side else case.policy) or always or next(iter(policies))
        found[case.id] = reader.facts(work, policy, answer)
    return found


def replay_both(
    reading: LogReading, comparison: Comparison, rule: PlaceRule, progress: Progress
) -> tuple[LogReading, Replay, tuple[Arm, Arm]]:
    """Replay the cases of a log under both sides; return the reading as it was replayed, and the arms."""
    history = comparison.baseline
    if history.always is None:
        reading = by_policy_in_force(reading, history.name_at)
    arms = _arms(comparison, rule)
    replayed = replay(reading.cases, *arms, progress=lambda done, total: progress("replaying", done, total))
    return reading, replayed, arms


def _in_sessions(
    reading: LogReading,
    comparison: Comparison,
    session_of: SessionOf,
    rule: PlaceRule,
    cores: tuple[str, str],
) -> SessionPrompts:
    history = comparison.baseline
    candidate = PolicyHistory({Side.CANDIDATE.value: comparison.candidate}, Side.CANDIDATE.value)
    placed = [one for one in placed_calls(reading, rule) if isinstance(one, PlacedCall)]
    by_id = {str(one.index): one for one in placed}
    calls = session_calls(
        (one for one in placed if history.name_at(one.call.time, one.case.cwd) is not None), session_of
    )

    def rows(policies: PolicyHistory, core: str) -> Iterator[SessionRow]:
        def ruleset(call: SessionCall) -> Ruleset:
            one = by_id[call.id]
            return policies.ruleset(policies.name_at(one.call.time, one.case.cwd) or "", call.agent)

        return replay_sessions(calls, ruleset, revision(core))

    return session_prompts(rows(history, cores[0]), rows(candidate, cores[1]))


def core_of(engine: EngineChoice) -> str:
    """Return the core revision of an engine; raise `EngineError` for one that is not ours."""
    if engine.core is None:
        raise EngineError(f"`{engine.spec}` cannot be replayed in sessions", "only `core:NAME` engines can")
    return engine.core


def _arm(
    side: Side,
    policies: Mapping[str, PolicySources],
    policy: str | None,
    engine: EngineChoice,
    rule: PlaceRule,
) -> Arm:
    digests = [policy_digest(sources) for sources in policies.values()]
    digest = digests[0] if len(digests) == 1 else sha256("\n".join(digests).encode("ascii")).hexdigest()
    return Arm(
        side=side,
        opening=engine.opening(policies),
        policy=policy or next(iter(policies)),
        digest=digest,
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
