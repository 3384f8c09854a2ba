"""`permission-audit impact`."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import click

from audit.cli.options import FILE, comparison_options, engine_options, format_option, output_option
from audit.cli.output import check_outputs, progress_bar, write_report


@click.command("impact")
@click.argument("logs", metavar="[LOG...]", nargs=-1)
@comparison_options
@click.option("--sessions", is_flag=True, help="Count prompts in sessions, too, with what people approved.")
@engine_options
@format_option
@click.option("--rejects", type=FILE, help="Write lines that are no entries to this file, with the reason.")
@output_option
def command(logs: tuple[str, ...], sessions: bool, form: str, output: Path | None, **given: Any) -> None:
    """Compare two policies, or two engines, over the calls of a review log.

    LOG is a file, a glob pattern, or `-` for standard input; `.gz` is read too. Baseline and candidate
    decide the same calls; the report says what moved, what would newly pass, and what would newly ask.
    With --traffic the population is every call that was made, not only those that left a line; then LOG
    may be left out. Without --policy the baseline follows the [[policy]] entries of --places.
    """
    from audit.cli.making import comparison_of, making, places_of, traffic_of
    from audit.files import write_atomically
    from audit.report.json import to_json
    from audit.report.page import page
    from audit.workflows.impact import compare_policies
    from audit.workflows.rejects import rejects_text

    files = (given[name] for name in ("policy", "candidate_policy", "places", "world"))
    inputs = (*logs, *given["traffic"], *files)
    check_outputs((output, given["rejects"]), inputs)
    places = places_of(given)
    comparison = comparison_of(given, places.file)
    with progress_bar() as progress:
        reading, session_of = traffic_of(logs, given["traffic"], places, progress)
        if sessions:
            comparison = replace(comparison, session_of=session_of)
        report = compare_policies(reading, comparison, places, making(), progress)
    if given["rejects"] is not None:
        write_atomically(given["rejects"], rejects_text(reading.rejects))
    write_report(partial(page, report), partial(to_json, report), form, output)
