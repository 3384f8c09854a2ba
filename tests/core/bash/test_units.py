"""Command units: order, text and context (core-bash.md 2 to 4)."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from audit.core.bash.units import Context
from tests.core.builders import BASIC_PLANE, program, units

CHAINS = [
    ("make all", ["make all"]),
    ("make && tac f || wc ; id & pwd", ["make", "tac f", "wc", "id", "pwd"]),
    ("make | tac |& wc", ["make", "tac", "wc"]),
    ("make\n\ntac", ["make", "tac"]),
    ("printf 'a && b | c'", ["printf 'a && b | c'"]),
    ("make   -j   2", ["make   -j   2"]),
    ("make # all\n# tac", ["make"]),
    ("make; # && tac", ["make"]),
    ("# make", []),
    ("", []),
    ("make;;tac", ["make", "tac"]),
    ("make make", ["make make"]),
    ("make; make", ["make", "make"]),
]

PREFIXES = [
    ("K=v make", ["make"]),
    ("K=v L='w x'  make  all", ["make  all"]),
    ("K=v", ["K=v"]),
    ("K=v L=w", ["K=v L=w"]),
    ("K=v > out make", ["> out make"]),
    ("< in make", ["< in make"]),
    ("make > out 2>&1", ["make"]),
    ("make > out -k all", ["make"]),
    ("> out", []),
    ("tac <<END\nmake\nEND", ["tac"]),
    ("tac <<END && make\nx\nEND", ["tac"]),
    ("tac <<< make", ["tac <<< make"]),
]

WHOLE = [
    "if id; then make; fi",
    "for i in a b; do make $i; done",
    "for ((i=0;i<3;i++)); do make; done",
    "while id; do make; done",
    "until id; do make; done",
    "select i in a b; do make; done",
    "case $i in a) make;; esac",
    "build() { make; }",
    "{ make; }",
    "(( n++ ))",
    "! make",
    "[ -n $i ]",
    "[[ $i == a ]]",
    "export K=v",
    "declare -r K=v",
    "readonly K",
    "unset K",
    "K=$(make)",
    "export K=$(make)",
    "{ wc $(make); }",
    '[ -n "$(make)" ]',
]

NESTED = [
    ("wc $(make)", ["wc $(make)", "make [command_substitution]"]),
    ("wc `make`", ["wc `make`", "make [command_substitution]"]),
    ('wc "a $(make) b"', ['wc "a $(make) b"', "make [command_substitution]"]),
    ("wc '$(make)'", ["wc '$(make)'"]),
    ("wc <(make) >(tac)", ["wc <(make) >(tac)", "make [process_substitution]", "tac [process_substitution]"]),
    ("wc $(make && tac)", ["wc $(make && tac)", "make [command_substitution]", "tac [command_substitution]"]),
    (
        "wc $(tac <(make))",
        ["wc $(tac <(make))", "tac <(make) [command_substitution]", "make [process_substitution]"],
    ),
    ("K=$(make) wc", ["wc", "make [command_substitution]"]),
    ('wc <<< "$(make)"', ['wc <<< "$(make)"', "make [command_substitution]"]),
    ("wc > $(make)", ["wc"]),
    ("wc < <(make)", ["wc"]),
    ("wc $(< f)", ["wc $(< f)"]),
    ("(make; tac)", ["(make; tac)", "make [subshell]", "tac [subshell]"]),
    ("((make))", ["((make))"]),
    ("(make; (tac))", ["(make; (tac))", "make [subshell]", "(tac) [subshell]", "tac [subshell]"]),
    (
        "wc $(make; (tac)) && id",
        [
            "wc $(make; (tac))",
            "make [command_substitution]",
            "(tac) [command_substitution]",
            "tac [subshell]",
            "id",
        ],
    ),
    ("()", ["()", " [subshell]"]),
    ("wc ${K:-$(make)}", ["wc ${K:-$(make)}", "make [command_substitution]"]),
]

DAMAGED = [
    ('tac "ab', ["tac", '"ab']),
    ("if id", ["if id"]),
    ("tac; )", ["tac; )"]),
]


@pytest.mark.parametrize(("command", "expected"), CHAINS + PREFIXES + NESTED + DAMAGED)
def test_units(command, expected):
    assert units(command) == expected


@pytest.mark.parametrize("command", WHOLE)
def test_statements_are_one_unit_with_nothing_from_inside(command):
    assert units(command) == [command]


@pytest.mark.parametrize(
    ("space", "splits"),
    [
        ("\u0085", True),
        ("\u2000", True),
        ("\u2006", True),
        ("\u2007", False),
        ("\u2008", True),
        ("\u2028", True),
        ("\u2029", True),
        ("\u202f", False),
        ("\u205f", True),
        ("\u3000", True),
        ("\u1680", False),
        ("\u00a0", False),
        ("\ufeff", False),
    ],
)
def test_unusual_white_space_is_what_the_reference_takes_for_it(space, splits):
    found = program(f"wc 'a'{space}b")
    assert [token.value for token in found.tokens] == (["a", f"{space}b"] if splits else [f"a{space}b"])
    assert found.units[0].text == f"wc 'a'{space}b"


def test_offsets_count_code_units_of_the_command():
    command = "wc \U0001f980 && K=v tac $(id)"
    found = program(command)
    assert [(unit.start, unit.end) for unit in found.units] == [(0, 5), (13, 22), (19, 21)]
    assert [found.command[unit.start : unit.end] for unit in found.units] == [
        unit.text for unit in found.units
    ]


COMMANDS = st.recursive(
    st.sampled_from(["make", "tac f", "K=v wc", "sudo id", "echo 'a b'"]),
    lambda inner: st.one_of(
        st.tuples(inner, st.sampled_from([" && ", " | ", "; ", " || "]), inner).map("".join),
        inner.map("( {} )".format),
        inner.map("wc $( {} )".format),
        inner.map("wc <( {} )".format),
    ),
    max_leaves=6,
)


@settings(max_examples=100, deadline=None)
@given(COMMANDS)
def test_every_unit_is_a_slice_of_the_command_and_an_outer_one_comes_first(command):
    found = program(command)
    starts = [unit.start for unit in found.units]
    assert starts == sorted(starts)
    assert all(found.command[unit.start : unit.end] == unit.text for unit in found.units)


@settings(max_examples=100, deadline=None)
@given(COMMANDS)
def test_a_subshell_adds_its_whole_text_and_keeps_what_is_inside(command):
    bare, wrapped = program(command).units, program(f"( {command} )").units
    assert wrapped[0].text == f"( {command} )"
    assert [unit.text for unit in wrapped[1:]] == [unit.text for unit in bare]
    assert all(unit.context is not None for unit in wrapped[1:])
    assert [unit.wrapper for unit in wrapped[1:]] == [unit.wrapper for unit in bare]


@settings(max_examples=100, deadline=None)
@given(st.text(BASIC_PLANE, max_size=40))
def test_reading_twice_gives_the_same(command):
    assert program(command) == program(command)


def test_contexts_are_the_ones_of_the_record():
    assert {context.value for context in Context} == {
        "command_substitution",
        "process_substitution",
        "subshell",
    }
