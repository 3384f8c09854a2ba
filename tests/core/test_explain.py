"""Explanations say what the decision says, and why."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from audit.core.call import ToolCall, shell
from audit.core.explain import Explanation, explain
from audit.core.gates import Gate, GateOutcome
from audit.core.place import Place
from audit.core.revision import LATEST
from tests.core.builders import CWD, HOME, WIN_PLACE, Case, decided

POLICY = {
    "*": "ask",
    "bash": {
        "*": "allow",
        "make *": "ask",
        "make test*": "allow",
        "tac *": {"action": "deny", "reason": "no"},
    },
    "path": {"*.key": "ask", "secret": "deny"},
    "external_directory": {"*": "ask", "/e/*": "allow"},
}


def explained(call: ToolCall | str, case: Case) -> Explanation:
    given = shell(call) if isinstance(call, str) else call
    found = explain(given, case.ruleset(), case.place, LATEST)
    assert found is not None
    return found


def sentence(call: ToolCall | str, case: Case, gate: Gate) -> str:
    (step,) = [step for step in explained(call, case).gates if step.result.gate is gate]
    return step.sentence


FATES = [
    ("./a", "a path"),
    ("-x", "no path: a flag"),
    ("K=v", "no path: an assignment"),
    ("plain", "no path: a bare word"),
    ("'a.*b'", "no path: looks like a regular expression"),
    ("secret", "a bare word that a path rule names"),
    ("/e/x", "a path outside the working directory"),
    ("~/x", "a path outside the working directory"),
    ("a/../b", "a path"),
]


@pytest.mark.parametrize(("word", "fate"), FATES)
def test_the_fate_of_a_token(word, fate):
    (token,) = explained(f"wc {word}", Case(POLICY)).tokens
    assert token.fate == fate


def test_one_word_under_two_directories_shows_the_forms_of_each():
    _, inside, _, outside = explained("cd a && wc ./f.key && cd /etc && wc ./f.key", Case(POLICY)).tokens
    assert (inside.directory, inside.forms) == (f"{CWD}/a", (f"{CWD}/a/f.key", "a/f.key", "./f.key"))
    assert (outside.directory, outside.forms) == ("/etc", ("/etc/f.key", "./f.key"))


def test_a_token_shows_its_span_its_directory_and_its_forms():
    first, second, third = explained("cd a && wc ../b \U0001f980", Case(POLICY)).tokens
    assert (first.token, first.start, first.end, first.directory, first.forms) == ("a", 3, 4, CWD, ())
    assert (second.token, second.start, second.end) == ("../b", 11, 15)
    assert (second.directory, second.forms) == (f"{CWD}/a", (f"{CWD}/b", "b", "../b"))
    assert (third.token, third.start, third.end) == ("\U0001f980", 16, 18)


def test_an_unknown_directory_is_said():
    (_, parent, below) = explained('cd "$K" && wc ../a ./b', Case(POLICY)).tokens
    assert (parent.directory, below.directory) == ("unknown", "unknown")
    assert parent.fate == "a path that counts as outside, because the effective directory is unknown"
    assert below.fate == "a path"


def test_an_absolute_change_of_directory_is_shown_as_the_platform_writes_it():
    token = explained("cd /d/x && wc here", Case(POLICY, place=WIN_PLACE)).tokens[-1]
    assert token.directory == "D:\\x"


SENTENCES = [
    ("make all", Gate.TOOL, "ask for `make all`: global rule `make *` on bash"),
    ("make", Gate.BASH_PATH, "no path in the command is stopped by a path rule"),
    ("make", Gate.SKILL_READ, "no skill file is read"),
    ("wc /e/x", Gate.BASH_EXTERNAL_DIRECTORY, "every outside path is allowed"),
    ("wc ./a.key", Gate.BASH_PATH, "ask for `./a.key`: global rule `*.key` on path"),
    (
        "wc $(tac f)",
        Gate.TOOL,
        "deny for `tac f`: global rule `tac *` on bash, inside a command substitution, reason: no",
    ),
    (
        "nice x",
        Gate.TOOL,
        "ask for `nice x`: it runs another command, so its allow was raised to ask",
    ),
    (
        "eval x",
        Gate.TOOL,
        "ask for `eval x`: it runs a program text that cannot be seen, so its allow was raised to ask",
    ),
    ("> f", Gate.TOOL, "ask for `> f`: no command could be read from the text, which always asks"),
]


@pytest.mark.parametrize(("command", "gate", "expected"), SENTENCES)
def test_the_sentence_of_a_gate(command, gate, expected):
    assert sentence(command, Case(POLICY), gate) == expected


def test_the_sentences_about_defaults_approvals_and_infrastructure():
    assert (
        sentence("make", Case({}), Gate.TOOL)
        == "ask for `make`: no rule matched, so the builtin default applied"
    )
    assert (
        sentence("make", Case({}, (("bash", "make"),)), Gate.TOOL)
        == "allow for `make`: session rule `make` on bash, approved for this session"
    )
    case = Case({"path": "ask"}, (("path", "*"),))
    assert sentence("wc ./a", case, Gate.BASH_PATH) == "every path was approved for this session"
    read = ToolCall("read", {"path": "~/.pi/agent/x"})
    assert (
        sentence(read, Case({}), Gate.EXTERNAL_DIRECTORY)
        == "read of an infrastructure directory, allowed without a rule"
    )


def test_all_matching_rules_are_shown_strongest_first_and_the_first_has_won():
    step = explained("make test x", Case(POLICY)).gates[-1]
    assert [(rule.pattern, rule.action, rule.won) for rule in step.rules] == [
        ("make test*", "allow", True),
        ("make *", "ask", False),
        ("*", "allow", False),
        ("*", "ask", False),
    ]
    assert [rule.layer for rule in step.rules] == ["config", "config", "config", "default"]
    assert step.rules[0].value == "make test x"


def test_each_unit_is_a_question_of_its_own():
    step = explained("make test; tac f", Case(POLICY)).gates[-1]
    assert [(rule.value, rule.pattern) for rule in step.rules if rule.won] == [
        ("make test", "make test*"),
        ("tac f", "tac *"),
    ]


def test_a_session_approval_stands_before_the_rules():
    step = explained("tac f", Case(POLICY, (("bash", "tac *"),))).gates[-1]
    assert [(rule.layer, rule.won) for rule in step.rules] == [
        ("session", True),
        ("config", False),
        ("config", False),
        ("default", False),
    ]


def test_other_tools_have_gates_and_no_tokens():
    found = explained(ToolCall("edit", {"path": "a.key"}), Case({**POLICY, "edit": {"a*": "allow"}}))
    assert found.tokens == ()
    (tool,) = [step for step in found.gates if step.result.gate is Gate.TOOL]
    assert [(rule.pattern, rule.won) for rule in tool.rules] == [("a*", True), ("*", False)]


def test_what_cannot_be_decided_is_not_explained():
    assert explain(shell("a" * 8_000_001), Case(POLICY).ruleset(), Case().place, LATEST) is None


def test_texts_outside_the_basic_plane_are_matched_and_shown_whole():
    case = Case({"bash": {"wc \U0001f980*": "deny"}})
    step = explained("wc \U0001f980", case).gates[-1]
    assert step.rules[0].pattern == "wc \U0001f980*"
    assert step.rules[0].value == "wc \U0001f980"
    assert "\U0001f980" in step.sentence
    place = Place("/srv/\U0001f980", HOME)
    found = explained(
        "wc ./a ../\U0001f980\U0001f980", Case({"path": {"/srv/\U0001f980/*": "ask"}}, place=place)
    )
    assert [token.directory for token in found.tokens] == ["/srv/\U0001f980", "/srv/\U0001f980"]
    assert [token.fate for token in found.tokens] == ["a path", "a path outside the working directory"]
    (path,) = [step for step in found.gates if step.result.gate is Gate.BASH_PATH]
    assert [(rule.pattern, rule.won) for rule in path.rules if rule.layer == "config"] == [
        ("/srv/\U0001f980/*", True)
    ]
    read = ToolCall("read", {"path": "\U0001f980.key"})
    tool = explained(read, Case({"read": {"\U0001f980.key": "ask"}})).gates[-1]
    assert [(rule.pattern, rule.won) for rule in tool.rules] == [("\U0001f980.key", True), ("*", False)]


WORDS = [
    "make",
    "make all",
    "tac f",
    "wc ./a.key",
    "wc secret",
    "wc /e/x ~/y",
    "nice x",
    "cd a",
    'cd "$K"',
    "wc ../z",
]
COMMANDS = st.lists(st.sampled_from(WORDS), min_size=1, max_size=4).map(" && ".join)


@settings(max_examples=100, deadline=None)
@given(
    COMMANDS,
    st.sampled_from([(), (("bash", "make*"),), (("path", "*"),), (("external_directory", f"{HOME}/*"),)]),
)
def test_an_explanation_agrees_with_its_decision(command, session):
    case = Case(POLICY, session)
    found = explained(command, case)
    decision = decided(command, case)
    assert found.decision == decision
    assert tuple(step.result for step in found.gates) == decision.gates
    for step in found.gates:
        if step.result.outcome is not GateOutcome.CHECK:
            continue
        winners = [rule for rule in step.rules if rule.won]
        assert winners
        pattern = step.result.matched_pattern
        if pattern is not None and not pattern.startswith("<"):
            assert (pattern, step.result.action) in {(rule.pattern, rule.action) for rule in winners}


@settings(max_examples=100, deadline=None)
@given(COMMANDS)
def test_every_token_of_the_command_is_told(command):
    found = explained(command, Case(POLICY))
    assert [(step.token, step.start, step.end) for step in found.tokens] == [
        (token.value, token.start, token.end) for token in found.decision.program.tokens
    ]
    offered = {
        (candidate.token, candidate.path.match_values) for candidate in found.decision.program.candidates
    }
    assert {(step.token, step.forms) for step in found.tokens if step.forms} == offered
