"""A decision step by step: what the core saw, which rules spoke, what each gate made of it."""

from __future__ import annotations

from dataclasses import dataclass

from audit.core.bash.tokens import Token
from audit.core.call import ToolCall
from audit.core.decide import Decision, Judge
from audit.core.ecma import from_code_units, to_code_units
from audit.core.gates import Gate, GateOutcome, GateResult
from audit.core.paths.access_path import Paths
from audit.core.place import Place
from audit.core.policy.rule import Rule, Ruleset
from audit.core.program import BashProgram
from audit.core.revision import Revision
from audit.core.token_paths import Seen, TokenPaths

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
    judge = Judge(ruleset, place, revision)
    if decision is None:
        decided = judge.decide(call)
        if not isinstance(decided, Decision):
            return None
        decision = decided
    return Explanation(
        decision=decision,
        tokens=() if decision.program is None else _token_steps(decision.program, judge),
        gates=tuple(
            GateStep(result, gate_sentence(result), _rule_steps(result, decision.program, judge, call))
            for result in decision.gates
        ),
    )


def _token_steps(program: BashProgram, judge: Judge) -> tuple[TokenStep, ...]:
    token_paths = judge.reader.token_paths
    token_of = {candidate.path.match_values: candidate.token for candidate in program.candidates}
    promoted = {candidate.token for candidate in program.candidates if candidate.promoted}
    identities = {path.boundary or path.value for path in program.external}
    steps = []
    for token in program.tokens:
        seen = _seen(token, token_paths, is_promoted=token.value in promoted)
        forms = () if seen is None else tuple(map(from_code_units, seen[0].match_values))
        offered = token_of.get(forms) == token.value
        outside = None if seen is None else seen[1]
        is_outside = outside is not None and from_code_units(outside.boundary or outside.value) in identities
        directory = None if token.base is None else token_paths.directory(to_code_units(token.base))
        steps.append(
            TokenStep(
                token=token.value,
                start=token.start,
                end=token.end,
                directory=UNKNOWN_DIRECTORY if directory is None else from_code_units(directory),
                fate=_fate(token, seen, judge, offered=offered, outside=is_outside),
                forms=forms if offered else (),
            )
        )
    return tuple(steps)


def _seen(token: Token, token_paths: TokenPaths, *, is_promoted: bool) -> Seen | None:
    if not (is_promoted or token_paths.probes or token_paths.shapes.broad(token.value)):
        return None
    base = None if token.base is None else to_code_units(token.base)
    return token_paths.of(to_code_units(token.value), base)


def _fate(token: Token, seen: Seen | None, judge: Judge, *, offered: bool, outside: bool) -> str:
    token_paths = judge.reader.token_paths
    shapes = token_paths.shapes
    why_not = shapes.rejection(token.value)
    if why_not is not None:
        return f"no path: {why_not}"
    if seen is None:
        return "no path: a bare word" + (" that does not exist" if token_paths.probes else "")
    if outside:
        unknown = token.base is None and shapes.is_relative(token.value)
        why = "that counts as outside, because the effective directory is unknown"
        return f"a path {why if unknown else 'outside the working directory'}"
    if not shapes.broad(token.value):
        return "a bare word that exists" if token_paths.probes else "a bare word that a path rule names"
    asked = "a path" if judge.reader.has_path_surface else "a path that no rule is asked about"
    return asked if offered or not judge.reader.has_path_surface else "a path, the same as an earlier one"


def _rule_steps(
    result: GateResult, program: BashProgram | None, judge: Judge, call: ToolCall
) -> tuple[RuleStep, ...]:
    """Return the matching rules of every question the gate put, strongest first within each."""
    shell = judge.gates.shell
    questions: list[tuple[str, str, tuple[str, ...]]] = []
    if result.gate is Gate.BASH_EXTERNAL_DIRECTORY and program is not None:
        questions = [
            (surface, value, forms)
            for value, forms, effect in shell.external_questions(program)
            for surface in shell.on_external.surfaces(effect)
        ]
    elif result.gate is Gate.BASH_PATH and program is not None:
        questions = [
            (surface, candidate.token, candidate.path.match_values)
            for candidate in program.candidates
            for surface in shell.on_path.surfaces(candidate.effect)
        ]
    elif result.outcome is not GateOutcome.CHECK or result.surface is None:
        return ()
    elif result.surface == "bash":
        texts = [unit.inner or unit.text for unit in program.units] if program else [""]
        questions = [("bash", text, (shell.matched(text),)) for text in texts or [result.value or ""]]
    else:
        questions = [(result.surface, result.value or "", _values(result, call, judge.reader.paths))]
    return tuple(
        _rule_step(surface, value, rule, won=rank == 0)
        for surface, value, values in questions
        for rank, rule in enumerate(judge.gates.rules.matching(surface, tuple(map(to_code_units, values))))
    )


def _values(result: GateResult, call: ToolCall, paths: Paths) -> tuple[str, ...]:
    if result.surface == "skill":
        name = call.input.get("name")
        return (name if isinstance(name, str) else "*",)
    if result.subjects and result.surface != "mcp":
        is_outside = result.gate is Gate.EXTERNAL_DIRECTORY
        form = paths.argument_outside_form if is_outside else paths.argument_rule_form
        return form(to_code_units(result.value or ""), paths.cwd).match_values
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
    "<unparsed-bash-subtree>": "a part of it could not be parsed, so its allow was raised to ask",
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
