"""Read session files: each line is classed, each call is counted once."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator

import msgspec

from audit.log.cases import Reject
from audit.log.source import LogSource, blocks_in
from audit.log.transcripts.claude_code import ClaudeCodeDecoder
from audit.log.transcripts.codex import CodexDecoder
from audit.log.transcripts.gathering import Decoder, Gathering
from audit.log.transcripts.merge import merged
from audit.log.transcripts.model import EntryKind, TranscriptReading
from audit.log.transcripts.pi import PiDecoder
from audit.log.transcripts.plain import PlainDecoder

SHOWN = 200
"""How much of a rejected line is kept, in characters."""
LINE_END = b"\n"


def read_transcripts(sources: Iterable[LogSource]) -> TranscriptReading:
    """Read session files of any agent, in any order, told apart by what is in them.

    A source may hold several sessions, of several agents. A source whose content another one has,
    too, counts once. Nothing is raised for damage: a line that cannot be read is a reject.
    """
    return merged([_gathered(source) for source in sources])


def _gathered(source: LogSource) -> Gathering:
    gathering = Gathering(source.name)
    digest = hashlib.sha256()
    reader = _LineReader(gathering)
    for number, raw in enumerate(_lines(source), start=1):
        digest.update(raw)
        digest.update(LINE_END)
        gathering.kinds.append(reader.kind(number, raw))
    gathering.digest = digest.hexdigest()
    return gathering


def _lines(source: LogSource) -> Iterator[bytes]:
    """Yield the lines without their ends."""
    for block in blocks_in(source):
        for line in block.removesuffix(LINE_END).split(LINE_END):
            yield line.removesuffix(b"\r")


class _LineReader:
    """Tries the decoder that read the line before, then the others."""

    def __init__(self, gathering: Gathering) -> None:
        self._gathering = gathering
        self._decoders: list[Decoder] = [
            PiDecoder(gathering),
            ClaudeCodeDecoder(gathering),
            CodexDecoder(gathering),
            PlainDecoder(gathering),
        ]

    def kind(self, number: int, raw: bytes) -> EntryKind:
        """Read one line and return its class."""
        if not raw.strip():
            return EntryKind.BLANK
        broken: str | None = None
        for position, decoder in enumerate(self._decoders):
            try:
                kind = decoder.line(number, raw)
            except msgspec.ValidationError as error:
                broken = broken or str(error)
                continue
            except (ValueError, RecursionError) as error:
                return self._reject(number, raw, f"no JSON: {error}")
            if kind is not None:
                if position:
                    self._decoders.insert(0, self._decoders.pop(position))
                self._gathering.formats[decoder.source] += 1
                return kind
        if broken is not None:
            return self._reject(number, raw, f"broken entry: {broken}")
        return EntryKind.FOREIGN

    def _reject(self, number: int, raw: bytes, why: str) -> EntryKind:
        text = raw[: 4 * SHOWN].decode("utf-8", "replace")[:SHOWN]
        self._gathering.rejects.append(Reject(self._gathering.name, number, why, text))
        return EntryKind.REJECT
