"""The words of a report: names of findings and classes, and one line on why a side decided as it did."""

from __future__ import annotations

from collections.abc import Mapping

from audit.core.action import Action
from audit.core.gates import FLOORS, UNPARSEABLE, Gate
from audit.log.cases import CwdSource, Outcome
from audit.measures.answers import Answered
from audit.measures.finding import Finding
from audit.measures.measure import Unit
from audit.report.model import Caution, CautionKind, Reason
from audit.report.sections import Code, Line, are, listing, percent, plural

MOST_VALUE = 100
"""Characters of a matched value that a one-line reason shows."""

FINDINGS: Mapping[Finding, str] = {
    Finding.DENIED_BEFORE: "Denied before, allowed now",
    Finding.REFUSED_BEFORE: "Asked before and refused by a person at least once, allowed now",
    Finding.NEVER_ANSWERED: "Asked before and never answered by a person, allowed now",
    Finding.ALWAYS_APPROVED: "Asked before and always approved, allowed now (a relieved prompt)",
    Finding.COVERAGE_LOST: "Coverage lost: same decision, but a unit or path is no longer seen",
    Finding.DENIAL_TO_PROMPT: "Denied before, asks now",
    Finding.NEW_PROMPT: "Allowed before, asks now",
    Finding.NEW_DENIAL: "Allowed before, denied now",
    Finding.PROMPT_TO_DENIAL: "Asked before, denied now",
    Finding.OTHER_REASON: "Same decision for another reason",
    Finding.UNCHANGED: "Unchanged",
    Finding.FAILED: "Not decided by both sides",
}

CHANGES = {**FINDINGS, Finding.UNCHANGED: "Decided alike, on another reading of the command"}
"""Findings where rows that differ in their program alone count as changes."""
ANSWERED: Mapping[Answered, str] = {
    Answered.REFUSED: "a person refused at least once",
    Answered.NEVER: "no person ever answered",
    Answered.APPROVED: "always approved (debt: a prompt that brought nothing so far)",
}
OUTCOMES: Mapping[Outcome, str] = {
    Outcome.APPROVED: "approved",
    Outcome.APPROVED_FOR_SESSION: "approved for the session",
    Outcome.DENIED: "refused by a person",
    Outcome.UNAVAILABLE: "nobody there or timed out",
    Outcome.UNANSWERED: "left pending",
    Outcome.POLICY_DENIED: "denied by a rule",
    Outcome.SESSION_APPROVED: "passed by a session approval",
    Outcome.AUTO_APPROVED: "approved automatically",
    Outcome.LINK_ALLOWED: "allowed by a program",
    Outcome.LINK_DENIED: "denied by a program",
    Outcome.INFRASTRUCTURE: "passed as infrastructure",
    Outcome.GATE_ERROR: "gate error",
}
ACTIONS: Mapping[Action, str] = {Action.ALLOW: "allow", Action.ASK: "ask", Action.DENY: "deny"}
CWD_SOURCES: Mapping[CwdSource, str] = {
    CwdSource.RECORDED: "recorded",
    CwdSource.INFERRED: "inferred from the log",
    CwdSource.SUPPLIED: "supplied",
    CwdSource.AMBIGUOUS: "ambiguous",
    CwdSource.UNKNOWN: "unknown",
}
_FLOORS = frozenset(FLOORS.values())
_GATES: Mapping[Gate, str] = {
    Gate.SKILL_READ: "skill",
    Gate.PATH: "path",
    Gate.EXTERNAL_DIRECTORY: "external directory",
    Gate.BASH_EXTERNAL_DIRECTORY: "external directory",
    Gate.BASH_PATH: "path",
    Gate.TOOL: "tool",
}


def told(outcomes: Mapping[Outcome, int]) -> str:
    """Return how logged requests ended, in words."""
    return (
        listing(f"{OUTCOMES[outcome]} {number:,}" for outcome, number in outcomes.items()) or "nothing logged"
    )


def because(reason: Reason) -> Line:
    """Return one line on why a side decided as it did."""
    if reason.action is None:
        return "no answer: ", Code(f"{reason.failure}: {reason.message}")
    if reason.gate is None:
        return (f"{ACTIONS[reason.action]}; the engine gives no reason",)
    return (f"{ACTIONS[reason.action]}: ", *_rule(reason), *_other_units(reason), *_rest(reason))


def _other_units(reason: Reason) -> Line:
    """Say of an allowed chain that the unit named is the first of several that are all allowed."""
    if reason.action is not Action.ALLOW or not reason.other_units:
        return ()
    return (f", and its {plural(reason.other_units, 'other unit')} {are(reason.other_units)} allowed, too",)


def _rule(reason: Reason) -> Line:
    subject = _subject(reason)
    surface = reason.surface or ""
    if reason.pattern == UNPARSEABLE:
        return "no command can be made out in ", *subject
    if reason.pattern in _FLOORS:
        return "what runs inside cannot be seen, so an allow becomes an ask, in ", *subject
    if reason.pattern is None:
        if reason.surface is None:
            return (f"the {_GATES[reason.gate]} gate lets it pass",) if reason.gate else ()
        return "no rule on ", Code(surface), " fits ", *subject, ", so the default applies"
    origin = f" ({reason.origin})" if reason.origin else ""
    return "rule ", Code(reason.pattern), " on ", Code(surface), f"{origin} fits ", *subject


def _subject(reason: Reason) -> Line:
    if reason.paths:
        more = f" and {plural(len(reason.paths) - 1, 'more path')}" if len(reason.paths) > 1 else ""
        return Code(_brief(reason.paths[0])), more
    nested = f" inside a {reason.context.replace('_', ' ')}" if reason.context else ""
    return Code(_brief(reason.value or "")), nested


def _rest(reason: Reason) -> Line:
    return (f"; {plural(reason.other_prompts, 'further prompt')}",) if reason.other_prompts else ()


def _brief(text: str) -> str:
    if len(text) <= MOST_VALUE:
        return text
    return f"{text[:MOST_VALUE]}… [{len(text) - MOST_VALUE:,} more characters]"


def caution(raised: Caution) -> str:
    """Return the sentence of a caution."""
    return _CAUTIONS[raised.kind].format(
        **{name: f"{number:,}" for name, number in raised.values.items()}, **_percents(raised.values)
    )


def _percents(values: Mapping[str, int]) -> dict[str, str]:
    """Return the percentages that sentences print beside their two integers."""
    found: dict[str, str] = {}
    for part, whole in (("agree", "of"), ("commands", "of"), ("rejects", "lines")):
        if part in values and whole in values:
            found[f"{part}_percent"] = percent(values[part], values[whole])
    return found


_COMMANDS = f"{Unit.COMMAND}s"
_CAUTIONS: Mapping[CautionKind, str] = {
    CautionKind.NOTHING_COMPARED: (
        "Nothing was compared: of {commands} " + _COMMANDS + " in {lines} lines not one was decided by both "
        "sides. The zeros below say nothing; this is not a pass."
    ),
    CautionKind.SMALL_POPULATION: (
        "Only {commands} " + _COMMANDS + " were compared, fewer than {floor}: percentages say little."
    ),
    CautionKind.SAME_ARMS: (
        "Baseline and candidate are the same policy and the same core, so no change is what must come out."
    ),
    CautionKind.UNSTABLE_ENGINE: (
        "Baseline and candidate are the same policy and the same core, and yet {commands} " + _COMMANDS + " "
        "differ: the engine does not answer the same question twice alike. Trust no figure here."
    ),
    CautionKind.FAILED_ANSWERS: (
        "{commands} "
        + _COMMANDS
        + " ({calls} calls) were not decided by both sides. They stand in the ledger "
        "and in no table, and nothing is known about them."
    ),
    CautionKind.RESTARTED_ENGINE: (
        "An engine broke and was started again, {baseline} times on the side of the baseline and {candidate} "
        "on that of the candidate. What it was asked just then counts as not decided."
    ),
    CautionKind.COARSE_DETAIL: (
        "One engine does not say what it sees in a command, so coverage, candidate sets and selectivity "
        "cannot be compared: their zeros mean unknown."
    ),
    CautionKind.LOW_FIDELITY: (
        "The baseline reproduces {agree} of {of} ({agree_percent}) "
        + _COMMANDS
        + " as the log recorded them. "
        "The rest is another policy in force then, session approvals or a missing input: drift, which is not "
        "part of the change below."
    ),
    CautionKind.SHORTENED: (
        "{commands} of {of} ({commands_percent}) "
        + _COMMANDS
        + " are shortened in the log and were not parsed; "
        "long commands are the complex ones, so the figures lean to the simple side."
    ),
    CautionKind.PARTIAL: (
        "{commands} of {of} ({commands_percent}) replayed "
        + _COMMANDS
        + " are known in part only, for instance "
        "one unit of a longer command."
    ),
    CautionKind.UNCERTAIN_PLACES: (
        "The working directory of {commands} of {of} ({commands_percent}) replayed "
        + _COMMANDS
        + " is uncertain; "
        "give it with --cwd if they are all from one project."
    ),
    CautionKind.REJECTED_LINES: (
        "{rejects} of {lines} lines ({rejects_percent}) could not be read as log entries."
    ),
    CautionKind.ONE_MONTH: "The log covers a single month; months differ from each other.",
    CautionKind.PARTIAL_TRAFFIC: (
        "{log_only} of {calls} calls are in the log and in none of the transcripts. Where the transcripts do "
        "not reach, what a policy allowed is missing, and a rate over both mixes the two."
    ),
    CautionKind.NO_LOG: (
        "There is no review log, so what people answered is unknown, and so is which policy was in force."
    ),
    CautionKind.NEVER_WATCHED: (
        "{agents} of the agents whose transcripts were given have no call in this log; theirs are in the "
        "figures all the same. Leave their files out to look at this log's traffic alone."
    ),
    CautionKind.SILENT_OUTSIDE_LOG: (
        "{outside} of the {silent} calls without a line in the log were made before its first entry, after "
        "its last, or at no known time: there may have been no log to write to. Give the log of that time, "
        "too, or fewer transcripts."
    ),
    CautionKind.SILENT_ALLOWS: (
        "A call that policy allowed left no line in this log. So the figures show which prompts go away, and "
        "not how many silent calls would start to ask or be denied; rates are of logged traffic only."
    ),
}
