"""Wrappers that are looked through: what they run is proven to read only (core-bash.md 16.2)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import NamedTuple

from audit.core.bash.effects import REDIRECT, REDIRECTED, Doubt, may_write, only_reads
from audit.core.bash.parser import Node, kinds
from audit.core.bash.text import ARGUMENT, ASSIGNMENT, SUBSTITUTION, value
from audit.core.bash.units import Finish, Unit
from audit.core.bash.wrappers import EXEC_FLAGS, LAUNCHERS, Wrapper, base_name, runs_program_text
from audit.core.revision import Revision
from audit.core.switches import UnparsedFloor, WrapperTransparency

MOST_LAYERS = 4
_NO_WORD = kinds("file_redirect", "herestring_redirect", "heredoc_redirect") | ASSIGNMENT
_OPEN_TO_DAMAGE = kinds("program", "list", "pipeline")
"""What is not damaged as a whole by damage in one part."""

_WITH_VALUE: Mapping[str, frozenset[str]] = {
    name: frozenset(options.split())
    for name, options in {
        "sudo": "-u -g -p -C -h -U -r -t",
        "doas": "-u -C",
        "env": "-u -C --unset --chdir",
        "xargs": "-n -P -I -i -d -E -L -l -s -a",
        "timeout": "-s -k --signal --kill-after",
        "nice": "-n --adjustment",
        "time": "-o -f --output --format",
        "stdbuf": "-i -o -e --input --output --error",
        "watch": "-n --interval",
        "flock": "-w -E --timeout --conflict-exit-code",
    }.items()
}
"""Options of wrappers whose value is the next word."""
_WITH_OPERAND = frozenset({"timeout", "flock"})
"""Wrappers that take one word of their own before the command."""
_ENDS_EXEC = frozenset({";", "\\;", "+"})


class _Word(NamedTuple):
    text: str
    """As written."""
    value: str
    start: int
    end: int


def finishing(revision: Revision, root: Node, source: str, doubt: Doubt) -> Finish | None:
    """Return what is added to the units of a command; None where nothing is."""
    peels = revision.wrapper_transparency is WrapperTransparency.ON
    marks_damage = revision.unparsed_floor is UnparsedFloor.ON and root.has_error
    if not peels and not marks_damage:
        return None

    def finish(unit: Unit, node: Node) -> Unit:
        if peels and unit.wrapper is Wrapper.INDIRECTION:
            unit = replace(unit, inner=_inner_command(node, source, doubt))
        return replace(unit, damaged=True) if marks_damage and _is_damaged(node) else unit

    return finish


def _is_damaged(node: Node) -> bool:
    """Tell whether a unit or a statement around it holds damage; a substitution starts afresh."""
    around: Node | None = node
    while around is not None and around.kind_id not in SUBSTITUTION:
        if around.has_error and around.kind_id not in _OPEN_TO_DAMAGE:
            return True
        around = around.parent
    return False


def _inner_command(node: Node, source: str, doubt: Doubt) -> str | None:
    """Return the text of what a wrapper runs if that only reads; None where it is not proven."""
    if _may_write(node, source, doubt):
        return None
    words = [
        _Word(
            source[child.start_byte >> 1 : child.end_byte >> 1],
            value(child, source) if child.kind_id in ARGUMENT else "",
            child.start_byte >> 1,
            child.end_byte >> 1,
        )
        for child in node.named_children
        if child.kind_id not in _NO_WORD
    ]
    for _ in range(MOST_LAYERS):
        inner = _peeled(words)
        if inner is None:
            break
        words = inner
    if not words or _peeled(words) is not None:
        return None
    name, arguments = words[0].text, words[1:]
    if runs_program_text(base_name(name), [word.text for word in arguments]):
        return None
    if not only_reads(name, tuple(word.value for word in arguments)):
        return None
    return source[words[0].start : words[-1].end]


def _may_write(node: Node, source: str, doubt: Doubt) -> bool:
    """Tell whether a redirect of the command, or of a statement around it, may write a file."""
    around: Node | None = node
    while around is not None and around.kind_id not in SUBSTITUTION:
        if around is node or around.kind_id in REDIRECTED:
            redirects = (child for child in around.children if child.kind_id in REDIRECT)
            if any(may_write(redirect, source, doubt) for redirect in redirects):
                return True
        around = around.parent
    return False


def _peeled(words: list[_Word]) -> list[_Word] | None:
    """Return the words of what a wrapper runs, none where there are none; None for other commands."""
    if not words:
        return None
    name = base_name(words[0].text)
    if name in EXEC_FLAGS:
        flags = EXEC_FLAGS[name]
        at = next((at for at, word in enumerate(words) if at and word.text in flags), None)
        if at is None:
            return None
        inner = words[at + 1 :]
        end = next((end for end, word in enumerate(inner) if word.text in _ENDS_EXEC), len(inner))
        return inner[:end] if name == "find" else inner
    return _behind_options(name, words[1:]) if name in LAUNCHERS else None


def _behind_options(name: str, words: list[_Word]) -> list[_Word]:
    with_value = _WITH_VALUE.get(name, frozenset())
    at = 0
    while at < len(words):
        text = words[at].text
        if text == "--":
            at += 1
            break
        if text.startswith("-"):
            at += 2 if text in with_value else 1
        elif "=" in text and text.partition("=")[0].isidentifier():
            at += 1
        else:
            break
    return words[at + 1 if name in _WITH_OPERAND else at :]
