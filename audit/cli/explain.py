"""`permission-audit explain`."""

from __future__ import annotations

import shutil
import sys
from typing import Any

import click

from audit.cli.options import setting, single_options


@click.command("explain")
@click.argument("command_text", metavar="[COMMAND]", required=False)
@click.option("--tool", default="bash", show_default=True, help="Name of the tool that is called.")
@click.option("--path", help="Path argument of the call.")
@click.option("--input", "given", help="Further input of the call, as a JSON object.")
@single_options
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)
def command(
    command_text: str | None, tool: str, path: str | None, given: str | None, form: str, **options: Any
) -> None:
    """Show step by step why a call is decided as it is.

    COMMAND is a shell command; other tools are named with --tool and described with --path or --input.
    Nothing is run.
    """
    from audit.protocol.messages import decision_message, encode
    from audit.report.explanation import explanation_to_data, explanation_to_terminal
    from audit.workflows.single import call_from, explain_call

    if command_text is None and tool == "bash" and given is None:
        raise click.UsageError("give a COMMAND, or a --tool and its --path or --input")
    if command_text is not None and tool != "bash":
        raise click.UsageError(
            "a COMMAND is for the shell tool; describe the call of another --tool with --input"
        )
    explanation = explain_call(call_from(command_text, tool, path, given), setting(options))
    if form == "json":
        message = decision_message(None, explanation.decision) | explanation_to_data(explanation)
        click.echo(encode(message))
        return
    width = shutil.get_terminal_size((80, 24)).columns
    click.echo(explanation_to_terminal(explanation, width, colour=sys.stdout.isatty()), nl=False)
