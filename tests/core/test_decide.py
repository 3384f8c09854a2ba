"""From gates to one decision, and laws of it (core-policy.md 11.6 and 11.7, core-bash.md S1)."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from audit.core.action import strictest
from audit.core.call import ToolCall, shell
from audit.core.decide import Decision, Judge, decide
from audit.core.revision import LATEST
from tests.core.builders import (
    ALLOW,
    ASK,
    BASIC_PLANE,
    CWD,
    DENY,
    HOME,
    POSIX_PLACE,
    WIN_PLACE,
    Case,
    decided,
)

NET_AND_FIRST = [
    # permission, session, command, net, first
    ({"*": "allow"}, (), "make", ALLOW, ALLOW),
    ({}, (), "make", ASK, ASK),
    ({"*": "allow", "external_directory": "ask", "path": "deny"}, (), "wc /e/x", DENY, ASK),
    ({"*": "allow", "external_directory": "ask", "bash": "deny"}, (), "wc /e/x", DENY, ASK),
    ({"*": "allow", "path": "ask"}, (), "wc a/b", ASK, ASK),
    ({"*": "allow", "external_directory": "deny"}, (), "wc /e/x", DENY, DENY),
    ({"*": "deny", "bash": "allow"}, (), "wc a/b", ALLOW, ALLOW),
    ({}, (("bash", "nice *"),), "nice make", ALLOW, ALLOW),
    ({}, (("bash", "nice *"),), "nice make; make", ALLOW, ALLOW),
    ({}, (("bash", "nice *"),), "make; nice make", ASK, ASK),
    ({"bash": {"*": "ask", "make": "deny"}}, (("bash", "nice *"),), "nice x; make", DENY, DENY),
]


@pytest.mark.parametrize(("permission", "session", "command", "net", "first"), NET_AND_FIRST)
def test_the_net_decision_and_the_first_stop(permission, session, command, net, first):
    decision = decided(command, Case(permission, session))
    assert (decision.action, decision.first) == (net, first)


def test_strictness():
    assert ALLOW < ASK < DENY
    assert strictest([]) is ALLOW
    assert strictest([ASK, DENY, ALLOW]) is DENY


TEXTS = [
    (shell("  make \u3000"), "make"),
    (ToolCall(" bash ", {"command": "make"}), "make"),
    (shell("make\u0085"), "make\u0085"),
    (shell(""), None),
    (shell("\ufeff \n"), None),
    (ToolCall("bash"), None),
    (ToolCall("bash", {"command": ["make"]}), None),
    (ToolCall("bash", {"script": "make"}), None),
    (ToolCall("Bash", {"command": "make"}), None),
    (ToolCall("run", {"script": "make"}), "make"),
    (ToolCall(" run", {"script": "make", "command": "tac"}), "make"),
    (ToolCall("deploy", {"command": "make"}), None),
]


@pytest.mark.parametrize(("call", "command"), TEXTS)
def test_which_text_of_a_call_is_a_command(call, command):
    config = {"shellTools": {"run": {"commandArgument": "script"}}}
    program = decided(call, Case(config=config)).program
    assert (program and program.command) == command


def test_a_judge_decides_as_the_function_does():
    case = Case({"bash": {"*": "ask", "make*": "allow"}})
    for command in ("make", "tac", "make; tac"):
        expected = decide(shell(command), case.ruleset(), POSIX_PLACE, LATEST)
        assert case.judge().decide(shell(command)) == expected


def test_a_reading_serves_every_judge_of_the_same_place_and_shell_tools():
    strict, mild = Case({"path": {"secret": "deny"}}), Case({"*": "allow"})
    call = shell("wc secret ../x")
    reading = mild.judge().read(call)
    assert strict.judge().reads_like(mild.judge())
    assert strict.judge().decide(call, reading) == strict.judge().decide(call)
    assert mild.judge().decide(call, reading) == mild.judge().decide(call)
    assert not mild.judge().reads_like(Case({"*": "allow"}, place=WIN_PLACE).judge())
    aliased = Case({"*": "allow"}, config={"shellTools": {"run": {"commandArgument": "script"}}})
    assert not mild.judge().reads_like(aliased.judge())


def test_a_judge_keeps_nothing_from_one_call_to_the_next():
    judge = Case({"bash": {"*": "allow", "tac*": "deny"}, "path": {"a/*": "ask"}}).judge()
    calls = [shell(text) for text in ("tac x", "wc a/b", "cd a; wc b/../c", "tac x", "wc a/b")]
    assert [judge.decide(call) for call in calls] == [
        decide(call, judge.ruleset, judge.place, LATEST) for call in calls
    ]


def test_texts_of_a_decision_are_ordinary_strings():
    case = Case({"*": "allow", "path": {"*\U0001f980*": "ask"}})
    decision = decided("wc ./\U0001f980.md", case)
    (stop,) = [result for result in decision.gates if result.action is ASK]
    assert (stop.value, stop.matched_pattern) == ("./\U0001f980.md", "*\U0001f980*")
    assert decision.program.command == "wc ./\U0001f980.md"
    assert decision.program.units[0].end == 10
    assert decision.program.candidates[0].path.value == f"{CWD}/\U0001f980.md"


def test_a_question_mark_is_one_code_unit():
    assert decided("wc \U0001f980", Case({"bash": {"*": "ask", "wc ?": "allow"}})).action is ASK
    assert decided("wc \U0001f980", Case({"bash": {"*": "ask", "wc ??": "allow"}})).action is ALLOW


# Laws. The policies have rules on all three surfaces, and an order that matters.

WORDS = [
    "make",
    "tac",
    "wc",
    "sudo",
    "eval",
    "./a",
    "a/b.key",
    "../x",
    "/e/y",
    "~/z",
    "secret",
    "'q r'",
    '"$K/s"',
    "$(tac f)",
    "-f",
]
SIMPLE = st.lists(st.sampled_from(WORDS), min_size=1, max_size=4).map(" ".join)
COMMANDS = st.recursive(
    SIMPLE,
    lambda inner: st.one_of(
        st.tuples(inner, st.sampled_from([" && ", " || ", "; ", " | "]), inner).map("".join),
        inner.map("( {} )".format),
        inner.map("wc $( {} )".format),
        inner.map("cd a; {}".format),
    ),
    max_leaves=4,
)
RULES = st.tuples(
    st.sampled_from(["bash", "path", "external_directory"]),
    st.sampled_from(
        ["*", "tac*", "*f*", "wc *", "sudo *", "*.key", "secret", "/e/*", f"{CWD}/a/*", f"{HOME}/*"]
    ),
    st.sampled_from(["allow", "ask", "deny"]),
)
DEFAULTS = st.sampled_from(["allow", "ask", "deny"])


def permission(default: str, rules: list[tuple[str, str, str]]) -> dict[str, object]:
    surfaces: dict[str, dict[str, str]] = {}
    for surface, pattern, action in rules:
        entry = surfaces.setdefault(surface, {})
        entry.pop(pattern, None)
        entry[pattern] = action
    return {"*": default, **surfaces}


CASES = st.builds(permission, DEFAULTS, st.lists(RULES, max_size=6)).map(Case)


@settings(max_examples=100, deadline=None)
@given(CASES, COMMANDS)
def test_deciding_twice_gives_the_same(case, command):
    judge = case.judge()
    first = judge.decide(shell(command))
    assert judge.decide(shell(command)) == first
    assert case.judge().decide(shell(command)) == first


@settings(max_examples=100, deadline=None)
@given(CASES, COMMANDS)
def test_the_net_decision_is_the_strictest_effect_and_no_gate_follows_a_deny(case, command):
    decision = decided(command, case)
    effects = [result.effect for result in decision.gates]
    assert decision.action is strictest(effects)
    assert decision.first is next((effect for effect in effects if effect is not ALLOW), ALLOW)
    assert DENY not in effects[:-1]


@settings(max_examples=100, deadline=None)
@given(
    st.sampled_from(["allow", "ask", "deny"]),
    st.lists(st.sampled_from(["make", "tac", "wc", "./a", "/e/y", "secret", "-f"]), min_size=1, max_size=4),
    st.lists(st.sampled_from([" ", "  ", "\t", " \\\n"]), min_size=4, max_size=4),
)
def test_extra_blanks_between_words_change_no_decision(default, words, blanks):
    # Patterns that look at no more than the first word, because a unit keeps its blanks (U5).
    case = Case(
        {
            "*": default,
            "bash": {"tac*": "deny", "wc*": "ask"},
            "path": {"secret": "deny"},
            "external_directory": {"/e/*": "ask"},
        }
    )
    spaced = words[0] + "".join(blank + word for blank, word in zip(blanks, words[1:], strict=False))
    plain, wide = decided(" ".join(words), case), decided(spaced, case)
    assert wide.action is plain.action
    assert wide.program.external == plain.program.external
    assert wide.program.candidates == plain.program.candidates


@settings(max_examples=100, deadline=None)
@given(CASES, SIMPLE, SIMPLE)
def test_a_chain_is_at_least_as_strict_as_each_part(case, first, second):
    chain = decided(f"{first} && {second}", case).action
    assert chain >= decided(first, case).action
    assert chain >= decided(second, case).action


@settings(max_examples=100, deadline=None)
@given(CASES, COMMANDS)
def test_a_subshell_never_loosens(case, command):
    assert decided(f"( {command} )", case).action >= decided(command, case).action


@settings(max_examples=100, deadline=None)
@given(DEFAULTS, st.lists(RULES, max_size=5), RULES, COMMANDS)
def test_a_deny_behind_all_other_rules_never_loosens(default, rules, rule, command):
    surface, pattern, _ = rule
    # A surface that is written later comes later, so the deny of a known one is put behind its others.
    before, after = permission(default, rules), permission(default, [*rules, (surface, pattern, "deny")])
    assert decided(command, Case(after)).action >= decided(command, Case(before)).action


@settings(max_examples=100, deadline=None)
@given(CASES, COMMANDS)
def test_yolo_leaves_denies_and_never_tightens(case, command):
    plain = decided(command, case).action
    yolo = decided(command, Case(case.permission, config={"yoloMode": True})).action
    assert yolo <= plain
    assert (yolo is DENY) is (plain is DENY)


@settings(max_examples=100, deadline=None)
@given(st.text(BASIC_PLANE, max_size=60))
def test_every_text_gets_a_decision(command):
    decision = Judge(Case({"bash": "allow"}).ruleset(), POSIX_PLACE, LATEST).decide(shell(command))
    assert isinstance(decision, Decision)
    assert decision.action is max(result.effect for result in decision.gates)
