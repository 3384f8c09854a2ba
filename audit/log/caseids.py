"""Names of cases: the same call has the same name in every reading."""

from __future__ import annotations

import json
from collections.abc import Iterable
from hashlib import blake2b

import msgspec


def case_id(parts: Iterable[object]) -> str:
    """Return the digest of what makes a case distinct."""
    parts = list(parts)
    try:
        text = msgspec.json.encode(parts)
    except UnicodeEncodeError:
        text = json.dumps(parts).encode()
    return digest(text)


def digest(text: bytes) -> str:
    """Return twelve hexadecimal digits of the digest of a JSON list."""
    return blake2b(text, digest_size=6).hexdigest()
