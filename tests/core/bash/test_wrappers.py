"""Marks of commands that run what a policy cannot see (core-bash.md 5)."""

from __future__ import annotations

import pytest

from audit.core.bash.wrappers import EXEC_FLAGS, LAUNCHERS, SHELLS, Wrapper, marks
from audit.core.revision import LATEST
from tests.core.builders import program

OPAQUE, INDIRECTION = Wrapper.OPAQUE_PAYLOAD, Wrapper.INDIRECTION

WORDS = [
    ([], None),
    (["eval"], OPAQUE),
    (["eval", "make"], OPAQUE),
    (["/opt/bin/eval", "make"], OPAQUE),
    (["bash", "-c", "make"], OPAQUE),
    (["sh", "-xec", "make"], OPAQUE),
    (["dash", "build", "-c"], OPAQUE),
    (["ksh", "--login", "-c", "make"], OPAQUE),
    (["zsh", "--", "-c", "make"], None),
    (["bash", "--rc", "build"], None),
    (["bash", "build"], None),
    (["bash"], None),
    (["bash", "-lic"], OPAQUE),
    (["bash", "-C"], None),
    (["bash", "'-c'", "make"], None),
    (["fish", "-c", "make"], None),
    (["sudo", "make"], INDIRECTION),
    (["/usr/local/bin/xargs", "make"], INDIRECTION),
    (["sudo"], INDIRECTION),
    (["sudoedit", "f"], None),
    (["Sudo", "make"], None),
    (["'sudo'", "make"], None),
    (["\\sudo", "make"], None),
    (["sudo/", "make"], None),
    (["exec", "sudo"], None),
    (["find", ".", "-ok", "make"], INDIRECTION),
    (["find", ".", "-execdir", "make"], INDIRECTION),
    (["find", ".", "'-exec'", "make"], None),
    (["find", ".", "-delete"], None),
    (["find", ".", "--exec", "make"], None),
    (["fd", "--exec-batch", "make"], INDIRECTION),
    (["fd", "-X", "make"], INDIRECTION),
    (["fd", "--exec=make"], None),
    (["fd", "-exec", "make"], None),
    (["make", "-exec", "x"], None),
]


@pytest.mark.parametrize(("words", "expected"), WORDS)
def test_the_mark_of_words(words, expected):
    assert marks(LATEST).of(words) is expected


@pytest.mark.parametrize("name", sorted(LAUNCHERS))
def test_launchers_are_marked_whatever_their_arguments(name):
    assert marks(LATEST).of([name]) is INDIRECTION
    assert marks(LATEST).of([f"/a/{name}", "--", "make"]) is INDIRECTION


def test_there_are_fifteen_launchers_five_shells_and_two_finders():
    assert (len(LAUNCHERS), len(SHELLS), len(EXEC_FLAGS)) == (15, 5, 2)


UNITS = [
    ("K=v sudo make", [INDIRECTION]),
    ("make && sudo make; eval make", [None, INDIRECTION, OPAQUE]),
    ("wc $(nice make)", [None, INDIRECTION]),
    ("(env make)", [None, INDIRECTION]),
    ("if sudo make; then id; fi", [None]),
    ("! sudo make", [None]),
    ("{ sudo make; }", [None]),
    ("< in sudo make", [None]),
    ("sudo make > out", [INDIRECTION]),
    ("bash build -K=c", [OPAQUE]),
    ("find . -exec make {} +", [INDIRECTION]),
    ("find . -exec make ';'", [INDIRECTION]),
    ("bash -s <<< -c", [None]),
    ("bash $'-c' make", [None]),
]


@pytest.mark.parametrize(("command", "expected"), UNITS)
def test_only_units_of_commands_carry_marks(command, expected):
    assert [unit.wrapper for unit in program(command).units] == expected
