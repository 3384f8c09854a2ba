"""Builders for authored vectors: a family is several calls that witness one rule."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

Json = dict[str, Any]

POSIX: Json = {"cwd": "/srv/shop", "home": "/home/mara", "platform": "posix", "realpath": {}, "entries": None}
WIN32: Json = {
    "cwd": "C:\\Shop\\Till",
    "home": "C:\\Users\\Mara",
    "platform": "win32",
    "realpath": {},
    "entries": None,
}


def linked(links: Mapping[str, str], place: Json = POSIX) -> Json:
    """Return a place with symbolic links; longer paths first, as they are looked for."""
    return {**place, "realpath": dict(sorted(links.items(), key=lambda link: (-len(link[0]), link[0])))}


def calls(
    name: str,
    rule: str,
    listed: Sequence[tuple[str, Mapping[str, Any]]],
    policy: str = "till",
    place: Json = POSIX,
    agent: str | None = None,
) -> list[Json]:
    """Return one vector for each tool and input, numbered `name-1`, `name-2`, and so on."""
    return [
        {
            "id": f"{name}-{number}",
            "rule": rule,
            "policy": policy,
            "agent": agent,
            "call": {"tool": tool, "input": dict(given)},
            "place": place,
        }
        for number, (tool, given) in enumerate(listed, 1)
    ]


def shell(
    name: str,
    rule: str,
    commands: Sequence[str],
    policy: str = "till",
    place: Json = POSIX,
    agent: str | None = None,
) -> list[Json]:
    """Return one vector for each command of the native shell tool."""
    return calls(name, rule, [("bash", {"command": text}) for text in commands], policy, place, agent)


def paths(
    name: str, rule: str, tool: str, listed: Sequence[str], policy: str = "till", place: Json = POSIX
) -> list[Json]:
    """Return one vector for each path given to one file tool."""
    return calls(name, rule, [(tool, {"path": text}) for text in listed], policy, place)
