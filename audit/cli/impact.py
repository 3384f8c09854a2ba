"""`permission-audit impact`."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from audit.cli.options import FILE, core_option, output_option, platform_option, scope_options, tell_notes

if TYPE_CHECKING:
    from audit.report.model import Report
    from audit.workflows.impact import Progress


@contextmanager
def progress_bar() -> Iterator[Progress]:
    """Show progress on standard error when that is a terminal."""
    from rich.console import Console  # noqa: PLC0415 - loaded when called
    from rich.progress import BarColumn, Progress, TaskID, TextColumn, TimeElapsedColumn  # noqa: PLC0415

    console = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), TextColumn("{task.completed:,.0f}"))
    with Progress(*columns, TimeElapsedColumn(), console=console, disable=not console.is_terminal) as bar:
        tasks: dict[str, TaskID] = {}

        def show(stage: str, done: int, total: int | None) -> None:
            if stage not in tasks:
                tasks[stage] = bar.add_task(stage, total=total)
            bar.update(tasks[stage], completed=done, total=total)

        yield show


def render(report: Report, form: str, *, to_file: bool) -> str:
    """Return a report in one of the formats."""
    from audit.report.json import to_json  # noqa: PLC0415 - loaded when called
    from audit.report.markdown import to_markdown  # noqa: PLC0415
    from audit.report.terminal import to_terminal  # noqa: PLC0415

    if form == "json":
        return to_json(report)
    if form == "md":
        return to_markdown(report)
    width = 100 if to_file else shutil.get_terminal_size((80, 24)).columns
    return to_terminal(report, width, colour=not to_file and sys.stdout.isatty())


@click.command("impact")
@click.argument("logs", metavar="LOG...", nargs=-1, required=True)
@click.option("--policy", type=FILE, required=True, help="Policy of the baseline: JSON with comments.")
@click.option("--candidate-policy", type=FILE, help="Policy of the candidate.  [default: the baseline's]")
@scope_options
@click.option("--cwd", help="Working directory of every call.  [default: from the log's own evidence]")
@click.option("--home", help="Home directory.  [default: from the log's own evidence]")
@platform_option
@core_option
@click.option("--candidate-core", help="Core revision of the candidate.  [default: the baseline's]")
@click.option(
    "--format", "form", type=click.Choice(["text", "md", "json"]), default="text", show_default=True
)
@click.option("--rejects", type=FILE, help="Write lines that are no entries to this file, with the reason.")
@output_option
def command(logs: tuple[str, ...], form: str, output: Path | None, **given: Any) -> None:
    """Compare two policies over the calls of a review log.

    LOG is a file, a glob pattern, or `-` for standard input; `.gz` is read too. Baseline and candidate
    decide the same calls; the report says what moved, what would newly pass, and what would newly ask.
    """
    from audit.cli.making import making, places_of, policies_of  # noqa: PLC0415 - loaded when called
    from audit.files import write_atomically  # noqa: PLC0415
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
    text = render(report, form, to_file=output is not None)
    if given["rejects"] is not None:
        write_atomically(given["rejects"], rejects_text(reading.rejects))
    if output is None:
        click.echo(text, nl=False)
    else:
        write_atomically(output, text)
        click.echo(f"report written to {output}", err=True)
