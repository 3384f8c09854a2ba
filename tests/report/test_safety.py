"""A command may hold anything; a report must show it and obey none of it."""

from __future__ import annotations

import html
import json
import re
import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from audit.log.cases import Outcome
from audit.report.json import to_json
from audit.report.markdown import _code, _text, to_markdown
from audit.report.page import page as page_of
from audit.report.terminal import to_terminal
from audit.report.visible import visible
from tests.replay.builders import case
from tests.report.samples import report

NASTY = [
    "echo '<script>alert(1)</script>' | sh",
    "cat a | tee b || true",
    "echo `id` ``` ~~~",
    "printf '\x1b]0;owned\x07\x1b[2J\x9b1m'",
    "echo \u202egnp.exe \u2066x\u2069",
    "![x](https://evil.example/a.png) [y](javascript:z) <img src=x onerror=y>",
    "a\n| b | c |\n# heading\n\n- item",
    "\\| \\` \\\\",
    "@maintainer #12 www.evil.example me@evil.example :tada: $x^2$",
    "&lt;b&gt; &#60;i&#62;",
    "lone \ud800 end",
    "  leading",
    "",
]
ANY = st.one_of(
    st.text(st.characters(exclude_categories=()), max_size=60),
    st.text("|`<>&\\*_[]()!#\n\r\x1b\u202e -a", max_size=30),
)
_CELL = re.compile(r"(?<!\\)\|")


def decoded(markdown: str) -> str:
    """Return what a code text of the report stands for, read back the way a renderer would."""
    if markdown.startswith("`"):
        return markdown[1:-1]
    return html.unescape(markdown.removeprefix("<code>").removesuffix("</code>"))


@pytest.mark.parametrize("text", NASTY)
def test_code_keeps_the_text_and_holds_no_markup(text: str) -> None:
    written = _code(text)
    assert decoded(written) == visible(text)
    inside = written[1:-1] if written.startswith("`") else written[6:-7]
    assert not set("|<`\n\r\\") & set(inside)


@given(ANY)
@settings(max_examples=200)
def test_no_text_can_leave_its_code(text: str) -> None:
    for written in (_code(text), _text(text)):
        inside = (
            written[1:-1]
            if written.startswith("`")
            else written.removeprefix("<code>").removesuffix("</code>")
        )
        assert not set("|<`\\") & set(inside)
        assert "\n" not in written
        assert all(unicodedata.category(character) not in {"Cc", "Cf", "Cs"} for character in written)


@given(st.lists(ANY, min_size=1, max_size=3, unique=True))
@settings(max_examples=25, deadline=None)
def test_tables_keep_their_columns_whatever_commands_hold(texts: list[str]) -> None:
    cases = [case(f"npm {text}", outcomes={Outcome.APPROVED: 1}) for text in texts]
    made = report(cases=cases, candidate={"*": "ask", "bash": {f"npm {texts[0]}": "allow"}})
    width = 0
    for line in to_markdown(page_of(made)).splitlines():
        cells = len(_CELL.findall(line))
        if not line.startswith("| "):
            width = 0
            assert cells == 0
            continue
        width = width or cells
        assert cells == width


@given(st.lists(ANY, min_size=1, max_size=3, unique=True), st.sampled_from([80, 140]))
@settings(max_examples=25, deadline=None)
def test_a_terminal_gets_no_control_character(texts: list[str], width: int) -> None:
    made = report(cases=[case(f"npm {text}") for text in texts])
    shown = to_terminal(page_of(made), width)
    assert {
        character for character in shown if unicodedata.category(character) in {"Cc", "Cf", "Cs", "Zl", "Zp"}
    } <= {"\n"}
    shown.encode()


@given(st.lists(ANY, min_size=1, max_size=3, unique=True))
@settings(max_examples=25, deadline=None)
def test_the_machine_form_is_ascii_and_gives_the_text_back(texts: list[str]) -> None:
    cases = [case(f"npm {text}") for text in texts]
    written = to_json(report(cases=cases))
    assert written.isascii()
    held = {change["command"] for change in json.loads(written)["changes"]}
    assert held <= {str(one.input["command"]) for one in cases}


@pytest.mark.parametrize("text", NASTY)
def test_nasty_commands_in_whole_reports(text: str) -> None:
    made = report(cases=[case(f"npm {text}")])
    page = to_markdown(page_of(made))
    assert not re.search(r"<(?!/?code>)", page)
    assert "\x1b" not in page + to_terminal(page_of(made)) + to_json(made)


def test_colour_is_ours_only() -> None:
    made = report(cases=[case("npm \x1b[31mred")])
    shown = to_terminal(page_of(made), 100, colour=True)
    assert "\x1b[1m" in shown
    assert "\x1b[31m" not in shown
    assert "␛[31mred" in shown


MARKUP = {
    "link_open",
    "image",
    "html_block",
    "em_open",
    "strong_open",
    "s_open",
    "fence",
    "code_block",
    "blockquote_open",
    "hr",
    "softbreak",
    "hardbreak",
}


@given(st.one_of(st.sampled_from(NASTY), ANY))
@settings(max_examples=40, deadline=None)
def test_a_markdown_reader_finds_the_text_and_no_markup(text: str) -> None:
    command = f"npm {text}"
    made = report(cases=[case(command)], candidate={"*": "ask", "bash": "allow"})
    found: list[str] = []
    shown = ""
    for block in (
        MarkdownIt("commonmark").enable(["table", "strikethrough"]).parse(to_markdown(page_of(made)))
    ):
        found.append(block.type)
        for inline in block.children or []:
            found.append(inline.type)
            if inline.type == "html_inline":
                assert inline.content in {"<code>", "</code>"}
            else:
                shown += inline.content
    if not made.clusters:
        return
    assert not MARKUP & set(found)
    assert visible(command).strip() in shown
