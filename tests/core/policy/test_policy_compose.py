"""Scopes, layers and knobs (core-policy.md 1.2, 2.5, 4 and 5)."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from audit.core.action import Action
from audit.core.ecma import to_code_units
from audit.core.policy.compose import (
    BASELINE_TARGETS,
    PolicySources,
    compose,
    merge_knobs,
    merge_scopes,
)
from audit.core.policy.rule import Layer, ShellTool
from audit.core.policy.warning import open_shell_warning, universal_map_warning


def lines(ruleset):
    """Return config rules as `surface pattern action origin`."""
    return [
        f"{rule.surface} {rule.pattern} {rule.action} {rule.origin}"
        for rule in ruleset.rules
        if rule.layer is Layer.CONFIG
    ]


def fallback(ruleset):
    rule = ruleset.rules[0]
    assert (rule.surface, rule.pattern, rule.layer) == ("*", "*", Layer.DEFAULT)
    return f"{rule.action} {rule.origin}"


def test_an_empty_policy_asks():
    ruleset = compose(PolicySources())
    assert len(ruleset.rules) == 1
    assert fallback(ruleset) == "ask builtin"
    assert not ruleset.yolo


def test_a_word_is_one_rule_and_a_map_one_for_each_pair():
    deny = {"action": "deny", "reason": "no force"}
    ruleset = compose(PolicySources({"edit": "deny", "bash": {"*": "ask", "tar *": "allow", "dd *": deny}}))
    assert lines(ruleset) == [
        "edit * deny global",
        "bash * ask global",
        "bash tar * allow global",
        "bash dd * deny global",
    ]
    assert [rule.reason for rule in ruleset.rules] == [None, None, None, None, "no force"]


def test_a_deny_object_in_the_place_of_a_map_is_the_pattern_action():
    assert lines(compose(PolicySources({"bash": {"action": "deny"}}))) == ["bash action deny global"]


@pytest.mark.parametrize(
    ("keys", "order"),
    [
        (("*", "7"), ["7", "*"]),
        (("b", "10", "9", "a", "0"), ["0", "9", "10", "b", "a"]),
        (("x", "4294967294", "4294967295"), ["4294967294", "x", "4294967295"]),
        (("x", "07", "-1", "1.5", "٣"), ["x", "07", "-1", "1.5", "٣"]),
    ],
)
def test_keys_that_look_like_array_indexes_come_first(keys, order):
    patterns = compose(PolicySources({"bash": dict.fromkeys(keys, "ask")})).rules[1:]
    assert [rule.pattern for rule in patterns] == order
    surfaces = compose(PolicySources({key: {"q": "ask"} for key in keys})).rules[1:]
    assert [rule.surface for rule in surfaces] == [key for key in order if key != "*"]


def test_indexes_come_first_after_a_merge_too():
    sources = PolicySources({"bash": {"x": "ask", "8": "ask"}}, project={"bash": {"3": "deny", "y": "deny"}})
    assert lines(compose(sources)) == [
        "bash 3 deny project",
        "bash 8 ask global",
        "bash x ask global",
        "bash y deny project",
    ]


MERGES = [
    # maps are united; a replaced pattern keeps its place and takes the new origin
    (
        {"bash": {"a": "ask", "b": "ask"}},
        {"bash": {"c": "deny", "a": "allow"}},
        ["bash a allow project", "bash b ask global", "bash c deny project"],
    ),
    # a word replaces a map and a map a word, whole
    ({"bash": {"a": "deny", "b": "deny"}}, {"bash": "ask"}, ["bash * ask project"]),
    ({"bash": "deny"}, {"bash": {"a": "ask"}}, ["bash a ask project"]),
    ({"bash": "deny"}, {"bash": {}}, []),
    ({"bash": {"a": "deny"}}, {"bash": {}}, ["bash a deny global"]),
    # the surface keeps its place among surfaces
    (
        {"read": "ask", "bash": "ask"},
        {"edit": "deny", "read": "deny"},
        ["read * deny project", "bash * ask global", "edit * deny project"],
    ),
]


@pytest.mark.parametrize(("permission", "project", "expected"), MERGES)
def test_two_scopes_merge(permission, project, expected):
    assert lines(compose(PolicySources(permission, project))) == expected


def test_scopes_are_merged_weakest_first_and_only_for_the_agent_in_force():
    sources = PolicySources(
        permission={"bash": {"w": "ask", "x": "ask", "y": "ask", "z": "ask"}},
        project={"bash": {"x": "allow", "y": "allow", "z": "allow"}},
        agents={"scribe": {"bash": {"y": "deny", "z": "deny"}}, "other": {"bash": "deny"}},
        project_agents={"scribe": {"bash": {"z": "allow"}}},
    )
    assert lines(compose(sources, "scribe")) == [
        "bash w ask global",
        "bash x allow project",
        "bash y deny agent",
        "bash z allow project-agent",
    ]
    assert lines(compose(sources, None))[2:] == ["bash y allow project", "bash z allow project"]
    assert lines(compose(sources, "unknown")) == lines(compose(sources, None))


@pytest.mark.parametrize(
    ("permission", "project", "expected"),
    [
        ({"*": "allow"}, {}, "allow global"),
        ({"*": "deny"}, {"*": "allow"}, "allow project"),
        ({"*": {"q": "deny"}}, {}, "ask builtin"),
        ({"*": {"*": "deny"}}, {}, "ask global"),
        ({"*": "deny"}, {"*": {"q": "allow"}}, "ask builtin"),
        ({"*": {"q": "deny"}}, {"*": "deny"}, "deny project"),
        ({"**": "deny"}, {}, "ask builtin"),
    ],
)
def test_the_fallback(permission, project, expected):
    assert fallback(compose(PolicySources(permission, project))) == expected


@pytest.mark.parametrize(
    ("permission", "expected"),
    [
        ({"mcp": {"jira:*": "allow"}}, True),
        ({"mcp": "allow"}, True),
        ({"mcp": {"jira:*": "ask"}}, False),
        ({"mc?": "allow"}, False),
        ({"*": "allow"}, False),
    ],
)
def test_the_baseline_comes_with_any_allow_on_the_very_surface_mcp(permission, expected):
    ruleset = compose(PolicySources(permission))
    baseline = [rule for rule in ruleset.rules if rule.layer is Layer.BASELINE]
    assert [rule.pattern for rule in baseline] == (list(BASELINE_TARGETS) if expected else [])
    if expected:
        assert ruleset.rules[1 : 1 + len(baseline)] == tuple(baseline)
        assert {(rule.surface, rule.action, rule.origin) for rule in baseline} == {
            ("mcp", Action.ALLOW, "baseline")
        }


def test_knobs_reach_the_ruleset():
    ruleset = compose(
        PolicySources(
            config={
                "yoloMode": True,
                "shellTools": {
                    "run": {"commandArgument": "line"},
                    "go": {"commandArgument": "c", "workdirArgument": "d"},
                },
                "piInfrastructureReadPaths": ["~/docs", "/opt/\U0001f600/*"],
            },
            mcp_servers=("b", " aa ", "", "a", "aa"),
        )
    )
    assert ruleset.yolo
    assert ruleset.shell_tools == {"run": ShellTool("line"), "go": ShellTool("c", "d")}
    assert ruleset.infrastructure_reads == ("~/docs", to_code_units("/opt/\U0001f600/*"))
    assert ruleset.mcp_servers == ("aa", "a", "b")


def test_knobs_merge_field_by_field():
    base = {
        "yoloMode": True,
        "debugLog": True,
        "piInfrastructureReadPaths": ["/a", "/b"],
        "shellTools": {
            "run": {"commandArgument": "x", "workdirArgument": "w"},
            "go": {"commandArgument": "c"},
        },
    }
    override = {
        "yoloMode": False,
        "piInfrastructureReadPaths": ["/c"],
        "shellTools": {"run": {"commandArgument": "y"}},
    }
    assert merge_knobs(base, override) == {
        "yoloMode": False,
        "debugLog": True,
        "piInfrastructureReadPaths": ["/c"],
        "shellTools": {"run": {"commandArgument": "y"}, "go": {"commandArgument": "c"}},
    }
    assert merge_knobs(base, {}) == base == merge_knobs({}, base)


def test_patterns_become_code_units():
    rule = compose(PolicySources({"bash": {"\U0001f600": "ask"}})).rules[1]
    assert rule.pattern == "\ud83d\ude00"


def test_the_digest_is_of_the_content():
    sources = PolicySources({"bash": {"a": "ask", "b": "deny"}})
    ruleset = compose(sources)
    others = [
        compose(PolicySources({"bash": {"b": "deny", "a": "ask"}})),
        compose(PolicySources({"bash": {"a": "ask", "b": {"action": "deny", "reason": "r"}}})),
        compose(PolicySources(sources.permission, config={"yoloMode": True})),
        compose(PolicySources(sources.permission, mcp_servers=("x",))),
        ruleset.with_session([("bash", "a")]),
    ]
    assert compose(sources).digest == ruleset.digest
    assert len({ruleset.digest, *(other.digest for other in others)}) == len(others) + 1
    assert others[-1].without_session().digest == ruleset.digest


@pytest.mark.parametrize(
    ("permission", "warned"),
    [
        ({"*": "allow"}, True),
        ({"*": "allow", "bash": {"dd *": "deny"}}, True),
        ({"*": "allow", "bash": {"dd *": "deny", "*": "ask"}}, False),
        ({"*": "allow", "bash": "ask"}, False),
        ({"*": "ask"}, False),
        ({}, False),
    ],
)
def test_an_open_shell_is_warned_of(permission, warned):
    assert bool(open_shell_warning(PolicySources(permission))) is warned


def test_a_map_under_the_universal_key_is_warned_of():
    assert not universal_map_warning("p", {"*": "deny", "**": {"x": "deny"}})
    (warning,) = universal_map_warning("p", {"*": {"x": "deny"}})
    assert (warning.document, warning.path) == ("p", 'permission["*"]')


actions = st.sampled_from(["allow", "ask", "deny"])
keys = st.sampled_from(["*", "a", "b *", "7", "12", "?"])
entries = st.one_of(
    actions, st.dictionaries(keys, st.one_of(actions, st.just({"action": "deny"})), max_size=4)
)
permissions = st.dictionaries(st.sampled_from(["*", "bash", "mcp", "r*", "3"]), entries, max_size=5)


def shape(ruleset):
    return [(rule.surface, rule.pattern, rule.action, rule.reason, rule.layer) for rule in ruleset.rules]


@given(permissions)
@settings(max_examples=200, deadline=None)
def test_a_scope_over_itself_changes_nothing_but_origins(permission):
    once = compose(PolicySources(permission))
    assert shape(compose(PolicySources(permission, project=permission))) == shape(once)
    assert compose(PolicySources(permission, project={})) == once


@given(permissions, permissions, permissions)
@settings(max_examples=200, deadline=None)
def test_merging_in_two_steps_is_merging_at_once(first, second, third):
    below = merge_scopes(PolicySources(first, second)).permission
    at_once = PolicySources(first, second, agents={"x": third})
    assert shape(compose(PolicySources(below, third))) == shape(compose(at_once, "x"))
