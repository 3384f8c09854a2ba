"""Block 10: one example for each shape of change, chosen by rule and not by what comes first."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence

from audit.core.action import Action
from audit.core.gates import Gate, GateResult
from audit.core.program import BashProgram
from audit.log.cases import Case
from audit.measures.answers import outcomes
from audit.measures.finding import Finding, finding
from audit.measures.measure import count
from audit.protocol.engine import Answer, Failed
from audit.replay.change import Compared, deciding, program_of, prompts
from audit.report.model import Cluster, Listed, Reason

Shape = tuple[Finding, tuple[str, ...], tuple[str, ...], tuple[str, ...]]


def clusters(rows: Iterable[Compared], home: str | None) -> tuple[tuple[Cluster, ...], tuple[Listed, ...]]:
    """Return every shape among the rows that are not unchanged, and the rows with their cluster."""
    changed = [(row, kind) for row in rows if (kind := finding(row)) is not Finding.UNCHANGED]
    shapes: dict[Shape, list[Compared]] = {}
    for row, kind in changed:
        shapes.setdefault(_shape(row, kind), []).append(row)
    made = [(shape, _cluster(shape, members, home)) for shape, members in shapes.items()]
    order = list(Finding)
    made.sort(
        key=lambda pair: (
            order.index(pair[1].finding),
            -pair[1].count.commands,
            -pair[1].count.calls,
            pair[1].words,
            pair[1].command,
            pair[1].case,
        )
    )
    index = {shape: at for at, (shape, _) in enumerate(made)}
    listed = tuple(
        Listed(
            row.case.id,
            kind,
            index[_shape(row, kind)],
            row.case.occurrences,
            row.case.tool,
            text_of(row.case),
        )
        for row, kind in changed
    )
    return tuple(cluster for _, cluster in made), listed


def text_of(case: Case) -> str:
    """Return a call as one text: the command, or tool and input as JSON."""
    command = case.input.get("command")
    if isinstance(command, str) and len(case.input) == 1:
        return command
    return f"{case.tool} {json.dumps(_plain(case.input), ensure_ascii=False, default=str)}"


def _plain(value: object) -> object:
    if isinstance(value, Mapping):
        return {str(name): _plain(item) for name, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    return value


def reason(answer: Answer) -> Reason:
    """Return what stands behind an answer."""
    if isinstance(answer, Failed):
        return Reason(None, failure=answer.kind, message=answer.message)
    decision = answer.decision
    gate = deciding(decision)
    if gate is None:
        return Reason(decision.action)
    asked = prompts(decision)
    return Reason(
        action=decision.action,
        gate=gate.gate,
        surface=gate.surface,
        pattern=gate.matched_pattern,
        origin=gate.origin,
        value=gate.value,
        context=gate.context,
        paths=gate.paths or (),
        other_prompts=asked - (gate.effect is Action.ASK),
        other_units=_other_units(gate, decision.program),
    )


def _other_units(gate: GateResult, program: BashProgram | None) -> int:
    """Return how many units a command has beside the one that its tool gate names."""
    return len(program.units) - 1 if gate.gate is Gate.TOOL and program is not None and program.units else 0


def _shape(row: Compared, kind: Finding) -> Shape:
    return kind, words_of(row), _behind(row.row.baseline), _behind(row.row.candidate)


def words_of(row: Compared) -> tuple[str, ...]:
    """Return the command words of the units that either side sees, each once; the tool for other calls."""
    for answer in (row.row.candidate, row.row.baseline):
        program = program_of(answer)
        if program is not None:
            heads = (unit.text.split(None, 1) for unit in program.units)
            return tuple(dict.fromkeys(head[0] for head in heads if head))
    return (row.case.tool,)


def _behind(answer: Answer) -> tuple[str, ...]:
    """Return action, gate, surface and pattern of an answer, as texts that sort and compare."""
    if isinstance(answer, Failed):
        return "failed", answer.kind
    gate: GateResult | None = deciding(answer.decision)
    if gate is None:
        return (answer.decision.action,)
    return answer.decision.action, gate.gate, gate.surface or "", gate.matched_pattern or ""


def _cluster(shape: Shape, members: Sequence[Compared], home: str | None) -> Cluster:
    example = min(members, key=_typical)
    change = example.change.program
    return Cluster(
        finding=shape[0],
        words=shape[1],
        count=count(members),
        outcomes=outcomes(row.case for row in members),
        case=example.case.id,
        tool=example.case.tool,
        command=text_of(example.case),
        occurrences=example.case.occurrences,
        cwd=_label(example.case.cwd or "", home or example.case.home),
        baseline=reason(example.row.baseline),
        candidate=reason(example.row.candidate),
        lost=change.lost if change else (),
        gained=change.gained if change else (),
    )


def _typical(row: Compared) -> tuple[int, int, str, str]:
    """Order members of a cluster: most occurrences, then shortest, then by text."""
    text = text_of(row.case)
    return -row.case.occurrences, len(text), text, row.case.id


def _label(cwd: str, home: str | None) -> str:
    """Write a directory without the name of its owner's home."""
    if home and (cwd == home or cwd.startswith((f"{home}/", f"{home}\\"))):
        return "~" + cwd[len(home) :]
    return cwd
