"""The summary of a log: its blocks, its cautions, its forms."""

from __future__ import annotations

import html
import json
import unicodedata
from collections.abc import Iterable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from audit.log.calls import Call, GateName
from audit.log.cases import CwdSource, LogReading, Outcome
from audit.log.eras import Era
from audit.measures.measure import Share, Unit
from audit.report.build import Making
from audit.report.markdown import to_markdown
from audit.report.summary import Summary, SummaryCautionKind, build_summary
from audit.report.summary_page import summary_page, summary_to_json
from audit.report.summary_words import bars, duration, hours, share_notes
from audit.report.terminal import to_terminal
from tests.measures.recorded.builders import at, call, calls, external, reading, request
from tests.report.test_safety import ANY, NASTY

MAKING = Making("0.1.0", "permission-audit summary LOG")


def summary(found: Iterable[Call] = (), **over: Any) -> Summary:
    return build_summary(reading(found, **over), MAKING)


def sample() -> tuple[Call, ...]:
    """Return calls that fill every block."""
    often = [
        request("make all", asked=at(60 * one, day), settled=at(60 * one + 5, day))
        for one, day in enumerate(["2026-07-15"] * 4 + ["2026-08-03"] * 4)
    ]
    return (
        *calls(
            *often,
            request("rm -r build", Outcome.DENIED, asked=at(1)),
            request("deploy", Outcome.UNANSWERED, asked=at(2)),
            request("deploy", Outcome.UNAVAILABLE, asked=at(3)),
            request("git push", Outcome.POLICY_DENIED),
            request("git push", Outcome.LINK_DENIED, link="judge"),
            request("sudo x", pattern="<indirection-bash-wrapper>"),
            external("cat /etc/motd > /srv/x"),
            external("cat /etc/motd", surface="external_directory_read", era=Era.E12),
        ),
        call(external("ls /etc", asked=at(9)), request("ls /etc", asked=at(12))),
    )


def document(found: Summary) -> dict[str, Any]:
    loaded = json.loads(summary_to_json(found))
    assert isinstance(loaded, dict)
    return loaded


def test_the_machine_form_holds_the_ledger_and_its_schema_version() -> None:
    found = document(summary(sample(), classes={"replayed exactly": 30, "blank": 2}))
    assert found["schema_version"] == 1
    assert found["kind"] == "summary"
    assert found["ledger"] == {"lines": 32, "classes": {"replayed exactly": 30, "blank": 2}}


def test_every_number_of_the_months_is_in_the_machine_form_and_adds_up() -> None:
    volume = document(summary(sample()))["volume"]
    for name in ("asks", "approved", "refused", "unavailable", "unanswered", "without_person"):
        assert sum(month[name] for month in volume["months"]) == volume["total"][name]
    assert [month["period"] for month in volume["months"]] == ["2026-07", "2026-08"]


def test_a_zero_carries_its_bound_in_the_machine_form() -> None:
    both = document(summary(sample()))["directions"]["directions"][3]
    assert both["strict"]["numerator"] == 0
    assert both["strict"]["upper_bound"] == {"numerator": 3, "denominator": both["strict"]["denominator"]}


def test_the_same_log_gives_the_same_bytes_whatever_the_order_of_its_calls() -> None:
    one = summary_to_json(summary(sample()))
    assert one == summary_to_json(summary(sample()))
    assert one == summary_to_json(summary(reversed(sample())))
    assert one.isascii()


@pytest.mark.parametrize("width", [80, 100, 140])
def test_no_line_is_wider_than_the_terminal(width: int) -> None:
    text = to_terminal(summary_page(summary(sample())), width)
    assert max(map(len, text.splitlines())) <= width
    assert "approve\n" not in text


def test_every_block_is_there_in_both_forms() -> None:
    page = summary_page(summary(sample()))
    titles = [section.title for section in page.sections]
    assert titles[:2] == ["In short", "To read with care"]
    assert [title.split(".")[0] for title in titles[2:]] == [str(number) for number in range(1, 14)]
    for text in (to_terminal(page), to_markdown(page)):
        for title in titles:
            assert title in text
    assert "make all" in to_markdown(page)


def test_an_empty_log_is_summed_up_without_a_percentage() -> None:
    found = summary()
    assert SummaryCautionKind.NO_ASKS in {raised.kind for raised in found.cautions}
    text = to_terminal(summary_page(found))
    assert "The log holds no prompt" in text
    assert "%" not in text.split("3. Prompts and answers")[1].replace("95%", "")


def kinds(found: LogReading) -> set[SummaryCautionKind]:
    return {raised.kind for raised in build_summary(found, MAKING).cautions}


@pytest.mark.parametrize(
    ("found", "kind", "raised"),
    [
        (reading(sample()), SummaryCautionKind.SILENT_ALLOWS, True),
        (reading(sample()), SummaryCautionKind.FEW_ASKS, True),
        (reading(sample() * 3), SummaryCautionKind.FEW_ASKS, False),
        (reading(sample()), SummaryCautionKind.LOPSIDED, True),
        (reading(sample()), SummaryCautionKind.ONE_MONTH, False),
        (reading(calls(request())), SummaryCautionKind.ONE_MONTH, True),
        (reading(calls(request(asked="")), {"E8": 1}), SummaryCautionKind.UNKNOWN_TIME, True),
        (reading(sample()), SummaryCautionKind.UNKNOWN_TIME, False),
        (reading(calls(request()), {"E8": 1, "E12": 5}), SummaryCautionKind.ERA_WITHOUT_REQUESTS, True),
        (reading(calls(request()), {"E3": 5, "E8": 1}), SummaryCautionKind.ERA_WITHOUT_REQUESTS, False),
        (reading(calls(request()), {"E3": 50, "E8": 1}), SummaryCautionKind.ERA_WITHOUT_REQUESTS, True),
        (reading([call(request(), cwd=None)]), SummaryCautionKind.UNCERTAIN_PLACES, True),
        (
            reading([call(request(), cwd_source=CwdSource.AMBIGUOUS)]),
            SummaryCautionKind.UNCERTAIN_PLACES,
            True,
        ),
        (reading(sample()), SummaryCautionKind.UNCERTAIN_PLACES, False),
        (reading(calls(request("x [redacted]", era=Era.E12))), SummaryCautionKind.SHORTENED, True),
        (reading(sample()), SummaryCautionKind.SHORTENED, False),
    ],
)
def test_cautions_are_raised_by_rule(found: LogReading, kind: SummaryCautionKind, raised: bool) -> None:
    assert (kind in kinds(found)) is raised


def test_a_newer_era_is_counted_with_the_others() -> None:
    older, newer = request(era=Era.E8), request(era=Era.E12, surface="bash", asked=at(0, "2026-09-01"))
    found = summary(calls(older, newer), eras={"E8": 2, "E12": 2})
    [cause] = found.causes.causes
    assert (cause.surface, cause.share.numerator, len(cause.months)) == ("bash", 2, 2)
    assert [era.pattern.denominator for era in found.coverage.eras] == [1, 1]


@pytest.mark.parametrize(
    ("milliseconds", "shown"),
    [
        (None, "-"),
        (0, "0 ms"),
        (999, "999 ms"),
        (1_000, "1.0 s"),
        (90_000, "1.5 min"),
        (7_200_000, "2.0 h"),
        (259_200_000, "3.0 days"),
    ],
)
def test_durations_in_their_unit(milliseconds: int | None, shown: str) -> None:
    assert duration(milliseconds) == shown


def test_hours_never_round_to_nothing() -> None:
    assert hours(1_000) == "1.0 s"
    assert hours(10 * 86_400_000) == "240.0 h"


def test_a_bar_for_every_week_from_first_to_last() -> None:
    assert bars({"2026-W53": 8, "2027-W02": 1}) == ("█▁▂", "2026-W53", "2027-W02")
    assert bars({"2026-W01": 3}) is None
    drawn = bars({"1999-W01": 1, "2026-W01": 3})
    assert drawn is not None
    assert len(drawn[0]) == 60


@settings(max_examples=15, deadline=None)
@given(st.one_of(st.sampled_from(NASTY), ANY), st.one_of(st.sampled_from(NASTY), ANY))
def test_what_the_log_holds_obeys_nobody(value: str, surface: str) -> None:
    hostile = [
        request(value, surface=surface, tool=surface, asked=at(one), link=value, era=Era.E11)
        for one in range(6)
    ]
    judged = request(value, Outcome.LINK_ALLOWED, link=surface, era=Era.E11)
    read = request(None, gate=GateName.EXTERNAL_DIRECTORY, path=f"/{value}", tool=value)
    page = summary_page(summary(calls(*hostile, judged, read), classes={f"other event: {value}": 3}))
    shown = to_terminal(page)
    assert all(
        unicodedata.category(character) not in {"Cc", "Cf", "Cs"} for character in shown if character != "\n"
    )
    tokens = MarkdownIt("gfm-like", {"linkify": False}).parse(to_markdown(page))
    inline = [child for token in tokens for child in token.children or ()]
    assert {child.type for child in inline} <= {"text", "code_inline", "html_inline", "softbreak"}
    markup = {html.unescape(child.content) for child in inline if child.type == "html_inline"}
    assert markup <= {"<code>", "</code>"}
    assert all(token.type != "html_block" for token in tokens)


def test_every_zero_of_a_section_has_its_bound() -> None:
    parts = [Share(0, 400, Unit.PROMPT), Share(0, 30, Unit.PROMPT), Share(0, 0, Unit.PROMPT)]
    notes = [str(note[0]) for note in share_notes([*parts, Share(5, 90, Unit.PROMPT)])]
    assert len(notes) == 2
    assert "3 in 400 (0.8%)" in notes[0]
    assert "3 in 30 (10.0%)" in notes[1]
