"""POSIX path arithmetic (core-bash.md 10.4)."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from audit.core.paths import posix

RESOLVED = [
    ("/srv", "a", "/srv/a"),
    ("/srv", "/a", "/a"),
    ("/srv", "", "/srv"),
    ("/srv", ".", "/srv"),
    ("/srv", "..", "/"),
    ("/srv", "../..", "/"),
    ("/srv", "../../a", "/a"),
    ("/srv", "a/./b//c/", "/srv/a/b/c"),
    ("/srv", "a/../b", "/srv/b"),
    ("/srv", "/a/..", "/"),
    ("/srv", "//a", "/a"),
    ("/srv", "///", "/"),
    ("/srv", "...", "/srv/..."),
    ("/srv", ".a", "/srv/.a"),
    ("/srv", "a.", "/srv/a."),
    ("/srv", "/a/.b/..c", "/a/.b/..c"),
    ("/", "a", "/a"),
    ("/srv/", "a", "/srv/a"),
    ("/srv/./x/..", "a", "/srv/a"),
    ("/srv", "a\\b", "/srv/a\\b"),
    ("/srv", "~", "/srv/~"),
]

NORMALIZED = [
    ("", "."),
    (".", "."),
    ("./", "./"),
    ("/", "/"),
    ("//", "/"),
    ("a/..", "."),
    ("a/../", "./"),
    ("../a/..", ".."),
    ("../../a", "../../a"),
    ("/../a", "/a"),
    ("a//b/", "a/b/"),
    ("/a/./b/../c", "/a/c"),
    ("./a", "a"),
]

JOINED = [
    ((), "."),
    (("",), "."),
    (("", "a"), "a"),
    (("a", "b"), "a/b"),
    (("a", "/b"), "a/b"),
    (("a/", "..", "b"), "b"),
    (("", ".."), ".."),
    (("/", ".."), "/"),
    (("a", "b/"), "a/b/"),
]

PARTS = [
    # path, last component, parent
    ("", "", "."),
    ("a", "a", "."),
    ("/", "", "/"),
    ("//", "", "/"),
    ("/a", "a", "/"),
    ("/a/b", "b", "/a"),
    ("/a/b/", "b", "/a"),
    ("a/b", "b", "a"),
    ("a//", "a", "."),
    ("//a", "a", "//"),
    ("a\\b", "a\\b", "."),
]


@pytest.mark.parametrize(("base", "path", "expected"), RESOLVED)
def test_resolve(base, path, expected):
    assert posix.resolve(base, path) == expected


@pytest.mark.parametrize(("path", "expected"), NORMALIZED)
def test_normalize(path, expected):
    assert posix.normalize(path) == expected


@pytest.mark.parametrize(("parts", "expected"), JOINED)
def test_join(parts, expected):
    assert posix.join(*parts) == expected


@pytest.mark.parametrize(("path", "last", "parent"), PARTS)
def test_the_last_component_and_the_parent(path, last, parent):
    assert (posix.basename(path), posix.dirname(path)) == (last, parent)


@pytest.mark.parametrize(("path", "expected"), [("/", True), ("/a", True), ("", False), ("a/", False)])
def test_is_absolute(path, expected):
    assert posix.is_absolute(path) is expected


PATHS = st.lists(st.sampled_from(["/", "//", ".", "..", "a", "bc", "...", " ", "\\"]), max_size=8).map(
    "".join
)


@settings(max_examples=100, deadline=None)
@given(PATHS, PATHS)
def test_resolving_gives_a_normal_absolute_path_and_twice_gives_the_same(base, path):
    resolved = posix.resolve("/" + base, path)
    assert resolved.startswith("/")
    assert not {"", ".", ".."} & set(resolved[1:].split("/")) or resolved == "/"
    assert posix.resolve("/elsewhere", resolved) == resolved


@settings(max_examples=100, deadline=None)
@given(PATHS)
def test_normalizing_twice_gives_the_same(path):
    assert posix.normalize(posix.normalize(path)) == posix.normalize(path)


@settings(max_examples=100, deadline=None)
@given(PATHS, PATHS)
def test_the_base_of_a_cd_leads_where_the_cds_lead(first, second):
    # The shell side keeps the joined offset and resolves late; going there in two steps is the same.
    if posix.is_absolute(second):
        return
    offset = posix.join(first, second)
    assert posix.resolve("/srv/x", offset) == posix.resolve(posix.resolve("/srv/x", first), second)
