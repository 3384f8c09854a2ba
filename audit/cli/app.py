"""The entry point: finds the command, turns what went wrong into a sentence and an exit code."""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Sequence

import click

from audit.errors import EXIT_INTERRUPTED, AuditError, DocumentError, OutputError

COMMANDS = {
    "impact": "audit.cli.impact",
    "attribute": "audit.cli.attribute",
    "bisect": "audit.cli.bisect",
    "fidelity": "audit.cli.fidelity",
    "summary": "audit.cli.summary",
    "ingest": "audit.cli.ingest",
    "snapshot": "audit.cli.snapshot",
    "explain": "audit.cli.explain",
    "decide": "audit.cli.decide",
    "cores": "audit.cli.cores",
    "engine": "audit.cli.engine",
}
"""Each command and its module, imported when it is called: a worker needs no tables."""


class LazyGroup(click.Group):
    """A group whose commands are imported one at a time."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names in the order of the table, which is the order of use."""
        del ctx
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import a command by its name."""
        del ctx
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = importlib.import_module(COMMANDS[cmd_name]).command
        return command


@click.group(
    cls=LazyGroup,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="Exit codes: 0 success; 1 a call without a decision; 2 a mistake in a command line or document; "
    "3 to 7 and 13 a log that cannot be used; 8 output that cannot be written; 9 an engine; 10 an unknown "
    "name; 11 and 12 an ingest folder, 14 and 15 a world that cannot be used; 130 interrupted.",
)
@click.version_option(package_name="permission-audit")
def cli() -> None:
    """What does a change of permissions do to real traffic?

    Reads the review logs of a coding agent's permission system and replays them, offline. Nothing that
    was logged is ever run.
    """


def _tell(error: AuditError) -> None:
    click.echo(f"error: {error.message}", err=True)
    if isinstance(error, DocumentError):
        for mistake in error.mistakes:
            click.echo(f"  {mistake.document}: {mistake.path}: {mistake.found}", err=True)
            click.echo(f"    allowed: {mistake.allowed}", err=True)
    if error.advice:
        click.echo(f"  {error.advice}", err=True)


def _drop_output() -> None:
    """Let what is still buffered go nowhere, so that nothing complains at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def run(arguments: Sequence[str]) -> int:
    """Run one command line and return its exit code."""
    from audit.replay.unicode_locale import use_unicode_locale  # loads the grammar

    try:
        if not use_unicode_locale():
            click.echo(
                "note: no UTF-8 locale is installed; commands with unusual white space may differ", err=True
            )
        code = cli.main(list(arguments), prog_name="permission-audit", standalone_mode=False)
        sys.stdout.flush()
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except AuditError as error:
        _tell(error)
        return error.exit_code
    except (click.Abort, KeyboardInterrupt):
        click.echo("interrupted, nothing was written", err=True)
        return EXIT_INTERRUPTED
    except BrokenPipeError:
        _drop_output()
        return 0
    except OSError as error:
        _drop_output()
        click.echo(f"error: the output cannot be written: {error.strerror or error}", err=True)
        return OutputError.exit_code
    return code if isinstance(code, int) else 0


def main() -> None:
    """Run the command line of this process."""
    sys.exit(run(sys.argv[1:]))
