"""From the lines of a gate to requests: what each line tells (review-log.md 3, 8 and 9)."""

from __future__ import annotations

from zlib import crc32

from msgspec import UNSET

from audit.log.calls import GateName, Request
from audit.log.eras import SENTINELS, Era, Feature
from audit.log.gates import UNANSWERED, Kind, ending, gate_of
from audit.log.line import GateEntry
from audit.log.messages import Known, Shape, Told, peel, read_message
from audit.log.part import Answer, Part

PERM = "perm-"
"""How request ids begin from E10 on."""

_NOTHING = Told()


def checksum(text: str | None) -> int:
    """Return a checksum that is the same in every process and 0 only for None."""
    return 0 if text is None else crc32(text.encode("utf-8", "surrogatepass")) or 1


class AskReader:
    """Reads lines of gates; notes in a part which eras they show and which links they mention."""

    def __init__(self, part: Part) -> None:
        self._part = part
        self._first = part.marks.first
        self._kept: dict[str | None, str | None] = {}

    def ask(self, entry: GateEntry, kind: Kind) -> Request:
        """Return the request that a line opens or, on any but a waiting line, settles."""
        one = self._kept.setdefault
        at = entry.timestamp or ""
        message = entry.message
        preview = entry.toolInputPreview
        told, child = _NOTHING, 0
        if message is not None:
            told, child = _tell(entry, message)
        gate = gate_of(entry, kind, told.shape)
        bounds = self._bounds(entry, kind, told, at)
        first = ending(kind, entry.resolution, entry.decidedBy) if kind is not Kind.WAITING else UNANSWERED
        waiting = kind is Kind.WAITING
        tool, command, path, target = _values(entry, told)
        return Request(
            gate=GateName.PATH if gate is None else gate,
            outcome=first.outcome,
            decider=first.decider,
            asked=at if waiting else None,
            settled=None if waiting else at,
            resolution=one(entry.resolution, entry.resolution),
            reason=None if entry.denialReason is UNSET else entry.denialReason,
            link=first.link,
            tool=one(tool, tool),
            agent=one(entry.agentName, entry.agentName),
            surface=one(entry.surface, entry.surface),
            pattern=one(entry.matchedPattern or told.pattern, entry.matchedPattern or told.pattern),
            session_pattern=entry.sessionApprovalPattern or entry.sessionApprovalPrefix,
            context=entry.commandContext or told.context,
            command=one(command, command),
            full=told.full if told.full is not None else command if gate in _WHOLE else None,
            path=path,
            target=target,
            skill=entry.skillName or (told.value if told.shape is Shape.SKILL else None),
            preview=told.preview if preview is UNSET or preview is None else preview,
            paths=_paths(entry, told),
            cwd=one(entry.cwd or told.cwd, entry.cwd or told.cwd),
            bypass=kind is Kind.SESSION and _is_bypass(entry),
            by_era=gate is None,
            id=None if entry.requestId == entry.toolCallId else entry.requestId,
            forwarded=None,
            message=checksum(message),
            served=entry.forwarded is True or child != 0,
            child=child,
            bounds=bounds,
            answer_bounds=-1,
            twins=(),
            lines=(entry.pos,),
        )

    def answer(self, entry: GateEntry, kind: Kind) -> Answer:
        """Return an approval or denial."""
        end = ending(kind, entry.resolution, entry.decidedBy)
        at = entry.timestamp or ""
        return Answer(
            at=at,
            id=None if entry.requestId == entry.toolCallId else entry.requestId,
            message=checksum(entry.message),
            resolution=self._kept.setdefault(entry.resolution, entry.resolution),
            reason=None if entry.denialReason is UNSET else entry.denialReason,
            outcome=end.outcome,
            decider=end.decider,
            link=end.link,
            served=entry.forwarded is True or (entry.message or "").startswith("Subagent '"),
            bounds=self._bounds(entry, kind, _NOTHING, at),
            pos=entry.pos,
        )

    def _bounds(self, entry: GateEntry, kind: Kind, told: Told, at: str) -> int:
        """Return the bounds of the era of a line, and note what it shows (2.1)."""
        if entry.decidedBy is not None:
            low, high = 12, 12
        elif entry.surface is not None:
            low, high = 11, 12 if kind is Kind.WAITING else 11
        elif entry.requestId is not None and entry.requestId.startswith(PERM):
            low, high = 10, 10 if entry.message is not None else 12 if kind is Kind.WAITING else 11
        else:
            low, high = self._message_era(entry, kind, told, at)
        self._first[low] = min(self._first[low], at)
        return low << 4 | high

    def _message_era(self, entry: GateEntry, kind: Kind, told: Told, at: str) -> tuple[int, int]:
        high = 9
        low = 0 if entry.denialReason is UNSET and entry.toolInputPreview is UNSET else 1
        if told is not _NOTHING:
            low = max(low, self._shown(told, at))
        if kind is Kind.SESSION or kind is Kind.INFRASTRUCTURE or kind is Kind.BLOCKED:
            low = max(low, self._shown_by_members(entry, kind, at))
            if entry.resolution == "confirmation_unavailable":
                high = 7
        elif kind is Kind.AUTO:
            if entry.resolution is not None or entry.requestId is None:
                low = max(low, 7)
            else:
                high = 6
        elif kind is Kind.DENIED and entry.resolution == "confirmation_unavailable":
            low = 8
        return low, high

    def _shown_by_members(self, entry: GateEntry, kind: Kind, at: str) -> int:
        if kind is not Kind.BLOCKED or (entry.message is not None and entry.resolution == "policy_denied"):
            self._part.marks.saw(Feature.BLOCKED_MESSAGE, at)
        if entry.resolution == "gate_error":
            return Era.E6
        if entry.origin is not None or entry.tokens is not None:
            return Era.E4
        return Era.E3 if kind is not Kind.BLOCKED or entry.externalPaths is not None else Era.E0

    def _shown(self, told: Told, at: str) -> int:
        """Return the oldest era whose sentences tell this (section 8)."""
        if told.links:
            known = self._part.resolved
            for link in told.links:
                if at < known.get(link, "~"):
                    known[link] = at
            low = Era.E6
        elif told.full is not None and told.shape is Shape.UNIT:
            self._part.marks.saw(Feature.FULL_COMMAND, at)
            self._part.named_whole.add(told.tool or "bash")
            low = Era.E5
        elif told.context is not None:
            low = Era.E5
        elif told.shape is Shape.PATH:
            low = Era.E4
        else:
            low = Era.E3 if told.shape is Shape.SHELL_EXTERNAL else Era.E0
        return max(low, SENTINELS.get(told.pattern or "", low))


_WHOLE = frozenset({GateName.BASH_PATH, GateName.BASH_EXTERNAL_DIRECTORY, GateName.UNKNOWN})
"""Gates that log the whole command."""


def _tell(entry: GateEntry, message: str) -> tuple[Told, int]:
    """Read a sentence; a forwarded one yields the checksum of the child's own beside it."""
    forwarded = peel(message)
    child = 0
    if forwarded is not None:
        message = forwarded.message
        child = checksum(message)
    preview = entry.toolInputPreview
    known = Known(
        entry.agentName,
        entry.toolName,
        entry.command,
        entry.target,
        entry.path,
        None if preview is UNSET else preview,
    )
    told = read_message(message, known)
    if told.shape is Shape.UNIT and told.tool is None:
        told.tool = entry.toolName or "bash"
    return told, child


def _values(entry: GateEntry, told: Told) -> tuple[str | None, str | None, str | None, str | None]:
    """Return tool, command, path and target: the members, or what the sentence tells in their place."""
    tool, command, path, target = entry.toolName, entry.command, entry.path, entry.target
    if told is _NOTHING:
        return tool, command, path, target
    shape = told.shape
    if shape is Shape.UNIT or shape is Shape.SHELL_EXTERNAL:
        return tool or "bash", told.value if command is None else command, path, target
    if shape is Shape.TARGET:
        return tool or "mcp", command, path, told.value if target is None else target
    if shape is Shape.SKILL:
        return tool, command, path, target
    return tool or told.tool, command, told.value if path is None else path, target


def _is_bypass(entry: GateEntry) -> bool:
    """Tell the two producers of a session approval apart: a bypass lists paths and names no rule (3.3)."""
    if entry.tokens is None and entry.externalPaths is None:
        return False
    return entry.message is None and entry.surface is None and entry.sessionApprovalPattern is None


def _paths(entry: GateEntry, told: Told) -> tuple[str, ...]:
    """Return the paths a shell gate lists; a masked list is its one text."""
    listed = entry.tokens if entry.tokens is not None else entry.externalPaths
    if listed is None:
        return told.paths
    return (listed,) if isinstance(listed, str) else tuple(listed)
