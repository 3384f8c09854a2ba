"""`permission-audit ingest`."""

from __future__ import annotations

from importlib.metadata import version
from typing import TYPE_CHECKING, Any

import click

from audit.cli.options import FILE, place_options, places_option
from audit.cli.output import progress_bar

if TYPE_CHECKING:
    from pathlib import Path

    from audit.workflows.ingest import Ingested


@click.command("ingest")
@click.argument("logs", metavar="LOG...", nargs=-1, required=True)
@click.option("-o", "--output", type=FILE, required=True, metavar="DIR", help="Folder to write.")
@click.option("--force", is_flag=True, help="Replace DIR if it is an ingest folder.")
@places_option
@place_options
@click.option(
    "--field-width",
    type=click.IntRange(min=1),
    help="`reviewLogFieldMaxWidth` of the installation that wrote the log.",
)
def command(logs: tuple[str, ...], output: Path, force: bool, field_width: int | None, **given: Any) -> None:
    """Read review logs once and keep what they hold as a folder.

    LOG is a file, a glob pattern, or `-` for standard input; `.gz` is read too. The folder holds Parquet
    files and a manifest, and every command takes it in place of logs. A folder of an older format may stand
    in place of LOG, and is upgraded.
    """
    from audit.cli.making import places_of
    from audit.workflows.ingest import Target, ingest

    target = Target(output, force, version("permission-audit"))
    with progress_bar() as progress:
        written = ingest(logs, target, places_of(given), progress, field_width)
    click.echo(_told(written, output))


def _told(written: Ingested, output: Path) -> str:
    """Say what was written."""
    return (
        f"{output}: {written.calls:,} calls in {written.cases:,} cases from {written.ledger.lines:,} lines, "
        f"of which {written.entries:,} are entries and {written.rejects:,} are rejected; "
        f"{len(written.ledger.classes)} ledger classes"
    )
