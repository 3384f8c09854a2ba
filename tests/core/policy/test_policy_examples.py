"""Whole ways from the texts of files to an answer (core-policy.md 19, the groups A, B, F and L)."""

import json

import pytest

from audit.core.place import Platform
from audit.core.policy.command_text import bash_value
from audit.core.policy.compose import PolicySources, compose, merge_knobs
from audit.core.policy.document import ConfigDocument, read_config
from audit.core.policy.frontmatter import read_agent
from audit.core.policy.mcp import candidates
from audit.errors import DocumentError
from tests.core.builders import HOME, rules_in


def session(sources, agent=None):
    return rules_in(compose(sources, agent), HOME, Platform.POSIX)


def scopes(*permissions, agent=None, **others):
    """Return the rules of up to four scopes, weakest first, the last two for agent `scribe`."""
    user, project, agents, project_agents = (*permissions, {}, {}, {}, {})[:4]
    sources = PolicySources(user, project, {"scribe": agents}, {"scribe": project_agents}, **others)
    return session(sources, agent)


def text(check):
    return f"{check.action} {check.matched_pattern or '-'} {check.origin}"


TOOLS = [
    # A, the fallback, whole surfaces and patterns of surfaces
    (({},), "edit", ["README.rst"], "ask - builtin"),
    (({"*": "allow"},), "edit", ["README.rst"], "allow - global"),
    (({"*": "deny"},), "find", ["*"], "deny - global"),
    (({"*": "allow", "write": "deny"},), "write", ["x.rst"], "deny * global"),
    (({"*": "ask", "calendar": "allow"},), "calendar", ["*"], "allow * global"),
    (({"*": "ask", "calendar": {"*": "ask", "day*": "deny"}},), "calendar", ["*"], "ask * global"),
    (({"*": "ask", "cal*": "deny"},), "calendar", ["*"], "deny * global"),
    (({"write": "allow", "wr?te": "deny"},), "write", ["x"], "deny * global"),
    (({"wr?te": "deny", "write": "allow"},), "write", ["x"], "allow * global"),
    (({"**": "deny", "write": "allow"},), "path", ["x"], "deny * global"),
    (({"*": {"*": "deny"}, "bash": "allow"},), "grep", ["*"], "ask - global"),
    # B, the order of rules and of scopes
    (({"bash": {"*": "ask", "tox *": "allow"}},), "bash", ["tox -e py"], "allow tox * global"),
    (({"bash": {"tox *": "allow", "*": "ask"}},), "bash", ["tox -e py"], "ask * global"),
    (
        ({"bash": {"tox *": "allow", "*": "ask"}}, {"bash": {"tox *": "deny"}}),
        "bash",
        ["tox -e py"],
        "ask * global",
    ),
    (({"bash": {"*": "ask"}}, {"bash": {"tox -r": "deny"}}), "bash", ["tox -r"], "deny tox -r project"),
    (({"bash": {"shred *": "deny"}}, {"bash": "allow"}), "bash", ["shred x"], "allow * project"),
    (({"bash": "allow"}, {"bash": {"shred *": "deny"}}), "bash", ["pwd"], "ask - builtin"),
    (({"bash": "deny"}, {"bash": {}}), "bash", ["pwd"], "ask - builtin"),
    (({"bash": {"*": "deny", "12": "allow"}},), "bash", ["12"], "deny * global"),
    (
        ({"bash": {"*": "ask"}}, {}, {"bash": {"tox *": "allow"}}, {"bash": {"tox *": "deny"}}),
        "bash",
        ["tox"],
        "deny tox * project-agent",
    ),
    (({"*": "deny"}, {"*": "allow"}), "calendar", ["*"], "allow - project"),
]


@pytest.mark.parametrize(("permissions", "surface", "values", "expected"), TOOLS)
def test_tools(permissions, surface, values, expected):
    assert text(scopes(*permissions, agent="scribe").verdict_first(surface, values)[1]) == expected


MCP = [
    ({"*": "ask", "jira": "allow"}, {"tool": "jira:get"}, "ask * global", "jira_get"),
    ({"jira": "allow"}, {"tool": "jira:get"}, "allow jira global", "jira"),
    ({"*": "ask", "jira_*": "allow"}, {"tool": "get", "server": "jira"}, "allow jira_* global", "jira_get"),
    ({"jira:*": "allow"}, {}, "allow - baseline", "mcp_status"),
    ({"*": "ask", "jira:*": "allow"}, {}, "ask * global", "mcp_status"),
    ({"q": "allow", "mcp_connect": "deny"}, {"connect": "jira"}, "deny mcp_connect global", "mcp_connect"),
    ({"db_dump_db": "allow"}, {"tool": "dump_db"}, "allow db_dump_db global", "db_dump_db"),
    ({"mcp_call": "deny"}, {"tool": "wiki:page"}, "deny mcp_call global", "mcp_call"),
    ({"*": "allow", "wiki:*": "deny"}, {"tool": "wiki:page"}, "allow * global", "wiki_page"),
    ({"*": "allow", "wiki_*": "deny"}, {"tool": "wiki:page"}, "deny wiki_* global", "wiki_page"),
]


@pytest.mark.parametrize(("entry", "arguments", "expected", "value"), MCP)
def test_mcp(entry, arguments, expected, value):
    rules = scopes({"mcp": entry}, mcp_servers=("db",))
    met, check = rules.verdict_first("mcp", candidates(arguments, ("db",)))
    assert (text(check), met) == (expected, value)


def read_as_reference(text):
    """Read a configuration file as the agent does: with any mistake it says nothing at all (2.4)."""
    try:
        return read_config(text, "p")
    except DocumentError:
        return ConfigDocument()


def files(user="{}", project="{}", *, legacy="{}", agent=None):
    """Return the rules of a session that reads these texts, as the reference reads them."""
    weakest, user, project = (
        read_as_reference(text if isinstance(text, str) else json.dumps(text))
        for text in (legacy, user, project)
    )
    scribe = None if agent is None else read_agent(agent).permission
    sources = PolicySources(
        user.permission,
        project.permission,
        {} if scribe is None else {"scribe": scribe},
        config=merge_knobs(merge_knobs(weakest.knobs, user.knobs), project.knobs),
    )
    return compose(sources, "scribe"), session(sources, "scribe")


def agent_file(*lines):
    return "\n".join(["---", "permission:", *lines, "---", ""])


ALLOW_BASH = {"permission": {"bash": "allow"}}
FILES = [
    # a broken file says nothing and spoils no other
    ({"user": ALLOW_BASH, "project": {"permision": {}, "permission": {"bash": "deny"}}}, "allow * global"),
    ({"user": '{"permission": {"bash": "allow",}}'}, "ask - builtin"),
    ({"user": {"bash": {"pwd": "allow"}, **ALLOW_BASH}}, "ask - builtin"),
    # a file at a former place lends its knobs only, and only without a mistake
    ({"legacy": {"yoloMode": True, "permission": {"bash": "deny"}}}, "allow - yolo"),
    ({"legacy": {"yoloMode": True, "bash": "deny"}}, "ask - builtin"),
    ({"legacy": {"yoloMode": True}, "user": {"yoloMode": False}}, "ask - builtin"),
    # the project's knob wins
    (
        {"user": {"yoloMode": True, "permission": {"bash": "ask"}}, "project": {"yoloMode": False}},
        "ask * global",
    ),
    # agent files
    (
        {
            "user": {"permission": {"bash": {"*": "ask", "pwd": {"action": "deny", "reason": "no"}}}},
            "agent": agent_file("  bash:", '    "pwd": allow'),
        },
        "allow pwd agent",
    ),
    ({"user": ALLOW_BASH, "agent": agent_file("  bash: deny # for now")}, "allow * global"),
    ({"user": ALLOW_BASH, "agent": agent_file("  bash: deny")}, "deny * agent"),
]


@pytest.mark.parametrize(("texts", "expected"), FILES)
def test_files(texts, expected):
    _, rules = files(**texts)
    assert text(rules.verdict("bash", bash_value("# where\npwd"))) == expected


def test_a_colon_is_lost_in_an_agent_file_and_an_underscore_works():
    agent = agent_file("  mcp:", '    "jira:*": allow', "    jira_*: allow")
    _, rules = files({"permission": {"mcp": {"*": "ask"}}}, agent=agent)
    met, check = rules.verdict_first("mcp", candidates({"tool": "jira:get"}, ()))
    assert (text(check), met) == ("allow jira_* agent", "jira_get")


def test_shell_tools_of_two_files_are_united():
    ruleset, _ = files(
        {"shellTools": {"run": {"commandArgument": "line"}}}, {"shellTools": {"go": {"commandArgument": "c"}}}
    )
    assert {name: tool.command_argument for name, tool in ruleset.shell_tools.items()} == {
        "run": "line",
        "go": "c",
    }


def test_skills_are_asked_by_name():
    _, rules = files({"permission": {"*": "deny", "skill": {"*": "ask", "charts": "allow"}}})
    assert text(rules.verdict("skill", "charts")) == "allow charts global"
    assert text(rules.verdict("skill", "other")) == "ask * global"


def test_a_forwarded_pair_is_judged_without_units():
    _, rules = files(
        {"permission": {"mcp": {"*": "deny", "mcp_status": "allow"}, "bash": {"*": "ask", "cat *": "allow"}}}
    )
    assert text(rules.verdict_first("mcp", candidates({}, ()))[1]) == "allow mcp_status global"
    assert text(rules.verdict("bash", bash_value("cat /x && shred y"))) == "allow cat * global"
