"""What an approval "for this session" grants at each gate (core-policy.md 14)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType

from audit.core.ecma import WHITESPACE, trim
from audit.core.paths.flavor import Flavor
from audit.core.policy.command_text import without_comment_lines

_NAMED_BY_ONE_WORD = """
make, ls, ll, la, cat, less, more, head, tail, grep, rg, ag, find, touch, mkdir, rm, cp, mv, ln, chmod, chown,
du, df, echo, printf, diff, patch, wc, sort, uniq, awk, sed, tar, zip, unzip, curl, wget, ssh, scp, rsync,
ping, kill, killall, pkill
"""
_NAMED_BY_TWO_WORDS = """
git, hg, svn, npm, npx, pnpm, yarn, bun, bun add, deno, pip, pip3, uv, cargo, go, bundle, docker, podman,
kubectl, helm, gh, fly, vercel, wrangler, bazel, terraform, tofu, pulumi, systemctl, service, brew, apt,
apt-get, yum, dnf
"""
_NAMED_BY_THREE_WORDS = """
npm run, npm exec, pnpm run, pnpm exec, pnpm dlx, yarn run, bun run, bun x, deno run, deno task, deno compile,
uv run, uv pip, go run, bundle exec, docker compose, docker container, docker image, docker network,
docker volume, podman compose, aws, az, gcloud, gh pr, gh issue, gh repo
"""
_BY_ARITY = enumerate((_NAMED_BY_ONE_WORD, _NAMED_BY_TWO_WORDS, _NAMED_BY_THREE_WORDS), start=1)

ARITY: Mapping[str, int] = MappingProxyType(
    {command.strip(): arity for arity, commands in _BY_ARITY for command in commands.split(",")}
)
"""How many leading words name what a command does, by its first word or words (14.2)."""

_LONGEST_ENTRY = max(len(command.split()) for command in ARITY)

_INHERITED = frozenset({"constructor", "__proto__"})
"""Words that the reference finds in its table without having put them there; no length comes of them."""

_BLANKS = re.compile(f"[{WHITESPACE}]+")


def directory_pattern(path: str, flavor: Flavor) -> str:
    """Return the pattern for everything beside or below a path (14.1, core-bash.md A1).

    A path that ends with the separator is a directory and stands for its own contents, any other one
    for those of its parent.
    """
    separator = flavor.separator
    directory = path if path.endswith(separator) else flavor.dirname(path)
    return directory + "*" if directory.endswith(separator) else f"{directory}{separator}*"


def mcp_suggestion(target: str) -> str:
    """Return the pattern for the server that an MCP candidate belongs to, `*` where it names none."""
    target = trim(target)
    for mark in (":", "_"):
        at = target.find(mark)
        if at > 0:
            return f"{target[:at]}{mark}*"
    return "*"


def bash_suggestion(text: str) -> str:
    """Return the pattern for commands of the same kind as a unit (14.2); empty for bare comments."""
    text = without_comment_lines(trim(text))
    if not text:
        return ""
    words = _BLANKS.split(text)
    if len(words) == 1:
        return text
    length = _prefix_length(words)
    if length == len(words):
        return text + "*"
    return " ".join(words[:length]) + " *"


def _prefix_length(words: list[str]) -> int:
    for count in range(min(len(words), _LONGEST_ENTRY), 0, -1):
        prefix = " ".join(words[:count]).lower()
        if prefix in _INHERITED:
            return 0
        arity = ARITY.get(prefix)
        if arity is not None:
            return min(arity, len(words))
    return 1
