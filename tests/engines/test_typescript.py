"""The adapter for TypeScript packages: where a package may stand, what is told when something is missing."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from audit.core.call import ToolCall, shell
from audit.core.place import Place, Skill
from audit.engines.process import ProcessEngine, open_process
from audit.engines.typescript import package_program
from audit.errors import EngineError
from audit.protocol.engine import Decided, Failed, FailureKind, Question
from tests.engines.conftest import PACKAGE, spec

PLACE = Place("/srv/project", "/home/user")


@pytest.mark.parametrize("above", [0, 2], ids=["the package", "its repository"])
def test_a_checkout_is_driven_as_it_stands(checkout: Path, above: int) -> None:
    folder = checkout if above == 0 else checkout.parents[1]
    engine = open_process(package_program("p", str(folder)), {"p": {"permission": {"bash": "allow"}}})
    answer = engine.answer(Question(shell("git log"), PLACE, "p"))
    engine.close()
    assert engine.info.revision == "99.0.0"
    assert isinstance(answer, Decided)


def test_changed_sources_are_other_code(checkout: Path) -> None:
    before = package_program("p", str(checkout))
    assert package_program("p", str(checkout)) == before
    source = checkout / "src" / "rule.ts"
    source.write_text(source.read_text("utf-8") + "\n// changed\n", "utf-8")
    assert package_program("p", str(checkout)).source != before.source


def without_manifest(package: Path) -> None:
    (package / "package.json").write_text("{")
    (package / "node_modules").unlink()


@pytest.mark.parametrize(
    ("damage", "says"),
    [
        (lambda package: shutil.rmtree(package / "src"), "no `src` folder"),
        (lambda package: (package / "src" / "policy-loader.ts").unlink(), "cannot be made ready"),
        (without_manifest, "holds no `pi-permission-system`"),
        (lambda package: (package / "src" / "index.ts").write_text("let = 1 +"), "cannot be bundled"),
    ],
    ids=["no sources", "no loader", "no manifest", "no syntax"],
)
def test_a_package_that_does_not_fit_is_one_sentence(checkout: Path, damage, says: str) -> None:
    damage(checkout)
    with pytest.raises(EngineError, match=says):
        package_program("p", str(checkout))


def test_node_that_is_missing_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(EngineError, match="Node is not installed"):
        package_program("p", str(PACKAGE))


def test_node_that_is_too_old_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    node = tmp_path / "node"
    node.write_text("#!/bin/sh\necho v18.20.0\n")
    node.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(EngineError, match=r"too old: `v18\.20\.0`"):
        package_program("p", str(PACKAGE))


def test_what_a_package_cannot_be_served_is_unsupported() -> None:
    program = package_program("p", spec("package").removeprefix("package:"))
    engine = open_process(program, {"p": {"permission": {"*": "allow"}}})
    skilled = Place("/srv/project", "/home/user", skills=(Skill("s", "/srv/skills/s/SKILL.md"),))
    read = ToolCall("read", {"path": "a.txt"})
    refused = engine.answer(Question(read, skilled, "p"))
    engine.close()
    assert isinstance(refused, Failed)
    assert refused.kind is FailureKind.UNSUPPORTED


def test_nothing_on_the_disk_is_read_while_deciding(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to("/etc")
    program = package_program("p", spec("package").removeprefix("package:"))
    engine = ProcessEngine(program)
    assert engine.define("p", {"permission": {"*": "allow", "external_directory": "deny"}}) is None
    here = Place(str(tmp_path), "/home/user")
    answer = engine.answer(Question(shell(f"cat {tmp_path}/link/passwd"), here, "p"))
    engine.close()
    assert isinstance(answer, Decided)
    assert answer.decision.action.value == "allow"
