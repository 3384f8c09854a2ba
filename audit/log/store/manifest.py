"""The manifest of an ingest folder: what was read, how, and which files hold it.

It is JSON, with texts that UTF-8 cannot hold written as `texts.py` says. Every version of the format keeps
the members `format`, `version`, `tables` and `seal`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from hashlib import sha256
from typing import Any, TypeVar

import msgspec

from audit.core.place import Platform
from audit.errors import IngestError, NewerFormat
from audit.log.cases import CwdSource, LineLedger, LogFile, LogReading
from audit.log.eras import Timeline
from audit.log.store.texts import from_utf8, to_utf8

FORMAT = "permission-audit ingest"
FORMAT_VERSION = 1
# History of the format, a whole number that only grows:
# 1: cases, calls, requests, rejects and session starts as Parquet; this manifest.

T = TypeVar("T")

Document = dict[str, Any]
"""A manifest as decoded JSON, of any version."""


class Supplied(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the user supplied when the logs were read; None: nothing."""

    cwd: str | None = None
    home: str | None = None
    platform: Platform | None = None
    field_width: int | None = None
    cwd_rule: str | None = None
    """SHA-256 of the working directories of a place file."""


class StoredFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One Parquet file of a table."""

    name: str
    rows: int
    size: int
    """Bytes."""
    digest: str
    """SHA-256 of its bytes, in hexadecimal digits."""


Tables = dict[str, tuple[StoredFile, ...]]
"""The files of each table, in the order of their rows."""


class Manifest(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The manifest of today's version; members of the reading as `LogReading` has them."""

    format: str
    version: int
    tool: str
    """Version of permission-audit that wrote the folder."""
    supplied: Supplied
    inputs: tuple[LogFile, ...]
    digest: str
    first: str | None
    last: str | None
    ledger: LineLedger
    case_classes: tuple[str, ...]
    eras: dict[str, int]
    home: str | None
    home_source: CwdSource
    platform: Platform | None
    platform_source: CwdSource
    links: tuple[tuple[str, str], ...]
    unknown_events: dict[str, int]
    unknown_members: dict[str, int]
    misfits: dict[str, int]
    timeline: Timeline | None
    tables: Tables


def manifest_of(reading: LogReading, supplied: Supplied, tables: Tables, tool: str) -> Manifest:
    """Return the manifest of a reading whose tables are in these files."""
    return Manifest(
        format=FORMAT,
        version=FORMAT_VERSION,
        tool=tool,
        supplied=supplied,
        inputs=reading.files,
        digest=reading.digest,
        first=reading.first,
        last=reading.last,
        ledger=reading.ledger,
        case_classes=tuple(sorted(reading.case_classes)),
        eras=dict(reading.eras),
        home=reading.home,
        home_source=reading.home_source,
        platform=reading.platform,
        platform_source=reading.platform_source,
        links=reading.links,
        unknown_events=dict(reading.unknown_events),
        unknown_members=dict(reading.unknown_members),
        misfits=dict(reading.misfits),
        timeline=reading.timeline,
        tables=tables,
    )


def manifest_text(manifest: Manifest) -> str:
    """Return a manifest as it is written."""
    document: Document = msgspec.to_builtins(manifest)
    return document_text(document)


def document_text(document: Mapping[str, Any]) -> str:
    """Return a document as it is written, with its seal."""
    sealed = {**document, "seal": _seal(document)}
    return to_utf8(json.dumps(sealed, ensure_ascii=False, indent=2)) + "\n"


def is_manifest(text: str) -> bool:
    """Tell whether a text is a manifest of any version, or what damage left of one."""
    try:
        document = json.loads(text)
    except ValueError:
        return f'"{FORMAT}"' in text
    return isinstance(document, dict) and document.get("format") == FORMAT


def read_document(text: str, newest: int) -> Document:
    """Return a manifest of any version up to `newest`; raise `IngestError`."""
    try:
        document = json.loads(from_utf8(text))
    except ValueError:
        raise IngestError("the manifest is damaged: it is not JSON") from None
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise IngestError("the manifest is damaged: it does not name its format")
    version = document.get("version")
    if not isinstance(version, int):
        raise IngestError("the manifest is damaged: it does not name the version of its format")
    if version > newest:
        raise NewerFormat(
            f"it is of format {version}, written by a newer permission-audit ({document.get('tool')}); "
            f"this one reads formats up to {newest}",
            "update permission-audit, or ingest the logs again with this one",
        )
    seal = document.pop("seal", None)
    if seal != _seal(document):
        raise IngestError("the manifest was changed after it was written")
    return document


def tables_of(document: Document) -> Tables:
    """Return the files that a document of any version names."""
    return _converted(document.get("tables"), Tables)


def manifest_in(document: Document) -> Manifest:
    """Return the manifest that a document of today's version holds."""
    return _converted(document, Manifest)


def _converted(value: object, kind: type[T]) -> T:
    try:
        return msgspec.convert(value, kind)
    except (msgspec.ValidationError, AssertionError) as error:
        raise IngestError(f"the manifest is damaged: {error}") from None


def _seal(document: Mapping[str, Any]) -> str:
    """Return a digest of what a document says, however it is laid out."""
    text = json.dumps(document, sort_keys=True)
    return sha256(text.encode("ascii")).hexdigest()
