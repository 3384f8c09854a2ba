"""Manifests of today, of a newer version, of older ones, and damaged ones."""

from __future__ import annotations

import json
from typing import Any

import polars as pl
import pytest

from audit.errors import IngestError, NewerFormat
from audit.log.store.manifest import (
    FORMAT,
    FORMAT_VERSION,
    Supplied,
    document_text,
    is_manifest,
    manifest_in,
    manifest_of,
    manifest_text,
    read_document,
)
from audit.log.store.versions import STEPS, Format, Stored, upgraded
from tests.log.lines import asked, data, read

SUPPLIED = Supplied(home="/home/mia")
TEXT = manifest_text(manifest_of(read(data(asked("make"))), SUPPLIED, {}, "1.2.3"))


def test_a_manifest_says_what_was_supplied() -> None:
    manifest = manifest_in(read_document(TEXT, FORMAT_VERSION))
    assert (manifest.supplied, manifest.tool, manifest.version) == (SUPPLIED, "1.2.3", FORMAT_VERSION)


def test_the_same_reading_gives_the_same_manifest() -> None:
    assert manifest_text(manifest_of(read(data(asked("make"))), SUPPLIED, {}, "1.2.3")) == TEXT


def test_a_newer_format_is_refused_before_anything_else_is_looked_at() -> None:
    newer = json.dumps({"format": FORMAT, "version": FORMAT_VERSION + 1, "tool": "9.0.0", "novelty": []})
    with pytest.raises(NewerFormat) as caught:
        read_document(newer, FORMAT_VERSION)
    assert f"format {FORMAT_VERSION + 1}" in caught.value.message
    assert "9.0.0" in caught.value.message
    assert "update" in caught.value.advice


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (TEXT[: len(TEXT) // 2], "not JSON"),
        (TEXT.replace(FORMAT, "other"), "does not name its format"),
        (TEXT.replace(f'"version": {FORMAT_VERSION}', '"version": "one"'), "version of its format"),
        (TEXT.replace("/home/mia", "/home/eve"), "changed after it was written"),
        (TEXT.replace('"lines"', '"Lines"'), "changed after it was written"),
        ("[]", "does not name its format"),
    ],
    ids=["cut", "other format", "no number", "changed value", "changed name", "no object"],
)
def test_a_damaged_manifest_is_refused(text: str, says: str) -> None:
    with pytest.raises(IngestError, match=says):
        read_document(text, FORMAT_VERSION)


def _without(member: str) -> dict[str, Any]:
    document = read_document(TEXT, FORMAT_VERSION)
    del document[member]
    return document


@pytest.mark.parametrize("member", ["supplied", "ledger", "tables", "eras"])
def test_a_sealed_manifest_without_a_member_is_refused(member: str) -> None:
    document = read_document(document_text(_without(member)), FORMAT_VERSION)
    with pytest.raises(IngestError, match=member):
        manifest_in(document)


def test_a_ledger_that_does_not_add_up_is_refused() -> None:
    document = read_document(TEXT, FORMAT_VERSION)
    document["ledger"]["lines"] += 1
    with pytest.raises(IngestError, match="ledger"):
        manifest_in(document)


@pytest.mark.parametrize(
    ("text", "known"),
    [(TEXT, True), (TEXT[:100], True), ("", False), ("{}", False), ('{"format": "web app"}', False)],
    ids=["sound", "cut", "empty", "nameless", "another's"],
)
def test_a_manifest_is_told_from_other_files(text: str, known: bool) -> None:
    assert is_manifest(text) == known


def _rename(old: str, new: str) -> Any:
    def step(stored: Stored) -> Stored:
        parts = [frame.rename({old: new}) for frame in stored.frames["calls"]]
        return Stored(stored.document, {"calls": parts})

    return step


def test_an_older_format_is_upgraded_a_step_at_a_time() -> None:
    known = Format(4, {1: _rename("zero", "one"), 2: _rename("one", "two"), 3: _rename("two", "three")})
    oldest = Stored({"version": 1, "tool": "0.0.1"}, {"calls": [pl.DataFrame({"zero": [7]})]})
    newest = upgraded(oldest, known)
    assert newest.document == {"version": 4, "tool": "0.0.1"}
    assert [part.to_dict(as_series=False) for part in newest.frames["calls"]] == [{"three": [7]}]
    later = Stored({"version": 3}, {"calls": [pl.DataFrame({"two": [7]})]})
    assert [part.columns for part in upgraded(later, known).frames["calls"]] == [["three"]]


def test_a_format_of_today_is_left_alone() -> None:
    stored = Stored({"version": 4}, {})
    assert upgraded(stored, Format(4, {})) is stored


def test_a_format_without_a_step_is_refused() -> None:
    with pytest.raises(IngestError, match="format 1"):
        upgraded(Stored({"version": 1}, {}), Format(3, {2: _rename("one", "two")}))


def test_there_is_a_step_from_every_older_version() -> None:
    assert list(STEPS) == list(range(1, FORMAT_VERSION))
