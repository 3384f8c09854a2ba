"""Questions to a ruleset (core-policy.md 7, 7.1, 11.2, 13 and 14.3)."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from audit.core.action import Action
from audit.core.ecma import to_code_units
from audit.core.paths.flavor import flavor
from audit.core.place import Platform
from audit.core.policy.compose import PolicySources, compose
from audit.core.policy.rule import Layer, Rule, Ruleset
from audit.core.policy.wildcard import Wildcards, fold_case
from tests.core.builders import HOME, rules_in


def rules(permission, *, yolo=False, session=(), platform=Platform.POSIX, home=HOME):
    ruleset = compose(PolicySources(permission, config={"yoloMode": yolo})).with_session(session)
    return rules_in(ruleset, home, platform)


def answer(check):
    return f"{check.action} {check.matched_pattern or '-'} {check.origin} {check.source}"


LAST_MATCH = [
    ({}, "edit", "x", "ask - builtin tool"),
    ({}, "todo", "*", "ask - builtin default"),
    ({"*": "deny"}, "todo", "*", "deny - global default"),
    ({"todo": "allow"}, "todo", "*", "allow * global tool"),
    ({"to??": "deny"}, "todo", "*", "deny * global tool"),
    ({"edit": "allow", "ed*": "deny"}, "edit", "x", "deny * global tool"),
    ({"ed*": "deny", "edit": "allow"}, "edit", "x", "allow * global tool"),
    ({"*": {"x": "deny"}, "bash": "allow"}, "ls", "x", "ask - builtin tool"),
    ({"**": "deny"}, "path", "x", "deny * global special"),
    ({"bash": {"*": "ask", "cargo *": "allow"}}, "bash", "cargo doc", "allow cargo * global bash"),
    ({"bash": {"cargo *": "allow", "*": "ask"}}, "bash", "cargo doc", "ask * global bash"),
    ({"bash": {"*": "deny", "44": "allow"}}, "bash", "44", "deny * global bash"),
    ({"bash": {"cargo *": "allow"}}, "bash", "ls", "ask - builtin bash"),
    ({"skill": {"dra*": "deny"}}, "skill", "draw", "deny dra* global skill"),
    ({"external_directory": "deny"}, "external_directory", "/x", "deny * global special"),
    ({"mcp": {"jira:*": "allow"}}, "mcp", "mcp_list", "allow - baseline mcp"),
    ({"mcp": {"*": "ask", "jira:*": "allow"}}, "mcp", "mcp_list", "ask * global mcp"),
    ({"mcp": {"jira:*": "ask"}}, "mcp", "mcp_list", "ask - builtin default"),
]


@pytest.mark.parametrize(("permission", "surface", "value", "expected"), LAST_MATCH)
def test_the_last_match_wins(permission, surface, value, expected):
    assert answer(rules(permission).verdict(surface, value)) == expected


def test_the_reason_of_the_winning_rule_is_reported():
    check = rules({"bash": {"dd *": {"action": "deny", "reason": "no"}}}).verdict("bash", "dd if=x")
    assert (check.reason, check.layer) == ("no", Layer.CONFIG)


def test_without_any_rule_the_answer_is_ask():
    check = rules_in(Ruleset(()), HOME, Platform.POSIX).verdict("bash", "ls")
    assert (check.action, check.origin, check.layer) == (Action.ASK, "builtin", None)


@pytest.mark.parametrize(
    ("permission", "values", "expected", "value"),
    [
        # the catch-all decides on the first value
        ({"mcp": {"*": "ask", "jira": "allow"}}, ["jira_get", "jira"], "ask * global mcp", "jira_get"),
        # the first value that meets more than the fallback
        ({"mcp": {"jira": "allow"}}, ["jira_get", "jira", "get"], "allow jira global mcp", "jira"),
        # a value that meets the baseline stops the search as well
        ({"mcp": {"q": "allow"}}, ["x", "mcp_list", "q"], "allow - baseline mcp", "mcp_list"),
        ({"*": "deny"}, ["a", "b"], "deny - global default", "a"),
        ({"*": "deny"}, [], "deny - global default", "*"),
    ],
)
def test_the_first_value_that_meets_more(permission, values, expected, value):
    met, check = rules(permission).verdict_first("mcp", values)
    assert (answer(check), met) == (expected, value)


@pytest.mark.parametrize(
    ("entry", "values", "expected"),
    [
        # rules decide by their place, not aliases
        ({"*": "allow", "/w/k": "deny", "k": "ask"}, ("/w/k", "k"), "ask k global special"),
        ({"*": "allow", "k": "ask", "/w/k": "deny"}, ("/w/k", "k"), "deny /w/k global special"),
        ({"*k": "deny"}, ("/w/k", "k"), "deny *k global special"),
        ({"z": "deny"}, ("/w/k", "k"), "ask - builtin special"),
        ({"?": "deny"}, (), "deny ? global special"),
    ],
)
def test_aliases_of_one_path(entry, values, expected):
    assert answer(rules({"path": entry}).verdict_any("path", values)) == expected


@pytest.mark.parametrize(
    ("surface", "value", "expected"),
    [
        ("read", "c:\\w\\Key.PEM", Action.DENY),
        ("path", "c:\\w\\Key.PEM", Action.DENY),
        ("bash", "Key.PEM", Action.ASK),
        ("upload", "Key.PEM", Action.ASK),
        ("bash", "Key.pem", Action.DENY),
    ],
)
def test_only_path_surfaces_fold_and_only_on_win32(surface, value, expected):
    permission = {"*e*": {"*.pem": "deny"}, "path": {"*.pem": "deny"}, "bash": {"*.pem": "deny"}}
    assert rules(permission, platform=Platform.WIN32).verdict(surface, value).action is expected
    if value.endswith("PEM"):
        assert rules(permission).verdict(surface, value).action is Action.ASK


def test_surfaces_never_fold():
    assert rules({"READ": "deny"}, platform=Platform.WIN32).verdict("read", "x").action is Action.ASK


def test_home_is_expanded_in_patterns_and_reported_as_written():
    check = rules({"read": {"~/notes/*": "deny"}}).verdict("read", f"{HOME}/notes/x")
    assert answer(check) == "deny ~/notes/* global tool"
    elsewhere = rules({"read": {"~/notes/*": "deny"}}, home="/root").verdict("read", f"{HOME}/notes/x")
    assert elsewhere.action is Action.ASK


def test_one_ruleset_serves_several_places():
    ruleset = compose(PolicySources({"read": {"~/k": "deny"}}))
    here, there = rules_in(ruleset, "/a", Platform.POSIX), rules_in(ruleset, "/b", Platform.POSIX)
    assert here is rules_in(ruleset, "/a", Platform.POSIX)
    assert here.verdict("read", "/a/k").action is Action.DENY
    assert there.verdict("read", "/a/k").action is Action.ASK


@pytest.mark.parametrize(
    ("permission", "surface", "value", "expected"),
    [
        ({"bash": {"*": "ask", "dd *": "deny"}}, "bash", "ls", "allow * yolo bash"),
        ({"bash": {"*": "ask", "dd *": "deny"}}, "bash", "dd x", "deny dd * global bash"),
        ({"bash": "allow"}, "bash", "ls", "allow * global bash"),
        ({"*": "ask"}, "todo", "*", "allow - yolo default"),
    ],
)
def test_yolo_turns_ask_into_allow(permission, surface, value, expected):
    assert answer(rules(permission, yolo=True).verdict(surface, value)) == expected


def test_session_rules_outrank_configured_ones_on_their_own_surface():
    permission = {"bash": {"*": "ask", "dd *": "deny"}, "path": {"*": "deny"}}
    granted = rules(permission, session=[("bash", "dd *"), ("mcp", "jira_*")])
    assert answer(granted.verdict("bash", "dd if=x")) == "allow dd * session session"
    assert answer(granted.verdict("bash", "ls")) == "ask * global bash"
    assert answer(granted.verdict_any("path", ("dd x",))) == "deny * global special"
    assert answer(granted.verdict_first("mcp", ["a", "jira_get"])[1]) == "allow jira_* session session"


def test_a_session_rule_beats_a_later_alias_that_a_configured_rule_denies():
    granted = rules({"path": {"k": "deny"}}, session=[("path", "/w/*")])
    assert answer(granted.verdict_any("path", ("/w/k", "k"))) == "allow /w/* session session"


def test_approvals_add_up_and_leave_the_old_ruleset_alone():
    first = compose(PolicySources({"bash": "deny"})).with_session([("bash", "a")])
    second = first.with_session([("bash", "b")])
    assert rules_in(first, HOME, Platform.POSIX).verdict("bash", "b").action is Action.DENY
    assert rules_in(second, HOME, Platform.POSIX).verdict("bash", "a").action is Action.ALLOW
    assert rules_in(second, HOME, Platform.POSIX).verdict("bash", "b").action is Action.ALLOW
    assert second.without_session() == compose(PolicySources({"bash": "deny"}))
    assert first.rules is second.rules


@pytest.mark.parametrize(
    ("permission", "token", "expected"),
    [
        ({"path": {"token.txt": "deny"}}, "token.txt", True),
        ({"path": {"token.txt": "ask"}}, "token.txt", True),
        ({"path": {"tok*": {"action": "deny", "reason": "r"}}}, "token.txt", True),
        ({"path": {"token.txt": "allow"}}, "token.txt", False),
        ({"path": {"token.txt": "deny", "*": "allow"}}, "token.txt", True),
        ({"path": "deny"}, "token.txt", False),
        ({"path": {"**": "deny"}}, "token.txt", True),
        ({"pat?": {"token.txt": "deny"}}, "token.txt", False),
        ({"read": {"token.txt": "deny"}}, "token.txt", False),
        ({"*": "deny"}, "token.txt", False),
        ({"path": {"~": "deny"}}, "~", False),
        ({"path": {"~": "deny"}}, HOME, True),
        ({}, "", False),
    ],
)
def test_promotion_of_bare_tokens(permission, token, expected):
    assert rules(permission).promotes(token) is expected
    assert rules(permission, yolo=True).promotes(token) is expected
    assert rules(permission, session=[("path", "token.txt")]).promotes(token) is expected


def test_promotion_folds_on_win32():
    assert rules({"path": {"Token.*": "deny"}}, platform=Platform.WIN32).promotes("tOKEN.txt")
    assert not rules({"path": {"Token.*": "deny"}}).promotes("tOKEN.txt")


def test_a_single_pattern_is_matched_as_on_its_surface():
    there = rules({}, platform=Platform.WIN32)
    assert there.matches("C:/Docs/*", "c:\\docs\\x", "external_directory")
    assert not there.matches("C:/Docs/*", "c:\\docs\\x", "bash")


def test_matching_lists_all_rules_strongest_first():
    asked = rules({"path": {"*": "ask", "k*": "deny", "z": "deny"}}, yolo=True, session=[("path", "?ey")])
    found = [(rule.pattern, rule.action, rule.layer) for rule in asked.matching("path", ["/w/key", "key"])]
    assert found == [
        ("?ey", Action.ALLOW, Layer.SESSION),
        ("k*", Action.DENY, Layer.CONFIG),
        ("*", Action.ALLOW, Layer.CONFIG),
        ("*", Action.ALLOW, Layer.DEFAULT),
    ]


def test_one_code_unit_for_a_question_mark():
    value = to_code_units("\U0001f600")
    assert rules({"bash": {"?": "deny"}}).verdict("bash", value).action is Action.ASK
    assert rules({"bash": {"??": "deny"}}).verdict("bash", value).action is Action.DENY


surfaces = st.sampled_from(["bash", "path", "read", "mcp", "todo"])
values = st.text("ab /~", max_size=5)
rule_lists = st.lists(
    st.builds(
        Rule,
        surface=st.sampled_from(["bash", "path", "read", "*", "?a*", "mcp", "**"]),
        pattern=st.text("ab *?/~", max_size=5),
        action=st.sampled_from(Action),
        layer=st.sampled_from([Layer.CONFIG, Layer.BASELINE, Layer.DEFAULT]),
        origin=st.sampled_from(["global", "project"]),
    ),
    max_size=8,
)
platforms = st.sampled_from(Platform)


def naive_evaluate(ruleset, surface, value, platform):
    """Scan from the last rule, testing one pattern after the other."""

    def expand_home(pattern):
        return flavor(platform).expand_home(pattern, HOME)

    fold = fold_case if platform is Platform.WIN32 and surface in {"read", "path"} else None
    matcher = Wildcards().matcher
    for rule in reversed((*ruleset.rules, *ruleset.session)):
        if matcher(rule.surface, expand_home)(surface) and matcher(rule.pattern, expand_home, fold)(value):
            return rule
    return None


@given(rule_lists, st.lists(values, max_size=3), surfaces, values, platforms)
@settings(max_examples=400, deadline=None)
def test_the_alternation_agrees_with_testing_rules_one_by_one(listed, granted, surface, value, platform):
    ruleset = Ruleset(tuple(listed)).with_session(("*", pattern) for pattern in granted)
    check = rules_in(ruleset, HOME, platform).verdict(surface, value)
    rule = naive_evaluate(ruleset, surface, value, platform)
    if rule is None:
        assert check.layer is None
    else:
        assert (check.action, check.origin, check.layer) == (rule.action, rule.origin, rule.layer)


@given(rule_lists, st.lists(values, max_size=2), surfaces, st.lists(values, min_size=1, max_size=3))
@settings(max_examples=300, deadline=None)
def test_any_alias_is_the_strongest_of_each_alias(listed, granted, surface, aliases):
    ruleset = Ruleset(tuple(listed)).with_session(("*", pattern) for pattern in granted)
    everything = (*ruleset.rules, *ruleset.session)
    # Origins that name the place of the rule make the winner visible.
    numbered = tuple(replace(rule, origin=str(at)) for at, rule in enumerate(everything))
    compiled = rules_in(Ruleset(numbered), HOME, Platform.POSIX)
    each = [compiled.verdict(surface, alias) for alias in aliases]
    places = [int(check.origin) if check.layer else -1 for check in each]
    best = each[places.index(max(places))]
    assert compiled.verdict_any(surface, tuple(aliases)) == best
    check = rules_in(ruleset, HOME, Platform.POSIX).verdict_any(surface, tuple(aliases))
    assert check.action is best.action


@given(rule_lists, surfaces, values, st.text("ab *?/~", max_size=5))
@settings(max_examples=300, deadline=None)
def test_a_further_deny_never_loosens(listed, surface, value, pattern):
    deny = Rule(surface, pattern, Action.DENY, Layer.CONFIG, "project")
    before = rules_in(Ruleset(tuple(listed)), HOME, Platform.POSIX)
    after = rules_in(Ruleset((*listed, deny)), HOME, Platform.POSIX)
    assert after.verdict(surface, value).action >= before.verdict(surface, value).action
    aliases = (value, "a")
    assert after.verdict_any(surface, aliases).action >= before.verdict_any(surface, aliases).action
    assert after.promotes(value) or not before.promotes(value)


@given(rule_lists, surfaces, values)
@settings(max_examples=200, deadline=None)
def test_yolo_leaves_denials_alone_and_asks_nothing(listed, surface, value):
    careful = rules_in(Ruleset((FALLBACK, *listed)), HOME, Platform.POSIX).verdict(surface, value)
    bold = rules_in(Ruleset((FALLBACK, *listed), yolo=True), HOME, Platform.POSIX).verdict(surface, value)
    assert bold.action is (Action.DENY if careful.action is Action.DENY else Action.ALLOW)
    assert (bold.origin == "yolo") is (careful.action is Action.ASK)
    assert bold.matched_pattern == careful.matched_pattern


FALLBACK = Rule("*", "*", Action.ASK, Layer.DEFAULT, "builtin")
