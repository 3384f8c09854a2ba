"""`permission-audit engine`."""

from __future__ import annotations

import sys

import click

from audit.cli.options import core_option
from audit.core.revision import revision
from audit.engines.inprocess import InProcessEngine
from audit.engines.worker import serve


@click.command("engine")
@core_option
def command(core: str) -> None:
    """Answer the engine protocol on standard input and output.

    One JSON object a line: policies and questions in, decisions and failures out, until `bye` or the end
    of input. See docs/engine-protocol.md.
    """
    serve(InProcessEngine(revision(core)), sys.stdin.buffer, sys.stdout.buffer)
