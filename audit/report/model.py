"""The blast-radius report as plain data. Renderers are functions of a `Report` and compute nothing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from audit.core.action import Action
from audit.core.gates import Gate
from audit.core.place import Platform
from audit.log.cases import CwdSource, Outcome, TrafficFacts
from audit.measures.candidate_sets import CandidateSets
from audit.measures.causes import Causes
from audit.measures.fidelity import Fidelity
from audit.measures.finding import Finding
from audit.measures.ladder import BypassLadder
from audit.measures.matrix import ChangeMatrix
from audit.measures.measure import Count
from audit.measures.new_prompts import NewPrompts
from audit.measures.prompt_rate import PromptRate
from audit.measures.selectivity import Selectivity
from audit.measures.session_prompts import SessionPrompts
from audit.protocol.engine import Detail, FailureKind
from audit.replay.arm import Side, WorldFacts
from audit.replay.ledger import ReplayLedger

SCHEMA_VERSION = 1
"""Of the machine form. A whole number that only grows; every change of a member's meaning adds one."""


@dataclass(frozen=True, slots=True)
class LogFacts:
    """The input, without its path."""

    digest: str
    lines: int
    first: str | None
    last: str | None
    eras: Mapping[str, int]
    """Entries per era of the log's schema."""
    rejects: int
    """Lines that are no entries."""
    traffic: TrafficFacts | None = None
    """What transcripts added; None: the log alone, which never saw what a policy allowed."""


@dataclass(frozen=True, slots=True)
class SideFacts:
    """One side: what decided, under which policy."""

    side: Side
    policy: str
    """Digest of the policy as read."""
    engine: str
    revision: str
    switches: Mapping[str, str]
    source: str | None = None
    """What identifies the engine's code: a commit or a digest; None: this program itself, or unknown."""
    restarts: int = 0
    """How often the engine broke and was started again."""


@dataclass(frozen=True, slots=True)
class PlaceFacts:
    """The place rule of both sides, in labels that name nobody's folders."""

    platform: Platform
    working_directories: Mapping[CwdSource, int]
    """Replayed distinct commands by where their working directory comes from."""
    distinct_working_directories: int
    links: int
    entries: int | None
    """Paths known to exist; None: nothing is known."""
    world: WorldFacts | None
    """The recording they come from."""


@dataclass(frozen=True, slots=True)
class Header:
    """Block 1: what was compared, and how to make the report again."""

    log: LogFacts
    baseline: SideFacts
    candidate: SideFacts
    places: PlaceFacts
    detail: Detail
    tool_version: str
    command: str
    """The invocation that makes the report again."""


@dataclass(frozen=True, slots=True)
class Reason:
    """Why one side decided as it did: its deciding gate, in one line's worth of facts."""

    action: Action | None
    """None: no decision, see `failure`."""
    failure: FailureKind | None = None
    message: str | None = None
    gate: Gate | None = None
    """None where the engine reports no gates."""
    surface: str | None = None
    pattern: str | None = None
    origin: str | None = None
    value: str | None = None
    context: str | None = None
    paths: tuple[str, ...] = ()
    other_prompts: int = 0
    """Prompts of the same call beside this gate."""
    other_units: int = 0
    """Units of the command beside the one that decided at the tool gate."""


@dataclass(frozen=True, slots=True)
class Cluster:
    """Commands of one shape, shown by one of them.

    The shape is the finding, the command words of the units in order, and gate, surface and pattern
    behind both decisions. The example is the command that occurs most; among equals the shortest, then
    the first by text.
    """

    finding: Finding
    words: tuple[str, ...]
    count: Count
    outcomes: Mapping[Outcome, int]
    """How the logged requests of all its commands ended."""
    case: str
    tool: str
    command: str
    """The example, as logged."""
    occurrences: int
    """Calls of the example alone."""
    cwd: str
    """Working directory of the example, home written as `~`."""
    baseline: Reason
    candidate: Reason
    lost: tuple[str, ...]
    """Units and paths of the example that only the baseline sees."""
    gained: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Listed:
    """One distinct command that is not unchanged."""

    case: str
    finding: Finding
    cluster: int
    """Index into `Report.clusters`."""
    calls: int
    tool: str
    command: str


class CautionKind(StrEnum):
    """What a reader has to know before quoting a figure."""

    NOTHING_COMPARED = "nothing_compared"
    SMALL_POPULATION = "small_population"
    SAME_ARMS = "same_arms"
    UNSTABLE_ENGINE = "unstable_engine"
    FAILED_ANSWERS = "failed_answers"
    RESTARTED_ENGINE = "restarted_engine"
    COARSE_DETAIL = "coarse_detail"
    LOW_FIDELITY = "low_fidelity"
    SHORTENED = "shortened"
    PARTIAL = "partial"
    UNCERTAIN_PLACES = "uncertain_places"
    REJECTED_LINES = "rejected_lines"
    ONE_MONTH = "one_month"
    PARTIAL_TRAFFIC = "partial_traffic"
    NO_LOG = "no_log"
    NEVER_WATCHED = "never_watched"
    SILENT_OUTSIDE_LOG = "silent_outside_log"
    SILENT_ALLOWS = "silent_allows"


@dataclass(frozen=True, slots=True)
class Caution:
    """A caution raised by rule; `values` holds the integers of its sentence."""

    kind: CautionKind
    values: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class ExistenceRange:
    """Counts of distinct commands where words of unknown existence are all absent, and all present."""

    population: int
    changed: tuple[int, int]
    baseline_asks: tuple[int, int]
    baseline_denials: tuple[int, int]
    candidate_asks: tuple[int, int]
    candidate_denials: tuple[int, int]


@dataclass(frozen=True, slots=True)
class Report:
    """Blocks 1 to 10 of a comparison."""

    header: Header
    ledger: ReplayLedger
    fidelity: Fidelity
    matrix: ChangeMatrix
    prompt_rate: PromptRate
    sessions: SessionPrompts | None
    """Prompts in sessions, where asked for."""
    ladder: BypassLadder
    new_prompts: NewPrompts
    candidate_sets: CandidateSets
    selectivity: Selectivity
    existence: ExistenceRange | None
    """None: no core asked about a word of which nothing is known. All else takes such words as absent."""
    causes: Causes
    clusters: tuple[Cluster, ...]
    """By finding, the largest first; holds every shape that is not unchanged."""
    changes: tuple[Listed, ...]
    """Every distinct command that is not unchanged, in order of the log."""
    cautions: tuple[Caution, ...]

    @property
    def compared(self) -> Count:
        """Return the population: what both sides decided."""
        return self.matrix.population
