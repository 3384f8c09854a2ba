"""Candidates of MCP calls (core-policy.md 10)."""

import pytest

from audit.core.policy.mcp import candidates, server_order


@pytest.mark.parametrize(
    ("arguments", "servers", "expected"),
    [
        ({"tool": "jira:get"}, (), ["jira_get", "jira:get", "jira", "get", "mcp_call"]),
        ({"tool": "get", "server": "jira"}, (), ["jira_get", "jira:get", "jira", "get", "mcp_call"]),
        (
            {"tool": "jira:get", "server": "wiki"},
            (),
            ["wiki_get", "wiki:get", "wiki", "get", "jira:get", "mcp_call"],
        ),
        ({"tool": "get"}, (), ["get", "mcp_call"]),
        ({"tool": "get"}, ("jira",), ["get", "mcp_call"]),
        ({"tool": "get_jira"}, ("jira",), ["jira_get_jira", "jira:get_jira", "jira", "get_jira", "mcp_call"]),
        ({"tool": "jira_get_jira"}, ("jira",), ["jira_get_jira", "mcp_call"]),
        ({"tool": "jira"}, ("jira",), ["jira", "mcp_call"]),
        (
            {"tool": "x_b_a"},
            ("b_a", "a"),
            ["b_a_x_b_a", "b_a:x_b_a", "b_a", "a_x_b_a", "a:x_b_a", "a", "x_b_a", "mcp_call"],
        ),
        # a server named in the call: configured names do not matter
        ({"tool": "s:get_jira"}, ("jira",), ["s_get_jira", "s:get_jira", "s", "get_jira", "mcp_call"]),
        ({"tool": "p:q:r"}, (), ["p_q:r", "p:q:r", "p", "q:r", "mcp_call"]),
        ({"tool": " p : q "}, (), ["p_q", "p:q", "p", "q", "p : q", "mcp_call"]),
        ({"tool": "p:"}, (), ["p:", "mcp_call"]),
        ({"tool": ":p"}, (), [":p", "mcp_call"]),
        ({"tool": "p: "}, (), ["p:", "mcp_call"]),
        ({"connect": " jira "}, (), ["mcp_connect_jira", "jira", "mcp_connect"]),
        ({"describe": "jira:get"}, (), ["jira_get", "jira:get", "jira", "get", "mcp_describe"]),
        ({"describe": "get", "server": "jira"}, (), ["jira_get", "jira:get", "jira", "get", "mcp_describe"]),
        ({"search": "maps"}, (), ["maps", "mcp_search"]),
        ({"search": "maps", "server": "jira"}, (), ["mcp_server_jira", "jira", "maps", "mcp_search"]),
        ({"server": "jira"}, (), ["mcp_server_jira", "jira", "mcp_list"]),
        ({}, (), ["mcp_status"]),
        # the first of tool, connect, describe and search that says something
        ({"tool": " ", "connect": 7, "describe": "", "search": None, "server": "\t"}, (), ["mcp_status"]),
        ({"search": "s", "describe": "d", "connect": "c", "tool": "t"}, (), ["t", "mcp_call"]),
        ({"search": "s", "describe": "d", "connect": "c"}, (), ["mcp_connect_c", "c", "mcp_connect"]),
        ({"search": "s", "describe": "d"}, (), ["d", "mcp_describe"]),
    ],
)
def test_candidates(arguments, servers, expected):
    assert candidates(arguments, servers) == [*expected, "mcp"]


def test_the_name_mcp_keeps_its_first_place():
    assert candidates({"tool": "mcp"}, ()) == ["mcp", "mcp_call"]


def test_candidates_are_code_units():
    assert candidates({"tool": "\U0001f600"}, ())[0] == "\ud83d\ude00"


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (["a", "bb", "ccc"], ["ccc", "bb", "a"]),
        (["b", "c", "a"], ["a", "b", "c"]),
        ([" a ", "a", "", "  "], ["a"]),
        (["B", "a", "b", "A"], ["a", "A", "b", "B"]),
        (["aB", "Ab", "ab"], ["ab", "aB", "Ab"]),
        (["a-c", "a_b", "abc", "a1b", "a.b"], ["a_b", "a-c", "a.b", "a1b", "abc"]),
        (["zz", "éa", "eb", "ea"], ["ea", "éa", "eb", "zz"]),
        (["9", "10"], ["10", "9"]),
        (["я", "z", "ж"], ["z", "ж", "я"]),
    ],
)
def test_server_names_are_ordered_longest_first_then_collated(names, expected):
    assert list(server_order(names)) == expected
