"""Project policies and agent files, from the command line to the decision."""

from __future__ import annotations

from pathlib import Path

from tests.cli.conftest import Run

PLACE = ("--cwd", "/home/dev/app", "--home", "/home/dev")


def decided(run: Run, command: str, *words: str) -> str:
    answer: str = run("decide", command, "--policy", "policy.json", *PLACE, *words).json()["decision"]
    return answer


def test_a_project_policy_goes_before_the_global_one(run: Run, policy: str, tmp_path: Path) -> None:
    del policy
    (tmp_path / "project.json").write_text(
        '{"permission": {"bash": {"git push *": "deny"}}, "yoloMode": true}'
    )
    assert decided(run, "git push origin") == "allow"
    assert decided(run, "git push origin", "--project-policy", "project.json") == "deny"
    assert decided(run, "npm ci") == "ask"
    assert decided(run, "npm ci", "--project-policy", "project.json") == "allow"


def test_an_agent_file_counts_for_its_agent(run: Run, policy: str, tmp_path: Path) -> None:
    del policy
    (tmp_path / "agents").mkdir()
    (tmp_path / "agents" / "scout.md").write_text(
        '---\npermission:\n  bash:\n    "git *": deny\n    npm ci: maybe\n---\nLook around.\n'
    )
    words = ("--agents-dir", "agents")
    assert decided(run, "git log", *words) == "allow"
    assert decided(run, "git log", *words, "--agent", "scout") == "deny"
    told = run("decide", "git log", "--policy", "policy.json", *PLACE, *words).err
    assert "scout.md" in told
    assert "npm ci" in told


def test_a_missing_folder_of_agents_is_a_mistake(run: Run, policy: str) -> None:
    ran = run("decide", "ls", "--policy", policy, "--agents-dir", "nowhere")
    assert ran.code == 2
    assert "nowhere" in ran.err


def test_what_is_likely_not_meant_is_told_of_every_file(run: Run, tmp_path: Path) -> None:
    (tmp_path / "policy.json").write_text('{"permission": {"bash": "deny", "bash": {"*": "allow"}}}')
    (tmp_path / "project.json").write_text('{"permission": {"*": {"npm ci": "allow"}}}')
    told = run("decide", "ls", "--policy", "policy.json", "--project-policy", "project.json", *PLACE)
    assert told.json()["decision"] == "allow"
    assert "policy.json: bash: written twice; the last value counts" in told.err
    assert 'project.json: permission["*"]: a map here makes no rule' in told.err
