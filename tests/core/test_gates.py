"""The six gates of a call (core-bash.md 13, core-policy.md 11 and 13)."""

from __future__ import annotations

import pytest

from audit.core.call import ToolCall, shell
from audit.core.gates import Gate, GateOutcome, GateResult
from audit.core.place import Place
from audit.core.shell_gates import is_trivially_empty
from tests.core.builders import ALLOW, ASK, CWD, DENY, HOME, Case, decided, gate, linked, with_skills

BASH, OUTSIDE, BASH_PATH = Gate.TOOL, Gate.BASH_EXTERNAL_DIRECTORY, Gate.BASH_PATH


def said(result: GateResult) -> str:
    """Say a result in one line: action, surface, value, pattern, source and origin."""
    if result.outcome is not GateOutcome.CHECK:
        return result.outcome.value
    pattern = "-" if result.matched_pattern is None else result.matched_pattern
    return f"{result.action} {result.surface} `{result.value}` {pattern} {result.source} {result.origin}"


COMMANDS = [
    # permission, session, command, what the command gate says
    ({"*": "allow"}, (), "make", "allow bash `make` - bash global"),
    ({}, (), "make", "ask bash `make` - bash builtin"),
    ({"bash": {"make *": "allow"}}, (), "make", "allow bash `make` make * bash global"),
    ({"bash": {"*": "allow", "tac *": "deny"}}, (), "make && tac f", "deny bash `tac f` tac * bash global"),
    ({"bash": {"*": "allow", "t*": "ask"}}, (), "tac f; top", "ask bash `tac f` t* bash global"),
    ({"bash": {"*": "ask", "t*": "deny"}}, (), "make; tac; top", "deny bash `tac` t* bash global"),
    ({"bash": {"*": "allow", "tac": "deny"}}, (), "K=v tac", "deny bash `tac` tac bash global"),
    ({"bash": {"*": "allow", "tac": "deny"}}, (), "{ tac; }", "allow bash `{ tac; }` * bash global"),
    ({"bash": {"*": "allow", "tac": "deny"}}, (), "(tac)", "deny bash `tac` tac bash global"),
    ({"*": "allow"}, (), "eval x", "ask bash `eval x` <opaque-bash-wrapper> bash global"),
    ({"*": "allow"}, (), "nice x", "ask bash `nice x` <indirection-bash-wrapper> bash global"),
    ({"bash": {"*": "allow", "nice*": "ask"}}, (), "nice x", "ask bash `nice x` nice* bash global"),
    ({"bash": {"*": "allow", "nice*": "deny"}}, (), "nice x", "deny bash `nice x` nice* bash global"),
    (
        {"bash": {"*": "allow", "make": "ask"}},
        (),
        "nice x; make",
        "ask bash `nice x` <indirection-bash-wrapper> bash global",
    ),
    ({}, (("bash", "make*"),), "make all", "allow bash `make all` make* session session"),
    ({"bash": "deny"}, (("bash", "make*"),), "make all", "allow bash `make all` make* session session"),
    (
        {},
        (("bash", "nice *"),),
        "nice x",
        "ask bash `nice x` <indirection-bash-wrapper> session session",
    ),
    ({"*": "allow"}, (), "> f", "ask bash `> f` <unparseable-bash-command> bash builtin"),
    ({"bash": "deny"}, (), "> f", "ask bash `> f` <unparseable-bash-command> bash builtin"),
    ({"bash": {"*": "allow", "#x*": "deny"}}, (), "#x\n  # y", "deny bash `#x\n  # y` #x* bash global"),
    ({"*": "ask", "bash": "allow"}, (), " \n ", "allow bash `` * bash global"),
    ({"bash": {"*": "ask", "make": "allow"}}, (), "\t make \n", "allow bash `make` make bash global"),
]


@pytest.mark.parametrize(("permission", "session", "command", "expected"), COMMANDS)
def test_the_command_gate(permission, session, command, expected):
    assert said(gate(decided(command, Case(permission, session)), BASH)) == expected


def test_the_context_and_the_reason_of_the_worst_unit_are_kept():
    case = Case({"bash": {"*": "allow", "tac *": {"action": "deny", "reason": "backwards"}}})
    result = gate(decided("wc $(tac f)", case), BASH)
    assert (result.context, result.reason) == ("command_substitution", "backwards")


TRIVIAL = [
    ("", True),
    ("#", True),
    ("  # a\n\n\t#b", True),
    ("a", False),
    ("# a\nb", False),
    ("\u0085#", False),
]


@pytest.mark.parametrize(("command", "expected"), TRIVIAL)
def test_trivially_empty_commands(command, expected):
    assert is_trivially_empty(command) is expected


EXTERNAL = [
    ({"*": "allow"}, (), "wc f", "none"),
    ({"*": "allow"}, (), "wc /e/x", "bypass"),
    ({"*": "allow"}, (), "wc /dev/null", "none"),
    (
        {"bash": "allow"},
        (),
        "wc /e/x",
        "ask external_directory `wc /e/x` - special builtin",
    ),
    (
        {"*": "allow", "external_directory": {"*": "ask", "/e/*": "allow", "/o/*": "deny"}},
        (),
        "wc /e/x /u/y /o/z",
        "deny external_directory `wc /e/x /u/y /o/z` /o/* special global",
    ),
    ({"external_directory": "ask"}, (("external_directory", "/e/*"),), "wc /e/x", "bypass"),
    (
        {"external_directory": "ask"},
        (("external_directory", "/e/*"),),
        "wc /e/x ~/y",
        "ask external_directory `wc /e/x ~/y` * special global",
    ),
]


@pytest.mark.parametrize(("permission", "session", "command", "expected"), EXTERNAL)
def test_the_external_directory_gate_of_commands(permission, session, command, expected):
    assert said(gate(decided(command, Case(permission, session)), OUTSIDE)) == expected


def test_it_lists_the_paths_that_are_not_allowed_in_order():
    case = Case({"*": "allow", "external_directory": {"*": "ask", "/e/*": "allow"}})
    assert gate(decided("wc /u/x /e/y ../z", case), OUTSIDE).paths == ("/u/x", "/srv/z")


def test_a_link_that_leaves_the_working_directory_is_matched_by_both_names():
    place = linked((f"{CWD}/out", "/mnt"))
    for pattern in ("/mnt/*", f"{CWD}/out/*"):
        case = Case({"*": "allow", "external_directory": {"*": "ask", pattern: "deny"}}, place=place)
        assert decided("wc ./x/../out/y", case).action is DENY


PATHS = [
    ({"*": "deny", "bash": "allow"}, (), "wc ./f", "none"),
    ({"path": {"*.key": "deny"}}, (), "wc ./f", "none"),
    ({"path": "ask"}, (), "wc ./f", "ask path `./f` * special global"),
    ({"path": {"*.key": "deny"}}, (), "wc ./f ./a.key", "deny path `./a.key` *.key special global"),
    (
        {"path": {"*": "ask", "*.key": "deny"}},
        (),
        "wc ./f a/b.key",
        "deny path `a/b.key` *.key special global",
    ),
    ({"path": "ask"}, (), "wc ./f ./g", "ask path `./f` * special global"),
    ({"path": {"*": "deny", "f": "allow"}}, (), "wc ./f", "none"),
    ({"path": {f"{CWD}/a/*": "deny"}}, (), "cd a && wc ./f", f"deny path `./f` {CWD}/a/* special global"),
    ({"path": {f"{CWD}/a/*": "deny"}}, (), "cd $K && wc a/f", "none"),
    ({"path": {"secret": "deny"}}, (), "wc secret", "deny path `secret` secret special global"),
    ({"path": {"secret": "ask"}}, (), "wc secret", "ask path `secret` secret special global"),
    ({"path": {"*": "deny", "secret": "allow"}}, (), "wc secret", "none"),
    ({"path": {"*": "deny"}}, (), "wc secret", "none"),
    ({"pa*": {"secret": "deny"}}, (), "wc secret", "none"),
    ({"path": "ask"}, (("path", f"{CWD}/a/*"),), "wc a/f a/g", "bypass"),
    ({"path": "ask"}, (("path", f"{CWD}/a/*"),), "wc a/f b/g", "ask path `b/g` * special global"),
    ({"path": "deny"}, (("path", f"{CWD}/a/*"),), "wc a/f", "bypass"),
    ({}, (("path", f"{CWD}/a/*"),), "wc a/f b/g", "none"),
    ({"path": {"/dev/*": "ask"}}, (), "wc < /dev/null", "ask path `/dev/null` /dev/* special global"),
]


@pytest.mark.parametrize(("permission", "session", "command", "expected"), PATHS)
def test_the_path_gate_of_commands(permission, session, command, expected):
    assert said(gate(decided(command, Case(permission, session)), BASH_PATH)) == expected


def test_no_session_rule_promotes_a_bare_word():
    case = Case({"*": "allow"}, (("path", "secret"),))
    assert said(gate(decided("wc secret", case), BASH_PATH)) == "none"


YOLO = [
    ({"bash": "ask"}, "make", "allow bash `make` * bash yolo"),
    ({}, "make", "allow bash `make` - bash yolo"),
    ({"bash": "deny"}, "make", "deny bash `make` * bash global"),
    ({"bash": "ask"}, "nice x", "ask bash `nice x` <indirection-bash-wrapper> bash yolo"),
    ({"bash": "ask"}, "> f", "ask bash `> f` <unparseable-bash-command> bash builtin"),
]


@pytest.mark.parametrize(("permission", "command", "expected"), YOLO)
def test_yolo_reads_asks_as_allows_and_leaves_what_becomes_an_ask_later(permission, command, expected):
    assert said(gate(decided(command, Case(permission, config={"yoloMode": True})), BASH)) == expected


def test_yolo_does_not_change_which_words_are_promoted():
    case = Case({"*": "allow", "path": {"secret": "ask"}}, config={"yoloMode": True})
    assert [found.token for found in decided("wc secret", case).program.candidates] == ["secret"]
    assert decided("wc secret", case).action is ALLOW


def read(path: str, tool: str = "read") -> ToolCall:
    return ToolCall(tool, {"path": path})


TOOLS = [
    ({"*": "allow"}, read("a"), Gate.PATH, "none"),
    ({"*": "deny"}, read("a"), Gate.PATH, "none"),
    ({"path": "allow"}, read("a"), Gate.PATH, "none"),
    ({"path": {"*.key": "ask"}}, read("./a.key"), Gate.PATH, "ask path `./a.key` *.key special global"),
    ({"path": "ask"}, ToolCall("read"), Gate.PATH, "none"),
    ({"path": "ask"}, ToolCall("read", {"path": 7}), Gate.PATH, "none"),
    ({"path": "ask"}, read("  "), Gate.PATH, "none"),
    ({"path": "ask"}, ToolCall("deploy", {"path": "a"}), Gate.PATH, "ask path `a` * special global"),
    (
        {"path": "ask"},
        ToolCall("mcp", {"path": "b", "arguments": {"path": "a"}}),
        Gate.PATH,
        "ask path `a` * special global",
    ),
    (
        {"*": "allow"},
        read("/e/x"),
        Gate.EXTERNAL_DIRECTORY,
        "allow external_directory `/e/x` - special global",
    ),
    ({}, read("../x"), Gate.EXTERNAL_DIRECTORY, "ask external_directory `../x` - special builtin"),
    ({}, read("x"), Gate.EXTERNAL_DIRECTORY, "none"),
    ({}, read("/dev/null"), Gate.EXTERNAL_DIRECTORY, "none"),
    ({}, read("~/.pi/agent/x"), Gate.EXTERNAL_DIRECTORY, "bypass"),
    (
        {},
        read("~/.pi/agents"),
        Gate.EXTERNAL_DIRECTORY,
        "ask external_directory `~/.pi/agents` - special builtin",
    ),
    (
        {},
        read("~/.pi/agent/x", "edit"),
        Gate.EXTERNAL_DIRECTORY,
        "ask external_directory `~/.pi/agent/x` - special builtin",
    ),
    ({"read": {"*.md": "deny"}}, read("a.md"), Gate.TOOL, "deny read `a.md` *.md tool global"),
    ({"read": "allow"}, read(" a "), Gate.TOOL, "allow read `a` * tool global"),
    ({"read": {"*": "deny", "?": "allow"}}, ToolCall("read"), Gate.TOOL, "allow read `read` ? tool global"),
    ({"deploy": "deny"}, ToolCall("deploy"), Gate.TOOL, "deny deploy `deploy` * tool global"),
    ({"deploy": {"x": "deny"}}, ToolCall("deploy"), Gate.TOOL, "ask deploy `deploy` - default builtin"),
    (
        {"skill": {"art": "deny"}},
        ToolCall("skill", {"name": "art"}),
        Gate.TOOL,
        "deny skill `skill` art skill global",
    ),
    (
        {"mcp": {"jira:*": "deny"}},
        ToolCall("mcp", {"tool": "jira:list"}),
        Gate.TOOL,
        "deny mcp `jira:list` jira:* mcp global",
    ),
]


@pytest.mark.parametrize(("permission", "call", "name", "expected"), TOOLS)
def test_the_gates_of_other_tools(permission, call, name, expected):
    assert said(gate(decided(call, Case(permission)), name)) == expected


@pytest.mark.parametrize("entry", ["/opt/ref", "~/../../opt/ref", "/opt/r*", "/o?t/ref/*"])
def test_a_policy_adds_infrastructure_directories_and_patterns(entry):
    case = Case({}, config={"piInfrastructureReadPaths": [entry]})
    assert said(gate(decided(read("/opt/ref/x", "grep"), case), Gate.EXTERNAL_DIRECTORY)) == "bypass"
    assert gate(decided(read("/opt/other", "grep"), case), Gate.EXTERNAL_DIRECTORY).action is ASK


def test_a_host_adds_infrastructure_directories_and_names_the_directory_of_the_agent():
    place = Place(CWD, HOME, agent_dir="/var/agent", infrastructure=("/usr/lib/modules",))
    for path in ("/var/agent/git/x", "/usr/lib/modules/y"):
        result = gate(decided(read(path), Case({}, place=place)), Gate.EXTERNAL_DIRECTORY)
        assert result.outcome is GateOutcome.BYPASS
    assert gate(decided(read("~/.pi/agent"), Case({}, place=place)), Gate.EXTERNAL_DIRECTORY).action is ASK


def test_infrastructure_is_judged_by_what_a_path_resolves_to():
    place = linked((f"{HOME}/.pi/agent", "/mnt/agent"))
    assert gate(decided(read("~/.pi/agent/x"), Case({}, place=place)), Gate.EXTERNAL_DIRECTORY).action is ASK


SKILLS = with_skills(("art", "/opt/s/art/SKILL.md"), ("ink", "/opt/s/art/ink/SKILL.md"))
SKILL_READS = [
    ({}, "/opt/s/art/SKILL.md", "ask skill `art` - skill builtin"),
    ({"skill": {"ink": "allow"}}, "/opt/s/art/ink/x", "allow skill `ink` ink skill global"),
    ({"skill": {"ink": "deny"}}, "/opt/s/art/ink/x", "none"),
    ({"skill": "allow"}, "/opt/s/art/inks", "allow skill `art` * skill global"),
    ({}, "/opt/s/artist", "none"),
]


@pytest.mark.parametrize(("permission", "path", "expected"), SKILL_READS)
def test_the_skill_read_gate(permission, path, expected):
    assert said(gate(decided(read(path), Case(permission, place=SKILLS)), Gate.SKILL_READ)) == expected


def test_only_read_meets_the_skill_gate():
    decision = decided(read("/opt/s/art/x", "grep"), Case({}, place=SKILLS))
    assert said(gate(decision, Gate.SKILL_READ)) == "none"


ALIAS = {"shellTools": {"run": {"commandArgument": "script", "workdirArgument": "at"}}}


def test_an_aliased_shell_passes_the_gates_of_commands_and_of_its_path():
    call = ToolCall("run", {"script": "tac ../x", "at": "/opt/a", "path": "/e/y"})
    decision = decided(call, Case({"*": "allow", "path": {"/e/*": "ask"}}, config=ALIAS))
    assert [said(result) for result in decision.gates] == [
        "none",
        "ask path `/e/y` /e/* special global",
        "allow external_directory `/e/y` - special global",
        "bypass",
        "none",
        "allow bash `tac ../x` - bash global",
    ]
    assert [path.value for path in decision.program.external] == ["/opt/a", "/opt/x"]


@pytest.mark.parametrize("given", [{}, {"script": 7}, {"script": " "}, {"command": "make"}])
def test_an_aliased_shell_without_a_command_is_asked_about_the_empty_text(given):
    decision = decided(ToolCall("run", given), Case({"bash": {"*": "ask", "": "deny"}}, config=ALIAS))
    assert said(gate(decision, Gate.TOOL)) == "deny bash ``  bash global"


def test_gates_come_in_order_and_end_with_the_first_that_denies():
    case = Case({"*": "allow", "external_directory": "ask", "path": "ask"})
    assert [result.gate for result in decided("wc /e/x", case).gates] == list(Gate)
    case = Case({"*": "allow", "external_directory": "deny", "path": "ask"})
    assert [result.gate for result in decided("wc /e/x", case).gates] == list(Gate)[:4]
    case = Case({"*": "allow", "path": "deny"})
    assert [result.gate for result in decided("wc ./x", case).gates] == list(Gate)[:5]
    assert [result.gate for result in decided(read("./x"), case).gates] == list(Gate)[:2]
    assert [result.gate for result in decided(shell(""), case).gates] == list(Gate)
