"""Named versions of the rules of interpretation: a record of switches under a name (core-bash.md 16).

A registered revision is immutable in fact: golden vectors lock its decisions, and `REVISIONS` only grows.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields, replace
from difflib import get_close_matches
from typing import Any, get_type_hints

from audit.core import switches as values
from audit.core.switches import Switch
from audit.errors import UnknownName


@dataclass(frozen=True, slots=True)
class Revision:
    """How a call is interpreted, under a name. What is not said is as in 20.7.3."""

    name: str
    stands_for: str = field(default="", compare=False)
    """The releases it stands for."""
    external_source: values.ExternalSource = values.ExternalSource.TREE
    device_exception: values.DeviceException = values.DeviceException.ON
    slash_only_reject: values.SlashOnlyReject = values.SlashOnlyReject.OFF
    wildcard_newline: values.WildcardNewline = values.WildcardNewline.ON
    pattern_home: values.PatternHome = values.PatternHome.ON
    regex_reject: values.RegexReject = values.RegexReject.ON
    pattern_first: values.PatternFirst = values.PatternFirst.SHORT
    trailing_star_optional: values.TrailingStarOptional = values.TrailingStarOptional.ON
    question_mark: values.QuestionMark = values.QuestionMark.ON
    path_surface: values.PathSurface = values.PathSurface.ON
    path_default_silent: values.PathDefaultSilent = values.PathDefaultSilent.ON
    external_per_path: values.ExternalPerPath = values.ExternalPerPath.ON
    base: values.Base = values.Base.RUNNING
    units: values.Units = values.Units.NESTED
    home_values: values.HomeValues = values.HomeValues.ON
    external_value: values.ExternalValue = values.ExternalValue.TYPED
    win_fold: values.WinFold = values.WinFold.PATTERN
    rule_values: values.RuleValues = values.RuleValues.CANONICAL
    comment_strip: values.CommentStrip = values.CommentStrip.ON
    zero_units: values.ZeroUnits = values.ZeroUnits.SENTINEL
    redirect_pipe_fold: values.RedirectPipeFold = values.RedirectPipeFold.ON
    assignment_strip: values.AssignmentStrip = values.AssignmentStrip.ON
    floor_opaque: values.FloorOpaque = values.FloorOpaque.ON
    drive_shapes: values.DriveShapes = values.DriveShapes.ON
    bare_tokens: values.BareTokens = values.BareTokens.PROMOTION
    win_tokens: values.WinTokens = values.WinTokens.MSYS
    win_backslash_shape: values.WinBackslashShape = values.WinBackslashShape.ON
    floor_indirection: values.FloorIndirection = values.FloorIndirection.FIFTEEN
    shell_aliases: values.ShellAliases = values.ShellAliases.ON
    option_split: values.OptionSplit = values.OptionSplit.NONE
    var_expansion: values.VarExpansion = values.VarExpansion.OFF
    effects: values.Effects = values.Effects.NONE
    wrapper_transparency: values.WrapperTransparency = values.WrapperTransparency.OFF
    statement_operands: values.StatementOperands = values.StatementOperands.OFF
    unparsed_floor: values.UnparsedFloor = values.UnparsedFloor.OFF
    unresolved_redirect: values.UnresolvedRedirect = values.UnresolvedRedirect.OFF
    deny_objects: values.DenyObjects = values.DenyObjects.ON
    yolo: values.Yolo = values.Yolo.RULES

    def switches(self) -> dict[str, str]:
        """Return the value of every switch, both by the names of core-bash.md 16."""
        return {name: value.value for name, value in self.settings().items()}

    def settings(self) -> dict[str, Switch]:
        """Return the value of every switch by the switch's name."""
        return {name: getattr(self, _member(name)) for name in SWITCHES}

    def with_values(self, changes: Mapping[str, Switch]) -> Revision:
        """Return the unregistered revision that differs in these switches; its name says how.

        A change to the value that the revision has already is none.
        """
        registered, told = _parts(self.name)
        origin = REVISIONS[registered]
        settings = origin.settings()
        wanted = {**{name: _value(name, value) for name, value in told}, **changes}
        kept = {
            name: wanted[name] for name in SWITCHES if name in wanted and wanted[name] is not settings[name]
        }
        if not kept:
            return origin
        name = "+".join([registered, *(f"{switch}={value.value}" for switch, value in kept.items())])
        stands_for = f"no release: {registered}, changed"
        members: dict[str, Any] = {_member(switch): value for switch, value in kept.items()}
        return replace(origin, name=name, stands_for=stands_for, **members)


def _member(switch: str) -> str:
    return switch.replace("-", "_")


_HINTS = get_type_hints(Revision)
SWITCHES: Mapping[str, type[Switch]] = {
    member.name.replace("_", "-"): _HINTS[member.name]
    for member in fields(Revision)
    if member.name not in {"name", "stands_for"}
}
"""Every switch by its name, in the order of core-bash.md 16; what only vectors show stands last."""


def _oldest() -> Revision:
    """Return what every switch began as."""
    first: dict[str, Any] = {_member(name): next(iter(switch)) for name, switch in SWITCHES.items()}
    return Revision("oldest", **first)


def _history() -> Iterable[Revision]:
    """Yield the registered revisions from the oldest on, each by what changed since the one before.

    A preset has the values of the last release that it stands for.
    """
    now = _oldest()

    def then(name: str, stands_for: str, **changes: Switch) -> Revision:
        nonlocal now
        members: dict[str, Any] = changes
        now = replace(now, name=name, stands_for=stands_for, **members)
        return now

    yield then(
        "r3",
        "3.1.0 to 4.0.0",
        external_source=values.ExternalSource.REGEX,
        device_exception=values.DeviceException.ON,
    )
    yield then(
        "r4",
        "4.9.0 to 5.0.x",
        external_source=values.ExternalSource.TREE,
        slash_only_reject=values.SlashOnlyReject.ON,
        wildcard_newline=values.WildcardNewline.ON,
        pattern_home=values.PatternHome.ON,
        regex_reject=values.RegexReject.ON,
    )
    yield then(
        "r5",
        "5.1.0 to 5.16.x",
        pattern_first=values.PatternFirst.SHORT,
        trailing_star_optional=values.TrailingStarOptional.ON,
        question_mark=values.QuestionMark.ON,
    )
    yield then("5.16.0-before-148", "the parent of the change of issue 148")
    yield then(
        "5.16.0-after-148", "the change of issue 148, before 5.17.0", path_surface=values.PathSurface.ON
    )
    yield then("r5p", "5.17.0 to 7.3.2", path_default_silent=values.PathDefaultSilent.ON)
    yield then(
        "r7",
        "7.4.1 to 9.0.0",
        external_per_path=values.ExternalPerPath.ON,
        base=values.Base.LEADING_CD,
    )
    yield then("9.1.0-before-307", "the parent of the change of issue 307", units=values.Units.NESTED)
    yield then("9.1.0-after-307", "the change of issue 307, before 9.2.0", base=values.Base.RUNNING)
    yield then("r9", "9.2.0 to 10.5.1")
    yield then(
        "r13",
        "13.2.0 to 14.0.0",
        home_values=values.HomeValues.ON,
        external_value=values.ExternalValue.TYPED,
        win_fold=values.WinFold.PATTERN,
        rule_values=values.RuleValues.ALIASES,
    )
    yield then(
        "r16",
        "16.2.1 to 17.0.x",
        comment_strip=values.CommentStrip.ON,
        zero_units=values.ZeroUnits.SENTINEL,
        redirect_pipe_fold=values.RedirectPipeFold.ON,
        assignment_strip=values.AssignmentStrip.ON,
        floor_opaque=values.FloorOpaque.ON,
        rule_values=values.RuleValues.CANONICAL,
    )
    yield then(
        "18.0.2-before-509",
        "the parent of the change of issue 509",
        drive_shapes=values.DriveShapes.ON,
        deny_objects=values.DenyObjects.ON,
    )
    yield then(
        "18.0.2-after-509", "the change of issue 509, before 18.1.0", bare_tokens=values.BareTokens.PROMOTION
    )
    yield then("18.1.1-before-533", "the parent of the change of issue 533")
    yield then("18.1.1-after-533", "the change of issue 533, before 18.1.2", win_tokens=values.WinTokens.MSYS)
    yield then("r18", "18.1.2 to 20.0.x", yolo=values.Yolo.RULES)
    yield then(
        "r20",
        "20.7.2 to 22.x",
        win_backslash_shape=values.WinBackslashShape.ON,
        floor_indirection=values.FloorIndirection.FIFTEEN,
        slash_only_reject=values.SlashOnlyReject.OFF,
        shell_aliases=values.ShellAliases.ON,
    )
    yield then("20.7.3", "20.7.3")
    yield then(
        "r23",
        "23.0.1 to 24.x",
        bare_tokens=values.BareTokens.EXISTENCE,
        option_split=values.OptionSplit.ALL,
        win_fold=values.WinFold.BOTH,
    )
    yield then(
        "r25",
        "25.2.2 to 27.0.x",
        var_expansion=values.VarExpansion.HOME_PWD,
        zero_units=values.ZeroUnits.UNLESS_DENY,
        units=values.Units.HOSTED,
    )
    yield then(
        "r27",
        "27.1.3 to 29.1.0",
        effects=values.Effects.DIRECTIONAL,
        wrapper_transparency=values.WrapperTransparency.ON,
        regex_reject=values.RegexReject.OFF,
        pattern_first=values.PatternFirst.SPELLINGS,
        option_split=values.OptionSplit.ROLE_AWARE,
        units=values.Units.STATEMENTS,
    )
    yield then(
        "later",
        "after 29.1.0, as far as it is described",
        statement_operands=values.StatementOperands.ON,
        unparsed_floor=values.UnparsedFloor.ON,
        unresolved_redirect=values.UnresolvedRedirect.ON,
    )


REVISIONS: Mapping[str, Revision] = {registered.name: registered for registered in _history()}

LATEST = REVISIONS["20.7.3"]

_CHANGE = re.compile(r"\+(?=[a-z-]+=)")


def _parts(name: str) -> tuple[str, list[tuple[str, str]]]:
    registered, *changes = _CHANGE.split(name)
    return registered, [(switch, value) for switch, _, value in (told.partition("=") for told in changes)]


def revision(name: str) -> Revision:
    """Return a revision by its name; raise `UnknownName`.

    `20.7.3` is a registered one. `20.7.3+bare-tokens=existence+units=hosted` is one that differs from it in
    these switches; spelled another way it has the same name in the end.
    """
    registered, changes = _parts(name)
    if registered not in REVISIONS:
        raise _unknown("core revision", registered, REVISIONS)
    return REVISIONS[registered].with_values({switch: _value(switch, value) for switch, value in changes})


def _value(switch: str, value: str) -> Switch:
    if switch not in SWITCHES:
        raise _unknown("switch", switch, SWITCHES)
    known = {member.value: member for member in SWITCHES[switch]}
    if value not in known:
        raise _unknown(f"value of the switch {switch}", value, known)
    return known[value]


def changed_switches(one: Revision, other: Revision) -> dict[str, tuple[Switch, Switch]]:
    """Return the switches that differ, with the value of each side, in their order."""
    theirs = other.settings()
    return {
        name: (value, theirs[name]) for name, value in one.settings().items() if value is not theirs[name]
    }


def _unknown(kind: str, name: str, known: Iterable[str]) -> UnknownName:
    listed = list(known)
    near = get_close_matches(name, listed) or listed
    advice = f"known are {', '.join(near)}; `permission-audit cores` lists them all"
    return UnknownName(f"no {kind} is named `{name}`", advice)
