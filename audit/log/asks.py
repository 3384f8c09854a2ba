"""From the lines of a gate to requests: what each line tells (review-log.md 3, 8 and 9).

Every line of a log passes here, so what comes often is looked up instead of worked out again.
"""

from __future__ import annotations

from zlib import crc32

from msgspec import UNSET

from audit.log.calls import GateName, Request
from audit.log.eras import SENTINELS, Era, Feature
from audit.log.gates import UNANSWERED, Kind, ending, gate_of
from audit.log.line import GateEntry
from audit.log.messages import ALLOW_COMMAND, Known, Shape, Told, peel, read_message, read_unit_tail
from audit.log.part import Answer, Part

PERM = "perm-"
"""How request ids begin from E10 on."""

_NOTHING = Told()
_WAITING = Kind.WAITING
_UNIT = Shape.UNIT
_TOOL_GATE = GateName.TOOL
_WHOLE = frozenset({GateName.BASH_PATH, GateName.BASH_EXTERNAL_DIRECTORY, GateName.UNKNOWN})
"""Gates that log the whole command."""
_BY_MEMBERS = frozenset({Kind.BLOCKED, Kind.SESSION, Kind.INFRASTRUCTURE})
_NO_AGENT = "Current agent requested bash command '"
_END = -len(ALLOW_COMMAND)

E12_ONLY = 12 << 4 | 12
_E11_OR_LATER = 11 << 4 | 12
_E11_ONLY = 11 << 4 | 11


def checksum(text: str | None) -> int:
    """Return a checksum that is the same in every process and 0 only for None."""
    return 0 if text is None else crc32(text.encode("utf-8", "surrogatepass")) or 1


class AskReader:
    """Reads lines of gates; notes in the part at hand which eras they show and which links they mention."""

    def __init__(self) -> None:
        self._kept: dict[str | None, str | None] = {None: None}
        """One copy of each text that comes often."""
        self._tails: dict[str, Told] = {}
        """What stands behind the unit of a sentence, where that names no whole command."""
        self._heads: dict[str | None, str] = {None: _NO_AGENT}
        self.begin(Part())

    def begin(self, part: Part) -> None:
        """Note what is seen from here on in this part."""
        self._part = part
        self._first = part.marks.first

    def request(
        self,
        entry: GateEntry,
        kind: Kind,
        answer: GateEntry | None = None,
        answer_kind: Kind = _WAITING,
    ) -> Request:
        """Return the request that a line opens or, on any but a waiting line, settles."""
        one = self._kept.setdefault
        at = entry.timestamp or ""
        message = entry.message
        preview = entry.toolInputPreview
        child = 0
        if message is None:
            told = _NOTHING
        else:
            told = self._told(entry, message, at)
            if message.startswith("Subagent '"):
                forwarded = peel(message)
                child = 0 if forwarded is None else checksum(forwarded.message)
        shape = told.shape
        gate = _TOOL_GATE if shape is _UNIT and entry.source == "tool_call" else gate_of(entry, kind, shape)
        bounds = self._bounds(entry, kind, told, at)
        settled: str | None
        if answer is not None:
            end = ending(answer_kind, answer.resolution, answer.decidedBy)
            settled = answer.timestamp or ""
            answer_bounds = self._bounds(answer, answer_kind, _NOTHING, settled)
            asked: str | None = at
            last = answer
            lines: tuple[int, ...] = (entry.pos, answer.pos)
        else:
            answer_bounds, last, lines = -1, entry, (entry.pos,)
            if kind is _WAITING:
                end, asked, settled = UNANSWERED, at, None
            else:
                end, asked, settled = ending(kind, entry.resolution, entry.decidedBy), None, at
        tool, command, path, target = entry.toolName, entry.command, entry.path, entry.target
        if shape is not Shape.UNKNOWN and (shape is not _UNIT or tool is None or command is None):
            tool, command, path, target = _values(entry, told)
        pattern = entry.matchedPattern or told.pattern
        cwd = entry.cwd or told.cwd
        surface = entry.surface
        request_id = entry.requestId
        return Request(
            GateName.PATH if gate is None else gate,
            end.outcome,
            end.decider,
            asked,
            settled,
            one(last.resolution, last.resolution),
            None if last.denialReason is UNSET else last.denialReason,
            end.link,
            one(tool, tool),
            one(entry.agentName, entry.agentName),
            surface if surface is None else one(surface, surface),
            pattern if pattern is None else one(pattern, pattern),
            entry.sessionApprovalPattern or entry.sessionApprovalPrefix,
            entry.commandContext or told.context,
            command if command is None else one(command, command),
            told.full if told.full is not None else command if gate in _WHOLE else None,
            path,
            target,
            entry.skillName or (told.value if shape is Shape.SKILL else None),
            told.preview if preview is UNSET or preview is None else preview,
            _paths(entry, told),
            cwd if cwd is None else one(cwd, cwd),
            kind is Kind.SESSION and _is_bypass(entry),
            gate is None,
            None if request_id == entry.toolCallId else request_id,
            None,
            checksum(message),
            entry.forwarded is True or child != 0,
            child,
            bounds,
            answer_bounds,
            (),
            lines,
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

    def _told(self, entry: GateEntry, message: str, at: str) -> Told:
        """Read a sentence; that of a plain unit, by far the most frequent, only where it is a new one."""
        command = entry.command
        if command is not None and message.endswith(ALLOW_COMMAND):
            head = self._heads.get(entry.agentName)
            if head is None:
                head = self._heads[entry.agentName] = f"Agent '{entry.agentName}' requested bash command '"
            if message.startswith(head) and message.startswith(command, len(head)):
                tail = message[len(head) + len(command) : _END]
                told = self._tails.get(tail)
                if told is None:
                    told = read_unit_tail(tail)
                    self._show(told, entry.toolName, at)
                    if told.full is None:
                        self._tails[tail] = told
                return told
        forwarded = peel(message)
        told = read_message(message if forwarded is None else forwarded.message, _known(entry))
        self._show(told, entry.toolName, at)
        return told

    def _show(self, told: Told, tool: str | None, at: str) -> None:
        """Fill in the oldest era whose sentences tell this (section 8); note features and links."""
        if told.links:
            known = self._part.resolved
            for link in told.links:
                known[link] = min(at, known.get(link, at))
            era = Era.E6
        elif told.full is not None and told.shape is _UNIT:
            self._part.marks.saw(Feature.FULL_COMMAND, at)
            self._part.named_whole.add(tool or "bash")
            era = Era.E5
        elif told.context is not None:
            era = Era.E5
        elif told.shape is Shape.PATH:
            era = Era.E4
        else:
            era = Era.E3 if told.shape is Shape.SHELL_EXTERNAL else Era.E0
        told.era = max(era, SENTINELS.get(told.pattern or "", era))

    def _bounds(self, entry: GateEntry, kind: Kind, told: Told, at: str) -> int:
        """Return the bounds of the era of a line, and note what it shows (2.1)."""
        request_id = entry.requestId
        if entry.decidedBy is not None:
            bounds = E12_ONLY
        elif entry.surface is not None:
            bounds = _E11_OR_LATER if kind is _WAITING else _E11_ONLY
        elif request_id is not None and request_id.startswith(PERM):
            bounds = 10 << 4 | (10 if entry.message is not None else 12 if kind is _WAITING else 11)
        else:
            bounds = self._message_era(entry, kind, told, at)
        low = bounds >> 4
        if at < self._first[low]:  # noqa: PLR1730 - a call of `min` for each line costs more
            self._first[low] = at
        return bounds

    def _message_era(self, entry: GateEntry, kind: Kind, told: Told, at: str) -> int:
        high = 9
        low = told.era
        if low == 0 and not (entry.denialReason is UNSET and entry.toolInputPreview is UNSET):
            low = 1
        if kind in _BY_MEMBERS:
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
        return low << 4 | high

    def _shown_by_members(self, entry: GateEntry, kind: Kind, at: str) -> int:
        if kind is not Kind.BLOCKED or (entry.message is not None and entry.resolution == "policy_denied"):
            self._part.marks.saw(Feature.BLOCKED_MESSAGE, at)
        if entry.resolution == "gate_error":
            return Era.E6
        if entry.origin is not None or entry.tokens is not None:
            return Era.E4
        return Era.E3 if kind is not Kind.BLOCKED or entry.externalPaths is not None else Era.E0


def _known(entry: GateEntry) -> Known:
    preview = entry.toolInputPreview
    return Known(
        entry.agentName,
        entry.toolName,
        entry.command,
        entry.target,
        entry.path,
        None if preview is UNSET else preview,
    )


def _values(entry: GateEntry, told: Told) -> tuple[str | None, str | None, str | None, str | None]:
    """Return tool, command, path and target: the members, or what the sentence tells in their place."""
    tool, command, path, target = entry.toolName, entry.command, entry.path, entry.target
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
