"""What the sample log was made to say agrees with the decision core under the sample's baseline."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from shoplog.calls import CWD, HOME, Shell, Tool
from shoplog.chance import Chance
from shoplog.commands import all_simple
from shoplog.era import BOTH
from shoplog.judge import Judge as SampleJudge
from shoplog.judge import load, suggestion
from shoplog.traffic import chains, file_tools, other_tools

from audit.core.call import ToolCall, shell
from audit.core.decide import Decision, Judge
from audit.core.gates import Gate, GateOutcome, GateResult
from audit.core.place import Place
from audit.core.policy.approval import bash_suggestion
from audit.core.policy.compose import PolicySources, compose
from audit.core.policy.document import read_config
from audit.core.revision import LATEST

SAMPLES = Path(__file__).parents[2] / "data-samples"
BASELINE = SAMPLES / "baseline.json"

Said = list[tuple[str | None, str, str | None]]


def policy(path: Path) -> Judge:
    document = read_config(path.read_text(encoding="utf-8"), path.name)
    assert document.warnings == ()
    return Judge(compose(PolicySources(document.permission)), Place(CWD, HOME), LATEST)


@pytest.fixture(scope="module")
def core() -> Judge:
    return policy(BASELINE)


@pytest.fixture(scope="module")
def sample() -> SampleJudge:
    return SampleJudge(load(BASELINE), BOTH, yolo=False)


@pytest.fixture(scope="module")
def commands() -> list[Shell]:
    simples = all_simple()
    return simples + chains(Chance(7), simples, 1500)


def decided(judge: Judge, call: ToolCall) -> Decision:
    decision = judge.decide(call)
    assert isinstance(decision, Decision)
    return decision


def state(gate: GateResult) -> str:
    if gate.outcome is GateOutcome.BYPASS:
        return "infrastructure" if gate.gate is Gate.EXTERNAL_DIRECTORY else "bypass"
    assert gate.action is not None
    return gate.action.value


def core_says(decision: Decision) -> Said:
    applied = [gate for gate in decision.gates if gate.outcome is not GateOutcome.NONE]
    return [
        (
            "external_directory" if gate.outcome is GateOutcome.BYPASS else gate.surface,
            state(gate),
            gate.matched_pattern,
        )
        for gate in applied
    ]


def sample_says(judge: SampleJudge, request: Shell | Tool) -> Said:
    said: Said = []
    for gate in judge.gates(request):
        said.append((gate.surface, gate.state, gate.pattern))
        if gate.state == "deny":
            break
    return said


def test_commands_are_taken_apart_as_the_core_does(core: Judge, commands: list[Shell]) -> None:
    for made in commands:
        program = decided(core, shell(made.command)).program
        assert program is not None
        units = [(unit.text, unit.context, unit.wrapper) for unit in program.units]
        assert units == [(unit.text, unit.context, unit.wrapper) for unit in made.units]
        assert [path.value for path in program.external] == list(made.external), made.command


def test_the_gates_agree_on_every_command(core: Judge, sample: SampleJudge, commands: list[Shell]) -> None:
    differing = [
        (made.command, sample_says(sample, made), core_says(decided(core, shell(made.command))))
        for made in commands
        if sample_says(sample, made) != core_says(decided(core, shell(made.command)))
    ]
    assert differing == []


@pytest.mark.parametrize(
    "tool", [*file_tools(), *other_tools()], ids=lambda tool: f"{tool.name} {tool.path or ''}"
)
def test_the_gates_agree_on_other_tools(core: Judge, sample: SampleJudge, tool: Tool) -> None:
    assert sample_says(sample, tool) == core_says(decided(core, ToolCall(tool.name, tool.input)))


def test_approvals_grant_what_the_core_would_grant(commands: list[Shell]) -> None:
    texts = {unit.text for made in commands for unit in made.units}
    assert [text for text in texts if suggestion(text) != bash_suggestion(text)] == []


FULL = re.compile(r" \(full command: '(.*)'\)\. Allow this command\?$", re.DOTALL)
MATCHED = re.compile(r" \(matched '([^']*)'")


def entries(start: str, end: str) -> list[dict[str, Any]]:
    """Return the entries of a stretch of the committed log."""
    found = []
    for line in (SAMPLES / "review.jsonl").read_text(encoding="utf-8").split("\n"):
        try:
            entry = json.loads(line)
        except ValueError:
            continue
        if start <= entry["timestamp"] < end:
            found.append(entry)
    return found


def test_every_logged_command_prompt_is_a_prompt_under_the_baseline(core: Judge) -> None:
    checked = 0
    for entry in entries("2026-06", "2026-08-16"):
        if entry["event"] != "permission_request.waiting" or not entry["command"]:
            continue
        if not entry["message"].endswith("Allow this command?"):
            continue
        full = FULL.search(entry["message"])
        decision = decided(core, shell(full.group(1) if full else entry["command"]))
        gate = decision.gates[-1]
        matched = MATCHED.search(entry["message"])
        # An approval for the session may have let an earlier unit pass; then a later one is asked about.
        units = [unit.text for unit in decision.program.units] if decision.program else []
        assert state(gate) == "ask"
        assert entry["command"] in (gate.value, *units)
        if entry["command"] == gate.value:
            assert gate.matched_pattern == (matched.group(1) if matched else None)
        checked += 1
    assert checked > 400


def test_every_structured_prompt_is_a_prompt_under_the_baseline(core: Judge) -> None:
    checked = 0
    for entry in entries("2026-08-16", "2026-12"):
        text = entry.get("command")
        if entry["event"] != "permission_request.waiting" or not text or "[redacted]" in text:
            continue
        if text.endswith("\u2026"):
            continue
        says = core_says(decided(core, shell(text)))
        surface = re.sub("_(read|write)$", "", entry["surface"])
        assert (surface, "ask", entry.get("matchedPattern")) in says
        checked += 1
    assert checked > 60


def test_every_logged_path_prompt_and_denial_is_one_under_the_baseline(core: Judge) -> None:
    seen = set()
    for entry in entries("2026-06", "2026-08-16"):
        if entry.get("resolution") == "gate_error" or not entry.get("command"):
            continue
        outside = "outside working directory" in entry.get("message", "")
        inside = "Allow this path access?" in entry.get("message", "")
        decision = decided(core, shell(entry["command"]))
        if entry["event"] == "permission_request.waiting" and (outside or inside):
            surface = "external_directory" if outside else "path"
            assert (surface, "ask") in [(gate[0], gate[1]) for gate in core_says(decision)]
            seen.add(surface)
        elif entry.get("resolution") == "policy_denied":
            assert core_says(decision)[-1][1] == "deny"
            seen.add("blocked")
        elif "externalPaths" in entry and entry["event"] == "permission_request.session_approved":
            assert {path.value for path in decision.program.external} == set(entry["externalPaths"])
            seen.add("bypass")
    assert seen == {"external_directory", "path", "blocked", "bypass"}


def test_the_candidate_is_a_valid_policy_that_changes_what_the_readme_says(core: Judge) -> None:
    candidate = policy(SAMPLES / "candidate.json")

    def change(command: str) -> tuple[str, str]:
        before, after = decided(core, shell(command)), decided(candidate, shell(command))
        return before.action.value, after.action.value

    assert change("npm test -- src/cart") == ("ask", "allow")
    assert change("git push --force") == ("ask", "deny")
    assert change("git reset --hard HEAD~1") == ("deny", "allow")
    assert change("source .env.local") == ("ask", "deny")
    assert change("diff docker-compose.yml /tmp/compose.cart.yml") == ("allow", "ask")
    assert change("ls ~/.cache/vite") == ("ask", "allow")
    assert change("git stash drop") == ("ask", "allow")
