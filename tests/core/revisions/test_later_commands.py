"""What releases after 20.7.3 read in commands (core-bash.md 16.2)."""

from __future__ import annotations

import pytest

from audit.core.bash.effects import Effect
from audit.core.bash.spellings import SPELLINGS
from audit.core.gates import Gate
from audit.core.revision import LATEST, revision
from tests.core.builders import DENY, POSIX_PLACE, Case, decided, gate, program

SPELLED = revision("20.7.3+pattern-first=spellings+option-split=role-aware")
INTERPRETED = revision("20.7.3+pattern-first=interpreters")
SPLIT = revision("20.7.3+option-split=all")
STATEMENTS = revision("20.7.3+units=statements")
HOSTED = revision("20.7.3+units=hosted")
OPERANDS = revision("20.7.3+statement-operands=on")
TRANSPARENT = revision("20.7.3+wrapper-transparency=on")


def tokens(command, core):
    return [token.value for token in program(command, revision=core).tokens]


FLAGS = [
    ("sed -e s/a/b/ f", ["f"]),
    ("sed --expression s/a/b/ f", ["f"]),
    ("sed --expression=s/a/b/ f", ["f"]),
    ("sed -es/a/b/ f", ["f"]),
    ("sed --file script f", ["script", "f"]),
    ("sed --file=script f", ["script", "f"]),
    ("sed -fscript f", ["script", "f"]),
    ("sed -i '' s/a/b/ f", ["f"]),
    ("sed -i s/a/b/ f", ["f"]),
    ("sed -i.bak s/a/b/ f", ["f"]),
    ("sed -n s/a/b/ f", ["f"]),
    ("sed -- -e f", ["f"]),
    ("awk --source x f", ["x", "f"]),
    ("gawk --source x f", ["f"]),
    ("gawk -F : x f", ["f"]),
    ("grep -A 3 x f", ["f"]),
    ("grep --after-context=3 x f", ["f"]),
    ("grep --exclude=d x f", ["d", "f"]),
    ("grep '--file=p' f", ["p", "f"]),
    ("rg --glob '*.py' x f", ["f"]),
    ("rg -tpy x f", ["f"]),
    ("sd -f i a b f", ["f"]),
    ("sd -n 3 a b f", ["f"]),
    ("sed $X f", ["f"]),
    ("sed > out s/a/b/ f", ["out", "s/a/b/", "f"]),
    ("sed -e $X f", ["f"]),
    ("tar --directory=d", ["--directory=d", "d"]),
    ("wc -o=d", ["-o=d", "d"]),
    ("wc --a= --=b a=c", ["--a=", "--=b", "a=c", "b"]),
]


@pytest.mark.parametrize(("command", "expected"), FLAGS)
def test_flags_with_roles(command, expected):
    assert tokens(command, SPELLED) == expected


def test_every_command_with_short_flags_has_roles_too():
    assert sorted(SPELLINGS) == ["awk", "egrep", "fgrep", "gawk", "grep", "nawk", "rg", "sd", "sed"]


INTERPRETERS = [
    ("python3 -c 'import a/b' f", ["f"]),
    ("python script f", ["script", "f"]),
    ("node --eval=x/y f", ["f"]),
    ("perl -E x f", ["f"]),
    ("ruby -ex/y f", ["f"]),
    ("bun -p x f", ["f"]),
]


@pytest.mark.parametrize(("command", "expected"), INTERPRETERS)
def test_program_texts_are_no_tokens(command, expected):
    assert tokens(command, INTERPRETED) == expected


def test_splits_stand_behind_the_tokens_of_their_command():
    assert tokens("grep --file=p x --to=q f; wc g", SPLIT) == ["f", "p", "q", "g"]
    assert tokens('cp --to="a b" c', SPLIT) == ["--to=a b", "c", "a b"]


UNITS = [
    ("{ rm x; }", ["{ rm x; }", "rm x"]),
    ("! rm x", ["! rm x", "rm x"]),
    ("if a; then b; elif c; then d; else e; fi", ["a", "b", "c", "d", "e"]),
    ("for i in $(a); do b; done", ["a", "b"]),
    ("while a; do b; done", ["a", "b"]),
    ("case $(a) in x) b;; esac", ["a", "b"]),
    ("f() { a; }", ["{ a; }", "a"]),
    ("export K=$(a)", ["a"]),
    ("[ -n $(a) ]", ["a"]),
    ("K=$(a)", ["a"]),
    ("(a; { b; })", ["a", "{ b; }", "b"]),
]


@pytest.mark.parametrize(("command", "expected"), UNITS)
def test_statements_are_opened(command, expected):
    texts = [unit.text for unit in program(command, revision=STATEMENTS).units]
    assert texts[0] == command
    assert [text for text in texts if text != command] == [text for text in expected if text != command]


def test_names_and_assignments_show_the_tokens_of_their_substitutions():
    command = "K=$(wc /a) $(wc /b) /c"
    assert tokens(command, STATEMENTS) == ["/a", "/b", "/c"]
    assert tokens(command, HOSTED) == ["/c"]


HOSTS = [
    ("wc > $(cat /a)", ["/a"]),
    ("wc > x$(cat /a)", ["x$(cat /a)", "/a"]),
    ("wc <<< $(cat /a)", ["/a"]),
    ("wc <<E\n$(cat /a)\nE", ["/a"]),
    ("wc <<E > /a\nE", []),
    ("wc < <(cat /a) /b", ["/a", "/b"]),
]


@pytest.mark.parametrize(("command", "expected"), HOSTS)
def test_redirects_show_the_tokens_of_their_substitutions(command, expected):
    assert tokens(command, HOSTED) == expected


WORDS = [
    ("for i in /a 'b c' $(wc /d) x$(wc /e); do wc /f; done", ["/a", "b c", "/d", "x$(wc /e)", "/e", "/f"]),
    ("case /a in /b) wc /c;; esac", ["/a", "/c"]),
    ("select i in /a; do wc $i; done", ["/a"]),
    ("for i; do wc /a; done", ["/a"]),
    ("for i in a; do for j in b; do wc c; done; done", ["a", "b", "c"]),
]


@pytest.mark.parametrize(("command", "expected"), WORDS)
def test_words_of_statements(command, expected):
    assert tokens(command, OPERANDS) == expected


TRANSPARENCY = [
    ("sudo cat f", "cat f"),
    ("sudo -u kim cat f", "cat f"),
    ("env A=1 -u B cat f", "cat f"),
    ("timeout -k 5 10 cat f", "cat f"),
    ("xargs -n 1 grep x", "grep x"),
    ("nice -- wc f", "wc f"),
    ("sudo env nice nohup wc f", "wc f"),
    ("sudo env nice nohup time wc f", None),
    ("find . -exec wc {} +", "wc {}"),
    ("find . -exec wc {} \\; -print", "wc {}"),
    ("fd x -x wc", "wc"),
    ("find . -exec rm {} +", None),
    ("sudo rm f", None),
    ("sudo", None),
    ("sudo bash -c 'cat f'", None),
    ("sudo eval cat f", None),
    ("sudo /bin/cat f", None),
    ("sudo sort -o g f", None),
    ("sudo cat f > g", None),
    ("sudo cat f 2>&1", "cat f"),
    ("sudo cat < f", "cat"),
    ("{ sudo cat f; } > g", None),
    ("sudo cat f | tee g", "cat f"),
]


@pytest.mark.parametrize(("command", "inner"), TRANSPARENCY)
def test_what_is_seen_through_a_wrapper(command, inner):
    found = [unit for unit in program(command, revision=TRANSPARENT).units if unit.wrapper is not None]
    assert [unit.inner for unit in found] == ([inner] if "{ sudo" not in command else [])
    assert all(unit.inner is None for unit in program(command).units)


def test_the_inner_command_is_asked_and_the_wrapper_is_shown():
    case = Case({"*": "allow", "bash": {"*": "allow", "cat /e*": "deny"}}, revision=TRANSPARENT)
    result = gate(decided("sudo cat /e/x", case), Gate.TOOL)
    assert (result.action, result.value, result.matched_pattern) == (DENY, "sudo cat /e/x", "cat /e*")


def test_damage_floors_its_own_statement_and_not_the_next():
    case = Case({"*": "allow"}, revision=revision("20.7.3+unparsed-floor=on"))
    damaged = "make )\nwc f"
    units = program(damaged, revision=case.revision).units
    assert any(unit.damaged for unit in units)
    assert not all(unit.damaged for unit in units)
    result = gate(decided(damaged, case), Gate.TOOL)
    assert (result.matched_pattern, result.value, result.source) == (
        "<unparsed-bash-subtree>",
        damaged,
        "bash",
    )
    granted = Case({"*": "allow"}, session=(("bash", "*"),), revision=case.revision)
    assert decided(damaged, granted).action == "allow"


DIRECTIONS = [
    ("wc /e/x", [Effect.READ]),
    ("cp /e/x /e/y", [Effect.UNPROVEN, Effect.UNPROVEN]),
    ("make > /e/x < /e/y", [Effect.WRITE, Effect.READ]),
    ("wc /e/x > /e/x", [Effect.UNPROVEN]),
    ("wc --files0-from=/e/x", [Effect.READ]),
    ("for f in /e/x; do make; done", [Effect.UNPROVEN]),
    ("wc <<E\n$(wc /e/x)\nE", [Effect.READ]),
]


@pytest.mark.parametrize(("command", "expected"), DIRECTIONS)
def test_what_is_proven_of_outside_paths(command, expected):
    core = revision("r27+statement-operands=on+option-split=all")
    assert list(program(command, revision=core).external_effects) == expected
    assert program(command).external_effects == ()


def test_directions_are_asked_on_their_own_surfaces():
    case = Case(
        {"*": "allow", "path": {"*": "ask", "*.md": "allow"}, "path_write": {"*.md": "deny"}},
        revision=revision("20.7.3+effects=directional"),
    )
    asked = {
        command: (decided(command, case).action, gate(decided(command, case), Gate.BASH_PATH).surface)
        for command in ("wc ./a.md", "make > ./a.md", "cp ./a.md", "wc ./a.py", "cp ./a.py")
    }
    assert asked == {
        "wc ./a.md": ("allow", None),
        "make > ./a.md": ("deny", "path_write"),
        "cp ./a.md": ("deny", "path_write"),
        "wc ./a.py": ("ask", "path_read"),
        "cp ./a.py": ("ask", "path_read"),
    }
    assert decided("make > ./a.md", Case(case.permission)).action == "allow"


def test_existence_is_asked_of_the_place():
    core = revision("20.7.3+bare-tokens=existence")
    asked = program("wc notes src/a -v ../b", revision=core)
    assert asked.probed == ("/srv/shop/notes", "/srv/shop/src/a")
    assert program("wc notes").probed == ()
    assert not POSIX_PLACE.entries.known
    assert [found.token for found in asked.candidates] == ["src/a", "../b"]


def test_yolo_approves_what_no_rule_can_allow():
    later = revision("20.7.3+zero-units=sentinel-unless-deny")
    for core, action in ((LATEST, "ask"), (later, "allow")):
        for command in ("> f", "sudo make"):
            case = Case({"*": "allow"}, config={"yoloMode": True}, revision=core)
            assert decided(command, case).action == action
