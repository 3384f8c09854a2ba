"""Read stretches of lines into parts. This is the loop that costs the time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from zlib import crc32

from msgspec import MsgspecError

from audit.log.asks import PERM, AskReader
from audit.log.calls import Request
from audit.log.cut import DEFAULT_WIDTH
from audit.log.gates import KINDS, Kind
from audit.log.line import STAMP_LENGTH, GateEntry, LineDecoder, NoEntryError, decode_gate_entry
from audit.log.moments import utc_time
from audit.log.otherlines import keep_other
from audit.log.pairing import join, join_again
from audit.log.part import Answer, Part, Rejected
from audit.log.rows import BY_REQUEST, RowMaker

SERVED = "\0served "
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_WAITING, _APPROVED, _DENIED = Kind.WAITING, Kind.APPROVED, Kind.DENIED
_PROMPTS = frozenset({_WAITING, _APPROVED, _DENIED})
_ANSWERS = frozenset({_APPROVED, _DENIED})


class StretchReader:
    """Reads one stretch of lines after another.

    A line becomes a request as soon as it can, while its texts are still at hand for the processor: an
    answer with the one open ask it answers, a line that settles without asking at once.
    """

    def __init__(self, width: int = DEFAULT_WIDTH) -> None:
        """`width` is that of the log's fields."""
        self._asks = AskReader()
        self._rows = RowMaker(width)
        self._start(0)

    def _start(self, before: int) -> None:
        self._part = Part(before)
        self._decoder = LineDecoder()
        self._open: dict[str, GateEntry] = {}
        """Open asks by request id; those of a serving session apart."""
        self._tangled: dict[str, list[GateEntry]] = {}
        """Lines of calls whose asks and answers have to be paired together."""
        self._asks.begin(self._part)

    def read(self, lines: Sequence[bytes], before: int) -> Part:
        """Read consecutive lines; `before` is the position of the line before the first."""
        self._start(before)
        kinds, take = KINDS, self._take
        pos, last = before, ""
        for line in lines:
            pos += 1
            try:
                entry = decode_gate_entry(line)
            except MsgspecError:
                self._uncommon(line, pos)
                continue
            key = entry.toolCallId
            kind = kinds.get(entry.event)  # type: ignore[arg-type]
            if not key or kind is None or entry.stream == "debug":
                self._uncommon(line, pos)
                continue
            at = entry.timestamp
            if at is None or len(at) != STAMP_LENGTH or at[-1] != "Z":
                at = entry.timestamp = utc_time(at) or ""
            if at > last:  # noqa: PLR1730 - a call of `max` for each line costs more
                last = at
            entry.pos = pos
            take(key, entry, kind)
        self._note(last)
        self._place_rejected(lines, before)
        self._finish()
        return self._part

    def _take(self, key: str, entry: GateEntry, kind: Kind) -> None:
        """Take a line of a gate."""
        tangled = self._tangled.get(key)
        if tangled is not None:
            tangled.append(entry)
            return
        request_id = entry.requestId or key
        if entry.forwarded is True:
            request_id = SERVED + request_id
        if kind is _WAITING:
            if self._open.setdefault(request_id, entry) is not entry:
                self._tangle(key, request_id, entry)
            return
        if kind in _ANSWERS:
            ask = self._open.get(request_id)
            if ask is None or not _plainly_answers(entry, ask):
                self._tangle(key, request_id, entry)
                return
            del self._open[request_id]
            request = self._asks.request(ask, _WAITING, entry, kind)
        else:
            request = self._asks.request(entry, kind)
        requests = self._part.calls.get(key)
        if requests is None:
            self._part.calls[key] = [request]
        else:
            requests.append(request)

    def _tangle(self, key: str, request_id: str, entry: GateEntry) -> None:
        """Keep the lines of a call until all are there."""
        ask = self._open.get(request_id)
        if ask is None or _key(ask) != key:
            self._tangled[key] = [entry]
        else:
            del self._open[request_id]
            self._tangled[key] = [ask, entry]

    def _note(self, at: str) -> None:
        self._part.last = max(self._part.last, at)

    def _uncommon(self, line: bytes, pos: int) -> None:
        """Read a line that is not a gate's, or not of the common form."""
        if line.startswith(_BYTE_ORDER_MARK):
            line = line.removeprefix(_BYTE_ORDER_MARK)
        if not line.strip():
            self._part.blank += 1
            return
        try:
            entry = self._decoder.decode(line)
        except NoEntryError as reason:
            self._part.rejected.append(Rejected(pos, reason.why, line))
            return
        at = entry.timestamp
        if at is None or len(at) != STAMP_LENGTH or at[-1] != "Z":
            at = entry.timestamp = utc_time(at) or ""
        self._note(at)
        entry.pos = pos
        kind = KINDS.get(entry.event or "")
        if kind is None or entry.stream == "debug":
            keep_other(entry, self._part, _checksum(line))
        elif entry.toolCallId:
            self._take(entry.toolCallId, entry, kind)
        elif entry.requestId or kind in _PROMPTS:
            self._take(_key(entry), entry, kind)
        else:
            self._part.loners.append((self._asks.request(entry, kind), _checksum(line)))

    def _place_rejected(self, lines: Sequence[bytes], before: int) -> None:
        """Tell each line that is no entry by the entries around it: it has no moment of its own."""
        rejected = {one.pos - before - 1: one for one in self._part.rejected}
        for at, one in rejected.items():
            one.after = _near(lines, at, -1, rejected)
        for at, one in reversed(rejected.items()):
            one.ahead = _near(lines, at, 1, rejected)

    def _finish(self) -> None:
        """Join the lines that are left as far as this stretch has them, and put each call in order."""
        part = self._part
        for ask in self._open.values():
            part.calls.setdefault(_key(ask), []).append(self._asks.request(ask, _WAITING))
        for key, group in self._tangled.items():
            self._join(key, group)
        for key, requests in part.calls.items():
            if len(requests) > 1:
                joined = join_again(requests)
                part.copies += joined.copies
                part.calls[key] = joined.requests
        moments = [requests[0].time for requests in part.calls.values()]
        lone = {key: found[0] for key, found in part.calls.items() if _is_lone(key, found)}
        part.rows = self._rows.rows(lone)
        for key in lone:
            del part.calls[key]
        moments += [line.at for line in part.others]
        part.first = min(filter(None, moments), default="")
        part.unknown_members = self._decoder.unknown_members
        part.misfits = self._decoder.misfits

    def _join(self, key: str, group: Sequence[GateEntry]) -> None:
        """Join lines of a call that are more than one ask with its answer."""
        asks: list[Request] = []
        answers: list[Answer] = []
        for entry in group:
            kind = KINDS[entry.event]  # type: ignore[index]
            if kind in _ANSWERS:
                answers.append(self._asks.answer(entry, kind))
            else:
                asks.append(self._asks.request(entry, kind))
        joined = join(asks, answers)
        self._part.copies += joined.copies
        if joined.requests:
            self._part.calls.setdefault(key, []).extend(joined.requests)
        if joined.answers:
            self._part.answers[key] = joined.answers


def _is_lone(key: str, requests: Sequence[Request]) -> bool:
    """Tell whether a request is all that is here of its call, and no other part can change how it is read."""
    return len(requests) == 1 and key != BY_REQUEST and not requests[0].by_era


def _key(entry: GateEntry) -> str:
    """Return what the lines of a call are kept under."""
    return entry.toolCallId or BY_REQUEST + (entry.requestId or "")


def _plainly_answers(answer: GateEntry, ask: GateEntry) -> bool:
    """Tell whether the later one of two lines is the answer to the other beyond doubt."""
    request = ask.requestId
    if answer.requestId != request or answer.toolCallId != ask.toolCallId:
        return False
    if answer.message != ask.message and not (request or "").startswith(PERM):
        return False
    return (ask.timestamp or "") <= (answer.timestamp or "")


def _near(
    lines: Sequence[bytes], at: int, step: int, rejected: Mapping[int, Rejected]
) -> tuple[int, int] | None:
    """Return the checksum of the nearest entry in a direction, and how far it is.

    Of another line that is no entry, this has been found out already.
    """
    other = at + step
    while 0 <= other < len(lines):
        if other in rejected:
            near = rejected[other].after if step < 0 else rejected[other].ahead
            return None if near is None else (near[0], near[1] + abs(other - at))
        if lines[other].strip():
            return _checksum(lines[other]), abs(other - at)
        other += step
    return None


def _checksum(line: bytes) -> int:
    """Return a checksum of a line that is the same in every process; its length makes up the high bits."""
    return len(line) << 32 | crc32(line)
