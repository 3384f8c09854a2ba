"""Values inside an argument: the rest of `--option=value` (core-bash.md 16.2, `option-split`)."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import cast

from audit.core.bash.parser import Node
from audit.core.bash.text import ARGUMENT, Variables, value
from audit.core.ecma import WHITESPACE

_VALUED = re.compile(f"-{{1,2}}[^={WHITESPACE}]+=([^\n\r\u2028\u2029]+)\\Z")


class Given:
    """A token that is no node of its own, walked where a node would be: it has what a walk reads of one."""

    __slots__ = ("end_byte", "kind_id", "start_byte", "text")

    KIND = -1
    """Its kind, which no grammar has."""

    def __init__(self, text: str, node: Node) -> None:
        self.kind_id = Given.KIND
        self.text = text
        self.start_byte, self.end_byte = node.start_byte, node.end_byte
        """The span of the argument that it stands in."""


def given(text: str, node: Node) -> Node:
    """Return a token without a node of its own, for a list of nodes to walk."""
    return cast("Node", Given(text, node))


def option_value(node: Node, source: str, variables: Variables) -> list[Node]:
    """Return the value that an argument gives to an option; nothing where it gives none."""
    found = _VALUED.match(value(node, source, variables))
    return [given(found[1], node)] if found else []


def option_values(children: Iterable[Node], source: str, variables: Variables) -> list[Node]:
    """Return the values that arguments among these children give to options."""
    return [
        one
        for child in children
        if child.kind_id in ARGUMENT
        for one in option_value(child, source, variables)
    ]
