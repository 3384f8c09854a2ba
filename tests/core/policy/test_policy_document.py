"""Policy documents (core-policy.md 2.3, 2.4 and 2.6)."""

import json

import pytest

from audit.core.policy.compose import PolicySources
from audit.core.policy.document import (
    read_bundle,
    read_config,
    read_policy,
)
from audit.errors import DocumentError


def config(value):
    return read_config(json.dumps(value), "p.json")


def mistakes(value):
    with pytest.raises(DocumentError) as caught:
        config(value)
    return caught.value.mistakes


def permission(value):
    return {"permission": value}


def bash(value):
    return {"permission": {"bash": value}}


@pytest.mark.parametrize(
    "value",
    [
        {},
        {"permission": {}},
        bash({}),
        bash({"action": "deny"}),
        bash({"dd": {"action": "deny"}}),
        bash({"dd": {"action": "deny", "reason": ""}}),
        bash({"dd": {"action": "deny", "reason": "r" * 500}}),
        bash({"dd": {"action": "deny", "reason": "\U0001f600" * 250}}),
        permission({"*": {"x": "deny"}}),
        permission({"anything at all": "ask"}),
        {"$schema": "x", "debugLog": True, "permissionReviewLog": False, "yoloMode": False},
        {"doublePressToConfirm": True, "toolInputPreviewMaxLength": 1, "toolTextSummaryMaxLength": 2.0},
        {"toolInputPreviewMaxLength": 2**53 - 1},
        {"piInfrastructureReadPaths": []},
        {"piInfrastructureReadPaths": ["/x", "~/y*"]},
        {"shellTools": {}},
        {"shellTools": {"run": {"commandArgument": "line", "workdirArgument": "dir"}}},
    ],
)
def test_documents_without_a_mistake(value):
    document = config(value)
    assert document.permission == value.get("permission", {})
    assert set(document.knobs) == set(value) - {"permission", "$schema"}


SAFE = 2**53
ONE_MISTAKE = [
    ({"permission": "deny"}, "permission", '`"deny"`', "an object from surfaces"),
    ({"permission": None}, "permission", "`null`", "an object from surfaces"),
    ({"permission": []}, "permission", "a list", "an object from surfaces"),
    (bash("Deny"), "permission.bash", '`"Deny"`', "did you mean `deny`?"),
    (bash("alow"), "permission.bash", '`"alow"`', "did you mean `allow`?"),
    (bash("never"), "permission.bash", '`"never"`', "allow, ask or deny"),
    (bash(None), "permission.bash", "`null`", "allow, ask or deny"),
    (bash(["deny"]), "permission.bash", "a list", "an object from patterns"),
    (bash(1), "permission.bash", "`1`", "allow, ask or deny"),
    (permission({"": "ask"}), 'permission[""]', "an empty key", "a tool name"),
    (permission({"tool x": 1}), 'permission["tool x"]', "`1`", "allow, ask or deny"),
    (bash({"": "ask"}), 'permission.bash[""]', "an empty key", "a pattern"),
    (bash({"dd *": "no"}), 'permission.bash["dd *"]', '`"no"`', '{"action": "deny", "reason": text}'),
    (bash({"dd *": None}), 'permission.bash["dd *"]', "`null`", "allow, ask, deny or"),
    (bash({"dd": {}}), "permission.bash.dd", "`action` is missing", "deny"),
    (bash({"dd": {"action": "ask"}}), "permission.bash.dd.action", '`"ask"`', "written without an object"),
    (bash({"dd": {"action": "deny", "reason": 1}}), "permission.bash.dd.reason", "`1`", "a text"),
    (bash({"dd": {"action": "deny", "z": 1}}), "permission.bash.dd.z", "unknown key", "action, reason"),
    (
        bash({"dd": {"action": "deny", "reason": "r" * 501}}),
        "permission.bash.dd.reason",
        "(501 characters)",
        "at most 500",
    ),
    (
        bash({"dd": {"action": "deny", "reason": "\U0001f600" * 250 + "!"}}),
        "permission.bash.dd.reason",
        "(501 characters)",
        "at most 500",
    ),
    (bash({"action": "deny", "reason": "x y"}), "permission.bash.reason", '`"x y"`', '{"*": {"action"'),
    ({"debugLog": "true"}, "debugLog", '`"true"`', "true or false"),
    ({"debugLog": None}, "debugLog", "`null`", "true or false"),
    ({"yoloMode": 1}, "yoloMode", "`1`", "true or false"),
    ({"toolInputPreviewMaxLength": 0}, "toolInputPreviewMaxLength", "`0`", "a whole number"),
    ({"toolInputPreviewMaxLength": 1.5}, "toolInputPreviewMaxLength", "`1.5`", "a whole number"),
    ({"toolInputPreviewMaxLength": "9"}, "toolInputPreviewMaxLength", '`"9"`', "a whole number"),
    ({"toolTextSummaryMaxLength": SAFE}, "toolTextSummaryMaxLength", f"`{SAFE}`", "a whole number"),
    ({"toolTextSummaryMaxLength": True}, "toolTextSummaryMaxLength", "`true`", "a whole number"),
    ({"piInfrastructureReadPaths": ["/a", ""]}, "piInfrastructureReadPaths[1]", '`""`', "not empty"),
    ({"piInfrastructureReadPaths": "/a"}, "piInfrastructureReadPaths", '`"/a"`', "a list"),
    ({"shellTools": {"x": {}}}, "shellTools.x", "`commandArgument` is missing", "not empty"),
    ({"shellTools": {"x": {"commandArgument": ""}}}, "shellTools.x.commandArgument", '`""`', "not empty"),
    ({"shellTools": {"x": {"commandArgument": "c", "y": 1}}}, "shellTools.x.y", "unknown", "workdirArgument"),
    ({"shellTools": {"": {"commandArgument": "c"}}}, 'shellTools[""]', "an empty key", "a tool name"),
    ({"permision": {}}, "permision", "unknown key", "did you mean `permission`?"),
    ({"YoloMode": True}, "YoloMode", "unknown key", "did you mean `yoloMode`?"),
    ({"wholly-other": 1}, '["wholly-other"]', "unknown key", "known keys are $schema"),
    ({"read": "deny"}, "read", "unknown key", "a surface belongs into `permission`"),
    ({"tools": {}}, "tools", "unknown key", "`permission.NAME`"),
    ({"defaultPolicy": {}}, "defaultPolicy", "unknown key", 'permission["*"]'),
    ({"bash": {}}, "bash", "unknown key", "`permission.bash`"),
    ({"special": {}}, "special", "unknown key", "`permission.external_directory`"),
    ([], "(document)", "a list", "an object in braces"),
    (None, "(document)", "`null`", "an object in braces"),
    (3, "(document)", "`3`", "an object in braces"),
]


@pytest.mark.parametrize(("value", "path", "found", "allowed"), ONE_MISTAKE)
def test_a_mistake_is_named_with_its_place_and_what_is_allowed(value, path, found, allowed):
    (mistake,) = mistakes(value)
    assert (mistake.document, mistake.path) == ("p.json", path)
    assert found in mistake.found
    assert allowed in mistake.allowed


def test_all_mistakes_come_at_once_in_the_order_of_the_document():
    found = mistakes(
        {
            "yoloMode": "yes",
            "permission": {"bash": {"a": "no", "b": {"action": "ask", "why": 1}}, "read": []},
            "extra": 1,
            "shellTools": {"x": {"workdirArgument": 1}},
        }
    )
    assert [mistake.path for mistake in found] == [
        "yoloMode",
        "permission.bash.a",
        "permission.bash.b.action",
        "permission.bash.b.why",
        "permission.read",
        "extra",
        "shellTools.x",
        "shellTools.x.workdirArgument",
    ]


def test_no_word_of_the_validation_library_is_shown():
    for value, *_ in ONE_MISTAKE:
        for mistake in mistakes(value):
            text = f"{mistake.found} {mistake.allowed}"
            assert not any(
                word in text for word in ("is not of type", "is not one of", "schema ", "Additional")
            )


def test_a_key_that_names_the_prototype_is_discarded():
    permission = '{"__proto__": 3, "bash": {"__proto__": 4, "x": "deny"}}'
    document = read_config(f'{{"permission": {permission}, "shellTools": {{"__proto__": 5}}}}', "p")
    assert document.permission == {"bash": {"x": "deny"}}
    assert document.knobs == {"shellTools": {}}


def test_warnings_leave_the_document_usable():
    document = read_config(
        '{"permission": {"*": {"x": "ask"}, "bash": {"a b": "ask", "a b": "deny"}}}', "p.json"
    )
    assert document.permission == {"*": {"x": "ask"}, "bash": {"a b": "deny"}}
    assert [(warning.document, warning.path) for warning in document.warnings] == [
        ("p.json", '["a b"]'),
        ("p.json", 'permission["*"]'),
    ]


def test_the_order_of_keys_survives_reading():
    document = config(bash({"b": "ask", "7": "ask", "a": "deny"}))
    assert list(document.permission["bash"]) == ["b", "7", "a"]


BUNDLE = {
    "permission": {"bash": "ask"},
    "project": {"bash": {"x": "deny"}},
    "agents": {"scribe": {"read": "deny"}},
    "project_agents": {"scribe": {"bash": {"y": {"action": "deny", "reason": "r" * 600}}}},
    "config": {"yoloMode": True, "$schema": "s"},
    "mcp_servers": ["jira"],
}
SOURCES = PolicySources(
    BUNDLE["permission"],
    BUNDLE["project"],
    BUNDLE["agents"],
    BUNDLE["project_agents"],
    {"yoloMode": True},
    ("jira",),
)


def test_a_bundle_is_read_from_a_message_and_from_a_file():
    message = {"type": "policy", "name": "p", "new member": 1, **BUNDLE}
    assert read_bundle(message, "p") == SOURCES
    assert read_policy(json.dumps(BUNDLE), "p").sources == SOURCES
    assert read_bundle({"permission": {"bash": "ask"}, "project": None}, "p") == PolicySources(
        {"bash": "ask"}
    )
    assert read_bundle({"config": {"later": 1, "yoloMode": True}}, "p").config == {"yoloMode": True}


def test_a_policy_file_may_be_a_configuration_file():
    sources = read_policy('{"permission": {"bash": "ask"}, "yoloMode": true}', "p").sources
    assert sources == PolicySources({"bash": "ask"}, config={"yoloMode": True})


def test_mistakes_in_a_bundle_carry_their_scope():
    value = {
        **BUNDLE,
        "agents": {"scribe": {"read": "no"}},
        "config": {"yoloMode": 1},
        "mcp_servers": "jira",
        "yoloMode": True,
    }
    with pytest.raises(DocumentError) as caught:
        read_policy(json.dumps(value), "p.json")
    found = caught.value.mistakes
    assert [mistake.path for mistake in found] == [
        "agents.scribe.read",
        "config.yoloMode",
        "mcp_servers",
        "yoloMode",
    ]
    assert "belongs into `config`" in found[-1].allowed
