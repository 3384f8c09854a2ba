"""The blocks of the blast-radius report as sections: blocks 5 to 10."""

from __future__ import annotations

from audit.measures.candidate_sets import SetDelta
from audit.measures.finding import Finding
from audit.measures.measure import Count, Share, Unit
from audit.measures.selectivity import Promotion
from audit.report.model import Cluster, ExistenceRange, Report
from audit.report.sections import (
    Code,
    Group,
    Line,
    Section,
    Shown,
    Table,
    both,
    bound_note,
    counted,
    few_note,
    plural,
    share,
    share_with_unit,
)
from audit.report.words import ANSWERED, FINDINGS, because, told

MOST_WORDS = 8
"""Command words of a shape that its remark shows."""
MOST_SEEN = 5
"""Units and paths, no longer or newly seen, that an example shows."""

_ENDS = frozenset({0, 3})


def ladder(report: Report) -> Section:
    """Return block 5."""
    found = report.ladder
    rows = tuple(
        (
            (FINDINGS[rung.finding],),
            *both(rung.shares),
            (told(rung.outcomes) if rung.shares.commands.numerator else "",),
        )
        for rung in found.rungs
    )
    beside = (("Beside the ladder: denied before, asks now",), *both(found.softened), ("",))
    notes: list[Line] = []
    lost = found.coverage_lost_in_changed.commands
    if lost.numerator:
        notes.append(
            (f"Coverage was also lost in {share_with_unit(lost)} whose decision changed; they stand there.",)
        )
    bound = next((rung.shares.commands.bound for rung in found.rungs if rung.shares.commands.bound), None)
    if bound is not None:
        notes.append(bound_note(bound))
    return Section(
        "5. New bypasses",
        (
            "What the candidate lets through that the baseline stopped, worst first. No command is on two "
            "rungs, and nothing is set off against prompts saved elsewhere.",
        ),
        (
            Table(
                ("rung", "distinct commands", "calls", "how the logged requests ended"),
                (*rows, beside),
                _ENDS,
            ),
        ),
        tuple(notes),
    )


def new_prompts(report: Report) -> Section:
    """Return block 6."""
    found = report.new_prompts
    rows = [(("Allowed before, asks now",), *both(found.total), ("",))]
    rows += [
        (
            (f"of these, {ANSWERED[part.answered]}",),
            *both(part.shares),
            (told(part.outcomes) if part.outcomes else "",),
        )
        for part in found.by_answer
    ]
    rows += [
        (("Denied before, asks now",), *both(found.from_denial), ("",)),
        (("Allowed before, denied now",), *both(found.new_denials), ("",)),
        (("Asked before, denied now",), *both(found.prompts_to_denials), ("",)),
    ]
    return Section(
        "6. New prompts",
        (
            "What the candidate stops that the baseline let through, with what people answered to the same "
            "command in the log. A prompt that people always approve is debt.",
        ),
        (Table(("move", "distinct commands", "calls", "how the logged requests ended"), tuple(rows), _ENDS),),
    )


def candidate_sets(report: Report) -> Section:
    """Return block 7."""
    found = report.candidate_sets

    def row(name: str, delta: SetDelta) -> tuple[Line, ...]:
        return (name,), *both(delta.changed), (f"{delta.lost:,}",), (f"{delta.gained:,}",)

    members = (
        row("command units", found.units),
        row("external paths", found.external),
        row("path tokens", found.candidates),
    )
    reach = (
        (("freshly external: no external path before, some now",), *both(found.freshly_external)),
        (("vanished: some external path before, none now",), *both(found.vanished)),
        (("any of the three sets differs",), *both(found.any_changed)),
        (("differs, and is decided otherwise",), *both(found.any_changed_and_decision)),
    )
    return Section(
        "7. Candidate sets",
        (
            "What the two sides see in the same shell command, whatever they decide: its units, the paths "
            "outside the working directory, and the tokens offered to path rules. Sets are compared member "
            f"by member, in {counted(found.population)} of the shell.",
        ),
        (
            Table(("set that differs", "distinct commands", "calls", "lost", "gained"), members),
            Table(("reach", "distinct commands", "calls"), reach),
        ),
        few_note((found.any_changed.commands,)),
    )


def selectivity(report: Report) -> Section:
    """Return block 8."""
    found = report.selectivity

    def per_command(side: Promotion) -> Line:
        whole = found.population.commands
        if not whole:
            return (f"{side.survivors:,} in 0",)
        return (f"{side.survivors:,} in {whole:,} ({side.survivors / whole:.2f} each)",)

    sides = found.baseline, found.candidate
    rows: tuple[tuple[Line, ...], ...] = (
        (("bare words that could name a path, in distinct commands",), *map(per_command, sides)),
        (("promoted by a path rule, of these words",), *((share(side.by_rule),) for side in sides)),
        (
            ("distinct commands with a promoted word",),
            *((share(side.commands.commands),) for side in sides),
        ),
    )
    rows += (
        (("naming an existing entry, of words asked about",), *((_existing(side),) for side in sides)),
        (
            ("distinct commands decided otherwise than without them",),
            *(("unknown" if side.changed is None else share(side.changed.commands),) for side in sides),
        ),
    )
    tables = [Table(("count", "baseline", "candidate"), rows)]
    opening = (
        "How many plain words of a command, without the shape of a path, are treated as paths: because a "
        "path rule names them or, in later cores, because they exist. Counted in "
        f"{counted(found.population)} of the shell. What exists is known from --world only."
    )
    if report.existence is not None:
        tables.append(_range(report.existence))
        opening += (
            " Of some words it is not known; the other blocks take them as absent, and the second table "
            "gives the range up to all of them present, in distinct commands."
        )
    return Section(
        "8. Promotion selectivity",
        (opening,),
        tuple(tables),
        few_note((found.baseline.by_rule, found.candidate.by_rule, found.baseline.commands.commands)),
    )


def _existing(side: Promotion) -> str:
    if not side.asked:
        return "unknown"
    low, high = (Share(one, side.asked, Unit.WORD) for one in (side.existing, side.existing + side.unknown))
    return share(low) if not side.unknown else f"{low.numerator:,} to {share(high)}"


def _range(found: ExistenceRange) -> Table:
    names = {
        "changed decisions": found.changed,
        "baseline asks": found.baseline_asks,
        "baseline denies": found.baseline_denials,
        "candidate asks": found.candidate_asks,
        "candidate denies": found.candidate_denials,
    }
    rows = tuple(((name,), (f"{_from_to(ends)} of {found.population:,}",)) for name, ends in names.items())
    return Table(("count", "from all absent to all present"), rows)


def _from_to(ends: tuple[int, int]) -> str:
    low, high = sorted(ends)
    return f"{low:,}" if low == high else f"{low:,} to {high:,}"


def causes(report: Report) -> Section:
    """Return block 9."""
    found = report.causes
    names: list[Line] = [
        (Code(cause.surface or "unknown"), f", floor {cause.floor}" if cause.floor else "")
        for cause in found.causes
    ]
    tables = (
        Table(
            (f"surface, in {unit}", "baseline", "candidate"),
            tuple(
                (name, (share(before),), (share(after),))
                for name, (before, after) in zip(names, shares, strict=True)
            ),
        )
        for unit, shares in (
            (
                "distinct commands",
                [(cause.baseline.commands, cause.candidate.commands) for cause in found.causes],
            ),
            ("calls", [(cause.baseline.calls, cause.candidate.calls) for cause in found.causes]),
        )
    )
    return Section(
        "9. Causes",
        (
            "What the prompts are for: the surface of the first gate that asks, of all that ask on that "
            "side. A floor is an ask because the core cannot see what runs.",
        ),
        tuple(tables) if names else (),
        few_note(
            part for cause in found.causes for part in (cause.baseline.commands, cause.candidate.commands)
        )
        if names
        else (("Neither side asks about anything.",),),
    )


def examples(report: Report) -> Section:
    """Return block 10, complete; renderers cut groups and say so."""
    kinds = dict.fromkeys(cluster.finding for cluster in report.clusters)
    return Section(
        "10. Examples",
        (
            "One command for each shape of change, with the reason for both decisions. A shape is the words "
            "that start the command's units, with the gate, surface and pattern behind both decisions; its "
            "example is the most frequent command, among equals the shortest."
            if kinds
            else "There is no change to give an example of.",
        ),
        groups=tuple(
            _group(kind, [cluster for cluster in report.clusters if cluster.finding is kind])
            for kind in kinds
        ),
    )


def _group(kind: Finding, found: list[Cluster]) -> Group:
    counts = tuple(cluster.count for cluster in found)
    total = sum(counts, Count())
    title = f"{FINDINGS[kind]}: {counted(total)} in {plural(len(found), 'shape')}"
    return Group(title, tuple(_shown(cluster) for cluster in found), counts)


def _shown(cluster: Cluster) -> Shown:
    lines: list[Line] = [
        ("baseline: ", *because(cluster.baseline)),
        ("candidate: ", *because(cluster.candidate)),
    ]
    for name, texts in (("no longer seen: ", cluster.lost), ("newly seen: ", cluster.gained)):
        if texts:
            lines.append((name, *_listed(texts)))
    lines.append((f"in the log: {told(cluster.outcomes)}",))
    return Shown(cluster.command, _remark(cluster), tuple(lines))


def _remark(cluster: Cluster) -> Line:
    if cluster.count.commands == 1:
        return f"{plural(cluster.occurrences, 'call')} in ", Code(cluster.cwd)
    left = len(cluster.words) - MOST_WORDS
    return (
        f"{counted(cluster.count)} of the shape ",
        Code(" ".join(cluster.words[:MOST_WORDS])),
        f" and {plural(left, 'more word')}" if left > 0 else "",
        f"; this one {plural(cluster.occurrences, 'call')} in ",
        Code(cluster.cwd),
    )


def _listed(texts: tuple[str, ...]) -> Line:
    parts: list[str | Code] = []
    for text in texts[:MOST_SEEN]:
        parts += [", ", Code(text)] if parts else [Code(text)]
    left = len(texts) - MOST_SEEN
    return (*parts, f" and {left:,} more") if left > 0 else tuple(parts)
