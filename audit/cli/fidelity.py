"""`permission-audit fidelity`."""

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
    places_option,
    scope_options,
    traffic_option,
    world_option,
)
from audit.cli.output import check_outputs, progress_bar, write_report


@click.command("fidelity")
@click.argument("logs", metavar="LOG...", nargs=-1, required=True)
@click.option("--policy", type=FILE, help="Policy that was in force: JSON with comments.")
@places_option
@world_option
@scope_options
@place_options
@core_option
@traffic_option
@click.option("--sessions", is_flag=True, help="Replay in sessions, too, with what people approved for them.")
@click.option("--decisions", type=FILE, help="Write the decision of every replayed call to this file.")
@format_option
@output_option
def command(logs: tuple[str, ...], sessions: bool, form: str, output: Path | None, **given: Any) -> None:
    """Hold the policy in force against what the log recorded.

    Every request of a call that is replayed exactly or on assumptions is decided again. The report says how
    many agree, each kind by itself, and shows those that do not, with both explanations; the JSON form lists
    them all. Which policy was in force when comes from --policy, or
    from the [[policy]] entries of --places.
    """
    from audit.cli.making import history_of, making, places_of, traffic_of
    from audit.files import write_atomically
    from audit.report.fidelity import fidelity_page, fidelity_to_json
    from audit.workflows.fidelity import (
        FidelityRequest,
        Mode,
        decisions_text,
        fidelity_of,
        measure_fidelity,
    )

    inputs = (*logs, *given["traffic"], given["policy"], given["places"], given["world"])
    check_outputs((output, given["decisions"]), inputs)
    places = places_of(given)
    history = history_of(given, places.file)
    modes = tuple(Mode) if sessions else (Mode.STATIC,)
    with progress_bar() as progress:
        reading, session_of = traffic_of(logs, given["traffic"], places, progress)
        request = FidelityRequest(given["core"], modes, session_of, making())
        measured = measure_fidelity(reading, history, places.rule(reading), request)
        report = fidelity_of(reading, history, measured, request)
    if given["decisions"] is not None:
        write_atomically(given["decisions"], decisions_text(reading, measured, session_of))
    write_report(partial(fidelity_page, report), partial(fidelity_to_json, report), form, output)
