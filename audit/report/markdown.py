"""A report as Markdown that can be pasted into a pull request, whatever the commands hold."""

from __future__ import annotations

import re

from audit.report.sections import Code, Group, Line, Page, Section, Table
from audit.report.visible import shortened, visible

MOST_SHAPES = 10
"""Examples of one kind that are written out; the rest is counted."""
MOST_CHARACTERS = 600
"""Of one text from the log that are written out; the rest is counted."""

_PLAIN_CODE = re.compile(r"[^`|<>\\]+", re.DOTALL)
_SPECIAL = re.compile(r"""[^A-Za-z0-9 /,\-\u0080-\U0010ffff]""")
_MARKUP = re.compile(r"[\\`*_\[\]<>|&~#$]")


def to_markdown(page: Page) -> str:
    """Return a page as GitHub-flavoured Markdown, ending with a line feed."""
    parts = [f"# {page.title}", *(_section(section) for section in page.sections)]
    parts.append(_line((*page.closing, ".")))
    return "\n\n".join(parts) + "\n"


def _section(section: Section) -> str:
    parts = [f"## {_text(section.title)}", _line(section.opening)]
    parts += [_table(table) for table in section.tables]
    if section.notes:
        parts.append("\n".join(f"- {_line(note)}" for note in section.notes))
    parts += [_group(group) for group in section.groups]
    return "\n\n".join(parts)


def _table(table: Table) -> str:
    rules = ["---" if at in table.texts else "---:" for at in range(len(table.heads))]
    rows = [
        [_text(head) for head in table.heads],
        rules,
        *([_line(cell) for cell in row] for row in table.rows),
    ]
    return "\n".join("| " + " | ".join(cells) + " |" for cells in rows)


def _group(group: Group) -> str:
    lines = [f"### {_text(group.title)}", ""]
    for shown in group.shown[:MOST_SHAPES]:
        lines.append(f"- {_code(shown.command)}: {_line(shown.remark)}")
        lines += [f"  - {_line(line)}" for line in shown.lines]
    rest = group.rest(MOST_SHAPES)
    if rest is not None:
        lines += ["", f"… {_line(rest)}."]
    return "\n".join(lines)


def _line(line: Line) -> str:
    return "".join(_code(part.text) if isinstance(part, Code) else _text(part) for part in line)


def _text(text: str) -> str:
    """Escape what Markdown or HTML could read as markup in a text of ours."""
    return _MARKUP.sub(lambda found: f"&#{ord(found[0])};", visible(text))


def _code(text: str) -> str:
    """Return a text from elsewhere as code that nothing in it can end.

    A code span where no character could mean anything; otherwise an HTML element whose punctuation is
    written as character references, since a code span cannot hold a pipe in every table dialect.
    """
    beginning, left_out = shortened(text, MOST_CHARACTERS)
    safe = visible(beginning)
    note = f" [{left_out}]" if left_out else ""
    if safe == safe.strip() and _PLAIN_CODE.fullmatch(safe):
        return f"`{safe}`{note}"
    escaped = _SPECIAL.sub(lambda found: f"&#{ord(found[0])};", safe)
    return f"<code>{escaped}</code>{note}"
