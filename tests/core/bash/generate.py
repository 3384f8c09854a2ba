"""Random commands, grown from a grammar of the shell, for laws and for comparisons with other engines.

The same seed gives the same commands. Words come from short lists, so that commands often meet the rules of
a policy and the tables of the core; a share of the commands is damaged, because agents write those too.
"""
# ruff: noqa: S108, S311 - words of commands, never files of ours; the same commands every time are wanted

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random

from audit.core.ecma import from_code_units

PLAIN = (
    "a", "b", "x1", "main", "notes.txt", "Makefile", "README.md", "id_ed25519", "yarn.lock", "42", "0x1f",
    "-1", "test_one", "HEAD~2", "v1..v2", "é", "日本", "co:lon", "per%cent", "pl+us", "a,b",
)  # fmt: skip
PATHS = (
    ".", "..", "./a", "../b", "../../c/d", "src/a.py", "src/", "/", "/etc/app.conf", "/tmp/out",
    "/tmp/../etc/x",
    "~", "~/n", "~user/n", "/srv/project/in", "/srv/projectile", "//double//slash/", "/dev/null", ".env",
    ".git/config", "node_modules/x", "secrets/key.pem", "a/../../b", "$HOME/h", "${HOME}/i", "C:/win/x",
    "C:\\win\\y", "/dev/stderr", "/c/Users/x", "\\\\srv\\share\\f", "dir\\file", "@/lib/x", "@scope/pkg",
    "/usr/lib/x", "/var/log/sys", "~/.config/t", "%TEMP%\\t", "src/../../up", "...", "a/.../b", "./",
    "x.lock",
)  # fmt: skip
FLAGS = (
    "-l", "-la", "--all", "--out=/tmp/o", "-C", "--", "-", "-e", "-f", "-i", "-n", "-c", "-exec", "-x", "-A",
)  # fmt: skip
ODD = (
    "http://h/p", "file:///etc/x", "a=b", "A=/etc/x", "x/y=z", "/x=y", ".*", "a.+b", "[ab]/c", "[x", "x]",
    "^/u", "\\|", "a\\(b", "*", "*.py", "?.txt", "/tmp/*.log", "{a,b}/c", "{1..3}", "a#b", "~~", "!x", "=",
    "%",
    "''", "a\\ b", "\\$x", "\\~/y", "a\\\nb",
)  # fmt: skip
EXPANSIONS = (
    "$X", "${X}", "${X:-/etc/y}", "$1", "$?", "$@", "$((1+2))", "${X%/*}", "${#X}", "${X[0]}", "$'a/b'",
)  # fmt: skip
NAMES = (
    "cat", "ls", "cp", "rm", "echo", "git", "npm", "make", "python3", "node", "tool", "./run.sh", "/bin/cat",
    "\\rm", '"cat"', "'ls'", "$CMD", "test", "true", "source", ".", "time", "command", "exec", "docker", "go",
)  # fmt: skip
PATTERN_FIRST = ("grep", "egrep", "rg", "sed", "awk", "gawk", "sd", "/usr/bin/grep", '"grep"')
PATTERN_FLAGS = (*FLAGS, "-A", "-B 3", "-v x=1", "-F :", "-g '*.ts'", "s/a/b/", "'{print $1}'", "'/x/p'")
WRAPPERS = (
    "sudo", "env", "xargs", "nohup", "timeout 5", "nice", "bash -c", "sh -x", "zsh -fc", "eval",
    "find . -exec",
    "fd -x", "fd --exec", "find", "bash", "bash -- -c", "/usr/bin/sudo", "flock /tmp/l", "doas", "watch",
)  # fmt: skip
MOVERS = ("cd", "cd", "cd", "cd", "cd", "'cd'", "/usr/bin/cd", "cd/", "command cd", "pushd", "A=1 cd")
TARGETS = (
    "a", "..", "../..", "src/x", "/tmp", "/srv/project/sub", "~", "~/d", "-", "$D", '"$D"', '"a b"', "'c d'",
    "a$X", "12", "{a,b}", "--", "-- a", "-P b", "", '""', "$'q'", "/c/Proj", "C:\\Other", "a/../..", '"~"',
    "./",
)  # fmt: skip
OPERATORS = (" && ", " || ", "; ", " ; ", "\n", " & ", "&&", ";", " |& ", " &\n", "\n\n")
REDIRECTS = (">", ">>", "<", "2>", "&>", "&>>", ">&", ">|", "<>", "2>>", "<&", "3>")
BLANKS = (" ", "  ", "\t", " \\\n")
TESTS = ("[ {} ]", "[[ {} ]]", "test {}", "[[ $X == {} ]]", "(( i++ ))", "[[ $a =~ ^x/.* ]]")
DECLARERS = ("export", "declare -x", "local", "readonly", "unset", "typeset")
LOOPS = ("for f in {}", "while {}", "until {}", "for f in *.txt", "for ((i=0;i<3;i++))", "select f in {}")
MARKS = ("E", "'E'", '"E"', "E F", "E > /etc/out", "E | tee ../t", "E && rm y", "E; rm z", "\\E")
BODIES = ("text", "/etc/body", "$X", "$(cat /etc/sub)", "`id`", "it's", "\t")
SUBSTITUTIONS = ("$({})", "$({})", "`{}`", "<({})", ">({})", "$( {} )", "$(< {})")
STRANGE = (
    "\x00", "\x07", "\x1c", "\x85", "\xa0", "\u1680", "\u2003", "\u2028", "\u202f", "\u3000", "\ufeff",
    "\ud800", "\udc00", "\U0001f600", "\r", "\v", "\f", "ß", "İ", "\u017f", "\u212a",
)  # fmt: skip
DAMAGE = (
    "(", ")", "{", "}", "'", '"', "`", "$(", "<<", "<(", "[", "]]", "|", "&", ";", "\\", "$", "#", "if", "fi",
    "do", "done", "case", "esac", "<<E", ";;", "!", "=", "\n", " ", "function", "then", "in", "((", "))",
    "${",
)  # fmt: skip


class Grower:
    """Grows one command after another from a source of randomness."""

    def __init__(self, random: Random) -> None:
        self._random = random
        self._depth = 0
        self._statements: tuple[tuple[int, Callable[[], str]], ...] = (
            (30, self.simple),
            (10, self.change_directory),
            (8, self.pattern_first),
            (6, self.wrapped),
            (3, self.assignment),
            (3, self.declaration),
            (3, self.test),
            (7, self.pipeline),
            (4, self.subshell),
            (4, self.group),
            (3, self.conditional),
            (3, self.loop),
            (2, self.case),
            (2, self.function),
            (2, self.negated),
            (5, self.heredoc),
            (1, self.comment),
        )

    def command(self) -> str:
        """Return a whole command; about one in six is damaged, one in twelve holds strange characters."""
        self._depth = 0
        text = self.statements()
        if self._random.random() < 0.08:
            text = self._sprinkled(text)
        if self._random.random() < 0.16:
            text = self._damaged(text)
        return from_code_units(text)

    def statements(self) -> str:
        """Return one statement or several behind each other."""
        count = self._random.choice((1, 1, 1, 2, 2, 3, 4)) if self._depth < 3 else 1
        text = self.statement()
        for _ in range(count - 1):
            text += self._pick(OPERATORS) + self.statement()
        return text + self._random.choice(("", "", "", "", ";", " &", "\n", " # end"))

    def statement(self) -> str:
        """Return one statement, which nests no deeper than a few levels."""
        if self._depth > 3:
            return self.simple()
        self._depth += 1
        weights, ways = zip(*self._statements, strict=True)
        text: str = self._random.choices(ways, weights)[0]()
        self._depth -= 1
        return text + (self.redirect() if self._random.random() < 0.15 else "")

    def simple(self) -> str:
        """Return an ordinary command, perhaps with assignments or a redirect before it."""
        before = self._maybe(0.08, self.assignment, " ") + self._maybe(0.04, self.redirect, " ")
        return before + self._words(self._pick(NAMES), self._random.randrange(4))

    def change_directory(self) -> str:
        """Return a `cd`."""
        return f"{self._pick(MOVERS)} {self._pick(TARGETS)}" + self._maybe(0.1, self.word, before=" ")

    def pattern_first(self) -> str:
        """Return a command whose first argument is a pattern or script."""
        flags = [self._pick(PATTERN_FLAGS) for _ in range(self._random.randrange(3))]
        return " ".join((self._pick(PATTERN_FIRST), *flags, self._words("", self._random.randrange(1, 4))))

    def wrapped(self) -> str:
        """Return a command that runs another."""
        return f"{self._pick(WRAPPERS)} {self._random.choice((self.simple, self.word, self.double_quoted))()}"

    def assignment(self) -> str:
        """Return one or two assignments."""
        values = (self.word, self.substitution, self.double_quoted, lambda: "(a /etc/b)")
        names = (self._pick(("A", "B", "P[1]")) for _ in range(self._random.choice((1, 1, 2))))
        return " ".join(f"{name}={self._random.choice(values)()}" for name in names)

    def declaration(self) -> str:
        """Return a declaration."""
        return f"{self._pick(DECLARERS)} {self.assignment()}"

    def test(self) -> str:
        """Return a test or an arithmetic command."""
        return self._pick(TESTS).format(f"{self._pick(('-f', '-n', '!', '-d'))} {self.word()}")

    def pipeline(self) -> str:
        """Return a pipeline; its first stage may be anything."""
        stages = [self.statement(), *(self.simple() for _ in range(self._random.choice((1, 1, 2))))]
        return self._pick((" | ", "|", " 2>&1 | ", " |& ")).join(stages)

    def subshell(self) -> str:
        """Return a subshell, now and then an empty one."""
        return self._pick(("({})", "( {} )")).format(self._maybe(0.97, self.statements))

    def group(self) -> str:
        """Return a brace group."""
        return f"{{ {self.statements()}; }}"

    def conditional(self) -> str:
        """Return an `if`."""
        otherwise = f"else {self.statements()}; " if self._random.random() < 0.4 else ""
        return f"if {self.statement()}; then {self.statements()}; {otherwise}fi"

    def loop(self) -> str:
        """Return a loop."""
        return f"{self._pick(LOOPS).format(self.word())}; do {self.statements()}; done"

    def case(self) -> str:
        """Return a `case`."""
        pattern = self._pick(("a", "*", "/etc/*", "a|b"))
        return f"case {self.word()} in {pattern}) {self.statements()};; *) {self.simple()};; esac"

    def function(self) -> str:
        """Return the definition of a function."""
        return self._pick(("f() {{ {}; }}", "function f {{ {}; }}", "f() ({})")).format(self.statements())

    def negated(self) -> str:
        """Return a negated command."""
        return f"! {self.statement()}"

    def heredoc(self) -> str:
        """Return a command with a heredoc or a herestring."""
        if self._random.random() < 0.3:
            given = self._random.choice((self.word, self.substitution, self.double_quoted))
            return f"{self.simple()} <<< {given()}"
        dash, mark = self._pick(("", "", "-")), self._pick(MARKS)
        return f"{self.simple()} <<{dash}{mark}\n{self._pick(BODIES)}\n{self._pick(BODIES)}\nE\n"

    def comment(self) -> str:
        """Return a comment on a line of its own."""
        return f"# {self.word()}\n"

    def redirect(self) -> str:
        """Return a redirect."""
        to = self._random.choices((self.word, lambda: "1", self.substitution, lambda: "-"), (8, 2, 1, 1))[0]()
        return f" {self._pick(REDIRECTS)}{self._pick(('', ' '))}{to}"

    def word(self) -> str:
        """Return one word of any kind."""
        if self._depth > 4:
            return self._pick(PATHS)
        kinds: tuple[tuple[int, Callable[[], str]], ...] = (
            (30, lambda: self._pick(PATHS)),
            (22, lambda: self._pick(PLAIN)),
            (12, lambda: self._pick(FLAGS)),
            (10, lambda: self._pick(ODD)),
            (6, lambda: self._pick(EXPANSIONS)),
            (8, self.double_quoted),
            (6, lambda: f"'{self._pick(PATHS)}'"),
            (5, self.substitution),
            (6, lambda: self.word() + self._random.choice((self.word, self.double_quoted))()),
            (1, lambda: f'$"{self._pick(PATHS)}"'),
        )
        weights, ways = zip(*kinds, strict=True)
        self._depth += 1
        text: str = self._random.choices(ways, weights)[0]()
        self._depth -= 1
        return text

    def double_quoted(self) -> str:
        """Return a string in double quotes."""
        parts: tuple[Callable[[], str], ...] = (
            lambda: self._pick(PATHS),
            lambda: self._pick(PLAIN),
            lambda: self._pick(EXPANSIONS),
            self.substitution,
            lambda: self._pick((" ", "\n", "\n\n  ", '\\"', "\\$", "`", "'", "!", " a /b ")),
        )
        chosen = self._random.choices(parts, (8, 6, 4, 2, 4), k=self._random.choice((0, 1, 1, 2, 3)))
        return f'"{"".join(part() for part in chosen)}"'

    def substitution(self) -> str:
        """Return a command or process substitution."""
        if self._depth > 3:
            return "$(id)"
        self._depth += 1
        text = self._pick(SUBSTITUTIONS).format(self.statement())
        self._depth -= 1
        return text

    def _words(self, name: str, count: int) -> str:
        return name + "".join(self._pick(BLANKS) + self.word() for _ in range(count))

    def _pick(self, choices: tuple[str, ...]) -> str:
        return self._random.choice(choices)

    def _maybe(self, chance: float, grow: Callable[[], str], after: str = "", before: str = "") -> str:
        return before + grow() + after if self._random.random() < chance else ""

    def _sprinkled(self, text: str) -> str:
        for _ in range(self._random.choice((1, 1, 2, 3))):
            at = self._random.randrange(len(text) + 1)
            text = text[:at] + self._pick(STRANGE) + text[at:]
        return text

    def _damaged(self, text: str) -> str:
        for _ in range(self._random.choice((1, 1, 2))):
            at = self._random.randrange(len(text) + 1)
            way = self._random.randrange(4)
            if way == 0:
                text = text[:at]
            elif way == 1:
                text = text[:at] + text[at + self._random.randrange(1, 6) :]
            elif way == 2:
                text = text[:at] + self._pick(DAMAGE) + text[at:]
            else:
                text = text[at:]
        return text


def commands(seed: int) -> Iterator[str]:
    """Yield commands without end."""
    grower = Grower(Random(seed))
    while True:
        yield grower.command()
