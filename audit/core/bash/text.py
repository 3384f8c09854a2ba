"""What a word is after quoting (core-bash.md 6 and B11)."""

from __future__ import annotations

from audit.core.bash.parser import Node, kinds

WORD = kinds("word")
STRING = kinds("string")
RAW_STRING = kinds("raw_string")
CONCATENATION = kinds("concatenation")
STRING_CONTENT = kinds("string_content")

ARGUMENT = WORD | STRING | RAW_STRING | CONCATENATION
"""The node types that are arguments; bare expansions, numbers and `$'…'` are not."""


def _unquoted(text: str) -> str:
    return text[1:-1] if len(text) >= 2 and text[0] == text[-1] == "'" else text


def value(node: Node, source: str) -> str:
    """Return the value of an argument node (V1): quotes off, expansions and escapes as written."""
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
            parts.append(_unquoted(text) if kind in RAW_STRING else text)
    return "".join(parts)


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
