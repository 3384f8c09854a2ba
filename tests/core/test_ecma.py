"""Text conventions of the reference's language (core-bash.md 2.5 and M2, core-policy.md 1.2)."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from audit.core.ecma import (
    WHITESPACE,
    from_code_units,
    is_array_index,
    key_order,
    leaves_basic_plane,
    ordered_items,
    to_code_units,
    trim,
)

CRAB = "\U0001f980"
CRAB_UNITS = "\ud83e\udd80"


def test_there_are_twenty_five_white_space_characters():
    assert len(set(WHITESPACE)) == len(WHITESPACE) == 25


@pytest.mark.parametrize("character", WHITESPACE)
def test_white_space_is_trimmed_from_both_ends(character):
    assert trim(f"{character}a{character}b{character}") == f"a{character}b"


@pytest.mark.parametrize("character", ["\x1c", "\x1d", "\x1e", "\x1f", "\u0085", "\u180e", "\u200b", "\0"])
def test_other_characters_are_not(character):
    assert trim(character) == character


UNITS = [
    ("", ""),
    ("a\u00e9\uffff", "a\u00e9\uffff"),
    (CRAB, CRAB_UNITS),
    (f"a{CRAB}b{CRAB}", f"a{CRAB_UNITS}b{CRAB_UNITS}"),
    ("\U00010000\U0010ffff", "\ud800\udc00\udbff\udfff"),
    ("\ud83e", "\ud83e"),
    ("\udd80\ud83e", "\udd80\ud83e"),
]


@pytest.mark.parametrize(("text", "units"), UNITS)
def test_characters_outside_the_basic_plane_are_two_code_units(text, units):
    assert to_code_units(text) == units
    assert from_code_units(units) == text
    assert leaves_basic_plane(text) is (text != units)


def test_two_lone_halves_that_meet_become_one_character():
    assert from_code_units(CRAB_UNITS[0] + CRAB_UNITS[1]) == CRAB


TEXTS = st.text(st.characters(exclude_categories=()), max_size=20)


@settings(max_examples=100, deadline=None)
@given(TEXTS)
def test_splitting_and_joining(text):
    units = to_code_units(text)
    assert not leaves_basic_plane(units)
    assert len(units) == len(text.encode("utf-16-le", "surrogatepass")) // 2
    assert to_code_units(units) == units
    assert to_code_units(from_code_units(units)) == units


@settings(max_examples=100, deadline=None)
@given(TEXTS)
def test_trimming_twice_gives_the_same(text):
    assert trim(trim(text)) == trim(text)
    assert trim(text) in text


INDEXES = [
    ("0", True),
    ("7", True),
    ("42", True),
    ("4294967294", True),
    ("4294967295", False),
    ("00", False),
    ("07", False),
    ("-1", False),
    ("+1", False),
    ("1.0", False),
    (" 1", False),
    ("", False),
    ("\u0663", False),
    ("\u00b2", False),
    ("1e3", False),
]


@pytest.mark.parametrize(("key", "expected"), INDEXES)
def test_which_keys_are_integers(key, expected):
    assert is_array_index(key) is expected


def test_integers_come_first_and_ascending():
    keys = ["b", "10", "a", "9", "01", "4294967295", "0"]
    assert key_order(keys) == ["0", "9", "10", "b", "a", "01", "4294967295"]
    assert key_order(["b", "a"]) == ["b", "a"]
    assert ordered_items({"*": 1, "7": 2}) == [("7", 2), ("*", 1)]
