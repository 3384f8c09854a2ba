"""Writes the generated pages of the documentation; `--check` only compares.

python docs/generate.py [--check]
"""

from __future__ import annotations

import sys
from functools import partial
from pathlib import Path

import click

from audit.cli.app import COMMANDS, cli
from audit.core.revision import SWITCHES
from audit.log.store.manifest import FORMAT_VERSION
from audit.log.store.schema import TABLES, Column
from audit.log.store.texts import MARK
from audit.report.cores import index_page, switch_page
from audit.report.markdown import to_markdown

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


INGEST_HEAD = f"""\
# Ingest format

Written by `python docs/generate.py` from `audit/log/store/schema.py`; do not edit.

`permission-audit ingest LOG... -o DIR` reads review logs once and writes what they hold to a folder. Every
command takes the folder in place of logs and gives the same result. This page describes version
{FORMAT_VERSION} of the format.

- `manifest.json` names the format and its version, the version of permission-audit, what was supplied when
  the logs were read (`--cwd`, `--home`, `--platform`, `--field-width`, and a digest of the working
  directories of `--places`), the inputs with their lines and SHA-256, the ledger, entries per era, and
  every Parquet file with its rows, bytes and SHA-256. Its last member, `seal`, is the SHA-256 of the rest.
- A table is one or more Parquet files, `calls-000.parquet` and so on, whose rows follow one another.
- Inputs are named without the folders they were in, as far as that tells them apart.
- Lines are numbered over all inputs: a line's number is its number in its input plus that input's `before`.
- Texts are as logged. What UTF-8 cannot hold, a lone surrogate, is written as U+{ord(MARK):04X} and the four
  hexadecimal digits of the code unit, and so is U+{ord(MARK):04X} itself. The manifest does the same.

An option that would have changed the reading is refused where it differs from what was supplied. A folder of
an older format is upgraded when it is read, and `permission-audit ingest OLD -o NEW` keeps the result. A
newer one is refused. A file that is missing or not as it was written is an error.

In Python, a table is `polars.read_parquet("DIR/calls-*.parquet")`.
"""


def ingest_format() -> str:
    """Return the description of the tables of an ingest folder."""
    parts = [INGEST_HEAD]
    for table in TABLES:
        rows = "\n".join(_column(column) for column in table.columns)
        parts.append(
            f"## {table.name}\n\n{table.meaning}\n\n"
            f"| column | type | unit | meaning |\n| --- | --- | --- | --- |\n{rows}\n"
        )
    return "\n".join(parts)


def _column(column: Column) -> str:
    kind = f"enum: {', '.join(word.value for word in column.words)}" if column.words else str(column.dtype)
    kind += ", may be missing" if column.optional else ""
    return f"| `{column.name}` | {kind} | {column.unit} | {column.meaning} |"


def switch_index() -> str:
    """Return the list of the core's switches."""
    return to_markdown(index_page())


def switch_reference(name: str) -> str:
    """Return the page of one switch."""
    return to_markdown(switch_page(name))


SWITCH_PAGES = "switches"
"""The folder of the pages on switches; what else stands there is not current."""

PAGES = {
    "commands.md": command_reference,
    "ingest-format.md": ingest_format,
    f"{SWITCH_PAGES}/README.md": switch_index,
    **{f"{SWITCH_PAGES}/{name}.md": partial(switch_reference, name) for name in SWITCHES},
}


def left_over() -> list[str]:
    """Return the pages on switches that no longer are."""
    there = sorted(f"{SWITCH_PAGES}/{page.name}" for page in (DOCS / SWITCH_PAGES).glob("*"))
    return [name for name in there if name not in PAGES]


def main() -> int:
    """Write the pages, or say which are not current."""
    stale = left_over()
    for name, make in PAGES.items():
        path, text = DOCS / name, make()
        if path.exists() and path.read_text(encoding="utf-8") == text:
            continue
        stale.append(name)
        if "--check" not in sys.argv[1:]:
            path.parent.mkdir(exist_ok=True)
            path.write_text(text, encoding="utf-8")
    if "--check" not in sys.argv[1:]:
        for name in left_over():
            (DOCS / name).unlink()
    if stale and "--check" in sys.argv[1:]:
        sys.stderr.write(f"not current: {', '.join(stale)}; run `python docs/generate.py`\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
