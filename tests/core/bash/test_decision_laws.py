"""Laws of decisions over random commands: what may be added to a command without loosening it."""

from __future__ import annotations

from itertools import islice
from random import Random

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from audit.core.action import Action
from audit.core.bash.parser import parse
from audit.core.decide import Decision, Judge
from audit.core.ecma import to_code_units, trim
from tests.core.bash.generate import Grower, commands
from tests.core.builders import ALLOW, WIN_PLACE, Case, program, shell

CASE = Case(
    {
        "*": "ask",
        "bash": {
            "*": "ask",
            "cat *": "allow",
            "echo *": "allow",
            "ls*": "allow",
            "git *": "allow",
            "cd *": "allow",
            "true": "allow",
            "(*": "allow",
            "rm *": "deny",
        },
        "path": {"*": "allow", "*.pem": "deny", ".env": "ask", "*.lock": "ask", "main": "deny"},
        "external_directory": {"*": "ask", "/usr/*": "allow", "/etc/*": "deny", "~/*": "allow"},
    }
)
JUDGE = CASE.judge()
PLAIN_WORDS = ("cat", "rm", "ls", "git", "tool", "a.pem", "src/x", "../up", "/etc/y", "/usr/z", "main", "-l")
"""Words that neither open nor end anything, change no directory and host no command."""

seeds = st.integers(0, 2**32)


def action(command: str, judge: Judge = JUDGE) -> Action:
    decision = judge.decide(shell(command))
    assert isinstance(decision, Decision)
    return decision.action


def grown(seed: int) -> str:
    return Grower(Random(seed)).command()  # noqa: S311 - the same commands every time are wanted


def grown_whole(seed: int) -> str:
    grower = Grower(Random(seed))  # noqa: S311 - the same commands every time are wanted
    return next(command for command in iter(grower.command, None) if whole(command) and command.strip())


def whole(command: str) -> bool:
    """Tell whether a command is one that a grammar without repair takes, with no heredoc and no comment."""
    return not parse(to_code_units(command)).has_error and "<<" not in command and "#" not in command


@settings(max_examples=150)
@given(seeds)
def test_reading_twice_gives_equal_results(seed):
    command = grown(seed)
    assert CASE.judge().decide(shell(command)) == JUDGE.decide(shell(command))


@settings(max_examples=100)
@given(seeds)
def test_a_reading_serves_every_policy_of_its_place(seed):
    call = shell(grown(seed))
    other = Case({"*": "allow", "path": {"x1": "deny"}}).judge()
    reading = other.read(call)
    assert JUDGE.decide(call, reading) == JUDGE.decide(call)
    assert other.decide(call, reading) == other.decide(call)


@settings(max_examples=150)
@given(seeds, st.text(" \t\n", max_size=3))
def test_blanks_around_a_command_change_nothing(seed, blanks):
    command = grown(seed)
    assume(trim(to_code_units(command)) == to_code_units(command))
    assert JUDGE.decide(shell(blanks + command + blanks)) == JUDGE.decide(shell(command))


@settings(max_examples=100)
@given(
    st.lists(st.sampled_from(PLAIN_WORDS), min_size=2, max_size=6), st.sampled_from((" ", "  ", "\t", "   "))
)
def test_blanks_between_words_change_no_path(words, blanks):
    one, other = JUDGE.decide(shell(" ".join(words))), JUDGE.decide(shell(blanks.join(words)))
    assert one.program.external == other.program.external
    assert one.program.candidates == other.program.candidates


@settings(max_examples=150)
@given(
    st.lists(st.lists(st.sampled_from(PLAIN_WORDS), min_size=1, max_size=4), min_size=2, max_size=4),
    st.sampled_from((" && ", " || ", "; ", " | ", " & ", "\n")),
)
def test_a_chain_is_as_strict_as_its_strictest_part(statements, operator):
    parts = [" ".join(words) for words in statements]
    assert action(operator.join(parts)) is max(map(action, parts))


@settings(max_examples=150)
@given(seeds, seeds)
def test_a_chain_of_anything_is_no_looser_than_its_first_part(seed, other):
    first, second = grown_whole(seed), grown_whole(other)
    assume(whole(f"{first}\n{second}"))
    assert action(f"{first}\n{second}") >= action(first)


@settings(max_examples=150)
@given(seeds)
def test_a_subshell_never_loosens(seed):
    command = grown_whole(seed)
    wrapped = f"( {command}\n)"
    assume(whole(wrapped) and len(parse(to_code_units(wrapped)).children) == 1)
    # A text without any unit always asks; inside a subshell it is part of a unit that rules can allow.
    if program(command).units:
        assert action(wrapped) >= action(command)


@settings(max_examples=100)
@given(
    seeds, st.sampled_from(("bash", "path", "external_directory")), st.sampled_from(("*", "c*", "*/*", "/*"))
)
def test_a_rule_that_denies_never_loosens(seed, surface, pattern):
    command = grown(seed)
    rules = dict(CASE.permission)
    rules[surface] = {**rules[surface], pattern: "deny"}  # type: ignore[dict-item]
    assert action(command, Case(rules).judge()) >= action(command)


@pytest.mark.parametrize("place", [CASE.place, WIN_PLACE])
def test_no_command_is_undecided_or_breaks(place):
    judge = Case({"*": "allow"}, place=place).judge()
    for command in islice(commands(9), 1_500):
        decision = judge.decide(shell(command))
        assert isinstance(decision, Decision)
        assert (decision.first is ALLOW) is (decision.action is ALLOW)
