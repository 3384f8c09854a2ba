"""What prompts are for: causes, deciders, directions, roots, and what each era tells."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from audit.core.bash.effects import Effect, effect_at, token_sites
from audit.core.bash.parser import parse
from audit.core.gates import FLOORS, UNPARSEABLE
from audit.core.place import Platform
from audit.log.calls import Call, Decider, GateName
from audit.log.cases import CwdSource, Outcome
from audit.log.eras import Era
from audit.log.inputs import UNIT_ONLY
from audit.measures.measure import Share, Unit
from audit.measures.recorded.causes import recorded_causes, sentinel_of
from audit.measures.recorded.coverage import coverage
from audit.measures.recorded.deciders import deciders
from audit.measures.recorded.direction import Direction, classify, directions, loose_effect
from audit.measures.recorded.outside import NO_DIRECTORY, NOT_FOUND, PlaceFacts, outside
from audit.measures.recorded.requests import logged
from audit.measures.recorded.roots import roots
from tests.measures.recorded.builders import CWD, HOME, START, call, calls, external, request

FLOOR = next(iter(FLOORS.values()))
PLACE = PlaceFacts(home=HOME)
READ, WRITE, BOTH, UNPROVEN = Direction


def test_causes_are_surfaces_with_floors_apart() -> None:
    found = recorded_causes(
        logged(
            calls(
                request(pattern="*"),
                request(pattern=FLOOR),
                request(pattern=UNPARSEABLE, asked="2026-08-20T10:00:00.000Z"),
                request(command=None, target="wiki:edit", tool="mcp"),
                request(command=None, tool="write"),
                external("cat /etc/motd"),
                request(command=None, path="k.pem", gate=GateName.PATH),
                request(command=None, skill="release", gate=GateName.SKILL_INPUT),
                external("cat /etc/motd", surface="external_directory_read", era=Era.E12),
                request(outcome=Outcome.POLICY_DENIED),
                request(pattern="*", era=Era.E5),
            )
        )
    )
    counted = {(cause.surface, cause.sentinel): cause.share.numerator for cause in found.causes}
    assert counted == {
        ("bash", None): 2,
        ("bash", FLOOR): 1,
        ("bash", UNPARSEABLE): 1,
        ("mcp", None): 1,
        ("write", None): 1,
        ("external_directory", None): 1,
        ("external_directory_read", None): 1,
        ("path", None): 1,
        ("skill", None): 1,
    }
    assert found.asks == {"2026-07": 9, "2026-08": 1}
    assert found.floors == Share(1, 3, Unit.PROMPT)
    assert found.surface_told == Share(1, 10, Unit.PROMPT)
    assert [cause.is_unparseable for cause in found.causes if cause.sentinel] == [False, True]


@pytest.mark.parametrize(
    ("pattern", "is_one"),
    [(FLOOR, True), (UNPARSEABLE, True), ("<unparsed-bash-subtree>", True), ("<div>", False), ("*", False)],
)
def test_sentinels_of_later_releases_are_known_by_their_form(pattern: str, is_one: bool) -> None:
    assert (sentinel_of(pattern) is not None) is is_one


def test_deciders_add_up_and_open_asks_have_none() -> None:
    found = deciders(
        logged(
            calls(
                request(),
                request(outcome=Outcome.UNANSWERED),
                request(outcome=Outcome.LINK_DENIED, link="judge"),
                request(outcome=Outcome.LINK_ALLOWED, decider=Decider.SERVING_RULE, forwarded="1-a"),
            )
        )
    )
    assert (found.settled, found.open) == (3, 1)
    assert {part.decider: part.share.numerator for part in found.deciders} == {
        Decider.PERSON: 1,
        Decider.LINK: 1,
        Decider.SERVING_RULE: 1,
    }
    assert found.links == {"judge": 1}
    assert sum(part.forwarded for part in found.deciders) == 1


@pytest.mark.parametrize(
    ("command", "token", "strict", "loose"),
    [
        ("cat /a", "/a", Effect.READ, Effect.READ),
        ("/bin/cat /a", "/a", Effect.UNPROVEN, Effect.READ),
        ("cat x > /a", "/a", Effect.WRITE, Effect.READ),
        ("make x > /a", "/a", Effect.WRITE, Effect.WRITE),
        ("> /a cat x", "/a", Effect.WRITE, Effect.READ),
        ("cat x | tee y >> /a", "/a", Effect.WRITE, Effect.WRITE),
        ("make < /a", "/a", Effect.READ, Effect.READ),
        ("cat <> /a", "/a", Effect.UNPROVEN, Effect.READ),
        ("make >& /a", "/a", Effect.WRITE, Effect.WRITE),
        ("{ cat x; } > /a", "/a", Effect.WRITE, Effect.WRITE),
        ("find /a -name x", "/a", Effect.READ, Effect.READ),
        ("find /a -delete", "/a", Effect.UNPROVEN, Effect.READ),
        ("find /a -exec rm {} +", "/a", Effect.UNPROVEN, Effect.READ),
        ("fd -x rm /a", "/a", Effect.UNPROVEN, Effect.READ),
        ("fd --exec-batch=rm x /a", "/a", Effect.UNPROVEN, Effect.READ),
        ("fd --extension md /a", "/a", Effect.READ, Effect.READ),
        ("sort -uo /a x", "/a", Effect.UNPROVEN, Effect.READ),
        ("sort --output=y /a", "/a", Effect.UNPROVEN, Effect.READ),
        ("sort -u /a", "/a", Effect.READ, Effect.READ),
        ("rm -r /a", "/a", Effect.UNPROVEN, Effect.WRITE),
        ("cp x /a", "/a", Effect.UNPROVEN, Effect.READ),
        ("node /a", "/a", Effect.UNPROVEN, Effect.UNPROVEN),
        ("cd x && head /a || rm y", "/a", Effect.READ, Effect.READ),
        ('echo "$(rm x)" > /a', "/a", Effect.WRITE, Effect.READ),
        ("for f in x; do rm /a; done", "/a", Effect.UNPROVEN, Effect.WRITE),
    ],
)
def test_a_token_by_both_classifiers(command: str, token: str, strict: Effect, loose: Effect) -> None:
    sites = token_sites(parse(command), command)
    start = command.index(token)
    site = sites[start, start + len(token)]
    assert (effect_at(site), loose_effect(site)) == (strict, loose)


def test_a_deep_command_is_walked_without_recursion() -> None:
    command = "( " * 3000 + "cat /a" + " )" * 3000
    assert len(token_sites(parse(command), command)) == 1


@pytest.mark.parametrize(
    ("command", "strict", "loose"),
    [
        ("cat /etc/a", READ, READ),
        ("cat /etc/a > /srv/b", BOTH, READ),
        ("cat x > /srv/b", WRITE, READ),
        ("cat /etc/a; rm /srv/b", UNPROVEN, BOTH),
        ("cat /etc/a; echo x > /etc/a", UNPROVEN, READ),
        ("cat /etc/a; node x", READ, READ),
        ("cat inside; rm /srv/b", UNPROVEN, WRITE),
        ("cd /etc && cat a", READ, READ),
    ],
)
def test_an_ask_is_classed_by_its_outside_paths(command: str, strict: Direction, loose: Direction) -> None:
    [(one, found)] = outside(logged(calls(external(command))), PLACE)
    assert classify(one, found.paths) == (strict, loose)


@pytest.mark.parametrize(("tool", "direction"), [("read", READ), ("edit", WRITE), ("notes", UNPROVEN)])
def test_other_tools_are_classed_by_their_name(tool: str, direction: Direction) -> None:
    asked = request(None, gate=GateName.EXTERNAL_DIRECTORY, path="../x", tool=tool)
    [(one, found)] = outside(logged(calls(asked)), PLACE)
    assert [mention.path for mention in found.paths] == [f"{HOME}/x"]
    assert classify(one, found.paths) == (direction, direction)


@pytest.mark.parametrize(
    ("asked", "cwd", "why"),
    [
        (external("cat /etc/a"), None, NO_DIRECTORY),
        (external("cat inside"), CWD, NOT_FOUND),
        (external("cat /etc/" + "a" * 991 + "…", era=Era.E12), CWD, "cut at the field cap"),
        (external("cat /etc/a [redacted]", era=Era.E12), CWD, "masked"),
    ],
)
def test_what_cannot_be_classed_is_left_out_and_counted(asked: object, cwd: str | None, why: str) -> None:
    both = logged((call(asked, cwd=cwd), call(external("cat /etc/a"))))  # type: ignore[arg-type]
    found = directions(outside(both, PLACE))
    assert (found.external, found.classified) == (2, 1)
    assert found.left_out == {why: 1}


def test_only_the_listed_paths_are_asked_about() -> None:
    asked = external("cat /etc/a > /srv/b", paths=("/srv/b",))
    [(one, found)] = outside(logged(calls(asked)), PLACE)
    assert classify(one, found.paths) == (WRITE, READ)


def test_a_listed_path_that_stands_nowhere_in_the_command_is_unproven() -> None:
    asked = external("make", paths=("/srv/other", "[redacted]"))
    [(one, found)] = outside(logged(calls(asked)), PLACE)
    assert [mention.path for mention in found.paths] == ["/srv/other"]
    assert classify(one, found.paths) == (UNPROVEN, UNPROVEN)


def test_the_tables_of_directions_add_up() -> None:
    commands = ["cat /etc/a", "rm /etc/a", "node /etc/a", "cat x > /etc/a", "cp /etc/a /etc/b", "ls /"]
    found = directions(outside(logged(calls(*map(external, commands))), PLACE))
    for name in ("strict", "loose"):
        rows = {part.direction: getattr(part, name).numerator for part in found.directions}
        assert sum(rows.values()) == found.classified == 6
        for direction, number in rows.items():
            cells = (cell.asks for cell in found.cross if getattr(cell, name) is direction)
            assert sum(cells) == number
    assert sum(month.asks for month in found.months) == 6


WORDS = ["cat", "rm", "find", "sort -o", "node", "sed -i", "tee", "cp", "fd -x", "echo", "FOO=1 head"]
PARTS = st.builds(
    lambda word, path, redirect: f"{word} {path}{redirect}",
    st.sampled_from(WORDS),
    st.sampled_from(["/etc/a", "~/b", "../c", "inside"]),
    st.sampled_from(["", " > /etc/a", " < /etc/d", " &>> ../c", " 2>&1", " >| inside"]),
)
COMMANDS = st.lists(PARTS, min_size=1, max_size=4).flatmap(
    lambda parts: st.sampled_from([" && ", "; ", " | ", " || "]).map(lambda joint: joint.join(parts))
)


@settings(max_examples=150, deadline=None)
@given(COMMANDS)
def test_what_the_strict_classifier_calls_read_the_loose_one_does_too(command: str) -> None:
    [(one, found)] = outside(logged(calls(external(command))), PLACE)
    if found.paths:
        strict, loose = classify(one, found.paths)
        assert strict is not READ or loose is READ


def test_roots_are_chosen_by_the_asks_they_complete() -> None:
    commands = [
        *["cat ~/.cache/a/x", "cat ~/.cache/a/y", "cat ~/.cache/b"],
        *["cat /var/log/x", "cat /var/log/y ~/.cache/b", "cat /srv/q"],
    ]
    found = roots(outside(logged(calls(*map(external, commands))), PLACE), Platform.POSIX, HOME)
    assert [(root.label, root.added) for root in found.roots] == [
        ("~/.cache", 3),
        ("/var/log", 2),
        ("/srv/q", 1),
    ]
    assert [root.share.numerator for root in found.roots] == [3, 5, 6]
    assert (found.asks, found.paths) == (6, 6)


def test_no_root_is_a_home_or_above_it() -> None:
    commands = ["ls ~/", "ls /home", "ls /", "ls ~/a", "ls ~/b"]
    found = roots(outside(logged(calls(*map(external, commands))), PLACE), Platform.POSIX, HOME)
    assert sorted(root.label for root in found.roots) == ["~/a", "~/b"]
    assert found.roots[-1].share == Share(2, 5, Unit.PROMPT)


@settings(max_examples=40, deadline=None)
@given(st.lists(COMMANDS, max_size=8), st.randoms(use_true_random=False))
def test_order_does_not_matter_to_directions_and_roots(commands: list[str], chance: random.Random) -> None:
    shuffled = list(commands)
    chance.shuffle(shuffled)
    one, other = (outside(logged(calls(*map(external, these))), PLACE) for these in (commands, shuffled))
    assert directions(one) == directions(other)
    assert roots(one, Platform.POSIX, HOME) == roots(other, Platform.POSIX, HOME)
    reached = [root.share.numerator for root in roots(one, Platform.POSIX, HOME).roots]
    assert reached == sorted(reached)


def test_what_each_era_tells() -> None:
    found_calls: tuple[Call, ...] = (
        call(request("make", era=Era.E8, pattern="*", cwd=CWD)),
        call(request("make", era=Era.E11), reasons=(UNIT_ONLY,), cwd_source=CwdSource.AMBIGUOUS),
        call(external("cat /etc/a", era=Era.E11)),
        call(request("make [redacted]", era=Era.E11, asked=START)),
    )
    found = coverage(logged(found_calls), {"E8": 2, "E11": 5, "E12": 4})
    by_era = {era.era: era for era in found.eras}
    assert list(by_era) == ["E8", "E11", "E12"]
    assert by_era["E8"].pattern == Share(1, 1, Unit.REQUEST)
    assert by_era["E8"].directory_named == Share(1, 1, Unit.REQUEST)
    assert by_era["E11"].whole_command == Share(1, 3, Unit.REQUEST)
    assert by_era["E11"].cut == Share(1, 3, Unit.REQUEST)
    assert by_era["E11"].directory_known == Share(2, 3, Unit.REQUEST)


def test_an_era_with_lines_and_no_request_is_named() -> None:
    found = coverage(logged(calls(request(era=Era.E8))), {"E8": 2, "E12": 400})
    assert [era.era for era in found.without_requests] == ["E12"]
