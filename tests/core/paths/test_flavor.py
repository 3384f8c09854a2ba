"""What differs between the platforms: home, cleaning, containment, case (core-bash.md 10.1 and P9)."""

from __future__ import annotations

import pytest

from audit.core.paths.flavor import POSIX, WIN32, flavor
from audit.core.place import Platform

HOME, WIN_HOME = "/home/kim", "C:\\Users\\kim"

LITERALS = [
    ("a", "a"),
    ("", ""),
    ("  a\t", "a"),
    ("\ufeffa\u2028", "a"),
    ("\u0085a", "\u0085a"),
    ("\x1ca\x1f", "\x1ca\x1f"),
    ("'a'", "a"),
    ("\"a'", "a"),
    ("'a", "a"),
    ("''a''", "'a'"),
    ("' a '", " a "),
    ("'", ""),
    ("''", ""),
    ("@a", "a"),
    ("@@a", "@a"),
    ("'@a'", "a"),
    ("@", ""),
    ("@'a", "'a"),
    ("@~/a", f"{HOME}/a"),
    ("~", HOME),
    ("~/", HOME),
    ("~/a/", f"{HOME}/a/"),
    ("~/a/../b/", f"{HOME}/b/"),
    ("~\\a", f"{HOME}/a"),
    ("$HOME", HOME),
    ("$HOME/a", f"{HOME}/a"),
    ("$HOME\\a", f"{HOME}/a"),
    ("$HOMES/a", "$HOMES/a"),
    ("${HOME}/a", "${HOME}/a"),
    ("~kim/a", "~kim/a"),
    ("a/~", "a/~"),
    ("/~/a", "/~/a"),
    ("~/../..", "/"),
]


@pytest.mark.parametrize(("text", "expected"), LITERALS)
def test_a_path_as_typed_is_cleaned(text, expected):
    assert POSIX.literal(text, HOME) == expected


def test_home_is_joined_by_the_rules_of_the_platform():
    assert WIN32.literal("~/a/b", WIN_HOME) == "C:\\Users\\kim\\a\\b"
    assert WIN32.literal("$HOME\\a/", WIN_HOME) == "C:\\Users\\kim\\a\\"


WITHIN = [
    ("/a", "/a", True),
    ("/a/b", "/a", True),
    ("/ab", "/a", False),
    ("/", "/a", False),
    ("/a", "/", True),
    ("/", "/", True),
    ("", "/a", False),
    ("/a", "", False),
    ("/a/..b", "/a", True),
]


@pytest.mark.parametrize(("path", "directory", "expected"), WITHIN)
def test_containment_goes_by_components(path, directory, expected):
    assert POSIX.within(path, directory) is expected


def test_containment_on_win32():
    assert WIN32.within("c:\\a\\b", "c:\\a")
    assert WIN32.within("c:\\a", "c:\\")
    assert not WIN32.within("c:\\ab", "c:\\a")
    assert not WIN32.within("d:\\a", "c:\\")


def test_only_win32_folds_case():
    assert POSIX.fold("/A/\u00c4") == "/A/\u00c4"
    assert WIN32.fold("C:\\A\\\u00c4") == "c:\\a\\\u00e4"
    # The letter outside the basic plane is folded as one character and stays two code units.
    assert WIN32.fold("\ud801\udc00") == "\ud801\udc28"
    assert WIN32.fold("A\ud801") == "a\ud801"


def test_each_platform_has_its_flavor():
    assert flavor(Platform.POSIX) is POSIX
    assert flavor(Platform.WIN32) is WIN32
