"""The blocks of the blast-radius report as sections: blocks 1 to 4 and the summary above them."""

from __future__ import annotations

from audit.core.action import Action
from audit.log.cases import TrafficFacts
from audit.measures.fidelity import Fidelity
from audit.measures.finding import Finding
from audit.measures.measure import Count, Share, Shares, Unit
from audit.measures.prompt_rate import Prompts, SideRate
from audit.measures.session_prompts import SessionPrompts
from audit.replay.change import Differs
from audit.replay.ledger import Entry, Fate
from audit.report.model import PlaceFacts, Report, SideFacts
from audit.report.sections import (
    Code,
    Line,
    Section,
    Table,
    are,
    bound_note,
    counted,
    difference,
    few_note,
    listing,
    pair,
    percent,
    plural,
    share,
    share_with_unit,
)
from audit.report.words import ACTIONS, CWD_SOURCES, FINDINGS, caution

UNITS = "A distinct command is one call counted once: same tool, input, agent and working directory."


def summary(report: Report) -> tuple[Section, ...]:
    """Return what a hurried reader takes away, and every caution."""
    counts = {rung.finding: rung.shares for rung in report.ladder.rungs} | {
        Finding.DENIAL_TO_PROMPT: report.ladder.softened,
        Finding.NEW_PROMPT: report.new_prompts.total,
        Finding.NEW_DENIAL: report.new_prompts.new_denials,
        Finding.PROMPT_TO_DENIAL: report.new_prompts.prompts_to_denials,
    }
    notes = tuple(
        (f"{FINDINGS[kind]}: {counted(Count(of.commands.numerator, of.calls.numerator))}",)
        for kind in Finding
        if (of := counts.get(kind)) is not None
    )
    short = Section("In short", (_verdict(report),), notes=notes if report.compared.commands else ())
    if not report.cautions:
        return (short,)
    care = Section(
        "To read with care",
        ("What bounds the figures below:",),
        notes=tuple((caution(raised),) for raised in report.cautions),
    )
    return short, care


def _verdict(report: Report) -> str:
    found = report.matrix
    if not report.compared.commands:
        return "Nothing was compared, so nothing can be said about this change."
    changed, reason = found.changed.commands, found.other_reason.commands
    return (
        f"Of {counted(report.compared)} that both sides decided, {changed:,} {are(changed)} decided "
        f"otherwise and {reason:,} {are(reason)} decided the same for another reason."
    )


def header(report: Report) -> Section:
    """Return block 1."""
    facts = report.header
    log = facts.log
    eras = listing(f"{era} in {plural(entries, 'line')}" for era, entries in log.eras.items())
    rows: tuple[tuple[str, Line], ...] = (
        ("Log", (f"{plural(log.lines, 'line')}, SHA-256 ", Code(log.digest))),
        ("From and to", (Code(log.first or "no entry"), " to ", Code(log.last or "no entry"))),
        ("Eras of the log's format", (eras or "none",)),
        *((("Transcripts", (_traffic(log.traffic, log.lines),)),) if log.traffic else ()),
        ("Baseline", _side(facts.baseline, facts.candidate)),
        ("Candidate", _side(facts.candidate, facts.baseline)),
        ("Platform", (str(facts.places.platform),)),
        ("Working directories", (_directories(facts.places),)),
        ("File system", _file_system(facts.places)),
        ("Fidelity", (_fidelity(report.fidelity),)),
        ("Compared by", (_DETAILS[facts.detail],)),
        ("Made by", (f"permission-audit {facts.tool_version}",)),
        ("Made again by", (Code(facts.command),)),
    )
    return Section(
        "1. What was compared",
        (
            "Two policies or cores decided the same calls; the figures hold for this input, these two sides "
            "and these places only.",
        ),
        (Table(("", ""), tuple(((name,), value) for name, value in rows), texts=frozenset({0, 1})),),
    )


def _traffic(facts: TrafficFacts, log_lines: int) -> str:
    made = facts.calls - facts.not_run
    if not log_lines:
        return (
            f"{plural(facts.calls, 'call')} in {plural(facts.sessions, 'session')}, {facts.not_run:,} of "
            f"them dropped by the agent and {facts.stopped:,} refused by something; no log beside them"
        )
    text = (
        f"{plural(facts.calls, 'call')} in {plural(facts.sessions, 'session')}; of {made:,} that were made "
        f"the log has {share_of_calls(facts.joined, made)}, and {share_of_calls(facts.silent, made)} passed "
        f"it in silence; refused elsewhere {facts.stopped:,}, dropped by the agent {facts.not_run:,}, only "
        f"in the log {facts.log_only:,}"
    )
    if facts.ambiguous:
        text += (
            f"; for {plural(facts.ambiguous, 'call')} of the log several of the transcripts fit, and the "
            "likeliest was taken"
        )
    if facts.never_watched:
        text += f"; the log has no call of {listing(facts.never_watched)}"
    return text


def share_of_calls(part: int, whole: int) -> str:
    """Return a part of some calls with both integers."""
    return share(Share(part, whole, Unit.CALL))


def _directories(places: PlaceFacts) -> str:
    sources = listing(
        f"{CWD_SOURCES[source]} for {plural(number, Unit.COMMAND)}"
        for source, number in places.working_directories.items()
    )
    return f"{places.distinct_working_directories:,} distinct; {sources}" if sources else "none"


def _file_system(places: PlaceFacts) -> Line:
    known = f"{plural(places.links, 'link')} known"
    if places.entries is None:
        return (f"{known}, which files exist is unknown",)
    line: Line = (f"{known}, {plural(places.entries, 'path')} exist",)
    world = places.world
    if world is None:
        return line
    holes = f", of which {plural(world.holes, 'folder')} were not looked into" if world.holes else ""
    return (
        *line,
        "; world SHA-256 ",
        Code(world.digest),
        f", recorded {world.recorded} below {plural(world.roots, 'folder')}{holes}",
    )


def _fidelity(found: Fidelity) -> str:
    return (
        f"the baseline reproduces {share_with_unit(found.agree)} as the log recorded them; left out are "
        f"{found.mixed:,} recorded both as asked and as denied, and {found.untold:,} whose decision the log "
        "does not tell"
    )


_DETAILS = {
    "decision": "decision only",
    "gates": "decision and gates",
    "program": "decision, gates, and what each side sees in a command",
}


def _side(side: SideFacts, other: SideFacts) -> Line:
    """Return what decided on a side, with the switches that the other side has otherwise."""
    switches = listing(
        f"{name}={value}" for name, value in side.switches.items() if other.switches.get(name, value) != value
    )
    source = f", {side.source}" if side.source else ""
    return (
        "policy SHA-256 ",
        Code(side.policy),
        ", decided by ",
        Code(f"{side.engine} {side.revision}" + (f" ({switches})" if switches else "") + source),
    )


def ledger(report: Report) -> Section:
    """Return block 2."""
    whole = report.ledger
    rows = [_entry(entry, whole.lines) for entry in whole.entries]
    rows.append((("all lines of the log",), (f"{whole.lines:,}",), *pair(Count(whole.commands, whole.calls))))
    replayed = sum(entry.commands for entry in whole.of(Fate.EXACT, Fate.ASSUMED, Fate.PARTIAL))
    return Section(
        "2. Ledger",
        (
            "Where every line of the log went: each is in exactly one class, and the classes add up. "
            f"{replayed:,} of {plural(whole.commands, Unit.COMMAND)} "
            f"({percent(replayed, whole.commands)}) were replayed. {UNITS}",
        ),
        (Table(("class", "lines", "distinct commands", "calls"), tuple(rows)),),
    )


def _entry(entry: Entry, lines: int) -> tuple[Line, ...]:
    name: Line = (f"{entry.fate}: ", Code(entry.detail)) if entry.detail else (str(entry.fate),)
    counts = pair(Count(entry.commands, entry.calls)) if entry.commands else (("",), ("",))
    return name, (f"{entry.lines:,} of {lines:,} ({percent(entry.lines, lines)})",), *counts


def matrix(report: Report) -> Section:
    """Return block 3."""
    found = report.matrix
    whole = found.population
    tables = tuple(
        Table(
            (f"baseline, in {unit}", *(f"candidate: {ACTIONS[after]}" for after in Action)),
            tuple(
                (
                    (ACTIONS[before],),
                    *((_cell(found.cell(before, after), unit),) for after in Action),
                )
                for before in Action
            ),
        )
        for unit in ("distinct commands", "calls")
    )
    parts = (
        ("same decision, same reason", found.unchanged),
        ("same decision, other reason", found.other_reason),
        ("other decision", found.changed),
        ("all that both sides decided", whole),
        ("not decided by both sides (in no cell)", found.failed),
    )
    notes: list[Line] = []
    reasons = [(kind, count) for kind, count in found.differs.items() if count.commands]
    if reasons:
        notes.append(
            (
                "The other reasons, where a command can have several: "
                + listing(f"{_DIFFERS[kind]} {counted(count)}" for kind, count in reasons)
                + ".",
            )
        )
    if found.failures:
        failures = listing(f"{name} {number:,}" for name, number in found.failures.items())
        notes.append((f"Answers that failed, by side and kind: {failures}.",))
    return Section(
        "3. Change matrix",
        (
            "How many calls moved from one decision to another: rows are what the baseline decides, columns "
            "what the candidate decides, and the diagonal is where both agree.",
        ),
        (
            *tables,
            Table(
                ("class", "distinct commands", "calls"),
                tuple(((name,), *pair(count)) for name, count in parts),
            ),
        ),
        tuple(notes),
    )


def _cell(count: Count, unit: str) -> str:
    return f"{count.commands if unit == 'distinct commands' else count.calls:,}"


_DIFFERS = {
    Differs.STOPS: "another number of prompts",
    Differs.GATE: "another gate",
    Differs.SURFACE: "another surface",
    Differs.PATTERN: "another pattern",
    Differs.VALUE: "asked about something else",
}


def prompt_rate(report: Report) -> Section:
    """Return block 4."""
    rate = report.prompt_rate
    whole = rate.population

    def row(name: str, of: Shares, after: Shares, moved: Count) -> tuple[tuple[Line, ...], ...]:
        return (
            (
                (f"{name}, of distinct commands",),
                (share(of.commands),),
                (share(after.commands),),
                (difference(moved.commands, whole.commands),),
            ),
            (
                (f"{name}, of calls",),
                (share(of.calls),),
                (share(after.calls),),
                (difference(moved.calls, whole.calls),),
            ),
        )

    denials = _moved(rate.baseline, rate.candidate)
    rows = (
        *row("asks", rate.baseline.asks, rate.candidate.asks, rate.difference),
        *row("denials", rate.baseline.denials, rate.candidate.denials, denials),
        _prompts_row(rate.baseline.prompts, rate.candidate.prompts, rate.difference_prompts, whole),
    )
    notes: list[Line] = [
        (
            f"Behind the difference in asks: {share_with_unit(rate.stops_asking.commands)} no longer ask, "
            f"{share_with_unit(rate.starts_asking.commands)} newly ask.",
        ),
        ("These are complete counts of the log, so no interval goes with them.",),
    ]
    if report.sessions is None:
        notes.append(("Calls are decided alone here; --sessions tells what people would have seen.",))
    notes += few_note((rate.baseline.asks.commands, rate.baseline.asks.calls))
    bounds = [side.asks.commands.bound for side in (rate.baseline, rate.candidate)]
    notes += [bound_note(bound) for bound in bounds[-1:] if bound is not None]
    return Section(
        "4. Prompt rate",
        (
            "How many of these calls stop to ask a person. A call that passes several asking gates "
            "means several prompts, which the last row counts; pp are percentage points.",
        ),
        (Table(("rate", "baseline", "candidate", "difference"), rows), *_in_sessions(report.sessions)),
        tuple(notes) if whole.commands else (),
    )


def _in_sessions(found: SessionPrompts | None) -> tuple[Table, ...]:
    if found is None:
        return ()
    one, other = found.baseline, found.candidate

    def row(name: str, before: int, after: int) -> tuple[Line, ...]:
        return ((name,), (f"{before:,}",), (f"{after:,}",), (f"{after - before:+,}",))

    heads = (
        f"{plural(found.calls, 'call')} in {plural(found.sessions, 'session')}",
        "baseline",
        "candidate",
        "difference",
    )
    asked = one.calls_asked, other.calls_asked
    rows = (
        row("prompts, every call alone", one.static, other.static),
        row("prompts, with approvals for the session", one.dynamic, other.dynamic),
        (
            ("calls that meet a prompt in their session",),
            *((share(part),) for part in asked),
            (difference(asked[1].numerator - asked[0].numerator, found.calls),),
        ),
    )
    return (Table(heads, rows),)


def _moved(before: SideRate, after: SideRate) -> Count:
    return Count(
        after.denials.commands.numerator - before.denials.commands.numerator,
        after.denials.calls.numerator - before.denials.calls.numerator,
    )


def _prompts_row(before: Prompts, after: Prompts, moved: Prompts, whole: Count) -> tuple[Line, ...]:
    sign = "+" if moved.calls > 0 else ""
    calls = plural(whole.calls, Unit.CALL)
    return (
        ("prompts met, all calls together",),
        (f"{before.calls:,} in {calls}",),
        (f"{after.calls:,} in {calls}",),
        (f"{sign}{moved.calls:,}",),
    )
