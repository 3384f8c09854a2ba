"""What a log says by itself, without a policy, as plain data. Renderers compute nothing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from audit.core.place import Platform
from audit.log.cases import CwdSource, LineLedger, LogReading
from audit.measures.measure import MIN_DENOMINATOR
from audit.measures.recorded.always_approved import AlwaysApproved, always_approved
from audit.measures.recorded.bursts import Bursts, bursts
from audit.measures.recorded.causes import RecordedCauses, recorded_causes
from audit.measures.recorded.coverage import Coverage, coverage
from audit.measures.recorded.deciders import Deciders, deciders
from audit.measures.recorded.direction import Directions, directions
from audit.measures.recorded.latency import Latency, latency
from audit.measures.recorded.outside import PlaceFacts, outside
from audit.measures.recorded.per_call import PromptsPerCall, prompts_per_call
from audit.measures.recorded.repeats import Repeats, repeats
from audit.measures.recorded.requests import Logged, logged
from audit.measures.recorded.roots import Roots, roots
from audit.measures.recorded.selectors import Selectors, selectors
from audit.measures.recorded.stamps import UNKNOWN_TIME
from audit.measures.recorded.volume import Volume, volume
from audit.report.build import Making
from audit.report.model import LogFacts

SCHEMA_VERSION = 1
"""Of the machine form. A whole number that only grows; every change of a member's meaning adds one."""
SHORTENED_CEILING = 2
"""Per cent of shell requests that may be cut or masked before the summary says so (measures.md 5.2)."""
MONTH_CEILING = 50
"""Per cent of all asks that one month may hold before the summary says so (pitfall 10)."""


@dataclass(frozen=True, slots=True)
class Places:
    """Where the calls were made, in labels that name nobody's folders."""

    platform: Platform
    platform_source: CwdSource
    home_source: CwdSource
    working_directories: Mapping[CwdSource, int]
    """Calls by where their working directory comes from."""
    distinct_working_directories: int
    links: int


@dataclass(frozen=True, slots=True)
class Strangers:
    """What the log holds that its specification does not name; kept and counted by name."""

    events: Mapping[str, int]
    members: Mapping[str, int]
    misfits: Mapping[str, int]
    """Members whose value is of another type than documented."""


@dataclass(frozen=True, slots=True)
class SummaryHeader:
    """What was read, and how to make the summary again."""

    log: LogFacts
    calls: int
    requests: int
    session_starts: int
    """Lines that a session writes when it starts or reloads; subagents write them, too."""
    logs: int
    """Files that were read, and how many of them hold the same bytes as another one before them."""
    copies: int
    places: Places
    tool_version: str
    command: str


class SummaryCautionKind(StrEnum):
    """What a reader has to know before quoting a figure."""

    NO_ASKS = "no_asks"
    FEW_ASKS = "few_asks"
    ERA_WITHOUT_REQUESTS = "era_without_requests"
    BLIND_SELECTOR = "blind_selector"
    SILENT_ALLOWS = "silent_allows"
    ONE_MONTH = "one_month"
    LOPSIDED = "lopsided"
    SHORTENED = "shortened"
    UNCERTAIN_PLACES = "uncertain_places"
    UNKNOWN_TIME = "unknown_time"
    REJECTED_LINES = "rejected_lines"
    STRANGERS = "strangers"


@dataclass(frozen=True, slots=True)
class SummaryCaution:
    """A caution raised by rule; `values` holds what its sentence names."""

    kind: SummaryCautionKind
    values: Mapping[str, int | str]


@dataclass(frozen=True, slots=True)
class Summary:
    """Everything that the log says by itself."""

    schema_version: int
    header: SummaryHeader
    ledger: LineLedger
    volume: Volume
    causes: RecordedCauses
    directions: Directions
    roots: Roots
    deciders: Deciders
    latency: Latency
    bursts: Bursts
    repeats: Repeats
    always_approved: AlwaysApproved
    prompts_per_call: PromptsPerCall
    coverage: Coverage
    selectors: Selectors
    strangers: Strangers
    cautions: tuple[SummaryCaution, ...]


def build_summary(
    reading: LogReading, making: Making, links: tuple[tuple[str, str], ...] | None = None
) -> Summary:
    """Measure a log; `links` are the symbolic links of its places, without them those that it tells."""
    requests = logged(reading.calls, reading.timeline)
    platform = reading.platform or Platform.POSIX
    external = [one for one in requests if one.is_ask and one.is_external]
    asked_about = outside(
        external, PlaceFacts(platform, reading.home, reading.links if links is None else links)
    )
    header = _header(reading, making, requests)
    strangers = Strangers(reading.unknown_events, reading.unknown_members, reading.misfits)
    counted, told = volume(requests), coverage(requests, reading.eras)
    looked = selectors(requests)
    return Summary(
        schema_version=SCHEMA_VERSION,
        header=header,
        ledger=reading.ledger,
        volume=counted,
        causes=recorded_causes(requests),
        directions=directions(asked_about),
        roots=roots(asked_about, platform, reading.home),
        deciders=deciders(requests),
        latency=latency(requests),
        bursts=bursts(requests),
        repeats=repeats(requests),
        always_approved=always_approved(requests),
        prompts_per_call=prompts_per_call(reading.calls, requests),
        coverage=told,
        selectors=looked,
        strangers=strangers,
        cautions=tuple(
            SummaryCaution(kind, values)
            for kind, values in _cautions(header, counted, told, looked, strangers)
        ),
    )


def _header(reading: LogReading, making: Making, requests: Sequence[Logged]) -> SummaryHeader:
    sources = Counter(call.cwd_source for call in reading.calls)
    return SummaryHeader(
        log=LogFacts(
            digest=reading.digest,
            lines=reading.ledger.lines,
            first=reading.first,
            last=reading.last,
            eras=reading.eras,
            rejects=len(reading.rejects),
        ),
        calls=len(reading.calls),
        requests=len(requests),
        session_starts=len(reading.session_starts),
        logs=len(reading.files),
        copies=len(reading.files) - len({file.digest for file in reading.files}),
        places=Places(
            platform=reading.platform or Platform.POSIX,
            platform_source=reading.platform_source,
            home_source=reading.home_source,
            working_directories={source: sources[source] for source in CwdSource if sources[source]},
            distinct_working_directories=len({call.cwd for call in reading.calls} - {None}),
            links=len(reading.links),
        ),
        tool_version=making.tool_version,
        command=making.command,
    )


Raised = tuple[SummaryCautionKind, Mapping[str, int | str]]


def _cautions(
    header: SummaryHeader, counted: Volume, told: Coverage, looked: Selectors, strangers: Strangers
) -> Iterator[Raised]:
    """Yield the cautions of a summary, gravest first."""
    asks = counted.total.asks
    if not asks:
        yield SummaryCautionKind.NO_ASKS, {"requests": counted.total.requests, "lines": header.log.lines}
    elif asks < MIN_DENOMINATOR:
        yield SummaryCautionKind.FEW_ASKS, {"asks": asks, "floor": MIN_DENOMINATOR}
    for era in told.without_requests:
        # The first lines of a log are of an early era until a line shows a feature; that is no gap.
        if era is told.eras[-1] or era.entries >= MIN_DENOMINATOR:
            yield SummaryCautionKind.ERA_WITHOUT_REQUESTS, {"era": era.era, "entries": era.entries}
    for blind in looked.blind:
        yield (
            SummaryCautionKind.BLIND_SELECTOR,
            {"era": blind.era, "fact": blind.fact, "prompts": blind.found.denominator},
        )
    yield SummaryCautionKind.SILENT_ALLOWS, {}
    yield from _of_time(counted)
    yield from _of_inputs(header, told, strangers)


def _of_time(counted: Volume) -> Iterator[Raised]:
    asks = counted.total.asks
    months = [month for month in counted.months if month.period != UNKNOWN_TIME]
    if len(months) == 1:
        yield SummaryCautionKind.ONE_MONTH, {"month": months[0].period}
    elif months:
        busiest = max(months, key=lambda month: (month.asks, month.period))
        if busiest.asks * 100 > asks * MONTH_CEILING:
            yield (
                SummaryCautionKind.LOPSIDED,
                {"month": busiest.period, "asks": busiest.asks, "of": asks},
            )
    unknown = sum(month.requests for month in counted.months if month.period == UNKNOWN_TIME)
    if unknown:
        yield SummaryCautionKind.UNKNOWN_TIME, {"requests": unknown, "of": counted.total.requests}


def _of_inputs(header: SummaryHeader, told: Coverage, strangers: Strangers) -> Iterator[Raised]:
    cut = sum(era.cut.numerator for era in told.eras)
    commands = sum(era.cut.denominator for era in told.eras)
    if cut * 100 > commands * SHORTENED_CEILING:
        yield SummaryCautionKind.SHORTENED, {"cut": cut, "of": commands}
    places = header.places.working_directories
    uncertain = places.get(CwdSource.AMBIGUOUS, 0) + places.get(CwdSource.UNKNOWN, 0)
    if uncertain:
        yield SummaryCautionKind.UNCERTAIN_PLACES, {"calls": uncertain, "of": header.calls}
    if header.log.rejects:
        yield (
            SummaryCautionKind.REJECTED_LINES,
            {"rejects": header.log.rejects, "lines": header.log.lines},
        )
    if strangers.events or strangers.members or strangers.misfits:
        yield (
            SummaryCautionKind.STRANGERS,
            {
                "events": sum(strangers.events.values()),
                "members": sum(strangers.members.values()),
                "misfits": sum(strangers.misfits.values()),
            },
        )
