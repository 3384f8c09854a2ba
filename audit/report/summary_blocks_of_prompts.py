"""The blocks of a summary as sections: what prompts are for, and what they cost people."""

from __future__ import annotations

from collections.abc import Mapping

from audit.measures.measure import Bound, Share, Unit
from audit.measures.recorded.causes import RecordedCause
from audit.measures.recorded.direction import Direction
from audit.measures.recorded.latency import Waits
from audit.report.sections import Code, Line, Section, Table, listing, percent, plural, share, share_with_unit
from audit.report.summary import Summary
from audit.report.summary_words import (
    DECIDERS,
    DIRECTIONS,
    duration,
    hours,
    moment,
    range_over,
    share_notes,
)
from audit.report.visible import shortened

MOST_SURFACES = 4
"""Columns of the table of causes by month."""
MOST_DEBTS = 12
"""Prompts that are always approved and written out; the JSON form lists all."""
MOST_VALUE = 90
"""Characters of such a prompt that are written out."""
MOST_PAIRS = 8


def causes(summary: Summary) -> Section:
    """Return what the prompts are for."""
    found = summary.causes
    rows = tuple((_cause(cause), (share(cause.share),)) for cause in found.causes)
    notes: list[Line] = [
        (*_cause(cause), f", by month: {spread}.")
        for cause in found.causes[:MOST_SURFACES]
        if (spread := range_over((month.month, month.share) for month in cause.months))
    ]
    notes += [
        (
            f"{share_with_unit(found.surface_told)} name their surface; for the others, written before E11, "
            "the gate tells it.",
        ),
        (
            f"Floors: {share_with_unit(found.floors)} of the shell that tell their pattern and are of eras "
            "that have floors (E6 and later)."
            if found.floors.denominator
            else "Floors: no prompt is known to be of a release that has them (E6 and later).",
        ),
        *share_notes([found.floors]),
    ]
    return Section(
        "4. Causes",
        (
            "What the prompts are for: the surface that the asking gate looks at. A floor is a prompt "
            "because the core cannot see what runs; unparseable, because no command can be made out.",
        ),
        (Table(("surface", "of all prompts"), rows), _by_month(summary)) if rows else (),
        tuple(notes) if rows else (("Nobody was asked about anything.",),),
    )


def _cause(cause: RecordedCause) -> Line:
    if cause.sentinel is None:
        return (Code(cause.surface),)
    kind = "unparseable" if cause.is_unparseable else "floor"
    return Code(cause.surface), f", {kind} ", Code(cause.sentinel)


def _by_month(summary: Summary) -> Table:
    """Return prompts by month: the most frequent surfaces, and all others together."""
    surfaces: dict[str, int] = {}
    for cause in summary.causes.causes:
        surfaces[cause.surface] = surfaces.get(cause.surface, 0) + cause.share.numerator
    order = sorted(surfaces, key=lambda surface: (-surfaces[surface], surface))
    # A head is a text of ours, so only a plain word may come from the log.
    shown = [surface for surface in order if surface.isascii() and surface.isidentifier()][:MOST_SURFACES]
    others = len(order) - len(shown)
    rows: list[tuple[Line, ...]] = []
    for month, asks in summary.causes.asks.items():
        counts = {surface: _in_month(summary, surface, month) for surface in shown}
        cells = [(f"{count:,}",) for count in counts.values()]
        if others > 0:
            cells.append((f"{asks - sum(counts.values()):,}",))
        rows.append(((month,), *cells, (f"{asks:,}",)))
    rest = (plural(others, "other"),) if others > 0 else ()
    return Table(("month", *shown, *rest, "all prompts"), tuple(rows))


def _in_month(summary: Summary, surface: str, month: str) -> int:
    return sum(
        of.share.numerator
        for cause in summary.causes.causes
        if cause.surface == surface
        for of in cause.months
        if of.month == month
    )


def directions(summary: Summary) -> Section:
    """Return whether prompts about outside paths want to read or to write."""
    found = summary.directions
    opening = (
        f"Do the {plural(found.external, Unit.PROMPT)} about paths outside the working directory want to "
        "read or to write? Two classifiers, both over the parsed command; "
        f"{found.classified:,} could be classed.",
    )
    notes: list[Line] = [
        (f"{classifier.name}: {classifier.rule}. It errs {classifier.errs}.",)
        for classifier in (found.strict, found.loose)
    ]
    if found.left_out:
        left_out = Share(found.external - found.classified, found.external, Unit.PROMPT)
        notes.append((f"Left out: {share_with_unit(left_out)}; {_reasons(found.left_out)}.",))
    if not found.classified:
        return Section("5. Direction of prompts about outside paths", opening, notes=tuple(notes))
    rows = tuple(
        (((DIRECTIONS[part.direction]),), (share(part.strict),), (share(part.loose),))
        for part in found.directions
    )
    cells = {(cell.strict, cell.loose): cell.asks for cell in found.cross}
    cross = tuple(
        (
            (DIRECTIONS[strict],),
            *((f"{cells[strict, loose]:,}",) for loose in Direction),
        )
        for strict in Direction
    )
    months = tuple(
        (
            (month.month,),
            (f"{month.asks:,}",),
            (_each(month.strict),),
            (_each(month.loose),),
        )
        for month in found.months
    )
    kinds = " / ".join(("read", "write", "both", "unproven"))
    parts = [part for each in found.directions for part in (each.strict, each.loose)]
    return Section(
        "5. Direction of prompts about outside paths",
        opening,
        (
            Table(("direction", "strict", "loose"), rows),
            Table(("strict, in prompts", *(f"loose: {kind.value}" for kind in Direction)), cross),
            Table(("month", "prompts", f"strict: {kinds}", f"loose: {kinds}"), months),
        ),
        (*notes, *share_notes(parts)),
    )


def _each(counted: Mapping[Direction, int]) -> str:
    return " / ".join(f"{counted[direction]:,}" for direction in Direction)


def _reasons(left_out: Mapping[str, int]) -> str:
    return listing(f"{why} {number:,}" for why, number in left_out.items())


def roots(summary: Summary) -> Section:
    """Return how few directories hold the outside paths."""
    found = summary.roots
    rows = tuple(
        ((f"{at}",), (Code(root.label),), (f"{root.added:,}",), (share(root.share),))
        for at, root in enumerate(found.roots, start=1)
    )
    return Section(
        "6. Roots",
        (
            f"How few directories hold the {found.paths:,} distinct outside paths of "
            f"{plural(found.asks, Unit.PROMPT)}: a prompt is covered when all its outside paths lie under "
            "the directories so far. Each is the one that covers most of what is left; home directories, "
            "what is above them and the root of the file system are never taken.",
        ),
        (Table(("k", "directory", "adds", "covered by the first k"), rows, frozenset({1})),) if rows else (),
        share_notes([found.roots[-1].share]) if rows else (("No outside path is known.",),),
    )


def deciders(summary: Summary) -> Section:
    """Return who settled the requests."""
    found = summary.deciders
    rows = tuple(
        ((DECIDERS[part.decider],), (share(part.share),), (f"{part.forwarded:,}",)) for part in found.deciders
    )
    notes: list[Line] = [
        (f"Left open, and in no row: {plural(found.open, Unit.REQUEST)}.",),
        (
            "Before E12 no line says who answered: an answer counts as a program's where such a program "
            "logged its verdict in between, and as a person's otherwise.",
        ),
    ]
    if found.links:
        parts: list[str | Code] = ["Programs: "]
        for name, number in found.links.items():
            parts += [", " if len(parts) > 1 else "", Code(name), f" {number:,}"]
        notes.append((*parts, "."))
    return Section(
        "7. Who decided",
        (
            "Who or what settled each request; where a subagent's request was forwarded, who did so in the "
            "end.",
        ),
        (Table(("settled by", "of settled requests", "forwarded"), rows),) if rows else (),
        tuple(notes),
    )


def waiting(summary: Summary) -> Section:
    """Return how long people take."""
    found = summary.latency
    rows = [((Code(part.surface),), *_waits(part.waits)) for part in found.surfaces]
    rows.append((("all that a person answered",), *_waits(found.answered)))
    rows.append((("of these, refused",), *_waits(found.refused)))
    rows.append((("nobody there, or not in time",), *_waits(found.timed_out)))
    return Section(
        "8. Waiting",
        (
            "From the question to a person's answer. It holds the person's absence too, so it is the agent's "
            "wait and not the time that people spend; waits of the same moment add up.",
        ),
        (Table(("surface", "answers", "median", "95%", "longest", "together"), tuple(rows)),),
        (
            (
                f"Apart from these: {plural(found.unanswered, Unit.PROMPT)} without an answer, "
                f"{found.unusable:,} without usable times.",
            ),
        ),
    )


def _waits(waits: Waits) -> tuple[Line, ...]:
    times = (duration(waits.median), duration(waits.p95), duration(waits.longest), hours(waits.total))
    return (f"{waits.asks:,}",), *((time,) for time in times)


def bursts(summary: Summary) -> Section:
    """Return how prompts come in rows."""
    found = summary.bursts
    notes: list[Line] = [
        (f"{share_with_unit(found.following)} follow another within {found.gap_seconds} seconds.",)
    ]
    if found.longest is not None:
        lasted = duration(found.longest.last - found.longest.first)
        notes.append(
            (
                f"The longest burst: {plural(found.longest.asks, Unit.PROMPT)} in {lasted}, from "
                f"{moment(found.longest.first)}.",
            )
        )
    rows = tuple(((f"{size:,}",), (f"{number:,}",), (f"{size * number:,}",)) for size, number in found.sizes)
    return Section(
        "9. Bursts",
        (
            f"Prompts of which each opens at most {found.gap_seconds} seconds after the one before it, in "
            f"whatever session: {plural(found.bursts, 'burst')} with {share_with_unit(found.in_bursts)} that "
            "a person saw.",
        ),
        (Table(("prompts in a row", "bursts", "prompts"), rows, frozenset()),) if rows else (),
        (*notes, *share_notes([found.in_bursts])),
    )


def repeats(summary: Summary) -> Section:
    """Return the same questions asked again."""
    found = summary.repeats
    answers = tuple(
        ((part.answers.value,), (f"{part.questions:,}",), (f"{part.asks:,}",)) for part in found.answers
    )
    soon = tuple(((part.span,), (f"{part.repeats:,}",)) for part in found.within)
    between = found.between
    notes: list[Line] = [
        (
            f"Between a prompt and the same one before: median {duration(between.median)}, 95% within "
            f"{duration(between.p95)}, longest {duration(between.longest)}, of {between.repeats:,} repeats "
            "with usable times.",
        ),
        (f"The most frequent was asked {found.most or 0:,} times.",),
    ]
    if found.untold:
        notes.append(
            (f"Left out: {plural(found.untold, Unit.PROMPT)} whose question the log does not show whole.",)
        )
    return Section(
        "10. The same question again",
        (
            f"The same gate, tool and value again, in whatever session: {share_with_unit(found.repeats)} had "
            f"been asked before, and {share_with_unit(found.asked_again)} were asked more than once.",
        ),
        (
            Table(("answers to what was asked more than once", "distinct prompts", "prompts"), answers),
            Table(("asked again", "prompts"), soon),
        )
        if found.asks
        else (),
        (*notes, *share_notes([found.repeats, found.asked_again])) if found.asks else (),
    )


def always_approved(summary: Summary) -> Section:
    """Return prompts that are always approved."""
    found = summary.always_approved
    rows = tuple(
        (
            _brief(debt.value),
            (Code(debt.surface),),
            (f"{debt.answers:,}",),
            (f"{debt.asks:,}",),
            (duration(debt.waited),),
        )
        for debt in found.debts[:MOST_DEBTS]
    )
    notes: list[Line] = []
    left = found.debts[MOST_DEBTS:]
    if left:
        notes.append(
            (
                f"And {plural(len(left), 'more distinct prompt')} with "
                f"{plural(sum(debt.asks for debt in left), Unit.PROMPT)}; the JSON form lists them all.",
            )
        )
    if found.debts:
        fewest = min((debt.refusals for debt in found.debts), key=lambda bound: bound.denominator)
        most = max((debt.refusals for debt in found.debts), key=lambda bound: bound.denominator)
        notes.append(
            (
                f"No refusal in {fewest.denominator} answers leaves room for up to {_rate(fewest)}, in "
                f"{most.denominator} for up to {_rate(most)}, with 95% confidence: upper bounds, not rates.",
            )
        )
    return Section(
        "11. Always approved",
        (
            f"Questions with at least {found.least_answers} answers, all of them yes: "
            f"{share_with_unit(found.questions)} with so many answers. They cost "
            f"{share_with_unit(found.asks)} that people saw, and {hours(found.waited)} of waiting. A prompt "
            "that is always approved is debt: a rule could pay it.",
        ),
        (Table(("question", "surface", "answers", "prompts", "waited"), rows, frozenset({0, 1})),)
        if rows
        else (),
        (*notes, *share_notes([found.questions, found.asks])),
    )


def _rate(bound: Bound) -> str:
    of = f"{bound.numerator:,} in {bound.denominator:,}"
    return f"{of} ({percent(bound.numerator, bound.denominator)})"


def _brief(text: str) -> Line:
    beginning, left_out = shortened(text, MOST_VALUE)
    return (Code(beginning), f" [{left_out}]") if left_out else (Code(beginning),)


def per_call(summary: Summary) -> Section:
    """Return how many prompts one call costs."""
    found = summary.prompts_per_call
    rows = tuple(
        ((f"{part.asks:,}",), (share(Share(part.calls, found.calls, Unit.CALL)),))
        for part in found.distribution
    )
    notes: list[Line] = []
    for part in found.surfaces[:MOST_PAIRS]:
        names: list[str | Code] = []
        for surface in part.surfaces:
            names += [", then ", Code(surface)] if names else [Code(surface)]
        notes.append((f"{plural(part.calls, Unit.CALL)}: ", *names))
    left = found.surfaces[MOST_PAIRS:]
    if left:
        calls = sum(part.calls for part in left)
        notes.append((f"and {plural(len(left), 'more row')} of surfaces, {plural(calls, Unit.CALL)}",))
    return Section(
        "12. Prompts per call",
        (
            f"How many prompts one tool call meets, of {plural(found.calls, Unit.CALL)} that left a line. "
            f"{share_with_unit(found.several)} with any prompt met two or more.",
        ),
        (Table(("prompts", "of calls in the log"), rows, frozenset()),) if rows else (),
        (*notes, *share_notes([found.several])),
    )
