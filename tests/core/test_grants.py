"""What an approval for the session grants, and what it changes (core-policy.md 14)."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from audit.core.call import ToolCall, shell
from audit.core.decide import Decision
from audit.core.gates import Gate
from audit.core.grants import grants_of
from audit.core.place import Platform
from tests.core.builders import ALLOW, ASK, CWD, WIN_PLACE, Case, decided, gate, with_skills

ASKING = {"path": "ask", "external_directory": "ask"}

OFFERS = [
    # permission, call, gate, what is offered
    ({}, shell("git log -p"), Gate.TOOL, [("bash", "git log *")]),
    ({}, shell("make"), Gate.TOOL, [("bash", "make")]),
    ({"bash": {"*": "allow", "git *": "ask"}}, shell("make; git pull"), Gate.TOOL, [("bash", "git pull*")]),
    ({"*": "allow"}, shell("nice make"), Gate.TOOL, [("bash", "nice *")]),
    ({}, shell("> f"), Gate.TOOL, [("bash", "> *")]),
    ({}, shell(""), Gate.TOOL, [("bash", "")]),
    (
        ASKING,
        shell("wc /e/x ../y /o/"),
        Gate.BASH_EXTERNAL_DIRECTORY,
        [("external_directory", "/e/*"), ("external_directory", "/srv/*"), ("external_directory", "/*")],
    ),
    ({"*": "allow"}, shell("wc /e/x"), Gate.BASH_EXTERNAL_DIRECTORY, []),
    (ASKING, shell("wc a/b"), Gate.BASH_PATH, [("path", f"{CWD}/a/*")]),
    (ASKING, shell("cd $K; wc a/b"), Gate.BASH_PATH, [("path", "a/*")]),
    (ASKING, shell("cd $K; wc ./b"), Gate.BASH_PATH, [("path", "./*")]),
    ({"path": {"key": "ask"}}, shell("cd $K; wc key"), Gate.BASH_PATH, [("path", "./*")]),
    (ASKING, ToolCall("read", {"path": "a/b"}), Gate.PATH, [("path", f"{CWD}/a/*")]),
    (ASKING, ToolCall("read", {"path": "/e/x"}), Gate.EXTERNAL_DIRECTORY, [("external_directory", "/e/*")]),
    ({}, ToolCall("read", {"path": "a/b"}), Gate.TOOL, [("read", f"{CWD}/a/*")]),
    ({}, ToolCall("ls", {"path": "/"}), Gate.TOOL, [("ls", "/*")]),
    ({}, ToolCall("ls"), Gate.TOOL, [("ls", "*")]),
    ({}, ToolCall("deploy", {"path": "a"}), Gate.TOOL, [("deploy", "*")]),
    ({}, ToolCall("skill", {"name": "art"}), Gate.TOOL, [("skill", "*")]),
    ({}, ToolCall("mcp", {"tool": "jira:list"}), Gate.TOOL, [("mcp", "jira_*")]),
    ({}, ToolCall("mcp"), Gate.TOOL, [("mcp", "mcp_*")]),
]


@pytest.mark.parametrize(("permission", "call", "name", "offered"), OFFERS)
def test_what_is_offered(permission, call, name, offered):
    result = gate(decided(call, Case(permission)), name)
    assert list(grants_of(result, Platform.POSIX)) == offered


def test_directories_on_win32_end_with_its_separator():
    result = gate(decided("wc 'a\\b'", Case(ASKING, place=WIN_PLACE)), Gate.BASH_PATH)
    assert grants_of(result, Platform.WIN32) == (("path", "c:\\src\\shop\\a\\*"),)


def test_no_approval_is_offered_for_reading_a_skill():
    place = with_skills(("art", "/opt/s/art/SKILL.md"))
    result = gate(decided(ToolCall("read", {"path": "/opt/s/art/x"}), Case({}, place=place)), Gate.SKILL_READ)
    assert result.action is ASK
    assert grants_of(result, Platform.POSIX) == ()


CALLS = [
    shell("git log -p"),
    shell("make && wc a/b"),
    shell("wc /e/x ../y"),
    shell("nice make"),
    shell("cd $K && wc ./b ../c"),
    ToolCall("read", {"path": "a/b"}),
    ToolCall("edit", {"path": "/e/x"}),
    ToolCall("deploy"),
    ToolCall("mcp", {"tool": "jira_list"}),
]


def approved(call: ToolCall, case: Case) -> Decision:
    """Grant what is offered at every gate that asks, until none asks any more."""
    session = list(case.session)
    for _ in range(20):
        decision = decided(call, Case(case.permission, tuple(session), case.config, case.place))
        asking = [result for result in decision.gates if result.effect is ASK]
        if not asking:
            return decision
        session += grants_of(asking[0], case.place.platform)
    raise AssertionError("still asks after twenty approvals")


@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize("permission", [{}, ASKING, {**ASKING, "*": "allow"}])
def test_granting_what_is_offered_ends_the_asking(call, permission):
    assert approved(call, Case(permission)).action is ALLOW


GRANTS = st.lists(
    st.tuples(
        st.sampled_from(["bash", "path", "external_directory", "read", "edit", "mcp", "deploy"]),
        st.sampled_from(["*", "make*", "git *", f"{CWD}/*", "/e/*", "/*"]),
    ),
    max_size=4,
)
PERMISSIONS = st.sampled_from([{}, ASKING, {"*": "deny"}, {"*": "allow", "path": {"*b": "deny"}}])


@settings(max_examples=100, deadline=None)
@given(PERMISSIONS, st.sampled_from(CALLS), GRANTS)
def test_an_approval_changes_no_other_surface(permission, call, granted):
    before = {result.gate: result for result in decided(call, Case(permission)).gates}
    surfaces = {surface for surface, _ in granted}
    own = {Gate.PATH: "path", Gate.BASH_PATH: "path"}
    own |= {Gate.EXTERNAL_DIRECTORY: "external_directory", Gate.BASH_EXTERNAL_DIRECTORY: "external_directory"}
    for result in decided(call, Case(permission, tuple(granted))).gates:
        if own.get(result.gate, call.tool) not in surfaces and result.gate in before:
            assert result == before[result.gate]


@settings(max_examples=100, deadline=None)
@given(PERMISSIONS, st.sampled_from(CALLS), GRANTS)
def test_an_approval_never_makes_a_decision_stricter(permission, call, granted):
    # A gate without a rule of its own can speak up once an approval has given its surface one.
    with_grants = decided(call, Case(permission, tuple(granted)))
    assert with_grants.action <= decided(call, Case(permission)).action
