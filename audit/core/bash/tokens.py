"""Path tokens: the arguments a command shows (core-bash.md 7 and 16, `pattern-first`, `option-split`)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

from audit.core.bash.options import option_values
from audit.core.bash.parser import Node
from audit.core.bash.spellings import INTERPRETERS, SPELLINGS, Scripted, Spelled
from audit.core.bash.text import ARGUMENT, COMMAND_NAME, WORD, Variables
from audit.core.paths.flavor import Flavor
from audit.core.revision import Revision
from audit.core.switches import OptionSplit, PatternFirst


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
class Short:
    """How a command takes a pattern or script before its files (table 7.1)."""

    skip: frozenset[str]
    """Flags whose argument is no path."""
    take: frozenset[str]
    """Flags whose argument is a file, which holds the script."""
    positionals: int
    """How many leading positionals are patterns."""


def _short(skip: str, take: str, positionals: int = 1) -> Short:
    return Short(frozenset(skip.split()), frozenset(take.split()), positionals)


_AWK = _short("-e -F -v", "-f")
_GREP = _short("-e -A -B -C -m", "-f")
PATTERN_FIRST = {
    "sed": _short("-e -i", "-f"),
    "awk": _AWK,
    "gawk": _AWK,
    "nawk": _AWK,
    "grep": _GREP,
    "egrep": _GREP,
    "fgrep": _GREP,
    "rg": _short("-e -A -B -C -m -g -t -T -j -M -r -E", "-f"),
    "sd": _short("-n -f", "", 2),
}
SCRIPT_FLAGS = frozenset({"-e", "-f"})

_Take = Callable[[list[Node], str], list[Node]]
"""Leaves out of the children of a command, given its source, what a table says is no file."""


class Arguments:
    """Finds the name of a command and the children to collect tokens from, as one revision does."""

    __slots__ = ("_flavor", "_splits_all", "_splits_others", "_takes", "_variables")

    def __init__(self, revision: Revision, flavor: Flavor, variables: Variables) -> None:
        split = revision.option_split
        self._flavor, self._variables = flavor, variables
        self._splits_all = split is OptionSplit.ALL
        self._splits_others = split is not OptionSplit.NONE
        self._takes = _takes(revision.pattern_first, variables, splits=split is OptionSplit.ROLE_AWARE)

    def of(self, node: Node, source: str) -> tuple[str, list[Node]]:
        """Return the name of a command (T4), quotes included, and what to collect from (T5, T6)."""
        children = node.children
        first = children[0]
        if first.kind_id not in COMMAND_NAME:
            return self._behind_others(children, source)
        name = source[first.start_byte >> 1 : first.end_byte >> 1]
        if not name.isalnum():
            name = self._flavor.basename(name)
        take = self._takes.get(name)
        kept = children if take is None else take(children, source)
        if self._splits_others:
            kept = self._with_values(kept, children, source, taken=take is not None)
        return name, kept

    def _behind_others(self, children: list[Node], source: str) -> tuple[str, list[Node]]:
        """Do so where something stands before the name.

        In a damaged program that can be an argument: an ordinary command takes it for its name (T5.3).
        """
        at = next((at for at, child in enumerate(children) if child.kind_id in COMMAND_NAME), len(children))
        named = children[at : at + 1]
        name = (
            self._flavor.basename(source[named[0].start_byte >> 1 : named[0].end_byte >> 1]) if named else ""
        )
        take = self._takes.get(name)
        if take is not None:
            kept = take(children, source)
        else:
            taken = next((child for child in children[:at] if child.kind_id in ARGUMENT), None)
            kept = children if taken is None else [child for child in children if child is not taken]
        if self._splits_others:
            kept = self._with_values(kept, children, source, taken=take is not None)
        return name, kept

    def _with_values(self, kept: list[Node], children: list[Node], source: str, *, taken: bool) -> list[Node]:
        """Add the values of options behind what is kept; a table with roles has added its own."""
        if taken and not self._splits_all:
            return kept
        return kept + option_values(children, source, self._variables)


def _takes(pattern_first: PatternFirst, variables: Variables, *, splits: bool) -> Mapping[str, _Take]:
    if pattern_first is PatternFirst.OFF:
        return {}
    if pattern_first is PatternFirst.SHORT:
        return {name: partial(_without_patterns, table) for name, table in PATTERN_FIRST.items()}
    spelled = INTERPRETERS if pattern_first is PatternFirst.INTERPRETERS else SPELLINGS

    def take(table: Spelled, children: list[Node], source: str) -> list[Node]:
        return Scripted(table, source, variables, splits=splits).kept(children)

    return {name: partial(take, table) for name, table in spelled.items()}


def _without_patterns(table: Short, children: list[Node], source: str) -> list[Node]:
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
