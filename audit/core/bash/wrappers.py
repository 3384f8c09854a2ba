"""Commands that run something the policy cannot see, as data (core-bash.md 5)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from audit.core.revision import Revision
from audit.core.switches import FloorIndirection, FloorOpaque


class Wrapper(StrEnum):
    """Why a unit's allow is raised to ask."""

    OPAQUE_PAYLOAD = "opaque-payload"
    """The unit runs a program text that is not parsed: `eval`, `bash -c`."""
    INDIRECTION = "indirection"
    """The unit runs another command: `sudo`, `xargs`, `find -exec`."""


EVALUATORS = frozenset({"eval"})
SHELLS = frozenset({"bash", "sh", "dash", "zsh", "ksh"})
FIRST_LAUNCHERS = frozenset({"sudo", "env", "xargs", "time", "nohup", "timeout", "nice"})
LAUNCHERS = FIRST_LAUNCHERS | {
    "parallel", "rust-parallel", "rush", "doas", "setsid", "stdbuf", "watch", "flock",
}  # fmt: skip
EXEC_FLAGS = {
    "find": frozenset({"-exec", "-execdir", "-ok", "-okdir"}),
    "fd": frozenset({"-x", "--exec", "-X", "--exec-batch"}),
}


@dataclass(frozen=True, slots=True)
class Marks:
    """Which commands carry a mark (W3 to W6)."""

    opaque: bool
    launchers: frozenset[str]
    exec_flags: dict[str, frozenset[str]]
    names: frozenset[str]
    """Every command name that can carry a mark; all others need no look at their arguments."""

    def of(self, words: Sequence[str]) -> Wrapper | None:
        """Return the mark of a unit with these raw words, name first (W1 to W7)."""
        if not words:
            return None
        name, arguments = base_name(words[0]), words[1:]
        if self.opaque and runs_program_text(name, arguments):
            return Wrapper.OPAQUE_PAYLOAD
        flags = self.exec_flags.get(name, frozenset())
        if name in self.launchers or any(argument in flags for argument in arguments):
            return Wrapper.INDIRECTION
        return None


_LAUNCHERS = {
    FloorIndirection.OFF: frozenset[str](),
    FloorIndirection.SEVEN: FIRST_LAUNCHERS,
    FloorIndirection.FIFTEEN: LAUNCHERS,
}


def marks(revision: Revision) -> Marks:
    """Return the marks of a revision."""
    opaque = revision.floor_opaque is FloorOpaque.ON
    launchers = _LAUNCHERS[revision.floor_indirection]
    exec_flags = EXEC_FLAGS if launchers else {}
    named = launchers | exec_flags.keys()
    return Marks(opaque, launchers, exec_flags, named | EVALUATORS | SHELLS if opaque else named)


def base_name(word: str) -> str:
    """Return what a command word says after its last slash (W2)."""
    return word.rpartition("/")[2]


def runs_program_text(name: str, arguments: Sequence[str]) -> bool:
    """Tell whether a command runs a text that is not parsed (W3, W4)."""
    return name in EVALUATORS or (name in SHELLS and _takes_program_text(arguments))


def _takes_program_text(arguments: Sequence[str]) -> bool:
    for argument in arguments:
        if argument == "--":
            return False
        if argument.startswith("-") and not argument.startswith("--") and "c" in argument:
            return True
    return False
