"""Commands that take a script or pattern before their files, as releases from 27.1.2 read them.

core-bash.md 16.2, `pattern-first`: flags have roles, and are known by long, joined and glued spellings too.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum, auto

from audit.core.bash.options import given, option_value
from audit.core.bash.parser import Node, kinds
from audit.core.bash.text import ARGUMENT, ASSIGNMENT, COMMAND_NAME, WORD, Variables, value

_REDIRECTS = kinds("file_redirect", "herestring_redirect")


class Role(Enum):
    """What a flag does with the word that follows it."""

    SCRIPT = auto()
    SCRIPT_FILE = auto()
    VALUE = auto()
    SUFFIX = auto()
    """Takes the next word only if it is empty."""
    NO_ARITY = auto()


_GIVES_SCRIPT = (Role.SCRIPT, Role.SCRIPT_FILE, Role.NO_ARITY)


@dataclass(frozen=True, slots=True)
class Spelled:
    """The flags of a command by spelling, and how many leading positionals are scripts or patterns."""

    flags: Mapping[str, Role]
    positionals: int = 1


def _spelled(positionals: int = 1, **flags: str) -> Spelled:
    roles = {flag: Role[role.upper()] for role, listed in flags.items() for flag in listed.split()}
    return Spelled(roles, positionals)


_GREP_VALUES = "-A --after-context -B --before-context -C -m --max-count"
_RG_VALUES = """
--context -g --glob -t --type -T --type-not -j --threads -M --max-columns -r --replace -E --encoding
"""
_AWK = _spelled(
    script="-e", script_file="-f", value="-F -v", no_arity="--source --file --field-separator --assign"
)
_GREP = _spelled(script="-e --regexp", script_file="-f --file", value=_GREP_VALUES)
SPELLINGS: Mapping[str, Spelled] = {
    "sed": _spelled(script="-e --expression", script_file="-f --file", suffix="-i"),
    "awk": _AWK,
    "nawk": _AWK,
    "gawk": _spelled(script="-e --source", script_file="-f --file", value="-F --field-separator -v --assign"),
    "grep": _GREP,
    "egrep": _GREP,
    "fgrep": _GREP,
    "rg": _spelled(script="-e --regexp", script_file="-f --file", value=_GREP_VALUES + _RG_VALUES),
    "sd": _spelled(2, value="-f --flags -n --max-replacements"),
}
_EVALUATING = _spelled(0, script="-e --eval -p --print")
_PYTHON = _spelled(0, script="-c")
INTERPRETERS: Mapping[str, Spelled] = {
    **SPELLINGS,
    "node": _EVALUATING,
    "bun": _EVALUATING,
    "python": _PYTHON,
    "python3": _PYTHON,
    "perl": _spelled(0, script="-e -E"),
    "ruby": _spelled(0, script="-e"),
}


class Scripted:
    """Goes through the children of one command and keeps what can be a file (T6 as changed)."""

    __slots__ = (
        "_flags",
        "_kept",
        "_past_flags",
        "_pending",
        "_positionals",
        "_source",
        "_splits",
        "_variables",
    )

    def __init__(self, table: Spelled, source: str, variables: Variables, *, splits: bool) -> None:
        self._flags = table.flags
        self._positionals = table.positionals
        """How many scripts or patterns are still to come."""
        self._source, self._variables, self._splits = source, variables, splits
        self._kept: list[Node] = []
        self._pending: Role | None = None
        self._past_flags = False

    def kept(self, children: list[Node]) -> list[Node]:
        """Return the children to collect from, and values of options where those are told apart."""
        for child in children:
            kind = child.kind_id
            if kind in COMMAND_NAME or kind in ASSIGNMENT:
                self._kept.append(child)
            elif kind not in ARGUMENT:
                self._other(child)
            elif not self._settled(child):
                self._argument(child)
        return self._kept

    def _other(self, child: Node) -> None:
        if self._pending is not None:
            self._pending = None
        elif self._positionals and child.kind_id not in _REDIRECTS:
            self._positionals -= 1
        self._kept.append(child)

    def _settled(self, child: Node) -> bool:
        """Tell whether a flag that waits for a word takes this one."""
        role, self._pending = self._pending, None
        if role is Role.SCRIPT_FILE:
            self._kept.append(child)
        return role is not None and (role is not Role.SUFFIX or not value(child, self._source))

    def _argument(self, child: Node) -> None:
        text = self._source[child.start_byte >> 1 : child.end_byte >> 1]
        is_flag = not self._past_flags and child.kind_id in WORD and text[:1] == "-" and len(text) > 1
        if is_flag:
            if text == "--":
                self._past_flags = True
                return
            if self._flag(text, child):
                return
        elif self._positionals:
            self._positionals -= 1
        else:
            self._kept.append(child)
        if self._splits:
            self._kept += option_value(child, self._source, self._variables)

    def _flag(self, text: str, child: Node) -> bool:
        """Take a flag that is listed in one of its spellings; tell whether it is."""
        role, inline = self._flags.get(text), None
        if role is None and text.startswith("--"):
            name, equals, rest = text.partition("=")
            if equals:
                role, inline = self._flags.get(name), rest
        elif role is None and len(text) > 2:
            role, inline = self._flags.get(text[:2]), text[2:]
        if role is None:
            return False
        if role in _GIVES_SCRIPT:
            self._positionals = 0
        if inline is None:
            self._pending = role if role is not Role.NO_ARITY else None
        elif role is Role.SCRIPT_FILE:
            self._kept.append(given(inline, child))
        return True
