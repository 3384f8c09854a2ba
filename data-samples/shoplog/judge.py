"""The policy's answers to the requests of the sample, gate by gate.

Only what the sample needs: the parts of a command are known from how it was made, nothing is parsed.
A test holds every answer against the decision core.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from .calls import CWD, HOME, Shell, Tool, Unit, lexical

PATH_TOOLS = ("read", "write", "edit", "find", "grep", "ls")
INFRASTRUCTURE = f"{HOME}/.pi/agent/"
SENTINELS = {"opaque-payload": "<opaque-bash-wrapper>", "indirection": "<indirection-bash-wrapper>"}
UNPARSEABLE = "<unparseable-bash-command>"


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule; session rules have the origin `session`."""

    surface: str
    pattern: str
    state: str
    origin: str = "global"


@dataclass(frozen=True, slots=True)
class Gate:
    """What one gate says to a request."""

    surface: str
    """`path`, `external_directory`, `bash` or a tool name."""
    state: str
    """`allow`, `ask`, `deny`, `session`, `yolo`, `bypass` or `infrastructure`."""
    pattern: str | None = None
    origin: str = "builtin"
    unit: Unit | None = None
    """The unit that decides at the tool gate of a shell command."""
    value: str | None = None
    """The token that decides at the path gate of a shell command."""
    paths: tuple[str, ...] = ()
    """Paths outside that are not allowed; of a bypass, all of them or all tokens."""
    grants: tuple[str, ...] = ()
    """The patterns that an approval for the session would record."""


@cache
def pattern(text: str) -> re.Pattern[str]:
    """Return a wildcard as a regular expression."""
    if text.startswith("~/"):
        text = HOME + text[1:]
    optional = text.endswith(" *") and not text.endswith(" **")
    body = "".join({"*": ".*", "?": "."}.get(letter, re.escape(letter)) for letter in text)
    if optional:
        body = body.removesuffix(re.escape(" ") + ".*") + "(?: .*)?"
    return re.compile(body, re.DOTALL)


def load(path: Path) -> list[Rule]:
    """Return the rules of a configuration file, weakest first; comments stand on lines of their own."""
    text = re.sub(r"^\s*//.*$", "", path.read_text(encoding="utf-8"), flags=re.MULTILINE)
    permission = json.loads(text)["permission"]
    rules = [Rule("*", "*", permission.pop("*"), "default")]
    for surface, entry in permission.items():
        listed = entry if isinstance(entry, dict) else {"*": entry}
        for key, value in listed.items():
            rules.append(Rule(surface, key, value["action"] if isinstance(value, dict) else value))
    return rules


class Judge:
    """Answers requests under the configured rules and those of one session."""

    def __init__(self, rules: Sequence[Rule], floors: frozenset[str], *, yolo: bool) -> None:
        self._rules = rules
        self._session: list[Rule] = []
        self._floors = floors
        self._yolo = yolo

    def grant(self, gate: Gate) -> None:
        """Record an approval for the rest of the session."""
        surface = gate.surface
        self._session += [Rule(surface, text, "allow", "session") for text in gate.grants]

    def gates(self, request: Shell | Tool) -> Iterator[Gate]:
        """Yield what the gates say, in their order; those that do not apply are left out."""
        if isinstance(request, Shell):
            yield from self._outside(request)
            yield from self._tokens(request)
            yield self._units(request)
        else:
            yield from self._tool(request)

    def _winner(self, surface: str, values: Sequence[str]) -> Rule:
        for rule in (*reversed(self._session), *reversed(self._rules)):
            if rule.surface in ("*", surface) and any(pattern(rule.pattern).fullmatch(v) for v in values):
                return rule
        raise LookupError(surface)

    def _check(self, surface: str, values: Sequence[str]) -> tuple[str, str | None, str]:
        """Return state, pattern and origin of the winning rule."""
        rule = self._winner(surface, values)
        if rule.origin == "session":
            return "session", rule.pattern, "session"
        state = "yolo" if self._yolo and rule.state == "ask" else rule.state
        shown = None if rule.origin == "default" else rule.pattern
        return state, shown, "yolo" if state == "yolo" else rule.origin

    def _outside(self, shell: Shell) -> Iterator[Gate]:
        if not shell.external:
            return
        checks = [(path, *self._check("external_directory", [path])) for path in shell.external]
        kept = [check for check in checks if check[1] in ("ask", "deny")]
        if not kept:
            yield Gate("external_directory", "bypass", paths=shell.external)
            return
        worst = next((check for check in kept if check[1] == "deny"), kept[0])
        paths = tuple(check[0] for check in kept)
        grants = tuple(folder(path) for path in paths)
        yield Gate("external_directory", worst[1], worst[2], worst[3], paths=paths, grants=grants)

    def _tokens(self, shell: Shell) -> Iterator[Gate]:
        if not shell.tokens:
            return
        kept: list[tuple[str, str, str | None]] = []
        states = []
        for token in shell.tokens:
            state, shown, _ = self._check("path", [lexical(token), token])
            states.append(state)
            if state in ("ask", "deny"):
                kept.append((token, state, shown))
            if state == "deny":
                break
        if all(state == "session" for state in states):
            yield Gate("path", "bypass", paths=shell.tokens)
        elif kept:
            token, state, shown = next((item for item in kept if item[1] == "deny"), kept[0])
            yield Gate("path", state, shown, "global", value=token, grants=(folder(lexical(token)),))

    def _units(self, shell: Shell) -> Gate:
        if not shell.units:
            return Gate(
                "bash", "ask", UNPARSEABLE, unit=Unit(shell.command), grants=(suggestion(shell.command),)
            )
        worst: tuple[int, str, str | None, str, Unit] | None = None
        for unit in shell.units:
            state, shown, origin = self._check("bash", [unit.text])
            rank = {"ask": 1, "deny": 2}.get(state, 0)
            if unit.wrapper in self._floors and rank == 0:
                shown, rank = SENTINELS[unit.wrapper], 1
                state = state if state == "session" else "ask"
            if worst is None or rank > worst[0]:
                worst = (rank, state, shown, origin, unit)
        assert worst is not None  # noqa: S101 - a command has a unit
        _, state, shown, origin, unit = worst
        return Gate("bash", state, shown, origin, unit=unit, grants=(suggestion(unit.text),))

    def _tool(self, tool: Tool) -> Iterator[Gate]:
        values = ["*"]
        grants = ("*",)
        if tool.path is not None:
            full = lexical(tool.path)
            relative = full.removeprefix(CWD + "/")
            values = list(
                dict.fromkeys((full, relative, tool.path) if relative != full else (full, tool.path))
            )
            grants = (folder(full),)
            state, shown, origin = self._check("path", values)
            if state in ("ask", "deny"):
                yield Gate("path", state, shown, origin, grants=grants)
            if relative == full:
                yield from self._tool_outside(tool, values)
        elif tool.target is not None:
            values = [tool.target]
            grants = (tool.target.split("_")[0] + "_*",)
        elif tool.name == "skill":
            values = [str(tool.input["name"])]
        state, shown, origin = self._check(tool.name, values)
        yield Gate(tool.name, state, shown, origin, grants=grants)

    def _tool_outside(self, tool: Tool, values: Sequence[str]) -> Iterator[Gate]:
        if values[0].startswith(INFRASTRUCTURE) and tool.name in ("read", "find", "grep", "ls"):
            yield Gate("external_directory", "infrastructure")
            return
        state, shown, origin = self._check("external_directory", values)
        yield Gate(
            "external_directory", state, shown, origin, paths=(values[0],), grants=(folder(values[0]),)
        )

    def skill(self, name: str) -> Gate:
        """Return the answer to a skill that a person types; session rules take no part."""
        rules, self._session = self._session, []
        try:
            state, shown, origin = self._check("skill", [name])
        finally:
            self._session = rules
        return Gate("skill", state, shown, origin)


def folder(path: str) -> str:
    """Return the pattern that an approval of a path grants."""
    return path.rsplit("/", 1)[0] + "/*"


TWO = ("git", "npm", "npx", "pnpm", "docker", "pip")
THREE = ("npm run", "docker compose", "pnpm exec")
ONE_OF_TWO = 2


def suggestion(text: str) -> str:
    """Return the pattern that an approval of a unit grants."""
    words = text.split()
    if len(words) <= 1:
        return text
    length = 2 if words[0] in TWO else 1
    if " ".join(words[:2]) in THREE:
        length = 3
    length = min(length, len(words))
    return text + "*" if length == len(words) else " ".join(words[:length]) + " *"
