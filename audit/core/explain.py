"""A decision step by step: what the core saw, which rules spoke, what each gate made of it."""

from __future__ import annotations

from dataclasses import dataclass

from audit.core.bash.classify import has_strict_shape, rejection
from audit.core.bash.tokens import Token
from audit.core.call import ToolCall
from audit.core.decide import Decision, Judge
from audit.core.ecma import from_code_units, to_code_units
from audit.core.gates import Gate, GateOutcome, GateResult
from audit.core.paths.access_path import Paths
from audit.core.place import Place
from audit.core.policy.command_text import bash_value
from audit.core.policy.evaluate import RulesInPlace, in_place
from audit.core.policy.rule import Rule, Ruleset
from audit.core.program import BashProgram, TokenPaths
from audit.core.revision import Revision

UNKNOWN_DIRECTORY = "unknown"


@dataclass(frozen=True, slots=True)
class TokenStep:
    """One token of a command: where it stands and what became of it."""

    token: str
    start: int
    """Span in UTF-16 code units of the command."""
    end: int
    directory: str
    """The effective working directory it is read from, or `unknown`."""
    fate: str
    """In plain words, why it is or is not a path."""
    forms: tuple[str, ...]
    """What patterns are tested against; empty where the token is not offered to any rule."""


@dataclass(frozen=True, slots=True)
class RuleStep:
    """A rule that matched, strongest first; the first of a question won it."""

    surface: str
    value: str
    """What the rule was asked about."""
    pattern: str
    action: str
    origin: str
    layer: str
    won: bool


@dataclass(frozen=True, slots=True)
class GateStep:
    """One gate of the pipeline: its result, a sentence, and the rules that matched."""

    result: GateResult
    sentence: str
    rules: tuple[RuleStep, ...]


@dataclass(frozen=True, slots=True)
class Explanation:
    """Everything that led to one decision."""

    decision: Decision
    tokens: tuple[TokenStep, ...]
    gates: tuple[GateStep, ...]


def explain(
    call: ToolCall, ruleset: Ruleset, place: Place, revision: Revision, decision: Decision | None = None
) -> Explanation | None:
    """Explain one call; None where the core cannot decide it."""
    if decision is None:
        decided = Judge(ruleset, place, revision).decide(call)
        if not isinstance(decided, Decision):
            return None
        decision = decided
    paths = Paths(place)
    rules = in_place(ruleset, paths.home, place.platform)
    return Explanation(
        decision=decision,
        tokens=() if decision.program is None else _token_steps(decision.program, paths),
        gates=tuple(
            GateStep(result, gate_sentence(result), _rule_steps(result, decision.program, rules, call, paths))
            for result in decision.gates
        ),
    )


def _token_steps(program: BashProgram, paths: Paths) -> tuple[TokenStep, ...]:
    seen_as = TokenPaths(paths)
    token_of = {candidate.path.match_values: candidate.token for candidate in program.candidates}
    promoted = {candidate.token for candidate in program.candidates if candidate.promoted}
    steps = []
    for token in program.tokens:
        seen = None
        if token.value in promoted or paths.flavor.has_shape(token.value):
            base = None if token.base is None else to_code_units(token.base)
            seen = seen_as.of(to_code_units(token.value), base)
        forms = () if seen is None else tuple(map(from_code_units, seen[0].match_values))
        offered = token_of.get(forms) == token.value
        outside = offered and seen is not None and seen[1] is not None
        steps.append(
            TokenStep(
                token=token.value,
                start=token.start,
                end=token.end,
                directory=from_code_units(_directory(token, paths) or UNKNOWN_DIRECTORY),
                fate=_fate(token, offered=offered, outside=outside, paths=paths),
                forms=forms if offered else (),
            )
        )
    return tuple(steps)


def _directory(token: Token, paths: Paths) -> str | None:
    if token.base is None:
        return None
    return paths.flavor.resolve(paths.cwd, to_code_units(token.base)) if token.base else paths.cwd


def _fate(token: Token, *, offered: bool, outside: bool, paths: Paths) -> str:
    shaped = paths.flavor.has_shape(token.value)
    why_not = rejection(token.value)
    if why_not is not None:
        return f"no path: {why_not}"
    if not shaped:
        return "a bare word that a path rule names" if offered else "no path: a bare word"
    if token.base is None and paths.is_relative(token.value) and has_strict_shape(token.value):
        return "a path that counts as outside, because the effective directory is unknown"
    if outside:
        return "a path outside the working directory"
    return "a path" if offered else "a path, the same as an earlier one"


def _rule_steps(
    result: GateResult, program: BashProgram | None, rules: RulesInPlace, call: ToolCall, paths: Paths
) -> tuple[RuleStep, ...]:
    """Return the matching rules of every question the gate put, strongest first within each."""
    questions: list[tuple[str, str, tuple[str, ...]]] = []
    if result.gate is Gate.BASH_EXTERNAL_DIRECTORY and program is not None:
        questions = [("external_directory", path.value, path.match_values) for path in program.external]
    elif result.gate is Gate.BASH_PATH and program is not None:
        questions = [
            ("path", candidate.token, candidate.path.match_values) for candidate in program.candidates
        ]
    elif result.outcome is not GateOutcome.CHECK or result.surface is None:
        return ()
    elif result.surface == "bash":
        texts = [unit.text for unit in program.units] if program else [""]
        questions = [("bash", text, (bash_value(text),)) for text in texts or [result.value or ""]]
    else:
        questions = [(result.surface, result.value or "", _values(result, call, paths))]
    return tuple(
        _rule_step(surface, value, rule, won=rank == 0)
        for surface, value, values in questions
        for rank, rule in enumerate(rules.matching(surface, tuple(map(to_code_units, values))))
    )


def _values(result: GateResult, call: ToolCall, paths: Paths) -> tuple[str, ...]:
    if result.surface == "skill":
        name = call.input.get("name")
        return (name if isinstance(name, str) else "*",)
    if result.subjects and result.surface != "mcp":
        return paths.resolved(to_code_units(result.value or ""), paths.cwd).match_values
    return (result.value or "*",) if result.surface == "mcp" else ("*",)


def _rule_step(surface: str, value: str, rule: Rule, *, won: bool) -> RuleStep:
    return RuleStep(
        surface=surface,
        value=from_code_units(value),
        pattern=from_code_units(rule.pattern),
        action=rule.action.value,
        origin=rule.origin,
        layer=rule.layer.value,
        won=won,
    )


_NOT_APPLICABLE = {
    Gate.SKILL_READ: "no skill file is read",
    Gate.PATH: "no path argument that a path rule stops",
    Gate.EXTERNAL_DIRECTORY: "no path argument outside the working directory",
    Gate.BASH_EXTERNAL_DIRECTORY: "the command names no path outside the working directory",
    Gate.BASH_PATH: "no path in the command is stopped by a path rule",
    Gate.TOOL: "does not apply",
}

_BYPASSED = {
    Gate.EXTERNAL_DIRECTORY: "read of an infrastructure directory, allowed without a rule",
    Gate.BASH_EXTERNAL_DIRECTORY: "every outside path is allowed",
    Gate.BASH_PATH: "every path was approved for this session",
}

_SENTINELS = {
    "<unparseable-bash-command>": "no command could be read from the text, which always asks",
    "<opaque-bash-wrapper>": "it runs a program text that cannot be seen, so its allow was raised to ask",
    "<indirection-bash-wrapper>": "it runs another command, so its allow was raised to ask",
}


def gate_sentence(result: GateResult) -> str:
    """Return one plain sentence about a gate's result."""
    if result.outcome is GateOutcome.NONE:
        return _NOT_APPLICABLE[result.gate]
    if result.outcome is GateOutcome.BYPASS:
        return _BYPASSED[result.gate]
    pattern = result.matched_pattern
    if pattern in _SENTINELS:
        why = _SENTINELS[pattern]
    elif pattern is None:
        why = f"no rule matched, so the {result.origin} default applied"
    else:
        why = f"{result.origin} rule `{pattern}` on {result.surface}"
    if result.source == "session":
        why += ", approved for this session"
    if result.context is not None:
        why += f", inside a {result.context.replace('_', ' ')}"
    if result.reason:
        why += f", reason: {result.reason}"
    return f"{result.action} for `{result.value}`: {why}"
