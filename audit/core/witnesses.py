"""Witnesses of the switches: calls on which every value of a switch decides or reads otherwise.

For two values of a switch one of its witnesses comes out differently, with all else as in the witness's
revision. What a value means can be seen there, and tests hold every value to it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from audit.core.call import ToolCall, shell
from audit.core.decide import Decision, Undecided, decide
from audit.core.place import Place, Platform, listed
from audit.core.policy.compose import PolicySources, compose
from audit.core.revision import SWITCHES, Revision, revision
from audit.core.switches import Switch

HOME = "/home/kim"
POSIX = Place("/srv/team/shop", HOME)
LINKED = Place("/srv/team/shop", HOME, links=(("/srv/team/shop/out", "/mnt/out"),))
FILLED = Place("/srv/team/shop", HOME, entries=listed({"/srv/team/shop/notes"}))
WIN32 = Place("C:\\Src\\Shop", "C:\\Users\\Kim", Platform.WIN32)

Permission = Mapping[str, object]
OUTSIDE_ASKS: Permission = {"*": "allow", "external_directory": "ask"}
PATHS_ASK: Permission = {"*": "allow", "path": {"*": "ask"}}
RM_DENIED: Permission = {"*": "allow", "bash": {"*": "allow", "rm *": "deny"}}


@dataclass(frozen=True, slots=True)
class Witness:
    """A call, where and under which policy it is made, and in which revision the switch is flipped."""

    call: ToolCall
    permission: Permission
    place: Place = POSIX
    revision: str = "20.7.3"
    config: Mapping[str, object] = field(default_factory=dict)
    """The other keys of the policy's configuration."""

    def core(self, value: Switch) -> Revision:
        """Return the witness's revision with one value set."""
        name = next(name for name, switch in SWITCHES.items() if isinstance(value, switch))
        return revision(self.revision).with_values({name: value})

    def outcome(self, value: Switch) -> Decision | Undecided:
        """Return what the call comes to under one value."""
        ruleset = compose(PolicySources(self.permission, config=self.config))
        return decide(self.call, ruleset, self.place, self.core(value))


def _shell(
    command: str, permission: Permission, place: Place = POSIX, in_revision: str = "20.7.3"
) -> tuple[Witness, ...]:
    return (Witness(shell(command), permission, place, in_revision),)


WITNESSES: Mapping[str, tuple[Witness, ...]] = {
    "external-source": _shell('wc "/a b" "$X/e" # /d', OUTSIDE_ASKS),
    "device-exception": _shell("wc /dev/null", OUTSIDE_ASKS),
    "slash-only-reject": _shell("ls /", OUTSIDE_ASKS),
    "wildcard-newline": _shell("echo 'a\nb'", {"bash": {"echo *": "allow"}}),
    "pattern-home": _shell("wc ~/keys/a", {"*": "allow", "path": {"*": "allow", "~/keys/*": "deny"}}),
    "regex-reject": _shell("wc /opt/v[12]", OUTSIDE_ASKS),
    "pattern-first": _shell("sed --file /s /f; sed /p; node -e /b", OUTSIDE_ASKS),
    "trailing-star-optional": _shell("ls", {"bash": {"ls *": "allow"}}),
    "question-mark": _shell("ls", {"bash": {"l?": "allow"}}),
    "path-surface": _shell("wc ./.env", {"*": "allow", "path": {"*": "allow", "*.env": "deny"}}),
    "path-default-silent": _shell("wc src/a", {"*": "ask", "bash": "allow"}),
    "external-per-path": _shell(
        "wc /opt/a", {"*": "allow", "external_directory": {"*": "ask", "/opt/*": "allow"}}
    ),
    "base": _shell("cd a && cd b && wc ../../../x", OUTSIDE_ASKS),
    "units": _shell("echo $(rm x) > $(rm y) && { rm z; }", RM_DENIED),
    "home-values": _shell("wc $HOME/.ssh/id", {"*": "allow", "path": {"*": "allow", "~/.ssh/*": "deny"}}),
    "external-value": _shell("wc /srv/team/shop/out/a", OUTSIDE_ASKS, LINKED),
    "win-fold": _shell(
        "wc ./key.pem /usr/x > /dev/null",
        {"*": "allow", "path": {"*": "allow", "KEY.PEM": "ask", "/dev/null": "deny"}},
        WIN32,
    ),
    "rule-values": _shell(
        "wc ./out/a",
        {"*": "allow", "path": {"*": "allow", "/srv/team/shop/*": "ask", "/mnt/*": "deny"}},
        LINKED,
    ),
    "comment-strip": _shell("{\n# first\nrm x\n}", {"bash": {"*": "allow", "{\nrm*": "deny"}}),
    "zero-units": (
        *_shell("> out", {"*": "allow"}),
        *_shell("> out", {"*": "allow", "bash": {"*": "allow", "> o*": "deny"}}),
    ),
    "redirect-pipe-fold": _shell("cd a && make 2>&1 | tail; wc ../b", OUTSIDE_ASKS),
    "assignment-strip": _shell("A=1 rm x", RM_DENIED),
    "floor-opaque": _shell('bash -c "rm x"', RM_DENIED),
    "drive-shapes": _shell("wc C:/x", OUTSIDE_ASKS, WIN32),
    "bare-tokens": _shell(
        "wc id_rsa notes", {"*": "allow", "path": {"*": "allow", "id_rsa": "deny"}}, FILLED
    ),
    "win-tokens": _shell("wc /c/Src/Shop/a", OUTSIDE_ASKS, WIN32),
    "win-backslash-shape": _shell("wc src\\\\a", PATHS_ASK, WIN32),
    "floor-indirection": _shell("sudo id && doas id", {"*": "allow"}),
    "shell-aliases": (
        Witness(
            ToolCall("run", {"line": "rm x"}),
            RM_DENIED,
            config={"shellTools": {"run": {"commandArgument": "line"}}},
        ),
    ),
    "option-split": _shell(
        "grep --regexp=/a /b; tar --directory=/c", OUTSIDE_ASKS, in_revision="20.7.3+pattern-first=spellings"
    ),
    "var-expansion": _shell('wc "$HOME/x"', OUTSIDE_ASKS),
    "effects": _shell("wc < /opt/a > /opt/b", {"*": "allow", "external_directory_write": "deny"}),
    "wrapper-transparency": _shell("xargs -n 1 wc", {"*": "allow"}),
    "statement-operands": _shell("for f in /opt/a; do make; done", OUTSIDE_ASKS),
    "unparsed-floor": _shell("echo $(", {"*": "allow"}),
    "unresolved-redirect": _shell(
        "wc ) < /opt/a", {"*": "allow", "external_directory_write": "deny"}, in_revision="r27"
    ),
    "deny-objects": _shell(
        "npm ci", {"*": "allow", "bash": {"*": "allow", "npm *": {"action": "deny", "reason": "use pnpm"}}}
    ),
    "yolo": (Witness(shell("npm ci"), {"*": "ask", "bash": {"*": "ask"}}, config={"yoloMode": True}),),
}
"""By the name of the switch."""


def witness_of(value: Switch, other: Switch) -> Witness | None:
    """Return the first witness that comes out differently under two values of a switch."""
    name = next(name for name, switch in SWITCHES.items() if isinstance(value, switch))
    return next((one for one in WITNESSES[name] if one.outcome(value) != one.outcome(other)), None)
