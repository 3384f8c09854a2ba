"""`permission-audit attribute`."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import click

from audit.cli.options import comparison_options, engine_options, format_option, output_option
from audit.cli.output import check_outputs, progress_bar, write_report


@click.command("attribute")
@click.argument("logs", metavar="[LOG...]", nargs=-1)
@comparison_options
@engine_options
@format_option
@output_option
def command(logs: tuple[str, ...], form: str, output: Path | None, **given: Any) -> None:
    """Find the switches and policy edits that cause each change between two sides.

    LOG and the options are those of `impact`. Every switch in which the two cores differ and every edit
    between the two policies is flipped by itself, and then every pair; the smallest set that gives the whole
    answer of the candidate is the cause of a change. Where several sets do, all are named. Both engines have
    to be `core:NAME`.
    """
    from audit.cli.making import comparison_of, making, places_of, traffic_of
    from audit.report.attribution import attribution_json, attribution_page
    from audit.workflows.attribute import attribute

    files = (given[name] for name in ("policy", "candidate_policy", "places", "world"))
    check_outputs((output,), (*logs, *given["traffic"], *files))
    places = places_of(given)
    comparison = comparison_of(given, places.file)
    with progress_bar() as progress:
        reading, _ = traffic_of(logs, given["traffic"], places, progress)
        report = attribute(reading, comparison, places, making(), progress)
    write_report(partial(attribution_page, report), partial(attribution_json, report), form, output)
