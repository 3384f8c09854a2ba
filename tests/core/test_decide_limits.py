"""Limits of the core: stated, counting work and never time, striking the same commands everywhere."""

from __future__ import annotations

import pytest

from audit.core.bash import parser
from audit.core.bash.parser import LONGEST_UNWATCHED, MAX_BYTES_READ, MAX_CODE_UNITS, MAX_PIPES, parse
from audit.core.bash.units import MAX_UNIT_TEXT
from audit.core.bash.workdir import MAX_DIRECTORY_TEXT
from audit.core.call import shell
from audit.core.decide import Decision, Undecided
from audit.core.ecma import to_code_units
from audit.core.reading import MAX_PATH_TEXT
from tests.core.builders import Case

CASE = Case({"*": "allow"})
MEGABYTE = 1_000_000
LONG_DIRECTORY = "/" + "d/" * 4_000

REFUSED = {
    "too long": ("a" * (MAX_CODE_UNITS + 1), f"{MAX_CODE_UNITS}"),
    "too many pipes": ("a | " * 20_000, f"more than {MAX_PIPES}"),
    "looked at again and again": (")" * MEGABYTE, f"{MAX_BYTES_READ} bytes"),
    "nothing but null": ("\0" * MEGABYTE, f"{MAX_BYTES_READ} bytes"),
    "heredocs in heredocs": ("<<" * (MEGABYTE // 2), f"{MAX_BYTES_READ} bytes"),
    "half a function": ("f() " * (MEGABYTE // 4), f"{MAX_BYTES_READ} bytes"),
    "half a pattern": ("case x in " + "@(" * (MEGABYTE // 2), f"{MAX_BYTES_READ} bytes"),
    "subshells with their text": ("( " * 60_000 + "a" + ")" * 60_000, f"{MAX_UNIT_TEXT} code units"),
    "substitutions in assignments": ("A=$(" * 60_000 + "b" + ") b" * 60_000, f"{MAX_UNIT_TEXT} code units"),
    "ever deeper directories": ("cd d;" * 20_000, f"{MAX_DIRECTORY_TEXT} code units"),
    "a deep directory left and entered": (
        f"cd {LONG_DIRECTORY};" + "cd .;" * 20_000,
        f"{MAX_DIRECTORY_TEXT}",
    ),
    "paths under a deep directory": (f"cd {LONG_DIRECTORY};cat" + " ./f" * 20_000, f"{MAX_PATH_TEXT}"),
}


@pytest.mark.parametrize(("command", "limit"), REFUSED.values(), ids=REFUSED.keys())
def test_what_is_beyond_a_limit_is_refused_with_the_limit(command, limit):
    decided = CASE.judge().decide(shell(command))
    assert isinstance(decided, Undecided)
    assert decided.kind == "too-large"
    assert limit in decided.message


DECIDED = {
    "twenty thousand statements": "make && " * 20_000 + "make",
    "as many pipes as may be": "a | " * (MAX_PIPES - 1) + "a",
    "more pipe characters in a string": "echo '" + "| a | b |\n" * MAX_PIPES + "'",
    "a long heredoc": "cat <<'E'\n" + "a line (of) `text`; $x | y\n" * 30_000 + "E\n",
    "many directories": "cd d; cd ..;" * 5_000,
    "many paths": "cat" + " ./f ../g /h" * 20_000,
}


@pytest.mark.parametrize("command", DECIDED.values(), ids=DECIDED.keys())
def test_long_commands_of_an_ordinary_kind_are_decided(command):
    assert isinstance(CASE.judge().decide(shell(command)), Decision)


LONG = {
    "statements": "cat a/b && x=1 echo 'é' | wc; ",
    "surrogate pairs": "echo \U0001f600 a\U0001f600b;",
    "lone surrogates": "echo \ud800 \udc00x;",
    "damage": "if a; then (b | c; ",
    "strings": "echo \"$(cat 'x') ${y}\";",
}


@pytest.mark.parametrize("piece", LONG.values(), ids=LONG.keys())
@pytest.mark.parametrize("shift", range(4))
def test_a_long_text_handed_over_in_pieces_gives_the_same_tree(monkeypatch, piece, shift):
    text = to_code_units("x" * shift + " " + piece * 400)
    watched = shape(text, monkeypatch, unwatched=0)
    assert watched == shape(text, monkeypatch, unwatched=len(text))
    assert len(watched) > 400


def shape(text: str, monkeypatch: pytest.MonkeyPatch, unwatched: int) -> list[tuple[str, int, int]]:
    """Return every node of a command with its span, parsed in one piece up to so many code units."""
    monkeypatch.setattr(parser, "LONGEST_UNWATCHED", unwatched)
    pending = [parse(text)]
    found = []
    while pending:
        node = pending.pop()
        found.append((node.type, node.start_byte, node.end_byte))
        pending.extend(node.children)
    return found


def test_a_text_just_over_the_first_limit_is_still_decided():
    assert isinstance(CASE.judge().decide(shell("a" * (LONGEST_UNWATCHED + 1))), Decision)
