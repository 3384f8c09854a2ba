"""An explanation for a terminal, for a page, and as plain data."""

from __future__ import annotations

from io import StringIO

from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from audit.core.bash.units import Unit
from audit.core.decide import Decision
from audit.core.ecma import from_code_units
from audit.core.explain import Explanation, GateStep, RuleStep, TokenStep
from audit.core.gates import Gate, GateOutcome
from audit.report.terminal import console_for
from audit.report.visible import visible

GATE_NAMES = {
    Gate.SKILL_READ: "skill file",
    Gate.PATH: "path argument",
    Gate.EXTERNAL_DIRECTORY: "outside path argument",
    Gate.BASH_EXTERNAL_DIRECTORY: "outside paths of the command",
    Gate.BASH_PATH: "paths of the command",
    Gate.TOOL: "tool",
}

_COLOURS = {"allow": "green", "ask": "yellow", "deny": "red"}


def explanation_to_terminal(explanation: Explanation, width: int = 80, *, colour: bool = False) -> str:
    """Return an explanation as text of at most `width` columns."""
    text = StringIO()
    console = console_for(text, width, colour=colour)
    _verdict(console, explanation.decision)
    if explanation.decision.program is not None:
        _units(console, explanation.decision.program.units)
        _tokens(console, explanation.tokens)
    console.print(Text("\nGates, in order", style="bold"))
    for number, step in enumerate(explanation.gates, 1):
        _gate(console, number, step)
    return "\n".join(line.rstrip() for line in text.getvalue().split("\n"))


def _verdict(console: Console, decision: Decision) -> None:
    action = decision.action.value
    console.print(Text.assemble("Decision: ", (action, f"bold {_COLOURS[action]}")))
    if decision.first != decision.action:
        console.print(Text(f"A person is asked first ({decision.first.value}); a later gate decides."))


def _units(console: Console, units: tuple[Unit, ...]) -> None:
    console.print(Text("\nCommand units, which bash rules are matched against", style="bold"))
    if not units:
        console.print(Padding(Text("none"), (0, 0, 0, 2)))
    for unit in units:
        remarks = [f"inside a {unit.context.value.replace('_', ' ')}"] if unit.context else []
        remarks += [f"wrapper: {unit.wrapper.value}"] if unit.wrapper else []
        line = Text(visible(from_code_units(unit.text)), style="cyan")
        if remarks:
            line.append(f"  ({', '.join(remarks)})", style="dim")
        console.print(Padding(line, (0, 0, 0, 2)))


def _tokens(console: Console, tokens: tuple[TokenStep, ...]) -> None:
    console.print(Text("\nTokens, each read from the effective working directory", style="bold"))
    if not tokens:
        console.print(Padding(Text("none"), (0, 0, 0, 2)))
        return
    directory = None
    for token in tokens:
        if token.directory != directory:
            directory = token.directory
            console.print(Padding(Text(f"from {visible(from_code_units(directory))}", "dim"), (0, 0, 0, 2)))
        line = Text.assemble((visible(from_code_units(token.token)), "cyan"), f": {token.fate}")
        if token.forms:
            forms = "  ".join(visible(from_code_units(form)) for form in token.forms)
            line.append(f"\nmatched as  {forms}", style="dim")
        console.print(Padding(line, (0, 0, 0, 4)))


def _gate(console: Console, number: int, step: GateStep) -> None:
    skipped = step.result.outcome is GateOutcome.NONE
    title = Text(f"{number}. {GATE_NAMES[step.result.gate]}: {visible(from_code_units(step.sentence))}")
    title.stylize("dim" if skipped else "")
    console.print(Padding(title, (0, 0, 0, 2)))
    if skipped or not step.rules:
        return
    table = Table(box=None, pad_edge=False, header_style="dim", padding=(0, 2, 0, 0))
    for name in ("", "asked about", "rule", "action", "from"):
        table.add_column(name, overflow="fold")
    for rule in step.rules:
        table.add_row(
            Text("wins" if rule.won else "", style="bold"),
            Text(visible(rule.value)),
            Text(f"{rule.surface}: {visible(rule.pattern)}", style="cyan"),
            Text(rule.action, style=_COLOURS[rule.action]),
            Text(f"{rule.origin} {rule.layer}" if rule.layer == "default" else rule.origin),
        )
    console.print(Padding(table, (0, 0, 0, 5)))


def explanation_to_data(explanation: Explanation) -> dict[str, object]:
    """Return the parts of an explanation that a decision message lacks, as what JSON holds."""
    return {
        "tokens": [
            {
                "token": token.token,
                "start": token.start,
                "end": token.end,
                "directory": token.directory,
                "fate": token.fate,
                "forms": list(token.forms),
            }
            for token in explanation.tokens
        ],
        "steps": [
            {
                "gate": step.result.gate.value,
                "sentence": step.sentence,
                "rules": [_rule_data(rule) for rule in step.rules],
            }
            for step in explanation.gates
        ],
    }


def _rule_data(rule: RuleStep) -> dict[str, object]:
    return {
        "surface": rule.surface,
        "asked_about": rule.value,
        "pattern": rule.pattern,
        "action": rule.action,
        "origin": rule.origin,
        "layer": rule.layer,
        "won": rule.won,
    }
