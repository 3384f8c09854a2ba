"""From options to what workflows take."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Mapping, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any

import click

from audit.cli.options import absolute, spec_of, tell_notes, world_of
from audit.core.place import Platform
from audit.core.revision import LATEST
from audit.engines.spec import EngineChoice, choose_engine
from audit.log.cases import LogReading
from audit.log.places import PlaceFile
from audit.log.transcripts.reading import NOTHING
from audit.report.build import Making
from audit.workflows.history import PolicyHistory, load_history, load_place_file
from audit.workflows.impact import Comparison
from audit.workflows.policies import PolicyPaths, load_policies
from audit.workflows.reading import PlaceOptions, Progress, read_input
from audit.workflows.traffic import SessionOf, add_traffic, sessions_by_project, sessions_by_transcript

_NOT_PART = {"-o": 2, "--output": 2, "--rejects": 2, "--decisions": 2}
"""Options that say where results go and not what they are, with the number of words they take."""


def making() -> Making:
    """Return the tool's version and the command line that makes the report again."""
    words: list[str] = []
    left = iter(sys.argv[1:])
    for word in left:
        name, equals, _ = word.partition("=")
        if name not in _NOT_PART:
            words.append(word)
        elif not equals:
            next(left, None)
    return Making(version("permission-audit"), shlex.join(["permission-audit", *words]))


def places_of(given: Mapping[str, Any]) -> PlaceOptions:
    """Return the facts about places that were given on the command line and in a place file."""
    platform = None if given["platform"] is None else Platform(given["platform"])
    file = PlaceFile() if given.get("places") is None else load_place_file(given["places"])
    semantics = platform or file.platform or Platform.POSIX
    return PlaceOptions(
        absolute(given["cwd"], semantics, "--cwd"),
        absolute(given["home"], semantics, "--home"),
        platform,
        file,
        world_of(given) if "world" in given else None,
    )


def history_of(given: Mapping[str, Any], places: PlaceFile) -> PolicyHistory:
    """Return which policy was in force when: `--policy` at all times, or as the place file says."""
    if given["policy"] is not None:
        [policy] = load_policies([_paths_of(given["policy"], given, places)])
        tell_notes(policy.notes)
        name = str(given["policy"])
        return PolicyHistory({name: policy.sources}, name, places)
    if given["places"] is None:
        raise click.UsageError("give the policy that was in force, with --policy or in --places")
    if not places.policies:
        raise click.UsageError("the place file names no [[policy]]; add them, or give --policy")
    return load_history(places, given["places"].parent)


def _paths_of(policy: Path, given: Mapping[str, Any], places: PlaceFile) -> PolicyPaths:
    """Return the files of one side: its policy, the scopes given for both, the place file's MCP servers."""
    scopes = given["project_policy"], given["agents_dir"], given["project_agents_dir"]
    return PolicyPaths(policy, *scopes, mcp_servers=places.mcp_servers)


def engines_of(given: Mapping[str, Any]) -> tuple[EngineChoice, EngineChoice]:
    """Return the engines of baseline and candidate, made ready; raise as `choose_engine` does."""
    baseline = spec_of(given["engine"], given["core"], "") or f"core:{LATEST.name}"
    candidate = spec_of(given["candidate_engine"], given["candidate_core"], "candidate-") or baseline
    chosen = choose_engine(baseline)
    return chosen, chosen if candidate == baseline else choose_engine(candidate)


def comparison_of(given: Mapping[str, Any], places: PlaceFile) -> Comparison:
    """Load baseline and candidate; raise one `DocumentError` with the mistakes of both."""
    engines = engines_of(given)
    files = [given["policy"], given["candidate_policy"] or given["policy"]]
    if files[0] is None:
        if files[1] is None:
            raise click.UsageError("give --policy, or --places with its [[policy]] entries and a candidate")
        [candidate] = load_policies([_paths_of(files[1], given, places)])
        tell_notes(candidate.notes)
        return Comparison(history_of(given, places), candidate.sources, *engines)
    baseline, candidate = load_policies([_paths_of(file, given, places) for file in files])
    tell_notes((*baseline.notes, *candidate.notes))
    history = PolicyHistory({"baseline": baseline.sources}, "baseline", places)
    return Comparison(history, candidate.sources, *engines)


def traffic_of(
    logs: Sequence[str], traffic: Sequence[str], places: PlaceOptions, progress: Progress
) -> tuple[LogReading, SessionOf]:
    """Read logs (or an ingest folder), transcripts or both; return with them what names a call's session."""
    if not logs and not traffic:
        raise click.UsageError("give the path of a review log, or of transcripts with --traffic")
    reading = read_input(logs, places, progress) if logs else NOTHING
    if not traffic:
        return reading, sessions_by_project(reading.session_starts)
    joined = add_traffic(reading, traffic)
    return joined.reading, sessions_by_transcript(joined)
