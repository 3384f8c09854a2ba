"""What a word is after quoting, as a token and as a target of `cd` (core-bash.md 6 and B11)."""

from __future__ import annotations

import pytest

from audit.core.bash.parser import MAX_CODE_UNITS, Node, TooLarge, kinds, parse, reads_unicode_spaces
from audit.core.bash.text import ARGUMENT, literal, value

COMMAND = kinds("command")

WORDS = [
    ("a", "a", "a"),
    ("a\\ b", "a\\ b", "a\\ b"),
    ("-", "-", None),
    ("~", "~", None),
    ("~/a", "~/a", None),
    ("'a b'", "a b", "a b"),
    ("''", "", ""),
    ("'~'", "~", "~"),
    ('""', "", ""),
    ('"a  b"', "a  b", "a  b"),
    ('"-"', "-", "-"),
    ('"a\nb"', "ab", "ab"),
    ('"$K"', "$K", None),
    ('"a $K b"', "a $K b", None),
    ('"`id`"', "`id`", None),
    ('"$(id)/a"', "$(id)/a", None),
    ("a'b'\"c\"", "abc", "abc"),
    ("a$K", "a$K", None),
    ("a${K}b", "a${K}b", None),
    ("{a,b}", "{a,b}", "{a,b}"),
    ('"a\\"b"', 'a\\"b', 'a\\"b'),
    ("'a'\\''b'", "a\\'b", "a\\'b"),
]


def argument(word: str) -> tuple[Node, str]:
    source = f"cd {word}"
    (command,) = parse(source).children
    assert command.kind_id in COMMAND
    (node,) = [child for child in command.children if child.kind_id in ARGUMENT]
    return node, source


@pytest.mark.parametrize(("word", "token", "target"), WORDS)
def test_the_value_and_the_literal_text_of_a_word(word, token, target):
    node, source = argument(word)
    assert value(node, source) == token
    assert literal(node, source) == target


@pytest.mark.parametrize("word", ["$K", "${K}", "$(id)", "12", "$'a'", "{1..3}"])
def test_what_is_no_argument_has_no_literal_text(word):
    (command,) = parse(f"cd {word}").children
    node = command.children[1]
    assert node.kind_id not in ARGUMENT
    assert literal(node, f"cd {word}") is None


def test_the_parser_counts_two_bytes_for_a_code_unit():
    root = parse("wc \ud83e\udd80 a")
    assert root.end_byte == 2 * len("wc \ud83e\udd80 a")


def test_stand_ins_are_only_parsed_and_never_shown():
    node, source = argument("a\u1680b")
    assert value(node, source) == "a\u1680b"


def test_the_library_classes_white_space_as_the_reference_does():
    assert reads_unicode_spaces()


def test_a_text_over_the_limit_is_not_parsed():
    with pytest.raises(TooLarge, match=str(MAX_CODE_UNITS)):
        parse("a" * (MAX_CODE_UNITS + 1))
