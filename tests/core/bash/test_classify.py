"""Token shapes (core-bash.md 9)."""

from __future__ import annotations

import pytest

from audit.core.bash.classify import Shapes
from audit.core.paths.flavor import POSIX, WIN32
from audit.core.revision import LATEST
from tests.core.builders import CWD, candidates, external, program

ON_POSIX, ON_WIN32 = Shapes(LATEST, POSIX), Shapes(LATEST, WIN32)

REJECTED = [
    ("", "empty"),
    ("-", "a flag"),
    ("-o/etc", "a flag"),
    ("--to=/etc", "a flag"),
    ("K=/etc", "an assignment"),
    ("K=", "an assignment"),
    ("=/x", "an assignment"),
    ("https://h/x", "a URL"),
    ("git+ssh://h/x", "a URL"),
    ("z://x", "a URL"),
    ("@scope/pack", "a scoped name"),
    ("@", "a scoped name"),
    ("a.*b", "looks like a regular expression"),
    ("/x.+", "looks like a regular expression"),
    ("a\\|b", "looks like a regular expression"),
    ("\\(x", "looks like a regular expression"),
    ("x\\)", "looks like a regular expression"),
    ("/v/[0-9]", "looks like a regular expression"),
    ("[]", "looks like a regular expression"),
    ("^/x", "looks like a regular expression"),
]

KEPT = [
    "/",
    "///",
    ".",
    "/x=y",
    "a/b=c",
    "@/x",
    "1://x",
    "://x",
    "/x://y",
    "a b",
    "*.md",
    "^x",
    "]x[",
    "[x\n]",
    "[x\u2028]",
    "a|b",
    "\u212ahttps:/",
]


@pytest.mark.parametrize(("token", "why"), REJECTED)
def test_tokens_that_can_be_no_path(token, why):
    assert ON_POSIX.rejection(token) == why


@pytest.mark.parametrize("token", KEPT)
def test_tokens_that_may_be_a_path(token):
    assert ON_POSIX.rejection(token) is None


SHAPES = [
    # strict, broad on POSIX, broad on win32
    ("/x", True, True, True),
    ("~/x", True, True, True),
    ("~", False, False, False),
    ("~\\x", False, False, True),
    ("~kim/x", False, True, True),
    ("a..b", True, True, True),
    ("..", True, True, True),
    (".env", False, True, True),
    (".", False, True, True),
    ("a/b", False, True, True),
    ("a\\b", False, False, True),
    ("a.b", False, False, False),
    ("a", False, False, False),
    ("e:/x", True, True, True),
    ("e:\\x", True, True, True),
    ("e:x", False, False, False),
    ("\u017f:\\x", False, False, True),
    ("ee:\\x", False, False, True),
]


@pytest.mark.parametrize(("token", "strict", "posix", "win32"), SHAPES)
def test_shapes(token, strict, posix, win32):
    assert ON_POSIX.rejection(token) is None
    assert (ON_POSIX.strict(token), ON_POSIX.broad(token), ON_WIN32.broad(token)) == (strict, posix, win32)


def test_a_rejected_token_is_neither_external_nor_a_candidate():
    command = "wc " + " ".join(f"'{token}'" for token, _ in REJECTED)
    assert (external(command), candidates(command)) == ([], {})


def test_a_promoted_word_is_a_candidate_and_never_external():
    assert candidates("wc secret K=secret", promoted=["secret", "K=secret"]) == {
        "secret": (f"{CWD}/secret", "secret")
    }
    assert external("wc secret") == []
    assert program("wc secret plain -f").survivors == ("secret", "plain")


def test_a_promoted_word_stands_in_token_order():
    assert list(candidates("wc ./b secret ./a", promoted=["secret"])) == ["./b", "secret", "./a"]


RELATIVE = [("a", True), ("../a", True), ("/a", False), ("~/a", False), ("~kim", False), ("", True)]


@pytest.mark.parametrize(("token", "expected"), RELATIVE)
def test_which_tokens_depend_on_the_effective_directory(token, expected):
    assert ON_POSIX.is_relative(token) is expected


def test_a_drive_is_absolute_only_on_win32():
    assert ON_POSIX.is_relative("C:\\a")
    assert not ON_WIN32.is_relative("C:\\a")
    assert ON_WIN32.is_relative("C:a")
