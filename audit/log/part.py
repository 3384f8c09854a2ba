"""What reading a stretch of lines leaves behind.

A part does not depend on the parts before it: every record keeps its moment and its position, so parts
can be made in any order, by any process, and are put together afterwards.
"""

from __future__ import annotations

from collections import Counter

import msgspec
import polars as pl

from audit.log.calls import Decider, Request
from audit.log.cases import Outcome
from audit.log.eras import Marks
from audit.log.rows import EMPTY

FILE_SHIFT = 40
"""A position is the number of the file, shifted by this, plus the line in it, counted from 1."""
LINE_MASK = (1 << FILE_SHIFT) - 1


class Answer(msgspec.Struct, gc=False):
    """An approval or denial whose waiting line is not in the same part."""

    at: str
    id: str | None
    message: int
    resolution: str | None
    reason: str | None
    outcome: Outcome
    decider: Decider
    link: str | None
    served: bool
    """Of a serving session."""
    bounds: int
    pos: int


class OtherLine(msgspec.Struct, gc=False):
    """A line that belongs to no gate."""

    at: str
    pos: int
    klass: str
    """Its class in the ledger."""
    content: int
    """Checksum of the bytes, to tell copies."""
    owned: bool
    """It carries an id, so that two of the same are one written twice."""
    bounds: int


class ForwardLine(msgspec.Struct, gc=False):
    """A line of the forwarding traffic between a child and its parent (3.7)."""

    at: str
    pos: int
    event: str
    """Without `forwarded_permission.`."""
    id: str
    agent: str | None
    session: str | None
    resolution: str | None
    reason: str | None
    bounds: int


class LinkLine(msgspec.Struct, gc=False):
    """A decision of a link of the authorizer chain, as a third party logged it (14)."""

    at: str
    pos: int
    event: str
    request: str | None
    verdict: str | None
    """`allow`, `deny` or `defer`, as the chain saw it."""
    command: str | None


class PlaceLine(msgspec.Struct, gc=False):
    """A line that tells where a session runs (13): a session's start, or a moment in it."""

    at: str
    pos: int
    start: bool
    cwd: str | None
    home: str | None
    evidence: str


class Rejected(msgspec.Struct, gc=False):
    """A line that is no entry."""

    pos: int
    why: str
    text: bytes
    after: tuple[int, int] | None = None
    """Checksum of the entry before it, and how many lines lie between; None where its part has none."""
    ahead: tuple[int, int] | None = None
    """The same of the entry behind it."""


class Part:
    """Everything a stretch of lines left behind."""

    def __init__(self, before: int = 0) -> None:
        self.file = before >> FILE_SHIFT
        """Number of the file that its lines are of."""
        self.rows: pl.DataFrame = EMPTY
        """Requests that are all there is of their call here, as rows."""
        self.calls: dict[str, list[Request]] = {}
        """The others in order of time, by `toolCallId`, or with a mark by request id where there is none."""
        self.answers: dict[str, list[Answer]] = {}
        """By the same keys."""
        self.loners: list[tuple[Request, int]] = []
        """Requests of lines without any id, no prompts, with the checksum of the line."""
        self.copies: list[int] = []
        """Positions of lines of gates that say the same as another line of their call."""
        self.others: list[OtherLine] = []
        self.forwards: list[ForwardLine] = []
        self.links: list[LinkLine] = []
        self.places: list[PlaceLine] = []
        self.rejected: list[Rejected] = []
        self.blank = 0
        self.marks = Marks()
        self.resolved: dict[tuple[str, str], str] = {}
        """Pairs of a path and what a sentence says it resolves to, with the first moment."""
        self.named_whole: set[str] = set()
        """Tools for which a sentence named the whole command beside the unit."""
        self.unknown_members: Counter[str] = Counter()
        self.misfits: Counter[str] = Counter()
        self.first = ""
        self.last = ""
        """The first moment in the order of the lines, and the last of all."""
