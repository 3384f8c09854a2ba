"""What releases before 20.7.3 read in commands (core-bash.md 16.1)."""

from __future__ import annotations

import pytest

from audit.core.bash.former import plain_words, words_between_operators
from audit.core.revision import REVISIONS, revision
from tests.core.builders import ALLOW, ASK, Case, decided, external, program

BETWEEN = [
    ("wc /a|tac /b;x>/c", ["wc", "/a", "tac", "/b", "x", "/c"]),
    ("wc \"/a b\" '/c' /d", ["wc", "/d"]),
    ("cat <<E\n/a\nE\n# /b", ["cat", "E", "/a", "E", "#", "/b"]),
    ('echo "a\'b" \'c"', ["echo", "'c\""]),
]


@pytest.mark.parametrize(("command", "expected"), BETWEEN)
def test_words_between_operators(command, expected):
    assert words_between_operators(command) == expected


PLAIN = [
    ("wc '/a b' \"/c d\" /e\\ f", ["wc", "/a b", "/c d", "/e f"]),
    ("wc $HOME/a ${X}/b \"$Y\"/c '$Z'", ["wc", "/a", "/b", "/c", "$Z"]),
    ("wc *.md a?", ["wc"]),
    ("a && b | c > d 2>&1", ["a", "b", "c", "d", "2", "1"]),
    ("wc a # /b", ["wc", "a"]),
    ("wc a#/b c", ["wc", "a"]),
    ("wc *#x", ["wc", "*"]),
    ("wc ${X", []),
    ("wc ${}", []),
    ("wc a$", ["wc", "a$"]),
    ('wc "a\\"b\\c\\$d"', ["wc", 'a"b\\c$d']),
    ("wc ''", ["wc", ""]),
    ("", []),
]


@pytest.mark.parametrize(("command", "expected"), PLAIN)
def test_plain_words_of_shell_quote(command, expected):
    assert plain_words(command) == expected


LEADING = [
    # the directory of a `cd` that comes first holds for the whole command, itself included
    ("cd a && wc ../../x", ["/srv/x"]),
    ("cd a; wc ../x", []),
    ("cd ./a/../.. && wc ../x", ["/srv", "/srv/x"]),
    ("cd -- a && wc ../../x", ["/srv/x"]),
    ("cd - && wc ../x", ["/srv/x"]),
    ("cd ~ && wc ../x", ["/srv/x"]),
    ("# c\ncd a && wc ../x", ["/srv/x"]),
    ("cd a > f && wc ../x", ["/srv/x"]),
    ("(cd a && wc ../x)", ["/srv/x"]),
    ("cd a | wc ../x", ["/srv/x"]),
    ("pwd; cd a && wc ../x", ["/srv/x"]),
]


@pytest.mark.parametrize(("command", "expected"), LEADING)
def test_a_leading_cd(command, expected):
    found = program(command, revision=revision("20.7.3+base=leading-cd")).external
    assert [path.value for path in found] == expected


def test_a_whole_command_is_asked_as_it_was_written():
    case = Case({"bash": {"*": "deny", " make": "allow"}}, revision=REVISIONS["5.16.0-after-148"])
    assert decided(" make", case).action is ALLOW
    assert program("a; b", revision=REVISIONS["r5"]).units[0].text == "a; b"


def test_only_approvals_cover_an_outside_path():
    core = revision("20.7.3+external-per-path=off")
    permission = {"*": "allow", "external_directory": {"*": "ask", "/e/*": "allow"}}
    assert decided("wc /e/x", Case(permission, revision=core)).action is ASK
    granted = Case(permission, session=(("external_directory", "/e/*"),), revision=core)
    assert decided("wc /e/x", granted).action is ALLOW
    assert decided("wc /e/x /u/y", granted).action is ASK
    assert external("wc /e/x") == ["/e/x"]
