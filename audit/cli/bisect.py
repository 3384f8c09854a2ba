"""`permission-audit bisect`."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import click

from audit.cli.options import comparison_options, format_option, output_option
from audit.cli.output import check_outputs, progress_bar, write_report


@click.command("bisect")
@click.argument("logs", metavar="[LOG...]", nargs=-1)
@click.option(
    "--core",
    "cores",
    multiple=True,
    metavar="NAME",
    help="Core revision, oldest first; two stand for all registered ones between them.",
)
@click.option(
    "--engine", "engines", multiple=True, metavar="SPEC", help="Engine, oldest first, in place of --core."
)
@click.option(
    "--git",
    "commits",
    metavar="A..B",
    help="Commits of the repository of permission-audit; one --core then names their revision.",
)
@comparison_options
@format_option
@output_option
def command(
    logs: tuple[str, ...],
    cores: tuple[str, ...],
    engines: tuple[str, ...],
    commits: str | None,
    form: str,
    output: Path | None,
    **given: Any,
) -> None:
    """Find where changes first appear in an ordered list of revisions, engines or commits.

    LOG and the options are those of `impact`. The first step is the baseline of all others; a step whose
    neighbours answer alike is not replayed.
    """
    from audit.cli.making import comparison_of, making, places_of, traffic_of
    from audit.report.bisection import bisection_json, bisection_page
    from audit.workflows.bisect import bisect_engines

    specs = _specs(cores, engines, commits)
    files = (given[name] for name in ("policy", "candidate_policy", "places", "world"))
    check_outputs((output,), (*logs, *given["traffic"], *files))
    places = places_of(given)
    sides = dict.fromkeys(("core", "candidate_core", "engine", "candidate_engine"))
    comparison = comparison_of({**given, **sides}, places.file)
    with progress_bar() as progress:
        reading, _ = traffic_of(logs, given["traffic"], places, progress)
        report = bisect_engines(reading, comparison, specs, places, making(), progress)
    write_report(partial(bisection_page, report), partial(bisection_json, report), form, output)


def _specs(cores: tuple[str, ...], engines: tuple[str, ...], commits: str | None) -> tuple[str, ...]:
    """Return the engines in order; raise a usage error unless one kind of them is named."""
    from audit.workflows.bisect import commits_between, revisions_between

    if commits is not None:
        if engines or len(cores) > 1:
            raise click.UsageError("--git goes alone, or with one --core for the revision of its commits")
        return commits_between(commits, cores[0] if cores else None)
    if bool(cores) == bool(engines):
        raise click.UsageError("name the steps with --core, with --engine, or with --git")
    if engines:
        return engines
    if len(cores) == 1:
        raise click.UsageError("one --core is no list; name the first and the last")
    return revisions_between(*cores) if len(cores) == 2 else tuple(f"core:{name}" for name in cores)
