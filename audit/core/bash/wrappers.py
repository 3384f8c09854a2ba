"""Commands that run something the policy cannot see, as data (core-bash.md 5)."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum


class Wrapper(StrEnum):
    """Why a unit's allow is raised to ask."""

    OPAQUE_PAYLOAD = "opaque-payload"
    """The unit runs a program text that is not parsed: `eval`, `bash -c`."""
    INDIRECTION = "indirection"
    """The unit runs another command: `sudo`, `xargs`, `find -exec`."""


EVALUATORS = frozenset({"eval"})
SHELLS = frozenset({"bash", "sh", "dash", "zsh", "ksh"})
LAUNCHERS = frozenset(
    {
        "sudo", "env", "xargs", "time", "nohup", "timeout", "nice",
        "parallel", "rust-parallel", "rush", "doas", "setsid", "stdbuf", "watch", "flock",
    }
)  # fmt: skip
EXEC_FLAGS = {
    "find": frozenset({"-exec", "-execdir", "-ok", "-okdir"}),
    "fd": frozenset({"-x", "--exec", "-X", "--exec-batch"}),
}

NAMES = EVALUATORS | SHELLS | LAUNCHERS | EXEC_FLAGS.keys()
"""Every command name that can carry a mark; all others need no look at their arguments."""


def base_name(word: str) -> str:
    """Return what a command word says after its last slash (W2)."""
    return word.rpartition("/")[2]


def _takes_program_text(arguments: Sequence[str]) -> bool:
    for argument in arguments:
        if argument == "--":
            return False
        if argument.startswith("-") and not argument.startswith("--") and "c" in argument:
            return True
    return False


def wrapper_of(words: Sequence[str]) -> Wrapper | None:
    """Return the mark of a unit with these raw words, name first (W1 to W7)."""
    if not words:
        return None
    name, arguments = base_name(words[0]), words[1:]
    if name in EVALUATORS or (name in SHELLS and _takes_program_text(arguments)):
        return Wrapper.OPAQUE_PAYLOAD
    flags = EXEC_FLAGS.get(name, frozenset())
    if name in LAUNCHERS or any(argument in flags for argument in arguments):
        return Wrapper.INDIRECTION
    return None
