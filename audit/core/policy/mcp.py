"""The candidates under which an MCP call is looked up (core-policy.md 10)."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping, Sequence

from audit.core.ecma import to_code_units, trim

_COLLATED = "_-,;:!?.'\"()[]{}@*/\\&#%`^+<=>|~$0123456789abcdefghijklmnopqrstuvwxyz"
_PRIMARY = {character: rank for rank, character in enumerate(_COLLATED)}


def candidates(arguments: Mapping[str, object], servers: Sequence[str]) -> list[str]:
    """Return what an `mcp` call may be called, most specific first; texts of code units.

    `servers` are the configured names in the order of `server_order`.
    """
    given = {name: _argument(arguments, name) for name in ("tool", "server", "connect", "describe", "search")}
    server = given["server"]
    if given["tool"]:
        names = [*_references(given["tool"], server, servers), "mcp_call"]
    elif given["connect"]:
        names = [f"mcp_connect_{given['connect']}", given["connect"], "mcp_connect"]
    elif given["describe"]:
        names = [*_references(given["describe"], server, servers), "mcp_describe"]
    elif given["search"]:
        of_server = [f"mcp_server_{server}", server] if server else []
        names = [*of_server, given["search"], "mcp_search"]
    elif server:
        names = [f"mcp_server_{server}", server, "mcp_list"]
    else:
        names = ["mcp_status"]
    return list(dict.fromkeys([*names, "mcp"]))


def server_order(names: Iterable[str]) -> tuple[str, ...]:
    """Return server names as they are looked for: trimmed, once each, longest first, then collated."""
    trimmed = dict.fromkeys(filter(None, (trim(to_code_units(name)) for name in names)))
    return tuple(sorted(trimmed, key=lambda name: (-len(name), _collation(name))))


def _argument(arguments: Mapping[str, object], name: str) -> str:
    value = arguments.get(name)
    return trim(to_code_units(value)) if isinstance(value, str) else ""


def _references(reference: str, hint: str, servers: Sequence[str]) -> list[str]:
    """Return the names of one tool, with and without its server."""
    left, colon, right = reference.partition(":")
    left, right = trim(left), trim(right)
    split = bool(colon and left and right)
    server = hint or (left if split else "")
    tool = right if split else reference
    if server:
        owners = [server]
    else:
        owners = [name for name in servers if tool.endswith(f"_{name}") and not tool.startswith(f"{name}_")]
    qualified = [name for owner in owners for name in (f"{owner}_{tool}", f"{owner}:{tool}", owner)]
    return [*qualified, tool, reference]


def _collation(name: str) -> tuple[list[tuple[int, int]], list[str], list[bool]]:
    """Return a sort key after the root collation: letters, then their marks, then small before capital.

    Exact for ASCII; other scripts follow their code points.
    """
    letters: list[tuple[int, int]] = []
    marks: list[str] = []
    capitals: list[bool] = []
    for character in unicodedata.normalize("NFD", name):
        if unicodedata.combining(character) and marks:
            marks[-1] += character
        elif character == " " or character.isprintable():
            small = character.lower()
            rank = _PRIMARY.get(small)
            if character == " ":
                letters.append((0, 0))
            else:
                letters.append((1, rank) if rank is not None else (2, ord(small[0])))
            marks.append("")
            capitals.append(character != small)
    return letters, marks, capitals
