"""A report for a terminal: rich tables, readable from 80 columns on, deaf to escapes in commands."""

from __future__ import annotations

import re
from io import StringIO

from rich import box
from rich.console import Console
from rich.padding import Padding
from rich.table import Table as RichTable
from rich.text import Text

from audit.report.sections import Code, Group, Line, Page, Section, Table
from audit.report.visible import shortened, visible

MOST_SHAPES = 5
"""Examples of one kind that are written out; the rest is counted."""
MOST_CHARACTERS = 300
"""Of one text from the log that are written out; the rest is counted."""

_BLANKS = re.compile(r"\n{3,}")
_CODE = "cyan"
_TITLE = "bold"
_DIM = "dim"


def console_for(text: StringIO, width: int, *, colour: bool) -> Console:
    """Return a console that writes to a text and adds nothing of its own to what it is given."""
    return Console(
        file=text,
        width=width,
        force_terminal=colour,
        color_system="standard" if colour else None,
        no_color=not colour,
        highlight=False,
        markup=False,
        emoji=False,
        legacy_windows=False,
    )


def to_terminal(page: Page, width: int = 80, *, colour: bool = False) -> str:
    """Return a page as text of at most `width` columns, with colours as escapes if asked."""
    text = StringIO()
    console = console_for(text, width, colour=colour)
    console.print(Text(page.title, style=_TITLE))
    for section in page.sections:
        _section(console, section)
    console.print()
    console.print(_line(page.closing))
    lines = "\n".join(line.rstrip() for line in text.getvalue().split("\n"))
    return _BLANKS.sub("\n\n", lines)


def _section(console: Console, section: Section) -> None:
    console.print()
    console.print(Text(visible(section.title), style=_TITLE))
    console.print(_line(section.opening))
    for table in section.tables:
        console.print(_table(table))
    for note in section.notes:
        _bullet(console, note, 0)
    for group in section.groups:
        _group(console, group)


def _bullet(console: Console, line: Line, depth: int) -> None:
    row = RichTable.grid(padding=(0, 1, 0, 0))
    row.add_column(width=1)
    row.add_column(ratio=1, overflow="fold")
    row.add_row("-", _line(line, quoted=True))
    console.print(Padding(row, (0, 0, 0, 2 * depth)))


def _table(table: Table) -> RichTable:
    drawn = RichTable(
        box=box.SIMPLE_HEAD if any(table.heads) else None, show_header=any(table.heads), pad_edge=False
    )
    for at, head in enumerate(table.heads):
        is_text = at in table.texts
        drawn.add_column(Text(visible(head)), justify="left" if is_text else "right", overflow="fold")
    for row in table.rows:
        drawn.add_row(*(_line(cell) for cell in row))
    return drawn


def _group(console: Console, group: Group) -> None:
    console.print()
    console.print(Text(visible(group.title), style=f"{_TITLE} underline"))
    for shown in group.shown[:MOST_SHAPES]:
        console.print()
        console.print(Padding(_line((Code(shown.command),)), (0, 0, 0, 2)))
        _bullet(console, shown.remark, 2)
        for line in shown.lines:
            _bullet(console, line, 2)
    rest = group.rest(MOST_SHAPES)
    if rest is not None:
        console.print()
        console.print(Padding(_line(("… ", *rest, ".")), (0, 0, 0, 2)))


def _line(line: Line, *, quoted: bool = False) -> Text:
    """Return a line as rich text; quoted where words of ours stand beside texts from elsewhere."""
    mark = "`" if quoted else ""
    text = Text(overflow="fold")
    for part in line:
        if isinstance(part, Code):
            beginning, left_out = shortened(part.text, MOST_CHARACTERS)
            text.append(mark + visible(beginning) + mark if beginning else "(empty)", style=_CODE)
            if left_out:
                text.append(f" [{left_out}]", style=_DIM)
        else:
            text.append(visible(part))
    return text
