"""The report as a whole: what it must say, and the traps it must not fall into."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from audit.core.bash.wrappers import Wrapper
from audit.core.gates import FLOORS, UNPARSEABLE, Gate
from audit.log.cases import CwdSource, Exactness, Outcome
from audit.measures.finding import Finding
from audit.protocol.engine import Detail
from audit.replay.change import Compared
from audit.replay.run import Replay, replay
from audit.report import markdown
from audit.report.build import Making, build_report
from audit.report.examples import clusters, reason, text_of
from audit.report.json import digest, to_json
from audit.report.markdown import to_markdown
from audit.report.model import CautionKind, Report
from audit.report.page import page
from audit.report.terminal import to_terminal
from audit.report.words import because
from tests.replay.builders import ALLOW, ASK, DENY, HOME, arms, case, check, decided, failed, program, row
from tests.report.samples import BASELINE, CANDIDATE, reading, report, sample_cases

OTHER = report()


def kinds(made: Report) -> set[CautionKind]:
    return {caution.kind for caution in made.cautions}


def test_the_blocks_stand_in_their_order() -> None:
    titles = [line[3:] for line in to_markdown(page(OTHER)).splitlines() if line.startswith("## ")]
    assert titles == [
        "In short",
        "To read with care",
        "1. What was compared",
        "2. Ledger",
        "3. Change matrix",
        "4. Prompt rate",
        "5. New bypasses",
        "6. New prompts",
        "7. Candidate sets",
        "8. Promotion selectivity",
        "9. Causes",
        "10. Examples",
    ]


def test_every_block_opens_with_a_sentence() -> None:
    lines = to_markdown(page(OTHER)).splitlines()
    for at, line in enumerate(lines):
        if line.startswith("## "):
            assert lines[at + 1] == ""
            assert lines[at + 2].endswith((".", ":"))


def test_the_same_input_gives_the_same_bytes() -> None:
    again = report()
    assert to_json(again) == to_json(OTHER)
    for render in (to_markdown, to_terminal):
        assert render(page(again)) == render(page(OTHER))


def test_the_machine_form_names_its_schema_and_its_digest() -> None:
    document = json.loads(to_json(OTHER))
    assert document["digest"] == digest(OTHER)
    assert document["schema_version"] == 1


def test_the_machine_form_holds_the_integers() -> None:
    document = json.loads(to_json(OTHER))
    cells = {(cell["baseline"], cell["candidate"]): cell["count"] for cell in document["matrix"]["cells"]}
    assert cells["deny", "allow"] == {"commands": 1, "calls": 2}
    assert sum(cell["commands"] for cell in cells.values()) == 13
    assert document["prompt_rate"]["baseline"]["asks"]["commands"]["numerator"] == 10
    assert len(document["changes"]) == 10
    for change in document["changes"]:
        cluster = document["clusters"][change["cluster"]]
        assert cluster["finding"] == change["finding"]
    rungs = {rung["finding"]: rung["shares"]["commands"] for rung in document["ladder"]["rungs"]}
    assert rungs["coverage_lost"]["upper_bound"] == {"numerator": 3, "denominator": 13}
    assert "upper_bound" not in rungs["denied_before"]
    assert sum(document["ledger"]["classes"].values()) == document["ledger"]["lines"] == 50


def test_no_name_of_a_home_in_the_header() -> None:
    header = json.dumps(json.loads(to_json(OTHER))["header"])
    assert HOME not in header
    assert all(cluster.cwd == "~/garden" for cluster in OTHER.clusters)


def test_a_self_comparison_is_empty_and_says_so() -> None:
    made = report(baseline=BASELINE, candidate=BASELINE)
    assert made.matrix.changed.commands == 0
    assert made.matrix.other_reason.commands == 0
    assert made.clusters == ()
    assert made.changes == ()
    assert CautionKind.SAME_ARMS in kinds(made)
    assert CautionKind.UNSTABLE_ENGINE not in kinds(made)
    assert "There is no change" in to_markdown(page(made))


def test_an_empty_input_does_not_pass() -> None:
    made = report(cases=[])
    assert CautionKind.NOTHING_COMPARED in kinds(made)
    for text in (to_markdown(page(made)), to_terminal(page(made))):
        assert "Nothing was compared" in text
        assert " 0.0%" not in text
        assert "(0.0%" not in text


def test_an_input_without_a_replayable_case_does_not_pass() -> None:
    made = report(cases=[case("ls …", exactness=Exactness.NOT_REPLAYABLE, reasons=("cut at the field cap",))])
    assert {CautionKind.NOTHING_COMPARED, CautionKind.SHORTENED} <= kinds(made)


def test_cautions_are_raised_by_rule() -> None:
    cases = [
        case("ls a", exactness=Exactness.PARTIAL, reasons=("unit only",), outcomes={Outcome.APPROVED: 1}),
        case("ls b", outcomes={Outcome.DENIED: 1}),
    ]
    made = report(cases=cases)
    assert {CautionKind.SMALL_POPULATION, CautionKind.PARTIAL, CautionKind.LOW_FIDELITY} <= kinds(made)
    assert CautionKind.UNCERTAIN_PLACES not in kinds(made)
    many = [case(f"ls {number}") for number in range(40)]
    assert kinds(report(cases=many)) == {CautionKind.SILENT_ALLOWS}


def test_an_uncertain_place_is_said() -> None:
    unsure = replace(case("ls"), cwd_source=CwdSource.AMBIGUOUS)
    assert CautionKind.UNCERTAIN_PLACES in kinds(report(cases=[unsure]))


def test_an_engine_that_changes_its_mind_is_found_out() -> None:
    cases = [case("ls")]
    sides = arms(BASELINE, BASELINE)
    done = replay(cases, *sides, processes=1)
    only = done.rows[0]
    shaken = Replay(
        (type(only)(only.case, only.baseline, decided(check(DENY))),), (), done.engines, Detail.PROGRAM
    )
    made = build_report(reading(cases), shaken, sides, Making("0", "c"))
    assert CautionKind.UNSTABLE_ENGINE in kinds(made)


def test_failures_are_counted_and_shown() -> None:
    cases = [case("ls")]
    sides = arms(BASELINE, CANDIDATE)
    done = replay(cases, *sides, processes=1)
    lost = Replay((type(done.rows[0])(cases[0], failed(), failed()),), (), done.engines, Detail.PROGRAM)
    made = build_report(reading(cases), lost, sides, Making("0", "c"))
    assert {CautionKind.FAILED_ANSWERS, CautionKind.NOTHING_COMPARED} <= kinds(made)
    assert made.clusters[0].finding is Finding.FAILED
    assert "too-large: the command is too large" in to_terminal(page(made), 140)


def test_a_ledger_that_does_not_add_up_makes_no_report() -> None:
    cases = sample_cases()
    sides = arms(BASELINE, CANDIDATE)
    done = replay(cases[1:], *sides, processes=1)
    with pytest.raises(AssertionError, match="ledger"):
        build_report(reading(cases), done, sides, Making("0", "c"))


def changed(command: str, occurrences: int) -> Compared:
    shows = program(command, units=(command,))
    return row(
        decided(check(ASK, value=command), shows=shows),
        decided(check(ALLOW, value=command), shows=shows),
        case(command, occurrences),
    )


def test_the_example_is_chosen_by_rule_and_not_the_first() -> None:
    rows = [
        changed("npm i", 1),
        changed("npm run longest", 7),
        changed("npm run b", 7),
        changed("npm run a", 7),
    ]
    (cluster,), listed = clusters(rows, HOME)
    assert cluster.command == "npm run a"
    assert (cluster.count.commands, cluster.count.calls) == (4, 22)
    assert [one.command for one in listed] == ["npm i", "npm run longest", "npm run b", "npm run a"]


def test_other_words_or_another_pattern_make_another_shape() -> None:
    one, other = changed("npm i", 1), changed("make all", 2)
    third = row(decided(check(ASK, pattern="m*")), decided(check(ALLOW)), case("make", 5))
    shapes, listed = clusters([one, other, third], HOME)
    assert len(shapes) == 3
    assert [shapes[entry.cluster].command for entry in listed] == ["npm i", "make all", "make"]
    assert [cluster.count.calls for cluster in shapes] == [5, 2, 1]


def test_a_call_that_is_no_command_is_shown_with_its_input() -> None:
    assert text_of(case(tool="read", given={"path": "a/ü"})) == 'read {"path": "a/ü"}'
    assert text_of(case("ls -l")) == "ls -l"


def test_a_long_list_says_what_it_leaves_out() -> None:
    cases = [case(f"tool{number} x", 2) for number in range(14)]
    lax = {"*": "ask", "bash": {"*": "ask", "tool*": "allow"}}
    made = report(cases=cases, candidate=lax)
    assert len(made.clusters) == 14
    text = to_markdown(page(made))
    assert f"and {14 - markdown.MOST_SHAPES} more shapes with 4 distinct commands (8 calls)" in text
    assert text.count("rule `tool*`") == markdown.MOST_SHAPES
    assert "and 9 more shapes with 9 distinct commands (18 calls)" in " ".join(
        to_terminal(page(made), 140).split()
    )
    assert len(json.loads(to_json(made))["changes"]) == 14


def test_a_long_command_says_what_it_leaves_out() -> None:
    made = report(cases=[case("npm " + "x" * 2000)])
    assert "[first 600 of 2,004 characters]" in to_markdown(page(made))
    assert "[first 300 of 2,004 characters]" in to_terminal(page(made), 140)
    assert json.loads(to_json(made))["clusters"][0]["command"] == "npm " + "x" * 2000


@pytest.mark.parametrize("width", [80, 100, 140])
def test_lines_keep_to_the_width(width: int) -> None:
    wide = report(cases=[*sample_cases(), case("npm " + "y" * 400), case("git push " + "z " * 90)])
    assert max(map(len, to_terminal(page(wide), width).splitlines())) <= width


@pytest.mark.parametrize(
    ("answer", "line"),
    [
        (failed(), "no answer: too-large: the command is too large"),
        (decided(), "allow; the engine gives no reason"),
        (decided(check(ALLOW, pattern="ls *")), "allow: rule ls * on bash (global) fits ls"),
        (decided(check(DENY, pattern=None)), "deny: no rule on bash fits ls, so the default applies"),
        (decided(check(ASK, pattern=UNPARSEABLE, value="> a")), "ask: no command can be made out in > a"),
        (
            decided(check(ASK, pattern=FLOORS[Wrapper.INDIRECTION], value="env x", context="subshell")),
            "ask: what runs inside cannot be seen, so an allow becomes an ask, in env x inside a subshell",
        ),
        (
            decided(
                check(ASK, "external_directory", gate=Gate.BASH_EXTERNAL_DIRECTORY, paths=("/a", "/b", "/c")),
                check(ASK),
            ),
            "ask: rule * on external_directory (global) fits /a and 2 more paths; 1 further prompt",
        ),
        (
            decided(check(ASK, value="y" * 130)),
            f"ask: rule * on bash (global) fits {'y' * 100}… [30 more characters]",
        ),
    ],
)
def test_one_line_says_why(answer, line: str) -> None:
    parts = because(reason(answer))
    assert "".join(part if isinstance(part, str) else part.text for part in parts) == line


@given(st.lists(st.sampled_from([one.input.get("command", "ls") for one in sample_cases()]), unique=True))
@settings(max_examples=15, deadline=None)
def test_findings_in_the_report_add_up(commands: list[str]) -> None:
    made = report(cases=[case(command, 2) for command in commands])
    assert sum(cluster.count.commands for cluster in made.clusters) == len(made.changes)
    unchanged = sum(
        cell.count.commands for cell in made.matrix.cells if cell.baseline is cell.candidate
    ) - sum(change.finding in (Finding.OTHER_REASON, Finding.COVERAGE_LOST) for change in made.changes)
    assert len(made.changes) + unchanged == len(commands)
