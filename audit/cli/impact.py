"""`permission-audit impact`."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import click

from audit.cli.options import (
    FILE,
    core_option,
    format_option,
    output_option,
    place_options,
    scope_options,
    tell_notes,
)
from audit.cli.output import progress_bar, write_report


@click.command("impact")
@click.argument("logs", metavar="LOG...", nargs=-1, required=True)
@click.option("--policy", type=FILE, required=True, help="Policy of the baseline: JSON with comments.")
@click.option("--candidate-policy", type=FILE, help="Policy of the candidate.  [default: the baseline's]")
@scope_options
@place_options
@core_option
@click.option("--candidate-core", help="Core revision of the candidate.  [default: the baseline's]")
@format_option
@click.option("--rejects", type=FILE, help="Write lines that are no entries to this file, with the reason.")
@output_option
def command(logs: tuple[str, ...], form: str, output: Path | None, **given: Any) -> None:
    """Compare two policies over the calls of a review log.

    LOG is a file, a glob pattern, or `-` for standard input; `.gz` is read too. Baseline and candidate
    decide the same calls; the report says what moved, what would newly pass, and what would newly ask.
    """
    from audit.cli.making import making, places_of, policies_of  # noqa: PLC0415 - loaded when called
    from audit.files import write_atomically  # noqa: PLC0415
    from audit.report.json import to_json  # noqa: PLC0415
    from audit.report.page import page  # noqa: PLC0415
    from audit.workflows.impact import Comparison, compare_policies, read_cases  # noqa: PLC0415
    from audit.workflows.rejects import rejects_text  # noqa: PLC0415

    baseline, candidate = policies_of(given)
    tell_notes((*baseline.notes, *candidate.notes))
    core = given["core"]
    comparison = Comparison(baseline.sources, candidate.sources, core, given["candidate_core"] or core)
    places = places_of(given)
    with progress_bar() as progress:
        reading = read_cases(logs, places, progress)
        report = compare_policies(reading, comparison, places, making(), progress)
    if given["rejects"] is not None:
        write_atomically(given["rejects"], rejects_text(reading.rejects))
    write_report(page(report), partial(to_json, report), form, output)
