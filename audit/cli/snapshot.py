"""`permission-audit snapshot`."""

from __future__ import annotations

from importlib.metadata import version
from typing import TYPE_CHECKING

import click

from audit.cli.options import FILE
from audit.cli.output import progress_bar

if TYPE_CHECKING:
    from pathlib import Path

    from audit.worlds.write import Tally

MOST_NAMED = 20
"""Folders that could not be read and are named; the rest is counted."""


@click.command("snapshot")
@click.argument("folders", metavar="DIR...", nargs=-1, required=True)
@click.option("-o", "--output", type=FILE, required=True, metavar="FILE", help="World to write (Parquet).")
@click.option(
    "--exclude",
    "excludes",
    multiple=True,
    metavar="NAME",
    help="Do not look into folders of this name (`*` and `?` stand for any text); may be repeated.",
)
def command(folders: tuple[str, ...], output: Path, excludes: tuple[str, ...]) -> None:
    """Record which names exist below folders, for revisions of the core that look.

    Names, kinds and the targets of links are recorded, never what files hold; links are not followed. The
    world goes to other commands with --world.
    """
    from audit.report.sections import plural
    from audit.report.visible import visible
    from audit.workflows.snapshot import record_world

    with progress_bar() as progress:
        recorded = record_world(folders, output, version("permission-audit"), progress, excludes)
    click.echo(f"{output}: {_told(recorded.tally)} below {plural(len(recorded.roots), 'folder')}")
    unreadable = recorded.tally.unreadable
    if unreadable:
        click.echo(
            f"note: {plural(len(unreadable), 'folder')} could not be read, so it is unknown what is in:",
            err=True,
        )
        for folder, name, why in unreadable[:MOST_NAMED]:
            click.echo(f"  {visible(f'{folder}/{name}')}: {why}", err=True)
        if len(unreadable) > MOST_NAMED:
            click.echo(f"  and {len(unreadable) - MOST_NAMED:,} more", err=True)


def _told(tally: Tally) -> str:
    from audit.report.sections import listing, plural
    from audit.worlds.walk import Kind

    words = {Kind.FILE: "file", Kind.DIRECTORY: "folder", Kind.LINK: "link"}
    kinds = listing(plural(tally.kinds[kind], word) for kind, word in words.items())
    names = f"{plural(tally.kinds.total(), 'name')} ({kinds}, {tally.kinds[Kind.OTHER]:,} other)"
    return f"{names}, {plural(tally.excluded, 'folder')} not looked into," if tally.excluded else names
