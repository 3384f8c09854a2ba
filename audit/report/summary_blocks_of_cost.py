"""The blocks of a summary as sections: what prompts cost people."""

from __future__ import annotations

from collections.abc import Sequence

from audit.measures.measure import Share, Unit
from audit.measures.recorded.always_approved import Debt
from audit.measures.recorded.latency import Waits
from audit.report.sections import Code, Line, Section, Table, plural, share, share_with_unit
from audit.report.summary import Summary
from audit.report.summary_words import duration, hours, moment, rate, share_notes
from audit.report.visible import shortened

MOST_DEBTS = 12
"""Prompts that are always approved and written out; the JSON form lists all."""
MOST_VALUE = 90
"""Characters of such a prompt that are written out."""
MOST_PAIRS = 8
"""Rows of surfaces of calls with several prompts."""


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
        (*_debt_notes(found.debts), *share_notes([found.questions, found.asks])),
    )


def _debt_notes(debts: Sequence[Debt]) -> list[Line]:
    notes: list[Line] = []
    left = debts[MOST_DEBTS:]
    if left:
        prompts = plural(sum(debt.asks for debt in left), Unit.PROMPT)
        notes.append(
            (f"And {plural(len(left), 'more question')} with {prompts}; the JSON form lists them all.",)
        )
    if debts:
        bounds = sorted((debt.refusals for debt in debts), key=lambda bound: bound.denominator)
        notes.append(
            (
                f"No refusal in {bounds[0].denominator} answers leaves room for up to {rate(bounds[0])}, in "
                f"{bounds[-1].denominator} for up to {rate(bounds[-1])}, with 95% confidence: upper bounds, "
                "not rates.",
            )
        )
    return notes


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
