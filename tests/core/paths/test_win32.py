"""win32 path arithmetic (core-bash.md 10.4)."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from audit.core.paths import win32

BASE = "C:\\Src"

RESOLVED = [
    (BASE, "a", "C:\\Src\\a"),
    (BASE, "a/b\\c", "C:\\Src\\a\\b\\c"),
    (BASE, "", "C:\\Src"),
    (BASE, "..", "C:\\"),
    (BASE, "..\\..\\a", "C:\\a"),
    (BASE, "D:\\x", "D:\\x"),
    (BASE, "d:/x/../y/", "d:\\y"),
    (BASE, "\\x", "C:\\x"),
    (BASE, "/x", "C:\\x"),
    (BASE, "C:a", "C:\\Src\\a"),
    (BASE, "c:a", "c:\\Src\\a"),
    (BASE, "D:a", "D:\\a"),
    (BASE, "D:", "D:\\"),
    (BASE, "\\\\host\\share\\a", "\\\\host\\share\\a"),
    (BASE, "//host/share", "\\\\host\\share\\"),
    (BASE, "\\\\host", "C:\\host"),
    (BASE, "\\\\?\\C:\\a", "\\\\?\\C:\\a"),
    ("\\\\host\\share\\a", "..\\..\\b", "\\\\host\\share\\b"),
    ("\\\\host\\share\\a", "\\b", "\\\\host\\share\\b"),
    (BASE, ".\\a\\.\\", "C:\\Src\\a"),
]

NORMALIZED = [
    ("", "."),
    (".", "."),
    ("./", ".\\"),
    ("a/../", ".\\"),
    ("a//b/", "a\\b\\"),
    ("/a", "\\a"),
    ("\\..\\a", "\\a"),
    ("..\\a\\..", ".."),
    ("C:", "C:."),
    ("C:\\", "C:\\"),
    ("C:..\\a", "C:..\\a"),
    ("\\\\host\\share", "\\\\host\\share\\"),
    ("a\\..\\C:b", ".\\C:b"),
    ("NUL:x", ".\\NUL:x"),
    ("lpt1:", ".\\lpt1:"),
    ("NULL:x", "NULL:x"),
]

JOINED = [
    ((), "."),
    (("", ""), "."),
    (("a", "b"), "a\\b"),
    (("a", "\\b"), "a\\b"),
    (("C:\\a", "..", "b"), "C:\\b"),
    (("\\\\host", "share", "a"), "\\\\host\\share\\a"),
    (("\\", "\\a"), "\\a"),
    (("\\\\", "a"), "\\a"),
    (("a", "b/"), "a\\b\\"),
    (("", ".."), ".."),
]

ABSOLUTE = [
    ("", False),
    ("a", False),
    ("a\\b", False),
    ("\\", True),
    ("/a", True),
    ("C:\\", True),
    ("c:/a", True),
    ("C:", False),
    ("C:a", False),
    ("\u00e9:\\", False),
    ("\\\\host\\share", True),
]

PARTS = [
    # path, last component, parent
    ("a", "a", "."),
    ("a\\b", "b", "a"),
    ("a/b/", "b", "a"),
    ("C:\\a", "a", "C:\\"),
    ("C:\\a\\b", "b", "C:\\a"),
    ("C:\\", "", "C:\\"),
    ("C:a", "a", "C:"),
    ("\\a", "a", "\\"),
    ("/dev/null", "null", "/dev"),
    ("\\\\host\\share\\a\\b", "b", "\\\\host\\share\\a"),
]


@pytest.mark.parametrize(("base", "path", "expected"), RESOLVED)
def test_resolve(base, path, expected):
    assert win32.resolve(base, path) == expected


@pytest.mark.parametrize(("path", "expected"), NORMALIZED)
def test_normalize(path, expected):
    assert win32.normalize(path) == expected


@pytest.mark.parametrize(("parts", "expected"), JOINED)
def test_join(parts, expected):
    assert win32.join(*parts) == expected


@pytest.mark.parametrize(("path", "expected"), ABSOLUTE)
def test_is_absolute(path, expected):
    assert win32.is_absolute(path) is expected


@pytest.mark.parametrize(("path", "last", "parent"), PARTS)
def test_the_last_component_and_the_parent(path, last, parent):
    assert (win32.basename(path), win32.dirname(path)) == (last, parent)


PATHS = st.lists(st.sampled_from(["/", "\\", ".", "..", "a", "Bc", "D:", " "]), max_size=8).map("".join)


@settings(max_examples=100, deadline=None)
@given(PATHS)
def test_resolving_gives_an_absolute_path_and_twice_gives_the_same(path):
    resolved = win32.resolve(BASE, path)
    assert win32.is_absolute(resolved)
    assert "/" not in resolved
    if resolved != "\\\\.\\":  # the bare root of devices, which the reference's library reads as no device
        assert win32.resolve("E:\\elsewhere", resolved) == resolved
