"""The package's recorded decisions through the adapter, and states of other shapes than the published one."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from audit.core.call import shell
from audit.core.place import Place
from audit.engines.process import ProcessEngine, open_process
from audit.engines.typescript import package_program
from audit.errors import EngineError
from audit.protocol.engine import Decided, Detail, Question
from audit.protocol.messages import decision_message, failure_message, read_question
from tests.conformance.golden import ABSENT, AUTHORED, SHARED, Vectors, differences, load
from tests.engines.conftest import spec

PLACE = Place("/srv/project", "/home/user")
POLICY = {"permission": {"bash": {"*": "ask", "rm *": "deny"}}}
SAMPLES = {"20.7.3-posix": 30, "20.7.3-win32": 6, "20.7.3-random-policies": 12}
"""The vector files, and of how many vectors one is taken."""


def published() -> ProcessEngine:
    return ProcessEngine(package_program("p", spec("package").removeprefix("package:")))


def wrong(golden: Vectors) -> list[str]:
    engine = published()
    for name, policy in golden.policies.items():
        assert engine.define(name, policy) is None
    answers = engine.answers([read_question(vector.question()) for vector in golden.vectors])
    engine.close()
    told = [
        decision_message(None, answer.decision)
        if isinstance(answer, Decided)
        else failure_message(None, answer)
        for answer in answers
    ]
    pairs = zip(golden.vectors, told, strict=True)
    return [line for vector, answer in pairs for line in differences(vector, answer)]


@pytest.mark.golden
@pytest.mark.parametrize("name", SAMPLES)
def test_recorded_decisions_are_made_again(name: str) -> None:
    path = SHARED / f"{name}.jsonl.gz"
    if not path.exists():
        pytest.skip(ABSENT)
    golden = load(path, shard=3, shards=SAMPLES[name])
    assert len(golden.vectors) == 1000
    assert wrong(golden) == []


def test_authored_decisions_are_made_again() -> None:
    assert wrong(load(AUTHORED)) == []


def altered(package: Path, name: str, change: str) -> None:
    """Let a package change the members of a class that it exports before anything else happens."""
    found = re.compile(rf"^export class {name}\b", re.MULTILINE)
    [file] = [file for file in (package / "src").rglob("*.ts") if found.search(file.read_text("utf-8"))]
    index = package / "src" / "index.ts"
    index.rename(index.with_name("published.ts"))
    lines = ['export { default } from "./published";', f'import {{ {name} }} from "{file}";', change]
    index.write_text("\n".join(lines), "utf-8")


def with_paths_as_texts(package: Path) -> None:
    # While deciding the package needs its own shape; what is looked at afterwards has the other one.
    own = "const own = BashProgram.prototype.externalPaths;"
    change = "function (...given) { return globalThis.__engine.record ? own.apply(this, given) : ['/b']; }"
    altered(package, "BashProgram", f"{own} BashProgram.prototype.externalPaths = {change};")


def with_another_name(package: Path) -> None:
    for file in (package / "src").rglob("*.ts"):
        file.write_text(file.read_text("utf-8").replace("pathRuleCandidates", "ruleTokens"), "utf-8")


@pytest.mark.parametrize("change", [with_paths_as_texts, with_another_name])
def test_a_state_of_other_shapes_is_driven_at_less_detail(checkout: Path, change) -> None:
    change(checkout)
    engine = open_process(package_program("p", str(checkout)), {"p": POLICY})
    answers = engine.answers([Question(shell(command), PLACE, "p") for command in ("git log", "rm a")])
    engine.close()
    assert engine.info.details == (Detail.DECISION, Detail.GATES)
    assert [answer.decision.action.value for answer in answers if isinstance(answer, Decided)] == [
        "ask",
        "deny",
    ]


def test_a_gate_that_is_not_known_leaves_the_decision(checkout: Path) -> None:
    tool = checkout / "src" / "handlers" / "gates" / "tool.ts"
    tool.rename(tool.with_name("published-tool.ts"))
    lines = [
        'export * from "./published-tool";',
        'import { describeToolGate as published } from "./published-tool";',
        'import { describeNewGate } from "./new";',
        "export function describeToolGate(...given) { describeNewGate(); return published(...given); }",
    ]
    tool.write_text("\n".join(lines), "utf-8")
    tool.with_name("new.ts").write_text("export function describeNewGate() { return null; }", "utf-8")
    engine = open_process(package_program("p", str(checkout)), {"p": POLICY})
    answer = engine.answer(Question(shell("rm a"), PLACE, "p"))
    engine.close()
    assert engine.info.details == (Detail.DECISION,)
    assert isinstance(answer, Decided)
    assert answer.decision.action.value == "deny"


@pytest.mark.parametrize("member", ["loadGlobalConfig", "loadProjectConfig", "loadProjectAgentConfig"])
def test_a_state_that_takes_its_policy_from_elsewhere_is_refused(checkout: Path, member: str) -> None:
    change = (
        f'Object.defineProperty(FilePolicyLoader.prototype, "{member}", '
        "{ get: () => () => ({ permission: {} }), set: () => {} });"
    )
    altered(checkout, "FilePolicyLoader", change)
    with pytest.raises(EngineError, match="does not decide by the policy that it is served"):
        ProcessEngine(package_program("p", str(checkout)))


def test_another_grammar_is_other_code(checkout: Path, tmp_path: Path) -> None:
    before = package_program("p", str(checkout)).source
    libraries = tmp_path / "libraries"
    libraries.mkdir()
    for library in (checkout / "node_modules").iterdir():
        (libraries / library.name).symlink_to(library.resolve())
    (checkout / "node_modules").unlink()
    (checkout / "node_modules").symlink_to(libraries)
    assert package_program("p", str(checkout)).source == before
    grammar = libraries / "tree-sitter-bash"
    installed = grammar.resolve()
    grammar.unlink()
    grammar.mkdir()
    for file in ("package.json", "tree-sitter-bash.wasm"):
        (grammar / file).write_bytes((installed / file).read_bytes() + b"\n")
    assert package_program("p", str(checkout)).source != before


def test_an_agent_may_have_any_name() -> None:
    engine = published()
    assert engine.define("p", {**POLICY, "agents": {"scout": {"bash": "deny"}}}) is None
    answers = engine.answers(
        [Question(shell("git log"), PLACE, "p", agent) for agent in ("constructor", "__proto__", "scout")]
    )
    engine.close()
    decided = [answer.decision.action.value for answer in answers if isinstance(answer, Decided)]
    assert decided == ["ask", "ask", "deny"]
