"""Edits between two policies: all of them make the candidate, none of them the baseline."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audit.core.policy.compose import PolicySources, compose
from audit.replay.edits import PolicyEdits

ACTIONS = st.sampled_from(["allow", "ask", "deny"])
PATTERNS = st.dictionaries(st.sampled_from(["*", "git *", "npm *", "rm *"]), ACTIONS, max_size=4)
SCOPES = st.dictionaries(st.sampled_from(["*", "bash", "path", "mcp"]), ACTIONS | PATTERNS, max_size=4)
POLICIES = st.builds(
    PolicySources,
    permission=SCOPES,
    project=SCOPES,
    agents=st.dictionaries(st.sampled_from(["scribe", "explore"]), SCOPES, max_size=2),
    config=st.dictionaries(st.sampled_from(["yoloMode", "debugLog"]), st.booleans(), max_size=2),
    mcp_servers=st.sampled_from([(), ("exa",)]),
)
AGENTS = (None, "scribe", "explore")


def texts(before: dict[str, Any], after: dict[str, Any]) -> list[str]:
    edits = PolicyEdits(PolicySources(before), PolicySources(after))
    return [edit.text for edit in edits.edits]


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ({}, {}, []),
        ({}, {"bash": "ask"}, ["bash added, ask"]),
        ({"bash": "ask"}, {}, ["bash removed"]),
        ({"bash": "ask"}, {"bash": "deny"}, ["bash changed from ask to deny"]),
        ({"bash": "ask"}, {"bash": {"*": "ask"}}, ["bash changed from ask to a map"]),
        ({"bash": {"*": "ask"}}, {"bash": {"*": "ask", "git *": "allow"}}, ['bash["git *"] added, allow']),
        ({"bash": {"a": "ask", "b": "deny"}}, {"bash": {"b": "deny", "a": "ask"}}, ['bash["b"] moved']),
        (
            {"bash": {"a": "ask"}},
            {"bash": {"a": {"action": "deny", "reason": "no"}}},
            ['bash["a"] changed from ask to deny'],
        ),
    ],
)  # fmt: skip
def test_an_edit_says_what_it_does(before: Any, after: Any, expected: list[str]) -> None:
    assert texts(before, after) == expected


@given(POLICIES, POLICIES)
def test_all_edits_make_the_candidate_and_none_the_baseline(one: PolicySources, other: PolicySources) -> None:
    edits = PolicyEdits(one, other)
    for agent in AGENTS:
        assert compose(edits.policy(edits.edits), agent).digest == compose(other, agent).digest
        assert compose(edits.policy(()), agent).digest == compose(one, agent).digest


@given(POLICIES)
def test_a_policy_has_no_edits_to_itself(policy: PolicySources) -> None:
    assert PolicyEdits(policy, policy).edits == ()


@given(POLICIES, POLICIES)
def test_every_edit_is_one_of_its_own(one: PolicySources, other: PolicySources) -> None:
    edits = PolicyEdits(one, other).edits
    assert len({edit.text for edit in edits}) == len(edits)
