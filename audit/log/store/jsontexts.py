"""Objects as JSON texts, also those that JSON proper does not hold."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence

import msgspec

_JSON = msgspec.json.Encoder()
_EXACT_JSON = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode
_NULL = re.compile(b"[:,[]null[],}]")


def json_texts(values: Sequence[Mapping[str, object]]) -> list[str]:
    """Return the JSON text of each object; numbers that JSON lacks and lone surrogates stay as they are."""
    try:
        lines = _JSON.encode_lines(values).split(b"\n")[: len(values)]
    except UnicodeEncodeError:
        return list(map(_EXACT_JSON, values))
    return [
        # A number that JSON lacks has become null.
        _EXACT_JSON(value) if b"null" in line and _NULL.search(line) else line.decode()
        for value, line in zip(values, lines, strict=True)
    ]
