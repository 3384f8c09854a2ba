"""The blocks of a summary as sections: what was read, how often people are asked, and the ledger."""

from __future__ import annotations

from collections.abc import Iterator

from audit.measures.measure import Share, Unit
from audit.measures.recorded.coverage import EraCoverage
from audit.measures.recorded.stamps import UNKNOWN_TIME
from audit.measures.recorded.volume import Tally, Volume
from audit.report.sections import (
    Code,
    Line,
    Section,
    Table,
    are,
    few_note,
    listing,
    percent,
    plural,
    share,
    share_with_unit,
)
from audit.report.summary import Places, Summary
from audit.report.summary_words import bars, caution_words, duration, hours, range_over, share_notes
from audit.report.words import CWD_SOURCES, OUTCOMES

UNITS = (
    "A request is what one gate did with one call. It is a prompt when a person was asked, or would have "
    "been had one been there; otherwise a rule, a session approval, an automatic mode or a program settled "
    "it."
)


def in_short(summary: Summary) -> tuple[Section, ...]:
    """Return what a hurried reader takes away, and every caution."""
    total, waits, debt = summary.volume.total, summary.latency.answered, summary.always_approved
    log = summary.header.log
    notes: list[Line] = [
        (
            f"People answered {plural(total.approval.denominator, Unit.PROMPT)} and said yes to "
            f"{share(total.approval)}. Nobody there: {total.unavailable:,}; left pending: "
            f"{total.unanswered:,}.",
        ),
        (
            f"The agent waited {hours(waits.total)} for these answers; half took no longer than "
            f"{duration(waits.median)}, one in twenty longer than {duration(waits.p95)}.",
        ),
        (
            f"{share_with_unit(summary.repeats.repeats)} had been asked before in the same words; "
            f"{share_with_unit(debt.asks)} are questions that were approved every time, at least "
            f"{debt.least_answers} times.",
        ),
        (
            f"{share_with_unit(summary.bursts.in_bursts)} came in bursts, the next within "
            f"{summary.bursts.gap_seconds} seconds of the one before.",
        ),
    ]
    if summary.directions.classified:
        read = summary.directions.directions[0]
        notes.append(
            (
                f"Of {plural(summary.directions.classified, Unit.PROMPT)} about outside paths, between "
                f"{read.strict.numerator:,} (strict) and {read.loose.numerator:,} (loose) want to read only.",
            )
        )
    short = Section(
        "In short",
        (
            f"{plural(total.asks, Unit.PROMPT)} among {plural(total.requests, Unit.REQUEST)} of "
            f"{plural(summary.header.calls, Unit.CALL)}, {_span(log.first, log.last)}.",
        ),
        notes=tuple(notes) if total.asks else (),
    )
    care = tuple((caution_words(raised),) for raised in summary.cautions)
    return short, Section("To read with care", ("What bounds the figures below:",), notes=care)


def _span(first: str | None, last: str | None) -> str:
    return f"{first[:10]} to {last[:10]}" if first and last else "at unknown times"


def header(summary: Summary) -> Section:
    """Return what was read, and how to make the summary again."""
    facts = summary.header
    log = facts.log
    eras = listing(f"{era} in {plural(entries, 'line')}" for era, entries in log.eras.items())
    rows: tuple[tuple[str, Line], ...] = (
        ("Log", (f"{plural(log.lines, 'line')}, SHA-256 ", Code(log.digest))),
        ("From and to", (Code(log.first or "no entry"), " to ", Code(log.last or "no entry"))),
        ("Eras of the log's format", (eras or "none",)),
        ("Session starts", (f"{facts.session_starts:,} lines; reloads and subagents write them, too",)),
        ("Platform", (f"{facts.places.platform}, {_source(facts.places)}",)),
        ("Working directories", (_directories(facts.places),)),
        ("Links", (f"{facts.places.links:,}, recovered from the log's own notes",)),
        ("Policy", ("none: nothing was decided again",)),
        ("Made by", (f"permission-audit {facts.tool_version}",)),
        ("Made again by", (Code(facts.command),)),
    )
    return Section(
        "1. What was read",
        ("What the log recorded, by itself. The figures hold for this log and for the people in it.",),
        (Table(("", ""), tuple(((name,), line) for name, line in rows), frozenset({0, 1})),),
    )


def _source(places: Places) -> str:
    return f"{CWD_SOURCES[places.platform_source]}; home {CWD_SOURCES[places.home_source]}"


def _directories(places: Places) -> str:
    sources = listing(
        f"{CWD_SOURCES[source]} for {plural(number, Unit.CALL)}"
        for source, number in places.working_directories.items()
    )
    return f"{places.distinct_working_directories:,} distinct; {sources}" if sources else "none"


def ledger(summary: Summary) -> Section:
    """Return where every line went."""
    whole = summary.ledger
    rows: list[tuple[Line, ...]] = [
        ((Code(name),), (f"{lines:,} of {whole.lines:,} ({percent(lines, whole.lines)})",))
        for name, lines in whole.classes.items()
    ]
    rows.append((("all lines of the log",), (f"{whole.lines:,}",)))
    copies, logs = summary.header.copies, summary.header.logs
    again = (
        f"{copies:,} of {plural(logs, 'log')} {are(copies)} the same as another one; those lines are "
        "duplicates and count nowhere else."
    )
    return Section(
        "2. Ledger",
        (
            "Where every line of the log went: each is in exactly one class, and the classes add up. Lines "
            "of calls are classed by how far the call could be replayed.",
        ),
        (Table(("class", "lines"), tuple(rows)),),
        notes=((again,),) if copies else (),
    )


def volume(summary: Summary) -> Section:
    """Return how often people are asked, and what they say."""
    found = summary.volume
    periods = (*found.months, found.total)
    settled = tuple(
        ((OUTCOMES[outcome],), (share(Share(number, found.total.requests, Unit.REQUEST)),))
        for outcome, number in found.total.settled.items()
    )
    tables = [
        Table(
            ("month", "prompts", "answered", "nobody there", "pending", "settled without a person"),
            tuple(_asked(tally) for tally in periods),
        ),
        Table(
            ("month", "approved", "for session", "refused", "yes, of answered"),
            tuple(_answered(tally) for tally in periods),
        ),
    ]
    if settled:
        tables.append(Table(("settled without a person", "of all requests"), settled))
    return Section(
        "3. Prompts and answers",
        (
            f"{UNITS} A prompt is answered when a person said yes or no: pending is no yes, and a time-out "
            "is no no.",
        ),
        tuple(tables),
        (*_pace(summary), *share_notes([found.total.approval, *(month.approval for month in found.months)])),
    )


def _asked(tally: Tally) -> tuple[Line, ...]:
    counts = (
        tally.asks,
        tally.approval.denominator,
        tally.unavailable,
        tally.unanswered,
        tally.without_person,
    )
    return (tally.period,), *((f"{count:,}",) for count in counts)


def _answered(tally: Tally) -> tuple[Line, ...]:
    counts = (tally.approved, tally.approved_for_session, tally.refused)
    return (tally.period,), *((f"{count:,}",) for count in counts), (share(tally.approval),)


def _pace(summary: Summary) -> list[Line]:
    found = summary.volume
    notes: list[Line] = []
    if found.pace.days:
        notes.append(
            (
                f"On {plural(found.pace.days, 'day')} with a prompt: {found.pace.median:,} in the median, "
                f"{found.pace.most:,} at most. {_per_start(found.total.asks, summary.header.session_starts)}",
            )
        )
    notes += _weeks(found)
    spread = range_over((month.period, month.approval) for month in found.months)
    if spread:
        notes.append((f"Yes, of answered, by month: {spread}.",))
    return notes


def _per_start(asks: int, starts: int) -> str:
    if not starts:
        return "The log names no session and holds no line of a session's start."
    return (
        f"The log names no session; for each of {starts:,} session starts there are {asks / starts:.1f} "
        "prompts."
    )


def _weeks(found: Volume) -> list[Line]:
    counts = {week.period: week.asks for week in found.weeks if week.period != UNKNOWN_TIME}
    drawn = bars(counts)
    if drawn is None:
        return []
    line, first, last = drawn
    return [(f"Prompts per week, {first} to {last}, {max(counts.values()):,} at the highest bar: {line}",)]


def coverage(summary: Summary) -> Section:
    """Return which facts each era tells."""
    eras = summary.coverage.eras
    rows = tuple(_era(era) for era in eras)
    parts = [part for era in eras for part in (era.pattern, era.whole_command, era.directory_known)]
    return Section(
        "13. What the lines tell",
        (
            "How many requests of each era of the log's format name the rule pattern, show the whole command "
            "(of those with a command), and belong to a call whose working directory is known. What an era "
            "does not write, no figure above can count.",
        ),
        (
            Table(
                (
                    "era",
                    "lines",
                    "requests",
                    "pattern told",
                    "whole command",
                    "cut or masked",
                    "directory known",
                ),
                rows,
            ),
        ),
        (*_sight(summary), *few_note(parts)),
    )


def _sight(summary: Summary) -> Iterator[Line]:
    """Yield how often the facts that prompts have to show were found, over all eras."""
    selected = summary.selectors.selected
    counts: list[str] = []
    for fact in dict.fromkeys(one.fact for one in selected):
        found = [one.found for one in selected if one.fact == fact]
        shown, of = sum(one.numerator for one in found), sum(one.denominator for one in found)
        counts.append(f"{fact} {shown:,} of {of:,}")
    if counts:
        yield (f"Of the {Unit.PROMPT}s that have to show a fact, it was found in: {listing(counts)}.",)


def _era(era: EraCoverage) -> tuple[Line, ...]:
    return (
        (era.era,),
        (f"{era.entries:,}",),
        (f"{era.pattern.denominator:,}",),
        (share(era.pattern),),
        (share(era.whole_command),),
        (share(era.cut),),
        (share(era.directory_known),),
    )
