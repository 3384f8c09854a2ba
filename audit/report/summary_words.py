"""The words of a summary: names of deciders and directions, durations, cautions, a line of bars."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import date, timedelta

from audit.log.calls import Decider
from audit.measures.measure import Bound, Share, Unit
from audit.measures.recorded.direction import Direction
from audit.measures.recorded.stamps import EPOCH, MILLISECOND
from audit.report.sections import Line, bound_note, few_note, listing, percent, share
from audit.report.summary import SummaryCaution, SummaryCautionKind

DECIDERS: Mapping[Decider, str] = {
    Decider.PERSON: "a person",
    Decider.LINK: "a program of the authorizer chain",
    Decider.RULE: "a rule that denies",
    Decider.SESSION_RULE: "a session approval given before",
    Decider.YOLO: "yolo mode",
    Decider.INFRASTRUCTURE: "reads of the agent's own files",
    Decider.NOBODY: "nobody: no one there, or not in time",
    Decider.FAILURE: "a failed gate",
    Decider.SERVING_RULE: "a rule of the session that was asked",
    Decider.OPEN: "not settled",
}
DIRECTIONS: Mapping[Direction, str] = {
    Direction.READ: "read",
    Direction.WRITE: "write",
    Direction.BOTH: "both, of different paths",
    Direction.UNPROVEN: "unproven",
}

_STEPS = ((1_000, 1, "ms"), (60_000, 1_000, "s"), (3_600_000, 60_000, "min"), (172_800_000, 3_600_000, "h"))
_DAY = 86_400_000
_BARS = "▁▂▃▄▅▆▇█"
MOST_BARS = 60
"""Weeks that a line of bars shows."""


def duration(milliseconds: int | None) -> str:
    """Return a length of time with one decimal, in the unit that suits it."""
    if milliseconds is None:
        return "-"
    for below, unit, name in _STEPS:
        if milliseconds < below:
            return f"{milliseconds} ms" if unit == 1 else f"{milliseconds / unit:.1f} {name}"
    return f"{milliseconds / _DAY:,.1f} days"


def hours(milliseconds: int) -> str:
    """Return a length of time in hours, or in a smaller unit where that would round to nothing."""
    if milliseconds < _STEPS[-2][0] // 10:
        return duration(milliseconds)
    return f"{milliseconds / 3_600_000:,.1f} h"


def moment(milliseconds: int) -> str:
    """Return a moment to the second, in UTC."""
    return f"{EPOCH + milliseconds * MILLISECOND:%Y-%m-%d %H:%M:%S} UTC"


def range_over(parts: Iterable[tuple[str, Share]]) -> str:
    """Return where a share was lowest and where highest; empty for fewer than two periods with a whole."""
    found = [(name, part) for name, part in parts if part.denominator]
    if len(found) < 2:
        return ""
    order = sorted(found, key=lambda item: (item[1].numerator / item[1].denominator, item[0]))
    ends = (f"{share(part)} in {name}" for name, part in (order[0], order[-1]))
    return "from {} to {}".format(*ends)


def share_notes(parts: Sequence[Share]) -> tuple[Line, ...]:
    """Return what to know about shares of one section: few cases, and every zero with its bound."""
    bounds = {bound.denominator: bound for part in parts if (bound := part.bound) is not None}
    order = [bounds[of] for of in sorted(bounds, reverse=True)]
    notes: list[Line] = [*few_note(parts), *(bound_note(bound) for bound in order[:1])]
    if len(order) > 1:
        notes.append((f"Other zeros likewise: up to {listing(rate(bound) for bound in order[1:])}.",))
    return tuple(notes)


def rate(bound: Bound) -> str:
    """Return an upper bound with both integers."""
    of = f"{bound.numerator:,} in {bound.denominator:,}"
    return f"{of} ({percent(bound.numerator, bound.denominator)})"


def bars(weeks: Mapping[str, int]) -> tuple[str, str, str] | None:
    """Return one bar for each week from first to last, and those two weeks; None for fewer than two.

    Weeks are named as in `2026-W29`; those without a number count as zero. Only the last `MOST_BARS` are
    drawn.
    """
    starts = {_monday(name): number for name, number in weeks.items()}
    if len(starts) < 2:
        return None
    last = max(starts)
    first = max(min(starts), last - timedelta(weeks=MOST_BARS - 1))
    numbers = [starts.get(first + timedelta(weeks=week), 0) for week in range((last - first).days // 7 + 1)]
    most = max(numbers) or 1
    drawn = "".join(_BARS[-(-number * 7 // most)] for number in numbers)
    return drawn, _week(first), _week(last)


def _monday(week: str) -> date:
    year, _, number = week.partition("-W")
    return date.fromisocalendar(int(year), int(number), 1)


def _week(monday: date) -> str:
    year, week, _ = monday.isocalendar()
    return f"{year:04d}-W{week:02d}"


def caution_words(raised: SummaryCaution) -> str:
    """Return the sentence of a caution."""
    values = raised.values
    shown = {name: f"{value:,}" if isinstance(value, int) else value for name, value in values.items()}
    for part, whole in (
        ("cut", "of"),
        ("asks", "of"),
        ("calls", "of"),
        ("requests", "of"),
        ("rejects", "lines"),
    ):
        numerator, denominator = values.get(part), values.get(whole)
        if isinstance(numerator, int) and isinstance(denominator, int):
            shown["percent"] = percent(numerator, denominator)
    return _CAUTIONS[raised.kind].format(**shown)


_PROMPTS = f"{Unit.PROMPT}s"
_CAUTIONS: Mapping[SummaryCautionKind, str] = {
    SummaryCautionKind.NO_ASKS: (
        "The log holds no prompt: {requests} requests in {lines} lines, and none was put to a person. The "
        "zeros below say nothing about what people would be asked."
    ),
    SummaryCautionKind.FEW_ASKS: (
        "Only {asks} " + _PROMPTS + ", fewer than {floor}: percentages say little."
    ),
    SummaryCautionKind.ERA_WITHOUT_REQUESTS: (
        "Of era {era} there are {entries} lines and not one request: no figure below counts that time. If it "
        "should, the log's format may be newer than this tool knows."
    ),
    SummaryCautionKind.BLIND_SELECTOR: (
        "Prompts of era {era}: {prompts}, and none shows its {fact}, as all of that era should. Zeros below "
        "may come from there."
    ),
    SummaryCautionKind.SILENT_ALLOWS: (
        "A call that policy allowed left no line. So this is what was asked, denied or passed for another "
        "reason, and not how much of all traffic that is."
    ),
    SummaryCautionKind.ONE_MONTH: (
        "The prompts are of a single month, {month}; months differ from each other."
    ),
    SummaryCautionKind.LOPSIDED: (
        "One month, {month}, holds {asks} of {of} ({percent}) " + _PROMPTS + ": totals say what it says. "
        "Read the months first."
    ),
    SummaryCautionKind.SHORTENED: (
        "{cut} of {of} ({percent}) requests of the shell show their command cut or masked. Those are in no "
        "figure that looks inside a command; long commands are the complex ones, so such figures lean to the "
        "simple side."
    ),
    SummaryCautionKind.UNCERTAIN_PLACES: (
        "The working directory of {calls} of {of} ({percent}) calls is ambiguous or unknown; give it with "
        "--cwd if they are all from one project."
    ),
    SummaryCautionKind.UNKNOWN_TIME: (
        "{requests} of {of} ({percent}) requests have no usable time. They stand under a period of their own "
        "and in no figure about time."
    ),
    SummaryCautionKind.REJECTED_LINES: (
        "{rejects} of {lines} ({percent}) lines could not be read as log entries."
    ),
    SummaryCautionKind.STRANGERS: (
        "The log holds what the format's description does not name: {events} lines of unknown events, "
        "{members} unknown members, {misfits} values of another type than documented. The JSON form names "
        "them."
    ),
}
