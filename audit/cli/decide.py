"""`permission-audit decide`."""

from __future__ import annotations

import io
import sys
from collections.abc import Iterator
from typing import Any

import click

from audit.cli.options import call_options, check_call, setting, single_options
from audit.protocol.messages import encode
from audit.workflows.single import call_from, decide_call, decide_lines


@click.command("decide")
@call_options
@single_options
def command(command_text: str | None, tool: str, path: str | None, given: str | None, **options: Any) -> int:
    """Decide one call, or one a line from standard input, and answer in JSON.

    A line holds {"command": TEXT}, or {"tool": NAME, "input": {...}}, with an optional "id", "agent" and
    "place". The exit code is 1 if a line got no decision.
    """
    check_call(command_text, tool, path)
    chosen = setting(options)
    if command_text is not None or given is not None or tool != "bash":
        answers: Iterator[dict[str, object]] = iter(
            [decide_call(call_from(command_text, tool, path, given), chosen)]
        )
    else:
        stream = io.TextIOWrapper(sys.stdin.buffer, encoding="utf-8", errors="replace")
        answers = decide_lines(stream, chosen)
    failed = 0
    for answer in answers:
        failed += answer["type"] == "failure"
        click.echo(encode(answer))
    return 1 if failed else 0
