from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audit.report.visible import shortened, visible

ANY = st.text(st.characters(exclude_categories=()))


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("git log --oneline", "git log --oneline"),
        ("a\nb\tc", "a⏎b␉c"),
        ("\x1b[31mred\x1b[0m", "␛[31mred␛[0m"),
        ("\x9b31m", "⟦U+009B⟧31m"),
        ("del\x7f", "del␡"),
        ("rm \u202etxt.exe", "rm ⟦U+202E⟧txt.exe"),
        ("a\u200bb\u00a0c", "a⟦U+200B⟧b⟦U+00A0⟧c"),
        ("tag\U000e0041", "tag⟦U+E0041⟧"),
        ("sel\ufe0f", "sel⟦U+FE0F⟧"),
        ("\ud83c\udf31", "\U0001f331"),
        ("lone \ud800", "lone ⟦U+D800⟧"),
        ("Gärtner 庭", "Gärtner 庭"),
        ("", ""),
    ],
)
def test_what_is_shown(text: str, shown: str) -> None:
    assert visible(text) == shown


@given(ANY)
def test_nothing_shown_is_invisible(text: str) -> None:
    shown = visible(text)
    assert all(
        character == " " or unicodedata.category(character) not in {"Cc", "Cf", "Cs", "Zl", "Zp", "Zs"}
        for character in shown
    )
    shown.encode()


def test_a_cut_says_by_how_much() -> None:
    assert shortened("abc", 3) == ("abc", "")
    assert shortened("x" * 1234, 1000) == ("x" * 1000, "first 1,000 of 1,234 characters")
