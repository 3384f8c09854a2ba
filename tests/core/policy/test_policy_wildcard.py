"""Wildcards: the table of core-policy.md 6, and agreement with the plainest matcher there is."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from audit.core.ecma import to_code_units
from audit.core.paths.flavor import POSIX, WIN32
from audit.core.policy.wildcard import Wildcards, fold_case

HOME = "/home/kim"
WIN_HOME = "C:\\Users\\kim"


matcher = Wildcards().matcher


def posix_home(pattern):
    return POSIX.expand_home(pattern, HOME)


def win32_home(pattern):
    return WIN32.expand_home(pattern, WIN_HOME)


def matches(pattern, value):
    return matcher(to_code_units(pattern), posix_home)(to_code_units(value))


def matches_folded(pattern, value):
    return matcher(to_code_units(pattern), win32_home, fold_case)(to_code_units(value))


@pytest.mark.parametrize(
    ("pattern", "value", "expected"),
    [
        # a blank and a star at the end are optional together
        ("make *", "make", True),
        ("make *", "make all -j", True),
        ("make *", "maker", False),
        ("make *", "make ", True),
        ("make*", "maker", True),
        ("make * -n", "make -n", False),
        ("make  *", "make", False),
        ("make  *", "make ", True),
        ("b **", "b", False),
        ("b **", "b c", True),
        (" *", "", True),
        (" *", " x", True),
        (" *", "x", False),
        ("* *", "word", True),
        ("* *", "", True),
        ("a*c *", "abc", True),
        ("a*c *", "abcc d", True),
        ("a*c *", "abcd", False),
        ("a*c*e *", "a c e c", True),
        # a star crosses separators and line ends, and may be empty
        ("*", "one\ntwo", True),
        ("*", "", True),
        ("lib/*", "lib", False),
        ("lib/*", "lib/", True),
        ("**/y", "y", False),
        ("*/y", "p/q/y", True),
        ("*.pem", "certs/.pem", True),
        ("*.pem", "a.pem.bak", False),
        ("a*a", "a", False),
        ("a*a", "aa", True),
        ("ab*ba", "aba", False),
        ("*aab", "aaab", True),
        ("x*yz*z", "xyz", False),
        ("x*yz*z", "xyzz", True),
        # the whole value, to the last unit
        ("pwd", "pwd\n", False),
        ("*d", "pwd\n", False),
        ("", "", True),
        ("", "x", False),
        # one code unit
        ("?", "é", True),
        ("?", "\n", True),
        ("?", "", False),
        ("?", "\U0001f600", False),
        ("??", "\U0001f600", True),
        ("\U0001f600*", "\U0001f600!", True),
        # everything else is literal
        ("[xy]", "x", False),
        ("{x,y}", "x", False),
        ("!x", "y", False),
        ("a.c", "abc", False),
        ("a.c", "a.c", True),
        ("(a|b)+$", "(a|b)+$", True),
        ("a\\*", "a*", False),
        ("a\\*", "a\\z", True),
        ("LS", "ls", False),
        # home in the pattern, never in the value
        ("~", HOME, True),
        ("$HOME", HOME, True),
        ("~/y/*", f"{HOME}/y/a/b", True),
        ("~/y/*", f"{HOME}/y", False),
        ("$HOME/y", f"{HOME}/y", True),
        ("~/p/../q/*", f"{HOME}/q/r", True),
        ("~/*/../q", f"{HOME}/q", True),
        ("~/a//./b/", f"{HOME}/a/b/", True),
        ("~\\y", f"{HOME}/y", True),
        ("$HOME\\y", f"{HOME}/y", True),
        ("${HOME}/y", f"{HOME}/y", False),
        ("~kim/y", f"{HOME}/y", False),
        ("$HOMES", f"{HOME}S", False),
        ("~/y", "~/y", False),
    ],
)
def test_a_pattern_matches(pattern, value, expected):
    assert matches(pattern, value) is expected


@pytest.mark.parametrize(
    ("pattern", "value", "expected"),
    [
        ("lib/*", "LIB\\z", True),
        ("D:/Keep/*", "d:\\keep\\a\\b", True),
        ("p/q", "p/q", False),
        ("p\\q", "P\\Q", True),
        ("~/Notes/*", "c:\\users\\KIM\\notes\\x", True),
        ("ÄRGER", "ärger", True),
        # one capital letter is two letters: no folding
        ("straße", "STRASSE", False),
        ("straße", "STRAßE", True),
        # the Kelvin sign and the long s are not ASCII letters
        ("k", "\u212a", False),
        ("s", "\u017f", False),
        ("\u03c3", "\u03c2", True),
        ("?.TXT", "a.txt", True),
    ],
)
def test_a_pattern_matches_with_folding(pattern, value, expected):
    assert matches_folded(pattern, value) is expected


def test_home_is_joined_by_the_rules_of_the_platform_where_nothing_is_folded():
    assert matcher("~/bin/tool", win32_home)("C:\\Users\\kim\\bin\\tool")
    assert not matcher("~/bin/tool", win32_home)("c:\\users\\kim\\bin\\tool")


def test_many_stars_do_not_multiply_the_work():
    value = "a" * 4000
    assert not matches("*a" * 30 + "*b", value)
    assert not matches("*a*a*a*a*a*a*a*a*a*a*b *", value)
    assert matches("*a" * 30, value)


def naive(pattern, value):
    """Match by trying everything; home is not expanded."""
    if pattern.endswith(" *") and naive_run(pattern[:-2], value):
        return True
    return naive_run(pattern, value)


def naive_run(pattern, value):
    reached = {0}
    for character in pattern:
        if character == "*":
            reached = set(range(min(reached), len(value) + 1)) if reached else set()
        else:
            reached = {at + 1 for at in reached if at < len(value) and character in ("?", value[at])}
    return len(value) in reached


small_patterns = st.text("ab *?/.\n", max_size=9)
small_values = st.text("ab /.\n", max_size=9)


@given(small_patterns, small_values)
@settings(max_examples=1500, deadline=None)
def test_the_compiled_form_agrees_with_a_naive_matcher(pattern, value):
    assert matches(pattern, value) is naive(pattern, value)


@given(small_patterns, st.text("abAB\\/", max_size=9))
@settings(max_examples=300, deadline=None)
def test_folding_is_matching_of_folded_texts(pattern, value):
    folded = pattern.replace("/", "\\").upper()
    assert matches_folded(pattern, value) is naive(folded, value.upper())


def test_folding_works_on_single_units_and_settles_at_once():
    for code in range(0x10000):
        folded = fold_case(chr(code))
        assert len(folded) == 1
        assert fold_case(folded) == folded
        assert folded.isascii() == chr(code).isascii()
