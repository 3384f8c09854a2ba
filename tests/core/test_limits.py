"""Very long and very deep commands: decided or refused, never an exception (core-bash.md 2.8)."""

from __future__ import annotations

import pytest

from audit.core.bash.parser import MAX_CODE_UNITS
from audit.core.bash.units import MAX_UNIT_TEXT
from audit.core.call import shell
from audit.core.decide import Decision, Undecided
from tests.core.builders import ALLOW, DENY, Case

CASE = Case(
    {
        "*": "allow",
        "bash": {"*": "allow", "tac *": "deny"},
        "path": {"*.key": "deny"},
        "external_directory": "ask",
    }
)
MEGABYTE = 1_000_000


def nested(opening: str, inner: str, depth: int) -> str:
    """Nest a command; `( ` stands for a subshell, because `((` begins arithmetic."""
    return opening * depth + inner + ")" * depth


COMMANDS = {
    "subshells": nested("( ", "make", 3_000),
    "substitutions": nested("wc $(", "make", 3_000),
    "process substitutions": nested("wc <(", "make", 3_000),
    "chain": " && ".join(["make"] * 20_000),
    "list": "; ".join(["make"] * 20_000),
    "lines": "make\n" * 20_000,
    "changes of directory": " && ".join(["cd a"] * 5_000),
    "braces": "{ " * 3_000 + "make; " + "}; " * 3_000,
    "pipeline": " | ".join(["make"] * 4_000),
    "words": "word " * (MEGABYTE // 5),
    "one word": "w" * MEGABYTE,
    "a path": "wc " + "../" * (MEGABYTE // 3),
    "assignments": "K=v " * (MEGABYTE // 40),
    "open parentheses": "(" * MEGABYTE,
    "closed parentheses": ")" * MEGABYTE,
    "single quotes": "'" * (MEGABYTE + 1),
    "double quotes": '"' * (MEGABYTE + 1),
    "heredoc": "tac <<END\n" + "line\n" * (MEGABYTE // 5) + "END\n",
    "open heredoc": "tac <<END\n" + "line\n" * (MEGABYTE // 5),
    "backslashes": "\\" * MEGABYTE,
    "open substitutions": "$(" * (MEGABYTE // 2),
    "backticks": "`" * MEGABYTE,
    "lone surrogates": "\ud800" * MEGABYTE,
    "outside the basic plane": "\U0001f980" * (MEGABYTE // 10),
    "characters of null": "\0" * MEGABYTE,
    "broken pipeline": "a |" * (MEGABYTE // 3),
    "broken list": ";a" * (MEGABYTE // 2),
    "at signs": "@a" * (MEGABYTE // 2),
    "blanks": " " * MEGABYTE,
    "comment": "#" * MEGABYTE,
}


@pytest.mark.parametrize("command", COMMANDS.values(), ids=COMMANDS.keys())
def test_a_very_large_command_is_decided_or_too_large(command):
    decided = CASE.judge().decide(shell(command))
    if isinstance(decided, Undecided):
        assert decided.kind == "too-large"
        assert decided.message
    else:
        assert isinstance(decided, Decision)


def test_depth_hides_nothing():
    for opening in ("( ", "wc $(", "wc <("):
        decided = CASE.judge().decide(shell(nested(opening, "tac f", 1_000)))
        assert isinstance(decided, Decision)
        assert decided.action is DENY
    last = " && ".join(["make"] * 20_000 + ["tac f"])
    decided = CASE.judge().decide(shell(last))
    assert isinstance(decided, Decision)
    assert decided.action is DENY
    assert len(decided.program.units) == 20_001


def test_changes_of_directory_add_up_over_a_long_chain():
    decided = CASE.judge().decide(shell(" && ".join(["cd a"] * 1_000 + ["cd .."] * 1_000 + ["wc ./b.key"])))
    assert isinstance(decided, Decision)
    assert decided.program.candidates[-1].path.match_values == ("/srv/shop/b.key", "b.key", "./b.key")


def test_longer_commands_are_refused_with_both_figures():
    decided = CASE.judge().decide(shell("w" * (MAX_CODE_UNITS + 1)))
    assert isinstance(decided, Undecided)
    assert decided.kind == "too-large"
    assert str(MAX_CODE_UNITS) in decided.message
    assert str(MAX_CODE_UNITS + 1) in decided.message


def test_a_character_outside_the_basic_plane_counts_as_two():
    decided = CASE.judge().decide(shell("#" + "\U0001f980" * (MAX_CODE_UNITS // 2)))
    assert isinstance(decided, Undecided)


def test_nested_texts_that_add_up_to_too_much_are_refused():
    depth = 100
    inner = "w" * (MAX_UNIT_TEXT // depth)
    decided = CASE.judge().decide(shell(nested("( ", inner, depth)))
    assert isinstance(decided, Undecided)
    assert decided.kind == "too-large"
    assert str(MAX_UNIT_TEXT) in decided.message


def test_blanks_and_comments_of_any_length_stay_trivial():
    for command in (" " * MEGABYTE, "# a\n" * 100_000):
        decided = CASE.judge().decide(shell(command))
        assert isinstance(decided, Decision)
        assert decided.action is ALLOW
