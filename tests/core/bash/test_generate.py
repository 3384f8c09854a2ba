"""Random commands: the same every time, of every kind, and with what is promised of them."""

from __future__ import annotations

from itertools import islice

from audit.core.bash.parser import parse
from audit.core.ecma import to_code_units
from tests.core.bash.generate import commands
from tests.core.bash.test_node_types import NAMED_IN_THE_SPECIFICATION, nodes


def test_a_seed_gives_the_same_commands():
    assert list(islice(commands(3), 50)) == list(islice(commands(3), 50))
    assert list(islice(commands(3), 50)) != list(islice(commands(4), 50))


def test_commands_show_almost_every_kind_of_node():
    shown = {node.type for text in islice(commands(5), 1_500) for node in nodes(text) if node.is_named}
    assert NAMED_IN_THE_SPECIFICATION - shown <= {"elif_clause", "ternary_expression", "heredoc_content"}


def test_some_commands_are_damaged_and_most_are_not():
    damaged = sum(parse(to_code_units(text)).has_error for text in islice(commands(6), 1_000))
    assert 100 < damaged < 500
