"""What commands show on the way, and where their results go."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from audit.report.sections import Page
    from audit.workflows.reading import Progress

FILE_WIDTH = 100
"""Columns of a text report that goes to a file."""


@contextmanager
def progress_bar() -> Iterator[Progress]:
    """Show progress on standard error when that is a terminal."""
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TaskID, TextColumn, TimeElapsedColumn

    console = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), TextColumn("{task.completed:,.0f}"))
    with Progress(
        *columns, TimeElapsedColumn(), console=console, disable=not console.is_terminal, transient=True
    ) as bar:
        tasks: dict[str, TaskID] = {}

        def show(stage: str, done: int, total: int | None) -> None:
            if stage not in tasks:
                tasks[stage] = bar.add_task(stage, total=total)
            bar.update(tasks[stage], completed=done, total=total)

        yield show


def check_outputs(outputs: Iterable[Path | None], inputs: Iterable[str | Path | None]) -> None:
    """Raise a usage error for an output that is also an input, or named twice."""
    read = {Path(one).resolve() for one in inputs if one is not None}
    written: set[Path] = set()
    for output in outputs:
        if output is None:
            continue
        if output.resolve() in read:
            raise click.UsageError(f"`{output}` is read and would be overwritten; name another output")
        if output.resolve() in written:
            raise click.UsageError(f"`{output}` is named for two outputs")
        written.add(output.resolve())


def write_report(
    as_page: Callable[[], Page], as_json: Callable[[], str], form: str, output: Path | None
) -> None:
    """Write a report in one of the formats, to a file or to standard output."""
    from audit.files import write_atomically
    from audit.report.markdown import to_markdown
    from audit.report.terminal import to_terminal

    if form == "json":
        text = as_json()
    elif form == "md":
        text = to_markdown(as_page())
    elif output is not None:
        text = to_terminal(as_page(), FILE_WIDTH)
    else:
        columns = shutil.get_terminal_size((80, 24)).columns
        text = to_terminal(as_page(), columns, colour=sys.stdout.isatty())
    if output is None:
        click.echo(text, nl=False)
    else:
        write_atomically(output, text)
        click.echo(f"report written to {output}", err=True)
