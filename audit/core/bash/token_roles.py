"""What each node is to the collection of path tokens, by where it stands (core-bash.md 3, 7, 8 and 16)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import IntEnum, auto
from functools import cache

from audit.core.bash.options import Given
from audit.core.bash.parser import roles
from audit.core.bash.text import UNSEEN
from audit.core.bash.units import TokenSide


class Role(IntEnum):
    """What a node is where it stands; None: it gives no token and holds nothing that does."""

    WORD = auto()
    """A token that is its own value."""
    ARGUMENT = auto()
    """A token with quotes."""
    BACKGROUND = auto()
    """`&`: the base of what stands before it is forgotten (B3)."""
    GIVEN = auto()
    """A token without a node of its own."""
    COMMAND = auto()
    REDIRECT = auto()
    SEQUENCE = auto()
    SUBSHELL = auto()
    PIPELINE = auto()
    STAGED_LIST = auto()
    STAGED_BODY = auto()
    FLAT = auto()
    """No `cd` inside takes effect (B6)."""
    HOST = auto()
    """Only the substitutions inside count."""
    HOSTING_REDIRECT = auto()
    """A redirect of which the substitutions count too."""
    OPERANDS = auto()
    """A statement whose words before or behind `in` are tokens."""


Roles = dict[int, Role | None]

_Names = dict[str, Role | None]

_ARGUMENTS: _Names = {
    "word": Role.WORD,
    "string": Role.ARGUMENT,
    "raw_string": Role.ARGUMENT,
    "concatenation": Role.ARGUMENT,
}
_SUBSTITUTIONS: _Names = {"command_substitution": Role.FLAT, "process_substitution": Role.FLAT}
_LEAVES: _Names = dict.fromkeys(
    (
        "ansi_c_string", "extglob_pattern", "file_descriptor", "heredoc_content", "heredoc_start",
        "raw_string", "regex", "simple_expansion", "special_variable_name", "string_content",
        "test_operator", "variable_name", "word",
    ),
    None,
)  # fmt: skip
"""Kinds that the grammar gives no commands and no redirects inside."""


@dataclass(frozen=True, slots=True)
class Tables:
    """The roles of nodes, by where they stand."""

    in_sequence: Roles
    """The ordinary walk (B2 to B6)."""
    in_first_stage: Roles
    """The first stage of a pipeline (B8)."""
    flat: Roles
    """Tokens only, no `cd` takes effect (T1, B6)."""
    in_command: Roles
    """Children of a command (T5)."""
    inside: Mapping[Role, Roles]
    """What the children are, for nodes whose children are all walked alike."""


@cache
def tables(side: TokenSide, *, folds_pipes: bool, operands: bool) -> Tables:
    """Return the roles where substitutions count as `side` says.

    `folds_pipes`: a `cd` before a pipe can count. `operands`: words of `for` and `case` are tokens.
    """
    by_name = _by_name(side, operands=operands)
    in_sequence = roles(
        {
            **by_name,
            **dict.fromkeys(("program", "list", "redirected_statement", "compound_statement"), Role.SEQUENCE),
            "subshell": Role.SUBSHELL,
            "pipeline": Role.PIPELINE if folds_pipes else Role.FLAT,
        },
        named=Role.FLAT,
        anonymous=None,
        operators={"&": Role.BACKGROUND},
    )
    in_first_stage = roles(
        {**by_name, "list": Role.STAGED_LIST, "redirected_statement": Role.STAGED_BODY},
        named=Role.FLAT,
        anonymous=None,
    )
    flat = roles({**by_name, **_LEAVES}, named=Role.FLAT, anonymous=None)
    prefix = Role.HOST if side is TokenSide.PREFIXED else None
    in_command = roles(
        {**by_name, **_LEAVES, **_ARGUMENTS, "command_name": prefix, "variable_assignment": prefix},
        named=Role.FLAT,
        anonymous=None,
    )
    in_redirect = roles({**_ARGUMENTS, **_SUBSTITUTIONS}, named=None, anonymous=None)
    flat[Given.KIND] = in_command[Given.KIND] = Role.GIVEN
    inside = {
        Role.REDIRECT: roles(_ARGUMENTS, named=None, anonymous=None),
        Role.HOSTING_REDIRECT: in_redirect,
        Role.SEQUENCE: in_sequence,
        Role.SUBSHELL: in_sequence,
        Role.STAGED_BODY: in_first_stage,
        Role.FLAT: flat,
        Role.HOST: flat,
        Role.OPERANDS: flat,
    }
    return Tables(in_sequence, in_first_stage, flat, in_command, inside)


def _by_name(side: TokenSide, *, operands: bool) -> _Names:
    """Return what is the same wherever it stands."""
    names: _Names = {"command": Role.COMMAND, "file_redirect": Role.REDIRECT, **dict.fromkeys(UNSEEN, None)}
    if side is not TokenSide.PLAIN:
        names |= dict.fromkeys(("heredoc_redirect", "herestring_redirect", "heredoc_body"), Role.HOST)
        names["file_redirect"] = Role.HOSTING_REDIRECT
    if operands:
        names |= dict.fromkeys(("for_statement", "case_statement"), Role.OPERANDS)
    return names


STATEMENTS: dict[int, bool] = roles(dict.fromkeys(UNSEEN, False), named=True, anonymous=False)
"""Whether a child of a pipeline or list is one of its stages or items."""
