"""What an input preview tells of a tool's input (review-log.md 7.1)."""

from __future__ import annotations

import json
import re
from enum import StrEnum

import msgspec

from audit.log.cut import MARK, MASK

PATH_TOOLS = frozenset({"read", "write", "edit", "grep", "find", "ls"})

_READ = re.compile(r"for path '(?P<path>.*)'(?:, offset -?[\d.]+)?(?:, limit -?[\d.]+)?\Z", re.DOTALL)
_WRITE = re.compile(r"for '(?P<path>.*)' \(\d+ lines?, \d+ characters?\)\Z", re.DOTALL)
_EDIT = re.compile(r"for '(?P<path>.*?)'(?: \(\d+ replacements?: .*\)| with edit input)\Z", re.DOTALL)
_HERE = re.compile(r"for (?:.*, )?current working directory\Z", re.DOTALL)
_WHERE = re.compile(r"for (?:.*, )?path '(?P<path>.*?)'\Z", re.DOTALL)
_SEARCH = re.compile(r"for (?:pattern|glob) '", re.DOTALL)


class Reading(StrEnum):
    """How much of an input a preview gives."""

    WHOLE = "whole"
    """All that a decision depends on."""
    PART = "part"
    NOTHING = "nothing"


class Shown(msgspec.Struct, frozen=True):
    """What a preview shows."""

    reading: Reading
    path: str | None = None
    """Of a path tool."""
    members: str = "{}"
    """Of any other tool: the input as JSON text."""


NOTHING = Shown(Reading.NOTHING)


def shown_path(tool: str, preview: str) -> Shown:
    """Return the path in the summary of a path tool; whole also where it stands for no path at all."""
    if tool == "read":
        found = _READ.match(preview)
    elif tool == "write":
        found = _WRITE.match(preview)
    elif tool == "edit":
        found = _EDIT.match(preview)
    else:
        if _HERE.match(preview):
            return Shown(Reading.WHOLE)
        found = _last_path(preview)
        if found is None and _SEARCH.match(preview) and preview.endswith("'"):
            return Shown(Reading.WHOLE)
    return Shown(Reading.WHOLE, found["path"]) if found is not None else NOTHING


def _last_path(preview: str) -> re.Match[str] | None:
    """Match the last `path '...'` of a list, so that a pattern which holds such words is passed over."""
    at = max(preview.rfind(", path '"), 0)
    return _WHERE.match("for " + preview[at + 2 :]) if at else _WHERE.match(preview)


def shown_members(preview: str) -> Shown:
    """Return the input in the preview of a tool without paths: `input ` and one line of JSON."""
    text = preview.removeprefix("input ").strip()
    try:
        members = json.loads(text)
    except ValueError:
        return Shown(Reading.PART)
    except RecursionError:
        return Shown(Reading.PART)
    if not isinstance(members, dict):
        return Shown(Reading.PART)
    whole = MASK not in text and MARK not in text[-1:]
    return Shown(Reading.WHOLE if whole else Reading.PART, members=text)
