"""What an approval for the session grants (core-policy.md 14)."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from audit.core.ecma import WHITESPACE
from audit.core.paths.flavor import POSIX, WIN32
from audit.core.policy.approval import ARITY, bash_suggestion, directory_pattern, mcp_suggestion
from audit.core.policy.command_text import bash_value, without_comment_lines
from audit.core.policy.wildcard import Wildcards


@pytest.mark.parametrize(
    ("flavor", "path", "pattern"),
    [
        (POSIX, "/srv/www", "/srv/*"),
        (POSIX, "/srv/www/", "/srv/www/*"),
        (POSIX, "/srv/www/index.html", "/srv/www/*"),
        (POSIX, "/srv", "/*"),
        (POSIX, "/", "/*"),
        (POSIX, "key", "./*"),
        (POSIX, "../key", "../*"),
        (POSIX, "/srv/a*b/c", "/srv/a*b/*"),
        (WIN32, "c:\\srv\\www", "c:\\srv\\*"),
        (WIN32, "c:\\srv\\", "c:\\srv\\*"),
        (WIN32, "c:\\srv", "c:\\*"),
        (WIN32, "c:\\", "c:\\*"),
        (WIN32, "key", ".\\*"),
    ],
)
def test_directory_patterns(flavor, path, pattern):
    assert directory_pattern(path, flavor) == pattern


@pytest.mark.parametrize(
    ("target", "pattern"),
    [
        ("jira_get", "jira_*"),
        ("mcp_list", "mcp_*"),
        ("jira_x:get", "jira_x:*"),
        ("jira:x_get", "jira:*"),
        ("jira", "*"),
        ("_get", "*"),
        (":get", "*"),
        (":a_b", ":a_*"),
        ("", "*"),
        ("  jira_get ", "jira_*"),
        ("_a_b", "*"),
    ],
)
def test_mcp_suggestions(target, pattern):
    assert mcp_suggestion(target) == pattern


@pytest.mark.parametrize(
    ("text", "pattern"),
    [
        ("pwd", "pwd"),
        ("git", "git"),
        ("rm -r out", "rm *"),
        ("cargo doc", "cargo doc*"),
        ("cargo doc --open", "cargo doc *"),
        ("pnpm dlx tool", "pnpm dlx tool*"),
        ("pnpm dlx tool -y", "pnpm dlx tool *"),
        ("docker volume", "docker volume*"),
        ("docker volume ls", "docker volume ls*"),
        ("docker volume ls -q", "docker volume ls *"),
        ("gcloud run", "gcloud run*"),
        ("gcloud run deploy", "gcloud run deploy*"),
        ("gcloud run deploy x", "gcloud run deploy *"),
        ("bun add", "bun add*"),
        ("bun add zod", "bun add *"),
        ("bun x vite build", "bun x vite *"),
        ("Cargo DOC -q", "Cargo DOC *"),
        ("LANG=C sort -u", "LANG=C *"),
        ("frobnicate now", "frobnicate *"),
        ("git   log", "git   log*"),
        ("\tgit\n log  -1", "git log *"),
        ("# first\ngit log -1", "git log *"),
        ("git log \\\n  # middle\n -1", "git log *"),
        ("# only", ""),
        ("   ", ""),
        ("constructor", "constructor"),
        ("constructor x y", " *"),
        ("Constructor x", " *"),
        ("__proto__ x", " *"),
        ("toString x", "toString *"),
        ("git constructor", "git constructor*"),
        ("ls\u00a0-l", "ls *"),
        ("ls\u0085-l", "ls\u0085-l"),
    ],
)
def test_bash_suggestions(text, pattern):
    assert bash_suggestion(text) == pattern


def test_the_arity_table_has_every_entry_once():
    assert {arity: list(ARITY.values()).count(arity) for arity in (1, 2, 3)} == {1: 44, 2: 35, 3: 27}
    assert all(command == " ".join(command.split()) for command in ARITY)


def test_a_long_text_is_no_burden():
    assert bash_suggestion("word " * 200_000) == "word *"


words = st.text("abx-", min_size=1, max_size=4)
commands = st.sampled_from([*ARITY, "tool", "./run"])


@given(commands, st.lists(words, max_size=4))
@settings(max_examples=200, deadline=None)
def test_a_suggestion_covers_the_command_it_was_made_for(command, arguments):
    text = " ".join([command, *arguments])
    assert Wildcards().matcher(bash_suggestion(text), str)(text)


@given(st.text("ab/.", max_size=8))
@settings(max_examples=200, deadline=None)
def test_a_directory_pattern_covers_its_path(path):
    absolute = POSIX.resolve("/", path)
    assert Wildcards().matcher(directory_pattern(absolute, POSIX), str)(absolute)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("ls", "ls"),
        (" ls \n", "ls"),
        ("# a\nls", "ls"),
        ("ls\n  # a\n-l", "ls\n-l"),
        ("ls # a", "ls # a"),
        ("# a\r\nls", "ls"),
        ("x\r# a", "x\r# a"),
        ("\u2028# a\nls", "ls"),
        ("\u0085# a\nls", "\u0085# a\nls"),
        ("# a", "# a"),
        ("  # a\n", "  # a\n"),
        ("", ""),
    ],
)
def test_comment_lines_leave_the_value(text, value):
    assert bash_value(text) == value


@given(st.text("# \na" + WHITESPACE, max_size=10))
@settings(max_examples=200, deadline=None)
def test_dropping_comment_lines_is_done_at_once(text):
    once = without_comment_lines(text)
    assert not any(line.strip(WHITESPACE).startswith("#") for line in once.split("\n"))
    assert without_comment_lines(once) == once
