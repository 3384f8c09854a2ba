"""Names of revisions, and what derived ones are called."""

from __future__ import annotations

import dataclasses

import pytest

from audit.core.revision import LATEST, REVISIONS, SWITCHES, changed_switches, revision
from audit.core.switches import BareTokens, Base, Evidence, SlashOnlyReject, Units
from audit.errors import UnknownName

PRESETS = ["r3", "r4", "r5", "r5p", "r7", "r9", "r13", "r16", "r18", "r20", "r23", "r25", "r27", "later"]


def test_every_preset_and_every_recorded_state_is_registered() -> None:
    recorded = [
        f"{state}-{issue}"
        for state, issue in (("5.16.0", 148), ("9.1.0", 307), ("18.0.2", 509), ("18.1.1", 533))
        for issue in (f"before-{issue}", f"after-{issue}")
    ]
    assert set(REVISIONS) == {*PRESETS, *recorded, "20.7.3"}
    assert [name for name in REVISIONS if name in PRESETS] == PRESETS


def test_the_latest_is_what_a_revision_without_words_is() -> None:
    assert dataclasses.replace(LATEST, name="x") == dataclasses.replace(REVISIONS["r20"], name="x")
    assert changed_switches(LATEST, REVISIONS["r20"]) == {}
    assert LATEST.name == "20.7.3"


@pytest.mark.parametrize(
    ("before", "after", "switch"),
    [
        ("5.16.0-before-148", "5.16.0-after-148", "path-surface"),
        ("9.1.0-before-307", "9.1.0-after-307", "base"),
        ("18.0.2-before-509", "18.0.2-after-509", "bare-tokens"),
        ("18.1.1-before-533", "18.1.1-after-533", "win-tokens"),
    ],
)
def test_the_two_sides_of_a_recorded_change_differ_in_one_switch(before, after, switch) -> None:
    assert list(changed_switches(REVISIONS[before], REVISIONS[after])) == [switch]


@pytest.mark.parametrize(
    ("asked", "name"),
    [
        ("20.7.3", "20.7.3"),
        ("20.7.3+bare-tokens=existence", "20.7.3+bare-tokens=existence"),
        ("20.7.3+bare-tokens=promotion", "20.7.3"),
        ("20.7.3+bare-tokens=existence+base=cwd", "20.7.3+base=cwd+bare-tokens=existence"),
        ("20.7.3+base=cwd+base=running", "20.7.3"),
        (
            "r13+rule-values=aliases+canonical+var-expansion=home+pwd",
            "r13+rule-values=aliases+canonical+var-expansion=home+pwd",
        ),
    ],
)
def test_a_derived_revision_is_named_for_what_it_is(asked, name) -> None:
    found = revision(asked)
    assert found.name == name
    assert revision(found.name) == found


def test_a_derived_revision_has_the_values_of_its_name() -> None:
    found = revision("r9+units=hosted+base=cwd")
    assert changed_switches(REVISIONS["r9"], found) == {
        "base": (Base.RUNNING, Base.CWD),
        "units": (Units.NESTED, Units.HOSTED),
    }
    assert found.with_values({"base": Base.RUNNING}).name == "r9+units=hosted"
    assert found.stands_for == "no release: r9, changed"


@pytest.mark.parametrize(
    ("asked", "message", "advice"),
    [
        ("20.7.4", "no core revision is named `20.7.4`", "20.7.3"),
        ("20.7.3+basis=cwd", "no switch is named `basis`", "base"),
        ("20.7.3+base=cmd", "no value of the switch base is named `cmd`", "cwd"),
        ("", "no core revision is named ``", "r27"),
    ],
)
def test_an_unknown_name_is_told_with_what_is_near(asked, message, advice) -> None:
    with pytest.raises(UnknownName) as caught:
        revision(asked)
    assert caught.value.message == message
    assert advice in (caught.value.advice or "")


def test_switches_are_told_by_the_names_of_the_specification() -> None:
    told = LATEST.switches()
    assert list(told) == list(SWITCHES)
    assert told["rule-values"] == "aliases+canonical"
    assert told["external-per-path"] == "on"


def test_every_value_says_what_it_means_and_where_it_is_from() -> None:
    for name, switch in SWITCHES.items():
        assert (switch.__doc__ or "").strip(), name
        assert len(switch) >= 2, name
        for number, value in enumerate(switch):
            assert value.meaning, (name, value)
            assert number == 0 or value.since, (name, value)


def test_evidence_is_that_of_the_step() -> None:
    assert BareTokens.NONE.evidence is BareTokens.PROMOTION.evidence is Evidence.RUN
    assert Units.STATEMENTS.evidence is Evidence.STATED
    assert (SlashOnlyReject.ON.evidence, SlashOnlyReject.OFF.evidence) == (Evidence.STATED, Evidence.RUN)
