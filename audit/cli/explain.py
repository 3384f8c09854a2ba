"""`permission-audit explain`."""

from __future__ import annotations

import shutil
import sys
from typing import Any

import click

from audit.cli.options import call_options, check_call, setting, single_options
from audit.protocol.messages import decision_message, encode
from audit.workflows.single import call_from, explain_call


@click.command("explain")
@call_options
@single_options
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)
def command(
    command_text: str | None, tool: str, path: str | None, given: str | None, form: str, **options: Any
) -> None:
    """Show step by step why a call is decided as it is.

    COMMAND is a shell command; other tools are named with --tool and described with --path or --input.
    Nothing is run.
    """
    from audit.report.explanation import explanation_to_data, explanation_to_terminal

    if command_text is None and tool == "bash" and given is None:
        raise click.UsageError("give a COMMAND, or a --tool and its --path or --input")
    check_call(command_text, tool, path)
    explanation = explain_call(call_from(command_text, tool, path, given), setting(options))
    if form == "json":
        message = decision_message(None, explanation.decision) | explanation_to_data(explanation)
        click.echo(encode(message))
        return
    width = shutil.get_terminal_size((80, 24)).columns
    click.echo(explanation_to_terminal(explanation, width, colour=sys.stdout.isatty()), nl=False)
