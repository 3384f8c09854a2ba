"""The machine form: every integer, the same bytes for the same input."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from typing import TYPE_CHECKING, Any

from audit.measures.measure import Share
from audit.report.model import SCHEMA_VERSION, Report

if TYPE_CHECKING:
    from _typeshed import DataclassInstance


def to_json(report: Report) -> str:
    """Return a report as JSON in ASCII, ending with a line feed.

    Members keep their order. `digest` is the SHA-256 of the rest and comes last.
    """
    body = _body(report)
    return json.dumps({**body, "digest": body_digest(body)}, indent=2) + "\n"


def digest(report: Report) -> str:
    """Return what a record cites a report by."""
    return body_digest(_body(report))


def _body(report: Report) -> dict[str, object]:
    content = members(report)
    content["ledger"]["classes"] = {entry.name: entry.lines for entry in report.ledger.entries}
    return {"schema_version": SCHEMA_VERSION, "kind": "impact", **content}


def body_digest(body: Mapping[str, object]) -> str:
    """Return the SHA-256 of a document's body, in hexadecimal digits."""
    text = json.dumps(body, separators=(",", ":"))
    return hashlib.sha256(text.encode("ascii")).hexdigest()


def members(record: DataclassInstance) -> dict[str, Any]:
    """Return the members of a dataclass as what JSON holds."""
    return {item.name: plain(getattr(record, item.name)) for item in fields(record)}


def plain(value: object) -> object:
    """Return a value of the model as what JSON holds; a zero share carries its upper bound."""
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, Share):
        share = members(value)
        if value.bound is not None:
            share["upper_bound"] = {
                "numerator": value.bound.numerator,
                "denominator": value.bound.denominator,
            }
        return share
    if is_dataclass(value) and not isinstance(value, type):
        return members(value)
    if isinstance(value, Mapping):
        return {str(plain(name)): plain(item) for name, item in value.items()}
    if isinstance(value, tuple | list):
        return [plain(item) for item in value]
    return value
