"""`permission-audit cores`."""

from __future__ import annotations

from pathlib import Path

import click

from audit.cli.options import format_option, output_option
from audit.cli.output import write_report


@click.command("cores")
@format_option
@click.option("--json", "as_json", is_flag=True, help="The same as --format json.")
@output_option
def command(form: str, as_json: bool, output: Path | None) -> None:
    """List the revisions of the decision core and the switches they differ in.

    Each value says what it means, since when, how that is known (R: run, S: stated), and what it makes of a
    witness: a call on which it decides or reads otherwise. NAME+SWITCH=VALUE names a revision that differs
    from a listed one, wherever a command takes --core.
    """
    from audit.report.cores import cores_json, cores_page

    write_report(cores_page, cores_json, "json" if as_json else form, output)
