"""What is asked how often: chained commands, other tools, and a long tail."""

# ruff: noqa: S108 - paths in logged text; nothing is opened

from __future__ import annotations

from dataclasses import replace

from .calls import CWD, HOME, Mood, Shell, SkillInput, Tool, Unit, simple
from .chance import Chance
from .commands import AREAS, PACKAGES, SERVICES, STEMS, all_simple, secret

Request = Shell | Tool | SkillInput

HEAD = (
    "npm test",
    "git push",
    "git add -A",
    "npm run lint",
    "pytest -q",
    "npm run build",
    "npm run typecheck",
    "docker compose up -d db",
    "git pull --rebase",
    "npm ci",
    "timeout 120 npm test",
    "ls -t ~/.npm/_logs",
    "cat /tmp/test.log",
    "git push --force",
    "rm -rf dist",
    "git reset --hard origin/main",
    "git stash drop",
    "cp .env.example .env",
    "source .env.local",
    "cat .git/config",
    'curl -s -H "Authorization: Bearer $SHOP_TOKEN" http://localhost:3000/api/orders',
)
"""The commands that come up most, most frequent first."""
LONG = 4
"""How many of the longest commands come up often, too."""


def chained(chance: Chance, shell: Shell) -> Shell:
    """Return a command as it often comes: after a `cd`, before a pipe, with its output kept."""
    shape = chance.pick(("folder", "folder", "root", "tail", "status", "echo", "kept", "subshell"))
    folder = chance.pick(
        [f"packages/{name}" for name in PACKAGES] + [f"services/{name}" for name in SERVICES]
    )
    if shape == "folder":
        made = simple(f"cd {folder}", Mood.ROUTINE).then(shell)
    elif shape == "root":
        made = simple(f"cd {CWD}", Mood.ROUTINE).then(shell)
    elif shape == "tail":
        tail = simple(f"tail -n {chance.pick((5, 20, 40))}", Mood.ROUTINE)
        made = replace(shell, command=shell.command + " 2>&1").then(tail, " | ")
    elif shape == "status":
        made = shell.then(simple("git status --short", Mood.ROUTINE))
    elif shape == "echo":
        made = shell.then(simple('echo "exit $?"', Mood.ROUTINE), "; ")
    elif shape == "kept":
        name = chance.pick(("test", "build", "run"))
        made = shell.into(f"/tmp/{name}.log", f" > /tmp/{name}.log 2>&1")
    else:
        made = in_subshell(folder, shell)
    return made


def in_subshell(folder: str, shell: Shell) -> Shell:
    """Return a command run in a folder and back again."""
    text = f"(cd {folder} && {shell.command})"
    inner = (Unit(f"cd {folder}"), *shell.units)
    units = (Unit(text), *(replace(unit, context=unit.context or "subshell") for unit in inner))
    return replace(shell, command=text, units=units, bare=False)


def chains(chance: Chance, simples: list[Shell], count: int) -> list[Shell]:
    """Return chained commands, all different."""
    parts = [shell for shell in simples if shell.bare and len(shell.command) < 400]
    made: dict[str, Shell] = {}
    while len(made) < count:
        shell = chance.pick(parts)
        if chance.happens(0.25):
            other = chance.pick(parts)
            if other.command != shell.command:
                shell = shell.then(other, chance.pick((" && ", "; ")))
        else:
            shell = chained(chance, shell)
        made.setdefault(shell.command, shell)
    return list(made.values())


def file_tools() -> list[Tool]:
    """Return calls of the file tools, inside and outside the project."""
    made = [
        read("certs/dev.pem", Mood.RISKY),
        read(".git/config"),
        read("~/.npm/_logs/latest.log", Mood.ROUTINE),
        read("~/.npmrc", Mood.RISKY),
        read("/etc/hosts", Mood.DOUBTFUL),
        read("../shop-design/README.md"),
        read("/tmp/test.log", Mood.ROUTINE),
        read(f"{HOME}/.pi/agent/skills/release/SKILL.md", Mood.ROUTINE),
        read("~/.pi/agent/AGENTS.md", Mood.ROUTINE),
        read(f"{HOME}/.pi/agent/skills/pricing/SKILL.md", Mood.ROUTINE),
        Tool(
            "grep",
            Mood.ROUTINE,
            "~/.cache/vite",
            preview="for pattern 'chunk', path '~/.cache/vite'",
            input={"pattern": "chunk", "path": "~/.cache/vite"},
        ),
        Tool(
            "find",
            Mood.USUAL,
            "../shop-design",
            preview="for pattern '*.svg', path '../shop-design'",
            input={"pattern": "*.svg", "path": "../shop-design"},
        ),
        Tool(
            "ls",
            Mood.USUAL,
            "/var/log/nginx",
            preview="for path '/var/log/nginx'",
            input={"path": "/var/log/nginx"},
        ),
    ]
    for path, mood in (
        ("package.json", Mood.USUAL),
        ("tsconfig.json", Mood.USUAL),
        (".env", Mood.RISKY),
        (".env.local", Mood.RISKY),
        ("docker-compose.yml", Mood.USUAL),
        ("migrations/0012_vouchers.sql", Mood.USUAL),
        ("../shop-design/tokens.json", Mood.DOUBTFUL),
        (".git/hooks/pre-commit", Mood.DOUBTFUL),
        ("src/cart/price.ts", Mood.ROUTINE),
        ("README.md", Mood.ROUTINE),
    ):
        made.append(edit(path, 1 + len(path) % 3, mood))
    for area in AREAS:
        made += [write(f"src/{area}/{stem}.ts", 20 + 7 * len(stem + area)) for stem in STEMS[:3]]
        made.append(write(f"src/{area}/total.test.ts", 48 + len(area)))
    made += [write("docs/rounding.md", 30), write(".env.local", 6, Mood.RISKY), write("/tmp/plan.md", 12)]
    return made


def read(path: str, mood: Mood = Mood.USUAL) -> Tool:
    """Return a read of a whole file."""
    return Tool("read", mood, path, preview=f"for path '{path}'", input={"path": path})


def write(path: str, lines: int, mood: Mood = Mood.USUAL) -> Tool:
    """Return a write; the content itself is nowhere in the log."""
    preview = f"for '{path}' ({lines} lines, {lines * 31} characters)"
    return Tool("write", mood, path, preview=preview, input={"path": path, "content": ""})


def edit(path: str, count: int, mood: Mood) -> Tool:
    """Return an edit of some replacements."""
    noun = "1 replacement" if count == 1 else f"{count} replacements"
    more = f", plus {count - 1} additional edit{'s' if count > 2 else ''}" if count > 1 else ""
    preview = f"for '{path}' ({noun}: edit #1 replaces 2 lines with 3 lines{more})"
    return Tool("edit", mood, path, preview=preview, input={"path": path, "edits": []})


def other_tools() -> list[Tool]:
    """Return MCP calls, skills, the web and the list of things to do."""
    made = [
        mcp("github", "list_issues", 'owner: "corner", repo: "shop"', Mood.ROUTINE),
        mcp("github", "list_pulls", 'owner: "corner", repo: "shop"', Mood.ROUTINE),
        mcp("github", "create_issue", 'title: "Totals drift by a cent", labels: [2 items]', Mood.USUAL),
        mcp("github", "merge_pull", "number: 412", Mood.NEVER),
        mcp("db", "query", 'sql: "select sku, count(*) from stock group by sku"', Mood.USUAL),
        mcp("db", "drop_table", 'table: "carts_old"', Mood.NEVER),
        mcp("browser", "navigate", 'url: "http://localhost:3000/cart"', Mood.ROUTINE),
        mcp("browser", "click", 'selector: "#pay"', Mood.USUAL),
        mcp("docs", "search", 'query: "intl number format"', Mood.ROUTINE),
    ]
    made += [
        Tool("skill", Mood.USUAL, preview=f'input {{"name":"{name}"}}', input={"name": name})
        for name in ("release", "migration", "pricing")
    ]
    pages = [
        f"https://docs.till.example/{page}" for page in ("money", "http/retry-after", "css/print", "streams")
    ]
    made += [
        Tool("web_fetch", Mood.ROUTINE, preview=f'input {{"url":"{url}"}}', input={"url": url})
        for url in pages
    ]
    made += [
        Tool("web_search", Mood.USUAL, preview=f'input {{"query":"{query}"}}', input={"query": query})
        for query in ("half even rounding euro", "postgres advisory lock", "vitest fake timers")
    ]
    headers = {"url": "https://api.till.example/rates", "authorization": "Bearer 5f2e"}
    text = 'input {"url":"https://api.till.example/rates","authorization":"Bearer 5f2e"}'
    made.append(Tool("web_fetch", Mood.DOUBTFUL, preview=text, input=dict(headers)))
    made.append(Tool("todo", Mood.ROUTINE, preview='input {"action":"list"}', input={"action": "list"}))
    return made


def mcp(server: str, tool: str, arguments: str, mood: Mood) -> Tool:
    """Return a call of an MCP tool by its qualified name."""
    given: dict[str, object] = {"tool": f"{server}:{tool}"}
    return Tool("mcp", mood, target=f"{server}_{tool}", arguments=arguments, input=given)


class Traffic:
    """Draws requests: shell commands with a few very frequent ones and a long tail, and other tools."""

    def __init__(self, chance: Chance, commands: int) -> None:
        simples = all_simple()
        known = {shell.command: shell for shell in simples}
        longest = sorted(simples, key=lambda shell: -len(shell.command))[:LONG]
        tail = [shell for shell in simples if shell.command not in HEAD and shell not in longest]
        tail += chains(chance, simples, commands - len(simples))
        self._shells = [*(known[text] for text in HEAD), *longest, *chance.shuffled(tail)]
        self._running: list[int] = []
        total = 0
        for rank in range(len(self._shells)):
            total += 100_000 // (rank + 14)
            self._running.append(total)
        self._files = file_tools()
        self._secret = list(secret())
        self._others = other_tools()
        self._chance = chance

    def secret(self) -> Request:
        """Return a command that holds a secret."""
        return self._chance.pick(self._secret)

    def draw(self) -> Request:
        """Return the next request."""
        chance = self._chance
        if chance.happens(0.74):
            return chance.weighted(self._shells, self._running)
        if chance.happens(0.04):
            return SkillInput(chance.pick(("release", "migration")))
        return chance.pick(self._files if chance.happens(0.6) else self._others)
