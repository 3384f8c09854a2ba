"""The node types of the grammar: which the specification names, and which authored commands show."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from audit.core.bash.parser import LANGUAGE, Node, parse
from audit.core.ecma import to_code_units
from tests.core.bash.generate import commands

VECTORS = Path(__file__).parents[2] / "vectors" / "authored.jsonl"

NAMED_IN_THE_SPECIFICATION = {
    # containers and statements (core-bash.md 3)
    "program", "list", "redirected_statement", "pipeline", "command", "subshell", "compound_statement",
    "negated_command", "if_statement", "while_statement", "for_statement", "c_style_for_statement",
    "case_statement", "function_definition", "declaration_command", "unset_command", "test_command",
    "variable_assignment", "variable_assignments", "ERROR", "elif_clause", "else_clause", "do_group",
    "case_item",
    # redirects and heredocs
    "file_redirect", "heredoc_redirect", "herestring_redirect", "heredoc_body", "heredoc_end", "comment",
    "heredoc_start", "heredoc_content", "file_descriptor",
    # words and what is in them
    "command_substitution", "process_substitution", "word", "string", "raw_string", "concatenation",
    "command_name", "expansion", "simple_expansion", "arithmetic_expansion", "array", "subscript",
    "brace_expression", "ansi_c_string", "translated_string", "number", "regex", "extglob_pattern",
    "test_operator", "binary_expression", "unary_expression", "postfix_expression", "ternary_expression",
    "parenthesized_expression", "variable_name", "special_variable_name", "string_content",
}  # fmt: skip

LEAVES = {
    "ansi_c_string", "extglob_pattern", "file_descriptor", "heredoc_content", "heredoc_start", "raw_string",
    "regex", "special_variable_name", "string_content", "test_operator", "variable_name", "word",
}  # fmt: skip
"""Types that never have children; the walk for tokens relies on it."""

NOT_AUTHORED = {"special_variable_name", "ternary_expression", "translated_string"}
"""Types that no authored vector shows; random commands show some of them."""


def nodes(command: str) -> Iterator[Node]:
    pending = [parse(to_code_units(command))]
    while pending:
        node = pending.pop()
        yield node
        pending.extend(node.children)


def authored() -> list[str]:
    lines = map(json.loads, VECTORS.read_text("ascii").splitlines())
    given = (line["call"]["input"].get("command") for line in lines if "call" in line)
    return [command for command in given if isinstance(command, str)]


def test_every_type_that_commands_show_is_named_in_the_specification():
    shown = {node.type for text in authored() for node in nodes(text) if node.is_named}
    assert shown <= NAMED_IN_THE_SPECIFICATION
    assert NAMED_IN_THE_SPECIFICATION - shown == NOT_AUTHORED


def test_the_grammar_knows_every_type_that_the_specification_names():
    known = {LANGUAGE.node_kind_for_id(kind) for kind in range(LANGUAGE.node_kind_count)}
    assert known >= NAMED_IN_THE_SPECIFICATION - {"ERROR"}


def test_leaves_and_delimiters_have_nothing_inside():
    for text in [*authored(), *islice(commands(11), 400)]:
        for node in nodes(text):
            if not node.is_named or node.type in LEAVES:
                assert node.child_count == 0, (node.type, text)
