"""Writes the generated pages of the documentation; `--check` only compares.

python docs/generate.py [--check]
"""

from __future__ import annotations

import sys
from pathlib import Path

import click

from audit.cli.app import COMMANDS, cli

DOCS = Path(__file__).resolve().parent


def command_reference() -> str:
    """Return the reference of every command, as its own help says it."""
    parts = [
        "# Command reference",
        "",
        "Written by `python docs/generate.py` from the commands themselves; do not edit.",
        "",
        "```text",
        _help(cli),
        "```",
    ]
    group = click.Context(cli, info_name="permission-audit")
    for name in COMMANDS:
        command = cli.get_command(group, name)
        if command is not None:
            parts += ["", f"## {name}", "", "```text", _help(command, group), "```"]
    return "\n".join(parts) + "\n"


def _help(command: click.Command, parent: click.Context | None = None) -> str:
    name = "permission-audit" if parent is None else command.name
    context = click.Context(command, parent, name, terminal_width=96, help_option_names=["-h", "--help"])
    return "\n".join(line.rstrip() for line in command.get_help(context).splitlines())


PAGES = {"commands.md": command_reference}


def main() -> int:
    """Write the pages, or say which are not current."""
    stale = []
    for name, make in PAGES.items():
        path, text = DOCS / name, make()
        if path.exists() and path.read_text(encoding="utf-8") == text:
            continue
        stale.append(name)
        if "--check" not in sys.argv[1:]:
            path.write_text(text, encoding="utf-8")
    if stale and "--check" in sys.argv[1:]:
        sys.stderr.write(f"not current: {', '.join(stale)}; run `python docs/generate.py`\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
