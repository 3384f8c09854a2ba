"""Names of cases: the same call has the same name in every reading."""

from __future__ import annotations

import json
from collections.abc import Iterable
from hashlib import blake2b

import msgspec


def case_id(parts: Iterable[object]) -> str:
    """Return the name of the case that these parts make distinct: twelve hexadecimal digits."""
    parts = list(parts)
    try:
        text = msgspec.json.encode(parts)
    except UnicodeEncodeError:
        text = json.dumps(parts).encode()
    return digest(text).hex()


def digest(text: bytes) -> bytes:
    """Return the digest of a JSON list that a case is named by."""
    return blake2b(text, digest_size=6).digest()
