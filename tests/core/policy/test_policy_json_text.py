"""JSON with comments (core-policy.md 2.2)."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from audit.core.policy.json_text import parse_json, strip_comments
from audit.errors import DocumentError


@pytest.mark.parametrize(
    ("text", "stripped"),
    [
        ("[1] // one\n", "[1] \n"),
        ("[1] // one", "[1] "),
        ("[1, // a // b\n2]", "[1, \n2]"),
        ("// only", ""),
        ("[/* a */1/* b */2]", "[12]"),
        ("[1]/* open", "[1]"),
        ("[1]/*", "[1]"),
        ("/* a\nb */[]", "[]"),
        ("/*/ still */[]", "[]"),
        ("/* a */ // b\n/**/[]", " \n[]"),
        ('["// no", "/* no */"]', '["// no", "/* no */"]'),
        ("['// no']", "['// no']"),
        ('["\\"// no"] // yes', '["\\"// no"] '),
        ('["\\\\"// yes\n]', '["\\\\"\n]'),
        ('["a\' // no"]// yes', '["a\' // no"]'),
        ("[1 /* it's */]", "[1 ]"),
        ("'open // no", "'open // no"),
        ('"open\\', '"open\\'),
        ("[1 / 2]", "[1 / 2]"),
        ("[1\r// a\r\n]", "[1\r\n]"),
    ],
)
def test_comments_are_dropped_outside_texts(text, stripped):
    assert strip_comments(text) == stripped


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('{/* x */"k":"//v"}', {"k": "//v"}),
        ('{// x\n"k":1}', {"k": 1}),
        ('{"k":1}/*', {"k": 1}),
        ("tr/* */ue", True),
        (" \t\r\n{} ", {}),
        ('"\\ud83d"', "\ud83d"),
        ('"\\ud83d\\ude00"', "\U0001f600"),
        ("[1.0, -0, 1e400]", [1.0, 0, float("inf")]),
        ("1" * 5000, float("inf")),
    ],
)
def test_texts_that_are_read(text, value):
    assert parse_json(text, "p").value == value


@pytest.mark.parametrize(
    ("text", "place", "found", "allowed"),
    [
        ('{"k":1,}', "line 1, column 8", "`}` after a comma", "no comma"),
        ("[1,]", "line 1, column 4", "`]` after a comma", "no comma"),
        ("{'k':1}", "line 1, column 2", "`'`", "single quotes do not quote"),
        ("{\"k\":'v'}", "line 1, column 6", "`'`", "single quotes do not quote"),
        ("{k:1}", "line 1, column 2", "`k`", "a key in double quotes"),
        ("\ufeff{}", "line 1, column 1", "a byte-order mark", "opening brace"),
        ('{\n  // note\n  "k" 1}', "line 3, column 7", "`1`", "a colon"),
        ('{/* a\nb */ "k": /* c */ x}', "line 2, column 19", "`x`", "a value"),
        ('{"k":1 "l":2}', "line 1, column 8", '`"`', "a comma"),
        ("{} {}", "line 1, column 4", "`{`", "nothing after"),
        ("", "line 1, column 1", "the end of the document", "a value"),
        ('{"k":', "line 1, column 6", "the end of the document", "a value"),
        ("/* x", "line 1, column 5", "the end of the document", "a value"),
        ('{"k": "v', "line 1, column 7", "a text without an end", "a double quote"),
        ('{"k": "v\nw"}', "line 1, column 9", "the character U+000A inside a text", "escapes"),
        ('["\\q"]', "line 1, column 3", "`\\`", "after a backslash"),
        ('["\\u12g4"]', "line 1, column 4", "`u12g4`", "four hexadecimal digits"),
        ('["NaN",\n NaN]', "line 2, column 2", "`NaN`", "a number"),
        ("[-Infinity]", "line 1, column 2", "`-Infinity`", "a number"),
        ("[Infinity]", "line 1, column 2", "`Infinity`", "a number"),
        ("[01]", "line 1, column 3", "`1`", "a comma"),
        ("[tru]", "line 1, column 2", "`tru`", "a value"),
        ("[" * 100_000, "line 1, column 1", "nested too deeply", "a policy"),
    ],
)
def test_texts_that_are_refused(text, place, found, allowed):
    with pytest.raises(DocumentError) as caught:
        parse_json(text, "p.json")
    (mistake,) = caught.value.mistakes
    assert (mistake.document, mistake.path) == ("p.json", place)
    assert found in mistake.found
    assert allowed in mistake.allowed


def test_a_repeated_key_keeps_its_place_and_takes_the_last_value():
    parsed = parse_json('{"a": 1, "b": 2, "a": 3}', "p")
    assert isinstance(parsed.value, dict)
    assert list(parsed.value.items()) == [("a", 3), ("b", 2)]
    assert parsed.repeated_keys == ("a",)


values = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(-99, 99), st.text("ab/*'\"\\\n", max_size=6)),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(st.text("/*'", max_size=3), inner)),
    max_leaves=8,
)
comments = st.sampled_from(["", " ", "/* ' \" */", "// it's\n", "/**/ "])


@given(values, comments, comments)
@settings(max_examples=300, deadline=None)
def test_comments_around_and_inside_change_nothing(value, before, between):
    text = json.dumps(value, indent=0).replace("\n", between + "\n")
    assert parse_json(before + text + before, "p").value == value


@given(st.text("/*\"'\\\n a", max_size=14))
@settings(max_examples=300, deadline=None)
def test_the_scan_agrees_with_one_unit_at_a_time(text):
    assert strip_comments(text) == scan(text)


def scan(text):
    kept, at = "", 0
    while at < len(text):
        if text.startswith("//", at):
            end = text.find("\n", at)
            kept += "" if end < 0 else "\n"
            at = len(text) if end < 0 else end + 1
        elif text.startswith("/*", at):
            end = text.find("*/", at + 2)
            at = len(text) if end < 0 else end + 2
        elif text[at] in "\"'":
            end = at + 1
            while end < len(text) and text[end] != text[at]:
                end += 2 if text[end] == "\\" else 1
            kept += text[at : end + 1]
            at = end + 1
        else:
            kept += text[at]
            at += 1
    return kept
