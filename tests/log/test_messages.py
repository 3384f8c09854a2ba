"""What prompt sentences tell."""

from __future__ import annotations

import pytest

from audit.log.messages import Known, Shape, Told, peel, read_message

ANY = Known()


@pytest.mark.parametrize(
    ("message", "known", "told"),
    [
        (
            "Current agent requested bash command 'make'. Allow this command?",
            Known(command="make"),
            Told(Shape.UNIT, "make"),
        ),
        (
            "Agent 'o'neil' requested bash command 'make' (matched 'm*'). Allow this command?",
            Known(agent="o'neil", command="make"),
            Told(Shape.UNIT, "make", pattern="m*"),
        ),
        (
            "Current agent requested bash command 'rm x' (inside subshell). Allow this command?",
            Known(command="rm x"),
            Told(Shape.UNIT, "rm x", context="subshell"),
        ),
        (
            "Current agent requested bash command 'id' (matched 'i?', inside command substitution) "
            "(full command: 'echo $(id)'). Allow this command?",
            Known(command="id"),
            Told(Shape.UNIT, "id", pattern="i?", context="command substitution", full="echo $(id)"),
        ),
        (
            "Current agent requested bash command 'echo ' (matched 'a')'' (matched 'echo *') "
            "(full command: 'cd x && echo ' (matched 'a')''). Allow this command?",
            Known(command="echo ' (matched 'a')'"),
            Told(
                Shape.UNIT,
                "echo ' (matched 'a')'",
                pattern="echo *",
                full="cd x && echo ' (matched 'a')'",
            ),
        ),
        (
            "Current agent requested bash command 'du -s' (matched '*') (full command: 'du -s;'). "
            "Allow this command?",
            ANY,
            Told(Shape.UNIT, "du -s", pattern="*", full="du -s;"),
        ),
        (
            "Current agent requested MCP target 'seeds:list' (matched 'seeds:*') with kind: \"bean\". "
            "Allow this call?",
            Known(tool="mcp", target="seeds:list"),
            Told(Shape.TARGET, "seeds:list", pattern="seeds:*"),
        ),
        (
            "Current agent requested MCP target 'seeds_list'. Allow this call?",
            ANY,
            Told(Shape.TARGET, "seeds_list"),
        ),
        (
            "Current agent requested tool 'write' (matched '*') for 'a.md' (1 line, 2 characters). "
            "Allow this call?",
            Known(tool="write", preview="for 'a.md' (1 line, 2 characters)"),
            Told(Shape.TOOL, tool="write", pattern="*", preview="for 'a.md' (1 line, 2 characters)"),
        ),
        (
            "Current agent requested tool 'plant' with input {\"n\":1}. Allow this call?",
            Known(tool="plant", preview='input {"n":1}'),
            Told(Shape.TOOL, tool="plant", preview='input {"n":1}'),
        ),
        (
            "Current agent requested tool 'plant' (matched '*') with input {\"n\":1}. Allow this call?",
            ANY,
            Told(Shape.TOOL, tool="plant", pattern="*", preview='input {"n":1}'),
        ),
        (
            "Current agent requested tool 'ls'. Allow this call?",
            Known(tool="ls"),
            Told(Shape.TOOL, tool="ls"),
        ),
        (
            "Current agent requested tool 'read' for path 'it's.key'. Allow this path access?",
            Known(tool="read", path="it's.key"),
            Told(Shape.PATH, "it's.key", "read"),
        ),
        (
            "Current agent requested tool 'read' for path '/srv/a' outside working directory "
            "'/home/mia/garden'. Allow this external directory access?",
            Known(tool="read", path="/srv/a"),
            Told(Shape.EXTERNAL, "/srv/a", "read", cwd="/home/mia/garden", paths=("/srv/a",)),
        ),
        (
            "Current agent requested tool 'read' for path 'l/a' (resolves to '/srv/a') outside working "
            "directory '/home/mia's'. Allow this external directory access?",
            Known(tool="read", path="l/a"),
            Told(
                Shape.EXTERNAL,
                "l/a",
                "read",
                cwd="/home/mia's",
                paths=("l/a",),
                links=(("/home/mia's/l/a", "/srv/a"),),
            ),
        ),
        (
            "Current agent requested bash command 'cp '/a, b' /c' which references path(s) outside working "
            "directory '/home/mia': /a, b, /c (resolves to '/d'). Allow this external directory access?",
            Known(tool="bash", command="cp '/a, b' /c"),
            Told(
                Shape.SHELL_EXTERNAL,
                "cp '/a, b' /c",
                full="cp '/a, b' /c",
                cwd="/home/mia",
                paths=("/a, b", "/c"),
                links=(("/c", "/d"),),
            ),
        ),
        (
            "Current agent requested bash command 'dir' which references path(s) outside working "
            "directory 'C:\\w': D:\\x, E:\\y. Allow this external directory access?",
            ANY,
            Told(Shape.SHELL_EXTERNAL, "dir", full="dir", cwd="C:\\w", paths=("D:\\x", "E:\\y")),
        ),
        (
            "Current agent requested skill 'prune'. Allow loading this skill?",
            ANY,
            Told(Shape.SKILL, "prune"),
        ),
        (
            "Current agent requested access to skill 'prune' via '/s/prune/SKILL.md'. Allow this read?",
            ANY,
            Told(Shape.SKILL_READ, "/s/prune/SKILL.md"),
        ),
        ("Ship it?", ANY, Told()),
        ("Current agent requested tool 'x' for nothing. Allow this path access?", ANY, Told()),
    ],
)
def test_shapes(message: str, known: Known, told: Told) -> None:
    assert read_message(message, known) == told


def test_without_its_members_a_forwarded_sentence_still_tells_its_shape() -> None:
    message = (
        "Subagent 'scout' requested permission.\nSession ID: s-7\n\n"
        "Current agent requested tool 'read' for path 'l/a' (resolves to '/srv/a') outside working "
        "directory '/home/mia'. Allow this external directory access?"
    )
    forwarded = peel(message)
    assert forwarded is not None
    told = read_message(forwarded.message, ANY)
    assert (told.shape, told.value, told.cwd) == (Shape.EXTERNAL, "l/a", "/home/mia")
    assert told.links == (("/home/mia/l/a", "/srv/a"),)


def test_only_whole_heads_are_peeled() -> None:
    assert peel("Current agent requested skill 'x'. Allow loading this skill?") is None
    assert peel("Subagent 'x' requested something else") is None
