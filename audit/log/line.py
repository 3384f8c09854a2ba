"""One line of a review log, decoded (review-log.md 1, 3 and 5).

Every member may be absent and none has to have its documented type: a value of another type is dropped
and its name counted, never the line. Members that this page does not know are counted by name.
"""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

import msgspec
from msgspec import UNSET, UnsetType

Text = str | None

STAMP_LENGTH = 24
"""Of `2026-07-15T09:00:00.000Z`, the only form the log's writer uses."""


class Decision(msgspec.Struct, gc=False):
    """`decidedBy` (6.3); `decision` nests where the ask was forwarded."""

    kind: Text = None
    via: Text = None
    name: Text = None
    verdict: Text = None
    decision: Decision | None = None


class GateEntry(msgspec.Struct, gc=False, forbid_unknown_fields=True):
    """The members that lines of a gate carry, in about the order in which they are written."""

    timestamp: Text = None
    extension: Text = None
    stream: Text = None
    event: Text = None
    decidedBy: Decision | None = None
    requestId: Text = None
    source: Text = None
    toolCallId: Text = None
    toolName: Text = None
    agentName: Text = None
    message: Text = None
    surface: Text = None
    matchedPattern: Text = None
    executedUnit: Text = None
    commandContext: Text = None
    invokedToolName: Text = None
    forwarded: bool | None = None
    requesterSessionId: Text = None
    skillName: Text = None
    path: Text = None
    command: Text = None
    target: Text = None
    toolInputPreview: Text | UnsetType = UNSET
    externalPaths: list[str] | str | None = None
    origin: Text = None
    resolution: Text = None
    denialReason: Text | UnsetType = UNSET
    sessionApprovalPattern: Text = None
    tokens: list[str] | str | None = None
    error: Any = None
    effect: Text = None
    effectSource: Text = None
    floorExemption: Text = None
    sessionGrantWidth: Text = None
    extractorSource: Text = None
    sessionApprovalPrefix: Text = None
    cwd: Text = None
    sessionId: Text = None
    pos: int = msgspec.field(default=0, name="(position)")
    """Where the line lies; set by the reader, no member of the line."""


class Entry(GateEntry, gc=False, forbid_unknown_fields=True):
    """The members of every kind of line: those of a gate, and the rest."""

    agentsDir: Text = None
    agentsDirExists: Any = None
    approved: Any = None
    childSessionId: Text = None
    created: Any = None
    debugLog: Any = None
    extensionConfigExists: Any = None
    extensionConfigPath: Text = None
    globalConfigExists: Any = None
    globalConfigPath: Text = None
    legacyExtensionConfigDetected: Any = None
    legacyGlobalPolicyDetected: Any = None
    legacyProjectPolicyDetected: Any = None
    links: Any = None
    name: Text = None
    parentSessionId: Text = None
    patterns: Any = None
    permissionReviewLog: Any = None
    phase: Text = None
    projectAgentsDir: Text = None
    projectAgentsDirExists: Any = None
    projectConfigExists: Any = None
    projectConfigPath: Text = None
    reason: Text = None
    requestPath: Text = None
    requesterAgentName: Text = None
    responderSessionId: Text = None
    responsePath: Text = None
    servingChannel: Any = None
    servingSessionIds: Any = None
    servingState: Any = None
    state: Text = None
    targetSessionId: Text = None
    triggeredBy: Text = None
    value: Any = None
    warning: Any = None
    yoloMode: Any = None
    # Decisions of links, section 14.
    action: Text = None
    outcome: Text = None
    verdict: Text = None
    emittedVerdict: Text = None


MEMBERS = frozenset(Entry.__struct_encode_fields__) - {"(position)"}
_OPEN_ENDED = (".decision", ".failure", ".short_circuit", ".model_reply", ".cache_lookup")
"""Third parties write what they like; their members are not counted as unknown."""


class NoEntryError(Exception):
    """A line that is no entry; `why` is one of a few stable texts."""

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why


CUT_SHORT = "cut short"
NOT_JSON = "not JSON"
NOT_UTF8 = "not UTF-8"
MORE_AFTER = "text after the object"
NO_OBJECT = "not an object"
NO_EVENT = "no event"

decode_gate_entry = msgspec.json.Decoder(GateEntry).decode
"""Decode a line of a gate, or raise `msgspec.MsgspecError` for anything but the most common shape."""
_decode_entry = msgspec.json.Decoder(Entry).decode


class LineDecoder:
    """Decodes the lines that `decode_gate_entry` does not take, and counts what it does not know."""

    def __init__(self) -> None:
        self.unknown_members: Counter[str] = Counter()
        self.misfits: Counter[str] = Counter()
        """Members whose value was of another type than documented, and was dropped."""

    def decode(self, line: bytes) -> Entry:
        """Return the entry of a line; raise `NoEntryError` with the reason where there is none."""
        try:
            entry = _decode_entry(line)
        except msgspec.MsgspecError:
            entry = self._fitted(_plain_object(line))
        if not entry.event:
            raise NoEntryError(NO_EVENT)
        return entry

    def _fitted(self, members: dict[str, Any]) -> Entry:
        """Build an entry from the members that fit."""
        event = members.get("event")
        open_ended = isinstance(event, str) and event.endswith(_OPEN_ENDED)
        entry = Entry()
        for name, value in members.items():
            if name not in MEMBERS:
                self.unknown_members[name] += not open_ended
            elif isinstance(value, str) and name not in _NOT_TEXT:
                setattr(entry, name, value)
            else:
                self._fit(entry, name, value)
        return entry

    def _fit(self, entry: Entry, name: str, value: object) -> None:
        try:
            fitted = msgspec.convert({name: value}, Entry)
        except msgspec.MsgspecError:
            self.misfits[name] += 1
        else:
            setattr(entry, name, getattr(fitted, name))


_NOT_TEXT = frozenset({"decidedBy", "forwarded"})


def _plain_object(line: bytes) -> dict[str, Any]:
    """Decode a line without a schema; lone surrogates, escaped or not, are kept."""
    try:
        text = line.decode("utf-8", "surrogatepass")
    except UnicodeDecodeError:
        raise NoEntryError(NOT_UTF8) from None
    try:
        value = json.loads(text)
    except json.JSONDecodeError as error:
        raise NoEntryError(_kind_of_damage(text, error)) from None
    except RecursionError:
        raise NoEntryError(NOT_JSON) from None
    if not isinstance(value, dict):
        raise NoEntryError(NO_OBJECT)
    return value


def _kind_of_damage(text: str, error: json.JSONDecodeError) -> str:
    if error.msg == "Extra data":
        return MORE_AFTER if text.lstrip().startswith("{") else NOT_JSON
    if text.startswith("{") and (error.msg.startswith("Unterminated") or error.pos >= len(text.rstrip())):
        return CUT_SHORT
    return NOT_JSON
