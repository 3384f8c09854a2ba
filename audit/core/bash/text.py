"""What a word is after quoting (core-bash.md 6 and B11), and the node types that several walks know."""

from __future__ import annotations

from collections.abc import Mapping

from audit.core.bash.parser import Node, kinds

COMMAND_NAME = kinds("command_name")
ASSIGNMENT = kinds("variable_assignment")
UNSEEN = ("heredoc_body", "heredoc_end", "comment")
"""The names of the types that the collection of tokens skips (T1)."""

WORD = kinds("word")
STRING = kinds("string")
RAW_STRING = kinds("raw_string")
CONCATENATION = kinds("concatenation")
STRING_CONTENT = kinds("string_content")
EXPANSION = kinds("expansion", "simple_expansion")
VARIABLE = kinds("variable_name")

ARGUMENT = WORD | STRING | RAW_STRING | CONCATENATION
"""The node types that are arguments; bare expansions, numbers and `$'…'` are not."""

SUBSTITUTION = kinds("command_substitution", "process_substitution")

Variables = Mapping[str, str]
"""What variables inside an argument stand for, by name; those that are not there stand as written."""

AS_WRITTEN: Variables = {}


def _unquoted(text: str) -> str:
    return text[1:-1] if len(text) >= 2 and text[0] == text[-1] == "'" else text


def value(node: Node, source: str, variables: Variables = AS_WRITTEN) -> str:
    """Return the value of an argument node (V1): quotes off, escapes as written."""
    kind = node.kind_id
    if kind in STRING:
        children = node.children
        if len(children) == 3 and children[1].kind_id in STRING_CONTENT:
            return source[children[1].start_byte >> 1 : children[1].end_byte >> 1]
    elif kind not in CONCATENATION:
        text = source[node.start_byte >> 1 : node.end_byte >> 1]
        return _unquoted(text) if kind in RAW_STRING else text
    parts: list[str] = []
    pending = [node]
    while pending:
        part = pending.pop()
        kind = part.kind_id
        if kind in STRING:
            pending.extend(child for child in reversed(part.children) if child.type != '"')
        elif kind in CONCATENATION:
            pending.extend(reversed(part.children))
        else:
            text = source[part.start_byte >> 1 : part.end_byte >> 1]
            if kind in RAW_STRING:
                text = _unquoted(text)
            elif variables and kind in EXPANSION:
                text = _expanded(part, source, text, variables)
            parts.append(text)
    return "".join(parts)


def _expanded(node: Node, source: str, text: str, variables: Variables) -> str:
    """Return what a variable stands for that is nothing but a name (16.2, var-expansion)."""
    names = [child for child in node.children if child.type not in {"$", "${", "}"}]
    if len(names) != 1 or names[0].kind_id not in VARIABLE:
        return text
    return variables.get(source[names[0].start_byte >> 1 : names[0].end_byte >> 1], text)


def literal(node: Node, source: str) -> str | None:
    """Return the literal text of a `cd` target (B11); None where it depends on the moment."""
    parts: list[str] = []
    pending = [node]
    while pending:
        part = pending.pop()
        kind = part.kind_id
        text = source[part.start_byte >> 1 : part.end_byte >> 1]
        if kind in WORD:
            if text == "-" or text.startswith("~"):
                return None
            parts.append(text)
        elif kind in RAW_STRING:
            parts.append(_unquoted(text))
        elif kind in STRING:
            content = [child for child in part.children if child.type != '"']
            if any(child.kind_id not in STRING_CONTENT for child in content):
                return None
            parts.extend(source[child.start_byte >> 1 : child.end_byte >> 1] for child in content)
        elif kind in CONCATENATION:
            pending.extend(reversed(part.children))
        else:
            return None
    return "".join(parts)


def may_host(text: str) -> bool:
    """Tell whether a substitution can begin in a text; where none can there is nothing to search for."""
    return "`" in text or ("(" in text and ("$(" in text or "<(" in text or ">(" in text))


def substitutions(node: Node) -> list[Node]:
    """Return the outermost substitutions inside a node, in order (the search of U6)."""
    found: list[Node] = []
    pending = [iter(node.children)]
    while pending:
        for child in pending[-1]:
            if child.kind_id in SUBSTITUTION:
                found.append(child)
            elif child.child_count:
                pending.append(iter(child.children))
                break
        else:
            pending.pop()
    return found


def substitutions_of(node: Node) -> list[Node]:
    """Return the node itself if it is a substitution, else the outermost ones inside it."""
    return [node] if node.kind_id in SUBSTITUTION else substitutions(node)
