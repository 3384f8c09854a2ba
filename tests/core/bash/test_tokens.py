"""Which words of a command are path tokens (core-bash.md 6 and 7)."""

from __future__ import annotations

import pytest

from audit.core.bash.tokens import PATTERN_FIRST
from tests.core.builders import WIN_PLACE, program, tokens

WORDS = [
    ("wc notes.md 'a b' \"c d\"", ["notes.md", "a b", "c d"]),
    ("wc a\"b\"'c'/d", ["abc/d"]),
    ("wc a\\ b", ["a\\ b"]),
    ('wc "$X/y" $X/z ${X}w', ["$X/y", "$X/z", "${X}w"]),
    ('wc "`id`/y"', ["`id`/y"]),
    ('wc "say \\"hi\\""', ['say \\"hi\\"']),
    ('wc "one\ntwo"', ["onetwo"]),
    ("wc ''", [""]),
    ("wc $X ${Y} 15 {2..6} $'q'", []),
    ('wc $"q"', ["q"]),
    ("wc {a,b}/c", ["{a,b}/c"]),
    ("K=v wc f", ["f"]),
    ("K=$(wc hidden) wc f", ["f"]),
    ("/opt/tool f", ["f"]),
    ("wc f # g", ["f"]),
    ("wc a\\\nb", ["a", "b"]),
]


@pytest.mark.parametrize(("command", "expected"), WORDS)
def test_the_value_of_a_word(command, expected):
    assert tokens(command) == expected


INSIDE = [
    ("wc $(tac f) g", ["f", "g"]),
    ('wc "$(tac f)" g', ["$(tac f)", "g"]),
    ("wc x$(tac f)", ["x$(tac f)"]),
    ("wc <(tac f) g", ["f", "g"]),
    ("K=$(tac f)", ["f"]),
    ("export K=/a L=$(tac f) /b", ["f"]),
    ("[ -s /a ]", []),
    ("[[ /a == $(tac f) ]]", ["f"]),
    ("test -s /a", ["-s", "/a"]),
    ("for i in /a; do tac f; done", ["f"]),
    ("case /a in /b) tac f;; esac", ["f"]),
    ("while tac f; do wc g; done", ["f", "g"]),
    ("go() { tac f; }", ["f"]),
    ("(tac f; { wc g; })", ["f", "g"]),
    ("! tac f", ["f"]),
    ('wc <<< "$(tac f)"', ["f"]),
    ("wc <<< /a", []),
    ("unset /a", []),
    ("tac f; fi wc g", ["f", "wc", "g"]),
]


@pytest.mark.parametrize(("command", "expected"), INSIDE)
def test_where_words_are_collected_from(command, expected):
    assert tokens(command) == expected


REDIRECTS = [
    ("tac > out", ["out"]),
    ("tac < in 2>> log", ["in", "log"]),
    ("tac 2>&1", []),
    ("tac f > 'a b'", ["f", "a b"]),
    ("tac > out f g", ["out", "f", "g"]),
    ("> out tac f", ["out", "f"]),
    ("> out", ["out"]),
    ("tac > $(wc f)", []),
    ("tac < <(wc f)", []),
    ("tac > $X", []),
    ("tac > $X/y", ["$X/y"]),
    ("tac <<END > out\nf /g\nEND", ["out"]),
    ("tac <<END && wc f\n$(wc g)\nEND", ["f"]),
]


@pytest.mark.parametrize(("command", "expected"), REDIRECTS)
def test_redirects_name_files_and_heredoc_bodies_do_not(command, expected):
    assert tokens(command) == expected


PATTERN_FIRST_COMMANDS = [
    ("grep word f g", ["f", "g"]),
    ("grep -rn word f", ["f"]),
    ("grep -e one -e two f", ["f"]),
    ("grep -f words f", ["words", "f"]),
    ("grep -m '3' word f", ["f"]),
    ("grep -m 3 word f g", ["g"]),
    ("grep -C 1", []),
    ("grep -- -e f", ["f"]),
    ("grep -e word -- -f g", ["-f", "g"]),
    ("grep - f", ["f"]),
    ('grep "-e" f', ["f"]),
    ("grep $W f g", ["g"]),
    ("grep 77 f g", ["g"]),
    ('grep "$W" f g', ["f", "g"]),
    ("grep --regexp=word f g", ["g"]),
    ("grep --file words f", ["f"]),
    ("grep -eword f g", ["g"]),
    ("grep word $(tac f) g", ["f", "g"]),
    ("grep > out word f", ["out", "word", "f"]),
    ("> out grep word f", ["out", "f"]),
    ("egrep word f", ["f"]),
    ("fgrep -A 2 word f g", ["g"]),
    ("/opt/bin/grep word f", ["f"]),
    ('"grep" word f', ["word", "f"]),
    ("\\grep word f", ["word", "f"]),
    ("rg -t '3' word f", ["f"]),
    ("rg -g '*.md' -r new word f", ["f"]),
    ("rg -E utf8 -j '2' -M '9' -T css word f", ["f"]),
    ("rg --files f", []),
    ("sed s,a,b, f", ["f"]),
    ("sed -n 2p f", ["f"]),
    ("sed -i s,a,b, f", []),
    ("sed -i '' s,a,b, f", ["f"]),
    ("sed -i~ s,a,b, f", ["f"]),
    ("sed -e p -e q f", ["f"]),
    ("sed -f script f", ["script", "f"]),
    ("awk -F, '{print}' f", ["f"]),
    ("awk -F , -v n=1 '{print}' f", ["f"]),
    ("gawk -f script f", ["script", "f"]),
    ("nawk -e BEGIN f", ["f"]),
    ("mawk '{print}' f", ["{print}", "f"]),
    ("sd old new f", ["f"]),
    ("sd -n '4' old new f", ["f"]),
    ("sd -n 4 old new f g", ["g"]),
    ("sd -f i old new f", ["old", "new", "f"]),
]


@pytest.mark.parametrize(("command", "expected"), PATTERN_FIRST_COMMANDS)
def test_pattern_first_commands(command, expected):
    assert tokens(command) == expected


@pytest.mark.parametrize("name", sorted(PATTERN_FIRST))
def test_only_the_leading_positionals_are_patterns(name):
    words = ["one", "two", "three", "four"]
    assert tokens(f"{name} {' '.join(words)}") == words[PATTERN_FIRST[name].positionals :]


@pytest.mark.parametrize(
    ("name", "flag"), [(name, flag) for name, entry in PATTERN_FIRST.items() for flag in sorted(entry.skip)]
)
def test_the_argument_of_a_listed_flag_is_no_path(name, flag):
    assert "eaten" not in tokens(f"{name} {flag} eaten one two three")
    assert "three" in tokens(f"{name} {flag} eaten one two three")


def test_names_are_base_names_of_the_platform():
    assert tokens("'C:\\bin\\grep' word f", WIN_PLACE) == ["word", "f"]
    assert tokens("C:\\bin\\grep word f", WIN_PLACE) == ["f"]
    assert tokens("C:\\bin\\grep word f") == ["word", "f"]
    assert tokens("grep/ word f") == ["f"]


def test_spans_count_code_units_and_include_quotes():
    command = "wc \U0001f980 'a b' c"
    (crab, quoted, last) = program(command).tokens
    assert (crab.start, crab.end) == (3, 5)
    assert (quoted.value, quoted.start, quoted.end) == ("a b", 6, 11)
    assert (last.start, last.end) == (12, 13)
