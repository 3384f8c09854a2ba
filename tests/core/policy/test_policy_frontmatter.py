"""Permissions in agent files (core-policy.md 3)."""

import pytest

from audit.core.ecma import ordered_items
from audit.core.policy.frontmatter import read_agent

DENY = {"action": "deny"}
LONG = "r" * 600


def under_permission(*lines):
    entries = [f"  {line}" for line in lines]
    return "\n".join(["---", "name: scribe", "permission:", *entries, "---", "Be kind."])


@pytest.mark.parametrize(
    ("lines", "permission"),
    [
        (["edit: deny"], {"edit": "deny"}),
        (["edit: 'deny'"], {"edit": "deny"}),
        (['edit: "deny"'], {"edit": "deny"}),
        (["edit: 'deny\""], None),
        (["'edit': deny"], {"edit": "deny"}),
        (["\"edit': deny"], {"edit": "deny"}),
        (["''edit: deny"], {"'edit": "deny"}),
        (["edit : deny"], {"edit": "deny"}),
        (["edit:deny"], {"edit": "deny"}),
        (["edit: Deny"], None),
        (["edit: deny # why"], None),
        (["# edit: deny", "", "   ", "read: ask"], {"read": "ask"}),
        (["edit: deny", "edit: ask"], {"edit": "ask"}),
        (["bash:", "  dd *: deny", '  "*": ask'], {"bash": {"dd *": "deny", "*": "ask"}}),
        (["bash:"], None),
        (["bash:", "read: ask"], {"read": "ask"}),
        (["bash: {dd: deny}"], None),
        (["bash:", "  - dd: deny"], {"bash": {"- dd": "deny"}}),
        (["bash:", "  - dd"], None),
        (["mcp:", '  "jira:*": allow', "  jira_*: allow"], {"mcp": {"jira_*": "allow"}}),
        (["mcp: allow", "read: ask", "mcp:", "  a: deny"], {"mcp": {"a": "deny"}, "read": "ask"}),
        (["mcp:", "  a: deny", "mcp: ask"], {"mcp": "ask"}),
        (["mcp:", "  a: deny", "mcp:", "  b: deny"], {"mcp": {"b": "deny"}}),
        # deny objects
        (["bash:", "  dd *:", "    action: deny"], {"bash": {"dd *": DENY}}),
        (
            ["bash:", "  dd *:", "    action: deny", "    reason: use x: y", "    since: 2020"],
            {"bash": {"dd *": {"action": "deny", "reason": "use x: y"}}},
        ),
        (["bash:", "  dd *:", "    action: deny", "    reason:", "      z: 1"], None),
        (["bash:", "  dd *:", "    action: ask"], None),
        (["bash:", "  dd *:", "    reason: r"], None),
        (["bash:", "  action: deny"], {"bash": {"action": "deny"}}),
        (
            ["bash:", "  dd:", "    action: deny", f"    reason: {LONG}"],
            {"bash": {"dd": {**DENY, "reason": LONG}}},
        ),
        # indentation: deeper belongs to the last open map, the same depth closes it
        (["bash:", "      dd: deny", "  ls: ask"], {"bash": {"dd": "deny", "ls": "ask"}}),
        (["bash:", " dd: deny", "read: ask"], {"bash": {"dd": "deny"}, "read": "ask"}),
        (["bash:", "\tdd: deny"], {"bash": {"dd": "deny"}}),
        (["bash:", "  a:", "      action: deny", "  b: ask"], {"bash": {"a": DENY, "b": "ask"}}),
        (["__proto__: deny", "read: ask"], {"read": "ask"}),
        (["__proto__:", "  x: deny", "read: ask"], {"read": "ask"}),
    ],
)
def test_entries(lines, permission):
    assert read_agent(under_permission(*lines)).permission == permission


@pytest.mark.parametrize(
    ("text", "permission"),
    [
        ("---\npermission:\n  edit: deny\n---\n", {"edit": "deny"}),
        ("---\npermission:\n  edit: deny\n---", {"edit": "deny"}),
        ("---\r\npermission:\r\n  edit: deny\r\n---\r\n", {"edit": "deny"}),
        ("---\npermission:\n  edit: deny\n--- and more: text\n  read: ask\n---\n", {"edit": "deny"}),
        ("---\npermission:\n  edit: deny\n----\n  read: ask\n---\n", {"edit": "deny"}),
        # not frontmatter
        ("\n---\npermission:\n  edit: deny\n---\n", None),
        ("\ufeff---\npermission:\n  edit: deny\n---\n", None),
        ("--- \npermission:\n  edit: deny\n---\n", None),
        ("----\npermission:\n  edit: deny\n---\n", None),
        ("---\npermission:\n  edit: deny\n", None),
        ("---\n---\npermission:\n  edit: deny\n", None),
        ("---\n\n---\npermission:\n  edit: deny\n---\n", None),
        ("", None),
        # nothing about permissions, or at another place
        ("---\nname: x\n---\n", None),
        ("---\nouter:\n  permission:\n    edit: deny\n---\n", None),
        ("---\npermission: deny\n---\n", None),
        ("---\npermission:\nedit: deny\n---\n", None),
        ("---\npermission:\n edit: deny\nother: x\n read: ask\n---\n", {"edit": "deny"}),
    ],
)
def test_the_block(text, permission):
    assert read_agent(text).permission == permission


def test_an_empty_marker_line_directly_below_belongs_to_the_block():
    # The end is looked for from the fifth unit on, so the second line cannot be the end.
    assert read_agent("---\n---\npermission:\n  edit: deny\n---\n").permission == {"edit": "deny"}


def test_the_order_is_that_of_an_object():
    permission = read_agent(under_permission("bash:", '  "*": deny', "  7: allow")).permission
    assert permission is not None
    assert [key for key, _ in ordered_items(permission["bash"])] == ["7", "*"]


@pytest.mark.parametrize(
    ("lines", "path", "reason"),
    [
        (["bash: deny # why"], "permission.bash", "comments on lines of their own"),
        (["mcp:", '  "jira:*": allow'], "permission.mcp.jira", "split at its first colon"),
        (["bash: { dd: deny }"], "permission.bash", "on lines of its own"),
        (["bash: Deny"], "permission.bash", "small letters"),
        (["bash: no"], "permission.bash", "none of allow, ask and deny"),
        (["bash:"], "permission.bash", "needs an action or patterns"),
        (["bash:", "  dd *: no"], 'permission.bash["dd *"]', "none of allow"),
        (["bash:", "  dd *:", "    action: ask"], 'permission.bash["dd *"]', "`action: deny`"),
        (["bash: ask", "read"], "line 5", "skipped"),
        ([": deny", "bash: ask"], "line 4", "skipped"),
    ],
)
def test_dropped_entries_are_named(lines, path, reason):
    (dropped,) = read_agent(under_permission(*lines)).dropped
    assert dropped.path == path
    assert reason in dropped.reason


def test_a_permission_written_in_one_line_is_named():
    (dropped,) = read_agent("---\npermission: { edit: deny }\n---\n").dropped
    assert (dropped.path, dropped.found) == ("permission", "`{ edit: deny }`")


def test_nothing_is_dropped_from_a_clean_file_nor_outside_permission():
    text = "---\ntools:\n  - read\n  - bash\npermission:\n  edit: deny\nmodel: x\nloose words\n---\n"
    agent = read_agent(text)
    assert agent.permission == {"edit": "deny"}
    assert agent.dropped == ()
