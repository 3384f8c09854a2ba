"""`permission-audit summary`."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import click

from audit.cli.options import format_option, output_option, place_options, places_option
from audit.cli.output import check_outputs, progress_bar, write_report


@click.command("summary")
@click.argument("logs", metavar="LOG...", nargs=-1, required=True)
@places_option
@place_options
@format_option
@output_option
def command(logs: tuple[str, ...], form: str, output: Path | None, **given: Any) -> None:
    """Say what a review log tells by itself, without a policy.

    LOG is a file, a glob pattern, or `-` for standard input; `.gz` is read too. How often people are asked
    and what they say, what for, by month; who decided; how long they take, in bursts and again and again;
    what they always approve; and where every line of the log went.
    """
    from audit.cli.making import making, places_of
    from audit.report.summary_page import summary_page, summary_to_json
    from audit.workflows.summary import summarize

    check_outputs((output,), (*logs, given["places"]))
    with progress_bar() as progress:
        summary = summarize(logs, places_of(given), making(), progress)
    write_report(partial(summary_page, summary), partial(summary_to_json, summary), form, output)
