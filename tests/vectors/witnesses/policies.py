"""The policies of the authored vectors, as policy lines of the vector file."""

from __future__ import annotations

from .case import Json

SHELL_TOOLS: Json = {
    "run_shell": {"commandArgument": "script", "workdirArgument": "dir"},
    "term": {"commandArgument": "line"},
}
TILL: Json = {
    "*": "ask",
    "bash": {"*": "allow", "shred *": "deny", "deploy*": "ask"},
    "path": {"*": "allow", "*.pem": "deny", "vault": "deny", "ledger.?": "ask"},
    "external_directory": {"*": "ask", "/opt/cache/*": "allow", "/etc/*": "deny"},
    "read": "allow",
}
YOLO: Json = {
    "*": "ask",
    "bash": {"*": "ask", "shred *": "deny"},
    "path": {"*": "allow", "vault": "ask"},
    "external_directory": {"*": "ask", "/etc/*": "deny"},
    "edit": "deny",
}
WILDCARDS: Json = {
    "*": "ask",
    "bash": {
        "*": "ask",
        "stock *": "allow",
        "a?b": "deny",
        "say [ab]": "allow",
        "say {a,b}": "deny",
        "run * --dry": "allow",
        "GREET": "deny",
        "~/bin/stamp": "allow",
        "$HOME/tools/*": "allow",
        "dots.v1": "allow",
        "weigh **": "allow",
        "/x/*": "deny",
    },
    "read": {
        "*": "ask",
        "books/*": "allow",
        "*.env": "deny",
        "~/notes/*": "allow",
        "~/*/../y": "allow",
        "~\\z/q": "deny",
        "q??": "deny",
        "q?": "allow",
    },
}
SCOPED: tuple[Json, Json, Json, Json] = (
    {
        "*": "ask",
        "bash": {"*": "ask", "stock *": "allow"},
        "read": "allow",
        "mcp": {"till_*": "ask"},
        "write": "deny",
    },
    {"*": "deny", "bash": {"stock list": "deny"}, "read": {"*.txt": "ask"}, "todo": "allow"},
    {
        "bash": {"stock *": "ask"},
        "mcp": "allow",
        "skill": {"*": "ask", "pricing": "allow"},
        "write": {"books/*": "ask"},
    },
    {"*": "allow", "write": {"books/a.txt": {"action": "deny", "reason": "books are closed"}}, "find": "ask"},
)


def _line(name: str, permission: Json, **more: object) -> Json:
    return {"policy_named": name, "permission": permission, **more}


POLICIES: list[Json] = [
    _line("till", TILL),
    _line("aliases", {**TILL, "*": "deny"}, config={"shellTools": SHELL_TOOLS}),
    _line("nothing", {}),
    _line("all-allow", {"*": "allow"}),
    _line("bash-allow", {"bash": "allow"}),
    _line("fallback-deny", {"*": "deny", "bash": "allow"}),
    _line("fallback-deny-read", {"*": "deny", "read": "allow"}),
    _line("star-deny", {"*": "allow", "path": {"*": "deny", "vault": "allow", "?": "allow"}}),
    _line("path-ask", {"*": "allow", "path": {"*": "ask", "books/*": "allow"}}),
    _line("yolo", YOLO, config={"yoloMode": True}),
    _line(
        "scoped-paths",
        {"*": "allow", "path": {"vault": "deny"}},
        project={"path": {"*.key": "ask"}},
        agents={"packer": {"path": {"vault": "allow"}}},
        project_agents={"packer": {"path": {"stamp": {"action": "deny", "reason": "stamps are counted"}}}},
    ),
    _line(
        "scoped",
        SCOPED[0],
        project=SCOPED[1],
        agents={"packer": SCOPED[2]},
        project_agents={"packer": SCOPED[3]},
        config={"shellTools": {"term": {"commandArgument": "line"}}},
    ),
    _line(
        "merge-order",
        {"bash": {"*": "ask", "stock *": "deny", "count": "allow"}},
        project={"bash": {"stock *": "allow", "stock b": "deny", "weigh": "allow"}},
        agents={"packer": {"bash": {"*": "allow", "weigh": "ask"}}},
        project_agents={"packer": {"bash": {"seal": "deny", "count": "deny"}}},
    ),
    _line(
        "merge-replace",
        {"bash": {"shred *": "deny"}, "read": "deny"},
        project={"bash": "allow", "read": {"*.pem": "allow"}},
    ),
    _line("universal-map", {"*": {"*": "deny", "stock": "allow"}, "bash": {"stock": "allow"}}),
    _line(
        "order",
        {
            "bash": {
                "restock all": "deny",
                "restock *": "allow",
                "restock all *": "ask",
                "*": "ask",
                "restock": "deny",
            }
        },
    ),
    _line(
        "numbers",
        {
            "*": "ask",
            "31": "deny",
            "8": "allow",
            "bash": {"*": "ask", "8": "deny", "31": "allow", "008": "deny", "4294967295": "deny"},
        },
    ),
    _line(
        "surfaces",
        {
            "*": "ask",
            "rea?": "allow",
            "read": "deny",
            "re*": {"a": "ask", "b": "deny"},
            "*r*": {"books/*": "deny"},
            "**": "ask",
            "write": "allow",
        },
    ),
    _line("wildcards", WILDCARDS),
    _line(
        "comments",
        {
            "*": "deny",
            "bash": {
                "*": "ask",
                "# *": "deny",
                "##": "allow",
                "stock*": "allow",
                "{\nshred*": "deny",
                "say 'a\nc'": "allow",
                "if*stock*": "allow",
            },
        },
    ),
    _line(
        "reasons",
        {
            "bash": {
                "stock": "allow",
                "deny *": {"action": "deny", "reason": "ask the till"},
                "deny you": {"action": "deny"},
            },
            "write": {"*": {"action": "deny", "reason": "r" * 500}},
            "path": {"*.pem": {"action": "deny", "reason": "keys stay here"}},
            "web_fetch": {"x": "allow", "*": {"action": "deny", "reason": ""}},
        },
    ),
    _line(
        "alias-order",
        {
            "*": "allow",
            "path": {
                "./books/*": "deny",
                "books/a": "ask",
                "/srv/shop/books/*": "allow",
                "books/../*": "deny",
            },
            "read": {"/srv/shop/books/*": "deny", "./books/*": "allow", "books/b": "ask"},
        },
    ),
    _line(
        "floors",
        {
            "bash": {
                "*": "ask",
                "sudo *": "allow",
                "bash *": "allow",
                "stock *": "allow",
                "env *": "allow",
                "sudo shred *": "deny",
                "(env *": "allow",
                "nice *": "ask",
                "eval *": "allow",
            }
        },
    ),
    _line(
        "extension",
        {
            "*": "ask",
            "label_*": {"*": "allow", "3": "deny"},
            "path": {"*.pem": "deny"},
            "external_directory": "deny",
        },
    ),
    _line(
        "skills",
        {"*": "deny", "skill": {"*": "ask", "pricing": "allow", "aud*": "allow"}, "path": {"*.pem": "ask"}},
    ),
    _line(
        "read-rules",
        {
            "*": "ask",
            "read": {
                "*": "ask",
                "books/*": "allow",
                "~/x": "deny",
                "/srv/shop/safe/*": "deny",
                "/opt/annex/*": "allow",
                "@books/a": "deny",
            },
            "write": {"*": "allow", "./books/a": "deny"},
            "edit": {"*": "deny", "books/*": "ask"},
            "find": {"books": "allow", "*": "deny"},
            "ls": {"*": "ask", "books": "deny"},
            "grep": {"*": "allow", "?": "deny"},
            "path": {"*": "allow", "/srv/shop/safe/*": "ask"},
            "external_directory": {
                "*": "ask",
                "/opt/cache/*": "allow",
                "/etc/*": "deny",
                "/opt/annex/*": "allow",
                "/opt/store/*": "deny",
            },
        },
    ),
    _line(
        "infra",
        {"*": "allow", "external_directory": "deny"},
        config={"piInfrastructureReadPaths": ["/opt/manuals", "/opt/guides/*/notes/*", "~/handbook"]},
    ),
    _line(
        "mcp-rules",
        {
            "*": "ask",
            "mcp": {
                "till": "allow",
                "till_*": "deny",
                "post:*": "allow",
                "open": "ask",
                "mcp_list": "deny",
                "labels": "deny",
                "mcp_server_post": "allow",
                "a": "deny",
                "mcp": "allow",
            },
        },
        mcp_servers=["till", "post"],
    ),
    _line("mcp-star", {"mcp": {"*": "ask", "till": "allow", "post_*": "allow", "mcp_connect_till": "deny"}}),
    _line("mcp-baseline", {"*": "deny", "mcp": {"q_r": "allow"}}),
    _line("mcp-deny-only", {"*": "ask", "mcp": {"q_r": "deny"}, "m*": {"zzz": "allow"}}),
    _line(
        "win",
        {
            "*": "ask",
            "bash": {"*": "allow", "PACK *": "deny"},
            "read": {
                "*": "ask",
                "crates/*": "allow",
                "secret.txt": "deny",
                "D:/data/*": "allow",
                "/opt/cache/*": "deny",
            },
            "path": {
                "*": "allow",
                "Secret.TXT": "deny",
                "*.pem": "deny",
                "vault": "ask",
                "\u00e4rger.LOG": "ask",
                "k.log": "deny",
                "s.log": "deny",
                "/dev/null": "ask",
            },
            "external_directory": {
                "*": "ask",
                "/opt/cache/*": "allow",
                "C:/Shop/*": "allow",
                "d:\\*": "deny",
                "~/*": "allow",
            },
        },
        config={"shellTools": SHELL_TOOLS},
    ),
]
