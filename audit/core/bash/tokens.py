"""Path tokens: the arguments and redirect destinations a command shows (core-bash.md 7)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from audit.core.bash.parser import Node, kinds
from audit.core.bash.text import ARGUMENT, WORD
from audit.core.paths.flavor import Flavor

COMMAND_NAME = kinds("command_name")


class Token(NamedTuple):
    """A token, its span in code units of the command, and the base in force where it stands."""

    value: str
    base: str | None
    """Offset of the effective working directory from the session's; None: unknown."""
    start: int
    end: int


Members = tuple[str, str | None, int, int]
"""The members of a token as a plain tuple, which is made in a fifth of the time."""


@dataclass(frozen=True, slots=True)
class PatternFirst:
    """How a command takes a pattern or script before its files (table 7.1)."""

    skip: frozenset[str]
    """Flags whose argument is no path."""
    take: frozenset[str]
    """Flags whose argument is a file, which holds the script."""
    positionals: int
    """How many leading positionals are patterns."""


def _pattern_first(skip: str, take: str, positionals: int = 1) -> PatternFirst:
    return PatternFirst(frozenset(skip.split()), frozenset(take.split()), positionals)


_AWK = _pattern_first("-e -F -v", "-f")
_GREP = _pattern_first("-e -A -B -C -m", "-f")
PATTERN_FIRST = {
    "sed": _pattern_first("-e -i", "-f"),
    "awk": _AWK,
    "gawk": _AWK,
    "nawk": _AWK,
    "grep": _GREP,
    "egrep": _GREP,
    "fgrep": _GREP,
    "rg": _pattern_first("-e -A -B -C -m -g -t -T -j -M -r -E", "-f"),
    "sd": _pattern_first("-n -f", "", 2),
}
SCRIPT_FLAGS = frozenset({"-e", "-f"})


def name_and_arguments(node: Node, source: str, flavor: Flavor) -> tuple[str, list[Node]]:
    """Return the name of a command (T4), quotes included, and the children to collect from (T5, T6)."""
    children = node.children
    first = children[0]
    if first.kind_id not in COMMAND_NAME:
        return _behind_others(children, source, flavor)
    name = source[first.start_byte >> 1 : first.end_byte >> 1]
    if not name.isalnum():
        name = flavor.basename(name)
    table = PATTERN_FIRST.get(name)
    return name, children if table is None else _without_patterns(table, children, source)


def _behind_others(children: list[Node], source: str, flavor: Flavor) -> tuple[str, list[Node]]:
    """Do so where something stands before the name.

    In a damaged program that can be an argument: an ordinary command takes it for its name (T5.3).
    """
    at = next((at for at, child in enumerate(children) if child.kind_id in COMMAND_NAME), len(children))
    named = children[at : at + 1]
    name = flavor.basename(source[named[0].start_byte >> 1 : named[0].end_byte >> 1]) if named else ""
    table = PATTERN_FIRST.get(name)
    if table is not None:
        return name, _without_patterns(table, children, source)
    taken = next((child for child in children[:at] if child.kind_id in ARGUMENT), None)
    return name, children if taken is None else [child for child in children if child is not taken]


def _without_patterns(table: PatternFirst, children: list[Node], source: str) -> list[Node]:
    """Leave out scripts, patterns and flags (T6); a script file stays."""
    kept: list[Node] = []
    scripted = past_flags = False
    positionals = 0
    pending = ""
    for child in children:
        kind = child.kind_id
        if kind not in ARGUMENT:
            kept.append(child)
            continue
        text = source[child.start_byte >> 1 : child.end_byte >> 1]
        if pending:
            if pending == "take":
                kept.append(child)
            pending = ""
        elif not past_flags and text[0:1] == "-" and len(text) > 1 and kind in WORD:
            if text == "--":
                past_flags = True
            elif text in table.skip:
                pending = "skip"
                scripted = scripted or text in SCRIPT_FLAGS
            elif text in table.take:
                pending = "take"
                scripted = True
        elif not scripted and positionals < table.positionals:
            positionals += 1
        else:
            kept.append(child)
    return kept
