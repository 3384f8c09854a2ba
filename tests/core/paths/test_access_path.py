"""Forms of a path: aliases, links, boundary, Git Bash tokens (core-bash.md 10.3, core-policy.md 8)."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from audit.core.paths.access_path import NO_PATH, AccessPath, Paths
from audit.core.place import Place, Platform
from audit.core.revision import LATEST
from tests.core.builders import CWD, HOME, POSIX_PLACE, WIN_CWD, WIN_HOME, WIN_PLACE, linked

FORMS = [
    ("a.md", ("/srv/shop/a.md", "a.md")),
    ("./a.md", ("/srv/shop/a.md", "a.md", "./a.md")),
    ("/srv/shop/a.md", ("/srv/shop/a.md", "a.md")),
    ("/srv/shop", ("/srv/shop",)),
    (".", ("/srv/shop", ".")),
    ("..", ("/srv", "..")),
    ("../shopping", ("/srv/shopping", "../shopping")),
    ("x//y/", ("/srv/shop/x/y", "x/y", "x//y/")),
    ("/e/./x", ("/e/x", "/e/./x")),
    ("~/x", ("/home/kim/x",)),
    ("$HOME", ("/home/kim",)),
    ("'x y'", ("/srv/shop/x y", "x y")),
    ("@x", ("/srv/shop/x", "x")),
    ("*", ("*", "/srv/shop/*")),
    ("x*", ("/srv/shop/x*", "x*")),
    ("", ()),
    ("''", ()),
    ("@", ()),
]


@pytest.mark.parametrize(("path", "forms"), FORMS)
def test_the_forms_of_a_path(path, forms):
    assert Paths(POSIX_PLACE, LATEST).resolved(path, CWD).match_values == forms


def test_value_and_boundary_are_the_lexical_and_the_resolved_form():
    paths = Paths(linked(("/srv/shop/out", "/mnt/out")), LATEST)
    assert paths.resolved("out/a", CWD) == AccessPath(
        "/srv/shop/out/a", ("/srv/shop/out/a", "out/a", "/mnt/out/a"), "/mnt/out/a"
    )
    assert paths.resolved("*", CWD) == AccessPath("/srv/shop/*", ("*", "/srv/shop/*"), "/srv/shop/*")
    assert paths.resolved(" ", CWD) is NO_PATH


def test_aliases_are_relative_to_the_working_directory_and_not_to_the_base():
    assert Paths(POSIX_PLACE, LATEST).resolved("../c", "/srv/shop/a/b").match_values == (
        "/srv/shop/a/c",
        "a/c",
        "../c",
    )


LINKS = [
    ((("/l", "/t"),), "/l", "/t"),
    ((("/l", "/t"),), "/l/x/y", "/t/x/y"),
    ((("/l", "/t"),), "/link", "/link"),
    ((("/l", "/t"),), "/x/l", "/x/l"),
    ((("/l", "/"),), "/l/x", "/x"),
    ((("/l", "/m"), ("/m", "/t")), "/l/x", "/t/x"),
    ((("/m", "/t"), ("/l", "/m")), "/l/x", "/t/x"),
    ((("/l", "/t"), ("/l/x", "/u")), "/l/x", "/t/x"),
    ((("/l/x", "/u"), ("/l", "/t")), "/l/x", "/u"),
    ((("/a", "/b"), ("/b", "/a")), "/a/x", "/a/x"),
    ((("/a", "/a/a"),), "/a", "/a"),
    ((), "/l", "/l"),
    ((("/l", "/t"),), "", ""),
]


@pytest.mark.parametrize(("links", "path", "expected"), LINKS)
def test_links_are_followed_by_prefix_until_none_fits(links, path, expected):
    assert Paths(linked(*links), LATEST).canonical(path) == expected


OUTSIDE = [
    ("/srv/shop", False),
    ("/srv/shop/a", False),
    ("/srv/shopping", True),
    ("/srv", True),
    ("/", True),
    ("", False),
    ("/dev/null", False),
    ("/dev/stdin", False),
    ("/dev/stdout", False),
    ("/dev/stderr", False),
    ("/dev/tty", True),
    ("/dev/null/x", True),
]


@pytest.mark.parametrize(("boundary", "expected"), OUTSIDE)
def test_what_is_outside_the_working_directory(boundary, expected):
    assert Paths(POSIX_PLACE, LATEST).is_outside(boundary) is expected


def test_outside_is_judged_by_what_both_sides_resolve_to():
    through = Paths(linked((CWD, "/mnt/shop")), LATEST)
    assert not through.is_outside(through.resolved("a", CWD).boundary)
    assert not through.is_outside("/mnt/shop/a")
    assert through.is_outside("/srv/shop/a")
    escaping = Paths(linked((f"{CWD}/out", "/mnt")), LATEST)
    assert escaping.is_outside(escaping.resolved("out/a", CWD).boundary)


def test_without_a_working_directory_nothing_is_outside():
    assert not Paths(Place("", HOME), LATEST).is_outside("/e")


def test_the_root_holds_everything():
    assert not Paths(Place("/", HOME), LATEST).is_outside("/e/x")
    assert Paths(Place("/", HOME), LATEST).resolved("/e/x", "/").match_values == ("/e/x", "e/x")


WIN_FORMS = [
    ("Docs/A.md", ("c:\\src\\shop\\docs\\a.md", "docs\\a.md", "Docs/A.md")),
    ("D:/X", ("d:\\x", "D:/X")),
    ("/data", ("c:\\data", "/data")),
    ("~\\X", ("c:\\users\\kim\\x", "C:\\Users\\kim\\X")),
    ("C:\\SRC\\SHOP\\x", ("c:\\src\\shop\\x", "x", "C:\\SRC\\SHOP\\x")),
]


@pytest.mark.parametrize(("path", "forms"), WIN_FORMS)
def test_the_forms_of_a_tool_path_on_win32(path, forms):
    assert Paths(WIN_PLACE, LATEST).resolved(path, WIN_CWD).match_values == forms


GIT_BASH = [
    ("/c/Src/Shop/a", "c:\\src\\shop\\a", ("c:\\src\\shop\\a", "a", "C:\\Src\\Shop\\a"), "c:\\src\\shop\\a"),
    ("/d", "d:\\", ("d:\\", "D:\\"), "d:\\"),
    ("/d/", "d:\\", ("d:\\", "D:\\"), "d:\\"),
    ("/D/X/y", "d:\\x\\y", ("d:\\x\\y", "D:\\X\\y"), "d:\\x\\y"),
    ("/usr/X", "/usr/X", ("/usr/X", "\\usr\\X"), ""),
    ("/", "/", ("/", "\\"), ""),
    ("//host/share", "//host/share", ("//host/share", "\\\\host\\share"), ""),
    ("/dev/null", "/dev/null", ("/dev/null",), "/dev/null"),
    ("/dev/tty", "/dev/tty", ("/dev/tty", "\\dev\\tty"), ""),
    ("a/B", "c:\\src\\shop\\a\\b", ("c:\\src\\shop\\a\\b", "a\\b", "a/B"), "c:\\src\\shop\\a\\b"),
    ("C:/x", "c:\\x", ("c:\\x", "C:/x"), "c:\\x"),
]


@pytest.mark.parametrize(("token", "value", "forms", "boundary"), GIT_BASH)
def test_tokens_as_git_bash_reads_them(token, value, forms, boundary):
    assert Paths(WIN_PLACE, LATEST).outside_form(token, WIN_CWD) == AccessPath(value, forms, boundary)


def test_on_posix_every_token_is_plain():
    paths = Paths(POSIX_PLACE, LATEST)
    for token in ("/c/x", "/dev/null", "/usr", "a"):
        assert paths.outside_form(token, CWD) == paths.resolved(token, CWD)


SEGMENTS = st.lists(st.sampled_from(["a", "b", "..", ".", "", "\U0001f980"]), max_size=6).map("/".join)


@settings(max_examples=100, deadline=None)
@given(SEGMENTS, st.sampled_from([POSIX_PLACE, Place(WIN_CWD, WIN_HOME, Platform.WIN32)]))
def test_a_path_is_inside_exactly_when_it_has_a_relative_alias(path, place):
    paths = Paths(place, LATEST)
    found = paths.resolved(path, paths.cwd)
    if not found.match_values:
        return
    inside = paths.flavor.within(found.value, paths.lexical_cwd)
    assert paths.is_outside(found.boundary) is not inside
    assert len(set(found.match_values)) == len(found.match_values)
    if inside and found.value != paths.lexical_cwd:
        relative = found.value[len(paths.lexical_cwd) + 1 :]
        assert relative in found.match_values
