"""`explain`, `decide` and `engine`, each end to end."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

from tests.cli.conftest import Run

PLACE = ("--cwd", "/home/dev/app", "--home", "/home/dev", "--platform", "posix")


def test_explain_shows_units_tokens_and_gates(run: Run, policy: str) -> None:
    ran = run("explain", "cd lib && cat ../../notes key.pem", "--policy", policy, *PLACE)
    assert ran.code == 0
    assert ran.out.startswith("Decision: deny")
    for line in (
        "cat ../../notes key.pem",
        "from /home/dev/app/lib",
        "../../notes: a path outside the working directory",
        "key.pem: a bare word that a path rule names",
        "path: *.pem",
    ):
        assert line in ran.out
    assert "\x1b" not in ran.out


def test_explain_names_the_unknown_directory(run: Run, policy: str) -> None:
    ran = run("explain", 'cd "$WHERE" && cat ../x', "--policy", policy, *PLACE)
    assert "from unknown" in ran.out
    assert "the effective directory is unknown" in " ".join(ran.out.split())


def test_explain_of_another_tool_as_json(run: Run, policy: str) -> None:
    ran = run(
        "explain", "--tool", "read", "--path", "tls/site.pem", "--policy", policy, *PLACE, "--format", "json"
    )
    explained = ran.json()
    assert explained["decision"] == "deny"
    path_step = next(step for step in explained["steps"] if step["gate"] == "path")
    assert [rule["pattern"] for rule in path_step["rules"] if rule["won"]] == ["*.pem"]


def test_explain_needs_something_to_explain(run: Run, policy: str) -> None:
    ran = run("explain", "--policy", policy)
    assert ran.code == 2
    assert "give a COMMAND" in ran.err


def test_decide_answers_one_call(run: Run, policy: str) -> None:
    answer = run("decide", "git log && rm -r build", "--policy", policy, *PLACE).json()
    assert answer["decision"] == "deny"
    assert answer["gates"][-1]["value"] == "rm -r build"


def test_decide_answers_lines_in_order_and_names_bad_ones(run: Run, policy: str) -> None:
    lines = [
        json.dumps({"id": "a", "command": "git log"}),
        "{broken",
        json.dumps({"id": "b", "tool": "write", "input": {"path": "k.pem"}}),
        json.dumps({"id": "c", "tool": 5}),
        json.dumps({"id": "d", "call": {"tool": "bash", "input": {"command": "cat ../x"}},
                    "place": {"cwd": "/srv", "home": "/root", "platform": "posix"}}),
        json.dumps({"id": "e", "command": "git log", "place": "/srv"}),
        json.dumps({"id": "f", "command": "git log", "agent": 7}),
    ]  # fmt: skip
    ran = run("decide", "--policy", policy, *PLACE, given="\n".join(lines))
    answers = [json.loads(line) for line in ran.out.splitlines()]
    assert [answer.get("decision", answer.get("kind")) for answer in answers] == [
        "allow", "malformed", "deny", "malformed", "ask", "malformed", "malformed",
    ]  # fmt: skip
    assert ran.code == 1


def test_engine_keeps_to_the_protocol_whatever_it_is_sent(run: Run) -> None:
    lone = '{"type":"decide","id":3,"policy":"p","call":{"tool":"bash","input":{"command":"echo \\ud800/x"}},'
    lines = [
        '{"type":"policy","name":"p","permission":{"bash":{"*":"allow"}},"later":1}',
        "nonsense",
        '{"type":"dance"}',
        '{"type":"decide","id":1,"policy":"none","call":{"tool":"bash"},"place":{"cwd":"/a","home":"/h"}}',
        '{"type":"policy","name":"q","permission":{"bash":"sometimes"}}',
        lone + '"place":{"cwd":"/a","home":"/h","platform":"posix","realpath":{},"entries":null}}',
        '{"type":"decide","id":4,"policy":"p","call":{"tool":"bash","input":{}},"place":{"cwd":7}}',
        '{"type":"bye"}',
    ]
    ran = run("engine", "--core", "20.7.3", given="\n".join(lines) + "\n")
    hello, *answers, bye = [json.loads(line) for line in ran.out.splitlines()]
    assert hello["details"] == ["decision", "gates", "program"]
    assert [answer.get("kind") for answer in answers] == [
        "malformed", "malformed", "policy", "policy", None, "malformed",
    ]  # fmt: skip
    assert answers[4]["units"] == [{"text": "echo \ud800/x"}]
    assert "\\ud800" in ran.out
    assert bye == {"type": "bye", "decided": 1, "failed": 5}


def test_engine_ends_with_its_input(run: Run) -> None:
    ran = run("engine")
    assert ran.code == 0
    assert json.loads(ran.out.splitlines()[-1]) == {"type": "bye", "decided": 0, "failed": 0}


def test_an_unknown_revision_is_named_with_the_known_ones(run: Run, policy: str) -> None:
    ran = run("decide", "ls", "--policy", policy, "--core", "20.7.4")
    assert ran.code == 10
    assert "20.7.4" in ran.err
    assert "20.7.3" in ran.err
    assert "Traceback" not in ran.err


def test_every_mistake_of_a_policy_is_told_at_once(run: Run, tmp_path: object) -> None:
    del tmp_path
    ran = run("decide", "ls", "--policy", "nowhere.json", "--project-policy", "neither.json")
    assert ran.code == 2
    assert "nowhere.json" in ran.err
    assert "neither.json" in ran.err
    assert ran.out == ""


def test_the_locale_of_the_user_does_not_matter(policy: str, tmp_path: Path) -> None:
    outputs = set()
    for name in ("C", "C.UTF-8", "POSIX"):
        words = [sys.executable, "-m", "audit", "decide", "cat 'a'\u2028b/c", "--policy", policy, *PLACE]
        environment = {**os.environ, "LC_ALL": name, "PYTHONUTF8": "1"}
        ran = subprocess.run(words, cwd=tmp_path, env=environment, capture_output=True, check=True)
        outputs.add(ran.stdout)
    [answer] = [json.loads(output) for output in outputs]
    # One word under a locale that does not know the separator as white space.
    assert [candidate["token"] for candidate in answer["candidates"]] == ["\u2028b/c"]
