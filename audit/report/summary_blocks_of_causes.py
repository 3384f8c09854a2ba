"""The blocks of a summary as sections: what prompts are for, and who settles them."""

from __future__ import annotations

from collections.abc import Mapping

from audit.measures.measure import Share, Unit
from audit.measures.recorded.causes import RecordedCause
from audit.measures.recorded.direction import Direction, Directions
from audit.report.sections import Code, Line, Section, Table, listing, plural, share, share_with_unit
from audit.report.summary import Summary
from audit.report.summary_words import DECIDERS, DIRECTIONS, range_over, share_notes

MOST_SURFACES = 4
"""Columns of the table of causes by month."""


def causes(summary: Summary) -> Section:
    """Return what the prompts are for."""
    found = summary.causes
    rows = tuple((_cause(cause), (share(cause.share),)) for cause in found.causes)
    ranged = [month.share for cause in found.causes[:MOST_SURFACES] for month in cause.months]
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
        *share_notes([found.floors, *ranged]),
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
    notes: list[Line] = [
        (f"{classifier.name}: {classifier.rule}. It errs {classifier.errs}.",)
        for classifier in (found.strict, found.loose)
    ]
    if found.left_out:
        left_out = Share(found.external - found.classified, found.external, Unit.PROMPT)
        reasons = listing(f"{why} {number:,}" for why, number in found.left_out.items())
        notes.append((f"Left out: {share_with_unit(left_out)}; {reasons}.",))
    parts = [part for each in found.directions for part in (each.strict, each.loose)]
    return Section(
        "5. Direction of prompts about outside paths",
        (
            f"Do the {plural(found.external, Unit.PROMPT)} about paths outside the working directory want to "
            "read or to write? Two classifiers, both over the parsed command; "
            f"{found.classified:,} could be classed.",
        ),
        _direction_tables(found) if found.classified else (),
        (*notes, *share_notes(parts)),
    )


def _direction_tables(found: Directions) -> tuple[Table, ...]:
    cells = {(cell.strict, cell.loose): cell.asks for cell in found.cross}
    kinds = " / ".join(direction.value for direction in Direction)
    return (
        Table(
            ("direction", "strict", "loose"),
            tuple(
                ((DIRECTIONS[part.direction],), (share(part.strict),), (share(part.loose),))
                for part in found.directions
            ),
        ),
        Table(
            ("strict, in prompts", *(f"loose: {direction.value}" for direction in Direction)),
            tuple(
                ((DIRECTIONS[strict],), *((f"{cells[strict, loose]:,}",) for loose in Direction))
                for strict in Direction
            ),
        ),
        Table(
            ("month", "prompts", f"strict: {kinds}", f"loose: {kinds}"),
            tuple(
                ((month.month,), (f"{month.asks:,}",), (_each(month.strict),), (_each(month.loose),))
                for month in found.months
            ),
        ),
    )


def _each(counted: Mapping[Direction, int]) -> str:
    return " / ".join(f"{counted[direction]:,}" for direction in Direction)


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
