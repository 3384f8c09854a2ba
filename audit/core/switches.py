"""Switches: the ways in which releases interpret a call differently (core-bash.md 16.1 and 16.2).

One enumeration a switch, its values from the oldest on. Each value says what it means, since which release it
holds, under which issue, and how it is known. Releases after 29.1.0 have no number; their dates stand here.
"""

from __future__ import annotations

from enum import Enum, StrEnum
from typing import Self


class Evidence(StrEnum):
    """How a value is known."""

    RUN = "R"
    """Both sides were built from source history and run."""
    STATED = "S"
    """Read in source, decision records or notes only: implemented as stated, never claimed at parity."""


RUN, STATED = Evidence


class Switch(Enum):
    """A value of a switch. The first value of each has no release of its own: it is how things began."""

    meaning: str
    since: str
    """The first release with this value, or its date; empty for how things began."""
    issues: tuple[int, ...]
    known: Evidence

    def __new__(
        cls, value: str, meaning: str, since: str = "", issues: tuple[int, ...] = (), known: str = "S"
    ) -> Self:
        """Make a value by its name, what it means and where that is known from."""
        member = object.__new__(cls)
        member._value_ = value
        member.meaning, member.since, member.issues = meaning, since, issues
        member.known = Evidence(known)
        return member

    @property
    def evidence(self) -> Evidence:
        """How it is known; how things began is known from the first change."""
        return self.known if self.since else list(type(self))[1].known


class ExternalSource(Switch):
    """Where the tokens for outside paths are taken from."""

    NONE = "none", "a command has no outside paths"
    REGEX = "regex", "pieces between blanks and operators, once quoted parts are deleted", "3.1.0", (39,)
    SHELL_QUOTE = "shell-quote", "plain words as the shell-quote library splits them", "4.1.0", (72,)
    TREE = "tree", "arguments and redirects of the syntax tree", "4.2.0", (74,)


class DeviceException(Switch):
    """Whether `/dev/null` and the standard streams count as outside."""

    OFF = "off", "the four device names are outside paths like any other"
    ON = "on", "the four device names are never outside", "3.2.0", (44,)


class SlashOnlyReject(Switch):
    """Whether a token of slashes alone is a path. Off again from 20.5.0."""

    OFF = "off", "a token of slashes alone is a path", "before 4.0.1, and 20.5.0", (583,), "R"
    ON = "on", "a token of slashes alone is no path", "4.0.1", (68,)


class WildcardNewline(Switch):
    """Whether `*` and `?` of a pattern cross a line end."""

    OFF = "off", "a pattern's `*` and `?` stop at a line end"
    ON = "on", "a pattern's `*` and `?` stand for line ends too", "4.1.1", (73,)


class PatternHome(Switch):
    """Whether a leading `~` or `$HOME` of a pattern is expanded."""

    OFF = "off", "patterns are matched as written"
    ON = "on", "a leading `~` or `$HOME` of a pattern is the home directory", "4.8.0"


class RegexReject(Switch):
    """Whether a token that looks like a regular expression is a path. Off again from 27.1.1."""

    OFF = "off", "such a token is judged by its literal text", "before 4.9.0, and 27.1.1", (821,)
    ON = "on", "a token that looks like a regular expression is no path", "4.9.0"


class PatternFirst(Switch):
    """Which commands take a pattern or script before their files."""

    OFF = "off", "every argument is a token"
    SHORT = (
        "short",
        "scripts and patterns of sed, awk, grep, rg, sd are no tokens; short flags",
        "5.1.0",
        (91,),
    )
    SPELLINGS = "spellings", "the same with long, joined and glued flags", "27.1.2", (823,)
    INTERPRETERS = (
        "interpreters",
        "program texts of node, bun, python, perl and ruby too",
        "planned 2026-09-20",
        (863,),
    )


class TrailingStarOptional(Switch):
    """Whether a pattern that ends with blank and star matches without them."""

    OFF = "off", "`ls *` does not match `ls`"
    ON = "on", "`ls *` matches `ls` too", "5.12.0", (123,)


class QuestionMark(Switch):
    """Whether `?` of a pattern is a wildcard."""

    OFF = "off", "`?` stands for itself"
    ON = "on", "`?` stands for one code unit", "5.14.0", (122,)


class PathSurface(Switch):
    """Whether there is a surface `path`."""

    OFF = "off", "no path gates, and tokens are offered to no rule"
    ON = "on", "tokens that look like paths are asked on the surface `path`", "5.17.0", (148,), "R"


class PathDefaultSilent(Switch):
    """Whether the universal default speaks about a path of a command."""

    OFF = "off", "the default stops a path that no rule names"
    ON = "on", "a path that no rule names is left to the other gates", "5.18.2", (58,), "R"


class ExternalPerPath(Switch):
    """Whether each outside path of a command is asked for itself."""

    OFF = "off", "one question for all outside paths, without any path; only session approvals cover one"
    ON = "on", "each outside path is asked on the surface `external_directory`", "7.3.3", (249,), "R"


class Base(Switch):
    """From which directory relative tokens are read."""

    CWD = "cwd", "every token is read from the working directory"
    LEADING_CD = "leading-cd", "a `cd` that comes first moves the whole command", "7.4.1", (), "R"
    RUNNING = "running", "each `cd` moves what follows it", "9.2.0", (307,), "R"


class Units(Switch):
    """Which parts of a command bash rules are asked about."""

    WHOLE = "whole", "the whole text"
    CHAIN = "chain", "the commands of a chain or pipeline", "9.0.1", (301,), "R"
    NESTED = "nested", "commands inside substitutions and subshells too", "9.1.0", (306,), "R"
    HOSTED = "hosted", "substitutions inside redirects and heredocs too", "25.2.2", (741,), "R"
    STATEMENTS = "statements", "commands inside loops, branches, groups and functions too", "27.1.3", (742,)


class HomeValues(Switch):
    """How far a leading home of a token is expanded."""

    OFF = "off", "`~` for outside paths only; `path` rules see the token as written"
    ON = "on", "`~` and `$HOME` for all rules", "10.5.2", (350,), "R"


class ExternalValue(Switch):
    """Which form of an outside path counts."""

    LEXICAL = "lexical", "the path as typed; links are not followed"
    CANONICAL = "canonical", "the path with links followed, alone", "10.6.0", (345,), "R"
    TYPED = (
        "typed",
        "links followed to tell outside from inside; rules match both forms",
        "13.2.0",
        (418,),
        "R",
    )


class WinFold(Switch):
    """How patterns meet paths on win32."""

    OFF = "off", "as written"
    PATTERN = "pattern", "without regard to case, slashes of the pattern turned", "10.10.0", (382,)
    BOTH = "both", "slashes of the value turned as well", "23.0.1 (2026-07-25)", (653,), "R"


class RuleValues(Switch):
    """Which forms of a token `path` rules see."""

    RAW = "raw", "the token alone"
    ALIASES = "aliases", "its absolute and relative forms too", "13.0.0", (393,), "R"
    CANONICAL = "aliases+canonical", "and the form with links followed", "17.0.0", (486,), "R"


class CommentStrip(Switch):
    """Whether bash rules see comment lines inside a unit."""

    OFF = "off", "bash rules see the text of the unit as it is"
    ON = "on", "bash rules see the unit without its comment lines, trimmed", "14.0.1", (), "R"


class ZeroUnits(Switch):
    """What a text without any command is."""

    WHOLE = "whole", "its whole text is asked like a command"
    SENTINEL = "sentinel", "it always asks", "15.1.0", (452,), "R"
    UNLESS_DENY = (
        "sentinel-unless-deny",
        "it asks, or is denied where a rule denies the text; yolo approves every ask that is left",
        "25.2.1 (2026-08-15)",
        (712,),
        "R",
    )


class RedirectPipeFold(Switch):
    """Whether a `cd` counts that stands before a pipe with a redirect."""

    OFF = "off", "no `cd` inside a pipeline counts"
    ON = "on", "those of a list before the pipe count, but for its last command", "16.0.1", (454,), "R"


class AssignmentStrip(Switch):
    """Whether a unit begins with its variable assignments."""

    OFF = "off", "a unit is the whole text of its command"
    ON = "on", "a unit begins behind its variable assignments", "16.2.1", (481,), "R"


class FloorOpaque(Switch):
    """Whether `eval` and `bash -c` always ask."""

    OFF = "off", "a rule can allow `eval` and `bash -c`"
    ON = "on", "an allow of `eval` or `bash -c` becomes ask", "16.2.1", (481,), "R"


class DriveShapes(Switch):
    """Whether a drive and a separator make a path."""

    OFF = "off", "`C:/x` has no shape of its own, and is relative"
    ON = "on", "`C:/x` is a path on every platform, absolute on win32", "17.1.1", (508,), "R"


class BareTokens(Switch):
    """Which words without the shape of a path are paths."""

    NONE = "none", "none"
    PROMOTION = "promotion", "those that a `path` rule names", "18.1.0", (509,), "R"
    EXISTENCE = "existence", "those that exist, whatever the rules say", "23.0.0 (2026-07-24)", (645,), "R"


class WinTokens(Switch):
    """How a token that starts with a slash is read on win32."""

    NATIVE = "native", "as a path of the current drive"
    MSYS = "msys", "as Git Bash does: drive mounts, devices, foreign paths", "18.1.2", (533,), "R"


class WinBackslashShape(Switch):
    """Whether a backslash makes a path on win32."""

    OFF = "off", "`dir\\file` is a bare word"
    ON = "on", "`dir\\file` is a path", "20.1.0", (520,), "R"


class FloorIndirection(Switch):
    """Which commands that run another command always ask."""

    OFF = "off", "none"
    SEVEN = "seven", "seven launchers, and `find` and `fd` that execute", "20.4.1", (490,), "R"
    FIFTEEN = "fifteen", "eight more launchers", "20.7.2", (575,), "R"


class ShellAliases(Switch):
    """Whether tools other than `bash` can be shells."""

    OFF = "off", "only the tool `bash` is a shell"
    ON = "on", "so are the tools named in `shellTools`, with their working directory", "20.6.0", (574,)


class OptionSplit(Switch):
    """Whether the value of `--option=value` is a token."""

    NONE = "none", "it is not"
    ALL = "all", "it is, of every command", "23.0.0 (2026-07-24)", (645,), "R"
    ROLE_AWARE = (
        "role-aware",
        "not where the option of a pattern-first command takes no file",
        "27.1.2",
        (823,),
    )


class VarExpansion(Switch):
    """Whether `$HOME` and `$PWD` inside an argument are expanded."""

    OFF = "off", "they stand as written"
    HOME_PWD = (
        "home+pwd",
        "`$HOME` is the home directory and `$PWD` is `.`",
        "25.0.0 (2026-08-11)",
        (694,),
        "R",
    )


class Effects(Switch):
    """Whether reading and writing are asked apart."""

    NONE = "none", "one surface for both"
    DIRECTIONAL = (
        "directional",
        "paths are asked on `path_read`, `path_write` and their `external_directory` twins",
        "27.1.0",
        (806, 807),
    )


class WrapperTransparency(Switch):
    """Whether a wrapper of a command that only reads still asks."""

    OFF = "off", "every marked wrapper asks"
    ON = "on", "one whose command is proven to read is decided by that command", "27.1.0", (803,)


class StatementOperands(Switch):
    """Whether words of `for` and `case` are tokens."""

    OFF = "off", "they are not"
    ON = "on", "they are", "2026-09-02", (839,)


class UnparsedFloor(Switch):
    """Whether a unit with damage inside always asks."""

    OFF = "off", "it is asked like any other"
    ON = "on", "its allow becomes ask", "2026-09-04", (840,)


class UnresolvedRedirect(Switch):
    """What a redirect beside damage proves. Shows only where reading and writing are told apart."""

    OFF = "off", "what its operator says"
    ON = "on", "nothing, and it may write", "after 2026-09-04", (814,)


class DenyObjects(Switch):
    """Whether a policy can deny with a reason. Not in the specification: golden vectors show it."""

    OFF = "off", "an entry `{action: deny, reason: ...}` is no rule"
    ON = "on", "such an entry denies", "after 9.1.0, by 18.0.2", (), "R"


class Yolo(Switch):
    """Who says yes when yolo is on. Told by review-log.md 3.5; the real logs of both kinds show it."""

    PROMPTER = "prompter", "an ask stays an ask, and what would open the prompt approves it"
    RULES = "rules", "rules that ask are read as rules that allow", "18.2.0", (), "R"
