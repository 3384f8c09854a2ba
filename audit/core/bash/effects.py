"""Whether a path token is read or written: the directional rule (core-bash.md 16.2, `effects`).

Revision 20.7.3 does not ask this; later ones and measures do. The rule proves, it does not guess: what it
cannot tell is unproven.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import NamedTuple

from audit.core.bash.parser import Node, kinds
from audit.core.bash.text import ARGUMENT, COMMAND_NAME, UNSEEN, value
from audit.core.revision import Revision
from audit.core.switches import Effects, UnresolvedRedirect

COMMAND = kinds("command")
REDIRECT = kinds("file_redirect")
NUMBER = kinds("number")
REDIRECTED = kinds("redirected_statement")
SEQUENCES = kinds("redirected_statement", "list", "pipeline")
BESIDE = REDIRECT | kinds(*UNSEEN)
"""What stands beside the body of a redirected statement."""


class Effect(StrEnum):
    """What becomes of the file that a token names."""

    READ = "read"
    WRITE = "write"
    UNPROVEN = "unproven"


READERS = frozenset(
    {
        "cat", "head", "tail", "wc", "grep", "egrep", "fgrep", "rg", "diff", "ls", "stat", "file",
        "pwd", "basename", "dirname", "realpath", "echo", "which", "cd", "find", "fd", "sort",
    }
)  # fmt: skip
"""Commands that only read, unless an argument withdraws it."""

OPERATORS: Mapping[str, Effect] = {
    ">": Effect.WRITE,
    ">>": Effect.WRITE,
    ">|": Effect.WRITE,
    "&>": Effect.WRITE,
    "&>>": Effect.WRITE,
    ">&": Effect.WRITE,
    "<": Effect.READ,
    "<&": Effect.READ,
}
"""Of redirects whose destination is a word."""

DUPLICATING = frozenset({">&", "<&"})
"""Behind which a number is a descriptor and no file."""
UNKNOWN_OPERATOR = ""

_FIND_WITHDRAWS = frozenset({"-exec", "-execdir", "-ok", "-okdir", "-delete", "-fprint", "-fprintf", "-fls"})


class Site(NamedTuple):
    """Where a token stands: in which command, and behind which redirect operator."""

    name: str
    """The command's name as written; empty where there is none."""
    arguments: tuple[str, ...]
    operator: str | None
    """None for an argument; empty for a redirect of an unknown kind."""


NOWHERE = Site("", (), None)

Sites = Mapping[tuple[int, int], Site]
"""Sites by the span of the token, in code units of the command."""


Doubt = Callable[[Node], bool]
"""Tells whether a redirect proves nothing, because of damage near it."""


def no_doubt(_redirect: Node) -> bool:
    """Take every redirect for what its operator says."""
    return False


def own_damage(redirect: Node) -> bool:
    """Tell whether a redirect did not parse whole."""
    return redirect.has_error


def damage_beside(redirect: Node) -> bool:
    """Tell whether a redirect, or what stands directly before it, did not parse whole."""
    before = redirect.prev_sibling
    return redirect.has_error or (before is not None and before.has_error)


def doubts(revision: Revision) -> Doubt:
    """Return when a redirect proves nothing under a revision."""
    return damage_beside if revision.unresolved_redirect is UnresolvedRedirect.ON else no_doubt


def asks_directions(revision: Revision) -> bool:
    """Tell whether a revision asks about reading and writing apart."""
    return revision.effects is Effects.DIRECTIONAL


def combined(one: Effect, other: Effect) -> Effect:
    """Return what two mentions of one path prove together."""
    return one if one is other else Effect.UNPROVEN


def effect_at(site: Site) -> Effect:
    """Return what the directional rule proves about a token at a site."""
    if site.operator is not None:
        return OPERATORS.get(site.operator, Effect.UNPROVEN)
    return Effect.READ if only_reads(site.name, site.arguments) else Effect.UNPROVEN


def only_reads(name: str, arguments: tuple[str, ...]) -> bool:
    """Tell whether a command with these arguments is proven to read only."""
    return name in READERS and not _is_withdrawn(name, arguments)


def may_write(redirect: Node, source: str, doubt: Doubt) -> bool:
    """Tell whether a redirect may write a file."""
    if doubt(redirect):
        return True
    operator = _operator(redirect, source, doubt)
    if operator in DUPLICATING and any(child.kind_id in NUMBER for child in redirect.named_children):
        return False
    return OPERATORS.get(operator) is not Effect.READ


def _is_withdrawn(name: str, arguments: tuple[str, ...]) -> bool:
    if name == "find":
        return any(argument in _FIND_WITHDRAWS for argument in arguments)
    if name == "fd":
        return any(_is_option(argument, ("--exec", "--exec-batch"), "xX") for argument in arguments)
    return name == "sort" and any(_is_option(argument, ("--output",), "o") for argument in arguments)


def _is_option(argument: str, long: tuple[str, ...], letters: str) -> bool:
    """Tell whether an argument is one of these long options or a cluster with one of these letters."""
    if argument.startswith("--"):
        return argument.partition("=")[0] in long
    return argument.startswith("-") and any(letter in argument for letter in letters)


def token_sites(root: Node, source: str, doubt: Doubt = own_damage) -> Sites:
    """Return the site of every word of a parsed command that can be a token.

    `source` is the code-unit string the tree was parsed from. A redirect stands at the command whose
    output or input it moves; for a group, a loop or nothing at all that is a site without a name.
    """
    sites: dict[tuple[int, int], Site] = {}
    pending = [(root, NOWHERE)]
    while pending:
        node, owner = pending.pop()
        kind = node.kind_id
        if kind in COMMAND:
            owner = _command_site(node, source)
            _add(sites, node, owner)
        elif kind in REDIRECTED:
            owner = _redirected_site(node, source)
        elif kind in REDIRECT:
            _add(sites, node, owner._replace(operator=_operator(node, source, doubt)))
            owner = NOWHERE
        elif kind not in ARGUMENT:
            owner = NOWHERE
        pending.extend((child, owner) for child in reversed(node.children))
    return sites


def _add(sites: dict[tuple[int, int], Site], node: Node, site: Site) -> None:
    for child in node.children:
        if child.kind_id in ARGUMENT:
            sites[child.start_byte >> 1, child.end_byte >> 1] = site


def _command_site(node: Node, source: str) -> Site:
    name = ""
    arguments: list[str] = []
    for child in node.children:
        if child.kind_id in COMMAND_NAME:
            name = source[child.start_byte >> 1 : child.end_byte >> 1]
        elif child.kind_id in ARGUMENT:
            arguments.append(value(child, source))
    return Site(name, tuple(arguments), None)


def _redirected_site(node: Node, source: str) -> Site:
    """Return the site of the command that a redirected statement redirects: the last one in a list."""
    body: Node | None = node
    while body is not None and body.kind_id in SEQUENCES:
        inner = [child for child in body.named_children if child.kind_id not in BESIDE]
        first_or_last = 0 if body.kind_id in REDIRECTED else -1
        body = inner[first_or_last] if inner else None
    return NOWHERE if body is None or body.kind_id not in COMMAND else _command_site(body, source)


def _operator(node: Node, source: str, doubt: Doubt) -> str:
    if doubt(node):
        return UNKNOWN_OPERATOR
    for child in node.children:
        if not child.is_named:
            return source[child.start_byte >> 1 : child.end_byte >> 1]
    return UNKNOWN_OPERATOR
