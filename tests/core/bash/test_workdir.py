"""The effective working directory, folded through a command (core-bash.md 8)."""

from __future__ import annotations

import pytest

from tests.core.builders import CWD, HOME, WIN_PLACE, bases, candidates, external, linked

UNKNOWN = None

# The base under which the word `here` stands.
FOLDED = [
    ("wc here", ""),
    ("cd a && wc here", "a"),
    ("cd a; cd ../b; wc here", "b"),
    ("cd a || wc here", "a"),
    ("cd a\nwc here", "a"),
    ("cd /x && wc here", "/x"),
    ("cd /x && cd y && wc here", "/x/y"),
    ("cd .. && wc here", ".."),
    ("cd a/ && wc here", "a/"),
    ("cd a && cd .. && wc here", "."),
    ("cd a & wc here", ""),
    ("cd a && cd b & wc here", ""),
    ("cd a; cd b & wc here", "a"),
    ("cd a | wc here", ""),
    ("wc x | cd a; wc here", ""),
    ("cd a && wc x | tac; wc here", "a"),
    ("cd a && wc x | tac here", "a"),
    ("cd a && cd b | tac here", "a"),
    ("cd a && wc x 2>&1 | tac here", "a"),
    ("(cd a) | wc here", ""),
    ("{ cd a; } | wc here", ""),
    ("(cd a && wc here)", "a"),
    ("(cd a); wc here", ""),
    ("{ cd a; wc here; }", "a"),
    ("{ cd a; }; wc here", "a"),
    ("if cd a; then wc here; fi", ""),
    ("cd a; if id; then cd b; wc here; fi", "a"),
    ("for i in x; do cd a; done; wc here", ""),
    ("go() { cd a; }; wc here", ""),
    ("! cd a; wc here", ""),
    ("wc $(cd a; tac here)", ""),
    ("cd a > here", "a"),
    ("cd a; wc < here", "a"),
    ("K=v cd a; wc here", "a"),
    ("/bin/cd a; wc here", "a"),
    ("cd/ a; wc here", "a"),
    ("'cd' a; wc here", ""),
    ("builtin cd a; wc here", ""),
    ("pushd a; wc here", ""),
    ("cd a <<END && wc here\nx\nEND", "a"),
    ("tac <<END && cd a; wc here\nx\nEND", ""),
]

TARGETS = [
    ("cd", UNKNOWN),
    ("cd -", UNKNOWN),
    ("cd ~", UNKNOWN),
    ("cd ~/a", UNKNOWN),
    ("cd $K", UNKNOWN),
    ('cd "$K/a"', UNKNOWN),
    ("cd a$K", UNKNOWN),
    ("cd $(id)", UNKNOWN),
    ("cd 7", UNKNOWN),
    ("cd $'a'", UNKNOWN),
    ("cd $K; cd a", UNKNOWN),
    ("cd $K; cd /a", "/a"),
    ("cd --", UNKNOWN),
    ("cd -- a", "a"),
    ("cd -- -", UNKNOWN),
    ("cd -L a", "-L"),
    ("cd a b", "a"),
    ("cd ''", "."),
    ("cd 'a b'", "a b"),
    ("cd '~'", "~"),
    ("cd '-'", "-"),
    ('cd a"b"', "ab"),
    ("cd {a,b}", "{a,b}"),
    ("cd '--' a", "--"),
]


@pytest.mark.parametrize(("command", "base"), FOLDED)
def test_where_a_change_of_directory_takes_effect(command, base):
    assert bases(command)["here"] == base


@pytest.mark.parametrize(("change", "base"), TARGETS)
def test_the_target_of_a_change_of_directory(change, base):
    assert bases(f"{change}; wc here")["here"] == base


def test_tokens_are_read_from_the_effective_directory():
    assert candidates("cd a/b && wc ../c ./d") == {
        "a/b": (f"{CWD}/a/b", "a/b"),
        "../c": (f"{CWD}/a/c", "a/c", "../c"),
        "./d": (f"{CWD}/a/b/d", "a/b/d", "./d"),
    }
    assert external("cd a && wc ../b ../../c") == ["/srv/c"]


def test_under_an_unknown_base_a_relative_token_is_literal_and_counts_as_outside():
    command = "cd $K && wc ../b ./c x/../d /e ~/f"
    assert candidates(command) == {
        "../b": ("../b",),
        "./c": ("./c",),
        "x/../d": ("x/../d",),
        "/e": ("/e",),
        "~/f": (f"{HOME}/f",),
    }
    assert external(command) == ["/srv/b", f"{CWD}/d", "/e", f"{HOME}/f"]


def test_equal_paths_are_reported_once_with_the_earliest_token():
    assert external("wc /e/a /e/../e/a; cd /e && wc ../e/a") == ["/e/a", "/e"]
    assert list(candidates("wc ./a; cd b && wc ../a; wc ./a")) == ["./a", "../a"]


def test_of_two_names_of_one_place_the_earliest_is_reported():
    place = linked(("/l", "/t"))
    assert external("wc /l/a /t/a /t/b /l/b", place) == ["/l/a", "/t/b"]


WORKDIRS = [
    ("sub", "sub", []),
    ("/opt/x", "/opt/x", ["/opt/x"]),
    ("..", "..", ["/srv"]),
    ("~/x", "~/x", [f"{HOME}/x"]),
    (CWD, CWD, []),
]


@pytest.mark.parametrize(("workdir", "base", "outside"), WORKDIRS)
def test_the_workdir_of_a_shell_alias_is_where_the_walk_starts(workdir, base, outside):
    assert bases("wc here", workdir=workdir) == {"here": base}
    assert external("wc here", workdir=workdir) == outside


def test_an_external_workdir_comes_first_and_once():
    assert external("wc /e /opt/x", workdir="/opt/x") == ["/e", "/opt/x"]
    assert external("wc /e", workdir="/opt/x") == ["/opt/x", "/e"]


WIN_TARGETS = [
    ("cd a", "a"),
    ("cd 'a\\b'", "a\\b"),
    ("cd 'D:\\x'", "D:\\x"),
    ("cd D:/x", "D:/x"),
    ("cd /d/x/y", "D:\\x\\y"),
    ("cd /d", "D:\\"),
    ("cd /dev/null", UNKNOWN),
    ("cd /usr/x", UNKNOWN),
    ("cd '\\x'", "\\x"),
]


@pytest.mark.parametrize(("change", "base"), WIN_TARGETS)
def test_targets_as_git_bash_reads_them(change, base):
    assert bases(f"{change}; wc here", WIN_PLACE)["here"] == base
