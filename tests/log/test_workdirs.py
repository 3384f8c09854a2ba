"""Where calls were made."""

from __future__ import annotations

import pytest

from audit.core.place import Platform
from audit.log.cases import CwdSource, Exactness
from audit.log.read import ReadOptions
from audit.log.symlinks import links_of
from tests.log.lines import (
    CWD,
    HOME,
    asked,
    at,
    data,
    external_message,
    gate,
    line,
    prompt,
    read,
    session_start,
    unit_message,
)

OTHER = "/home/mia/orchard"
MINUTE = 60
WHOLE = {"message": unit_message("make seed", full="cd beds; make seed")}
"""Members of an ask that names the whole command, so that only the place is uncertain."""


def external(call: str, second: float, cwd: str = CWD) -> list[bytes]:
    return asked("cat /a", call, second, message=external_message("cat /a", "/a", cwd=cwd))


def places(
    *files: bytes, options: ReadOptions | None = None
) -> dict[str | None, tuple[str | None, CwdSource]]:
    return {call.id: (call.cwd, call.cwd_source) for call in read(*files, options=options).calls}


def test_what_an_ask_names_is_recorded_and_the_call_is_exact() -> None:
    reading = read(data(external("t1", 0)))
    (call,) = reading.calls
    assert (call.cwd, call.cwd_source, call.exactness) == (CWD, CwdSource.RECORDED, Exactness.EXACT)
    assert reading.ledger.classes == {"replayed exactly": 2}


def test_a_session_start_lets_infer_it() -> None:
    reading = read(data(session_start(0), asked(call="t1", second=5, **WHOLE)))
    (call,) = reading.calls
    assert (call.cwd, call.cwd_source, call.home) == (CWD, CwdSource.INFERRED, HOME)
    assert call.cwd_evidence == "projectConfigPath of config.resolved"
    assert call.reasons == ("working directory inferred",)
    assert reading.ledger.classes == {"replayed on assumptions": 2, "other event: config.resolved": 1}


@pytest.mark.parametrize(
    ("members", "cwd"),
    [
        ({"projectConfigPath": f"{CWD}/.pi/agent/pi-permissions.jsonc"}, CWD),
        ({"projectConfigPath": None, "projectAgentsDir": f"{CWD}/.pi/agents"}, CWD),
        ({"projectAgentsDir": f"{CWD}/.pi/agent/agents"}, CWD),
        ({"projectConfigPath": "C:\\w\\.pi\\extensions\\pi-permission-system\\config.json"}, "C:\\w"),
        ({"projectConfigPath": "/etc/elsewhere.json"}, None),
    ],
)
def test_each_form_of_a_session_start(members: dict[str, str | None], cwd: str | None) -> None:
    reading = read(data(line("config.resolved", at(), **members), asked(second=5)))
    assert reading.calls[0].cwd == cwd
    if cwd is None:
        assert reading.calls[0].reasons == ("no working directory",)
        assert reading.ledger.classes["not replayable: no working directory"] == 2


def test_other_lines_that_name_it() -> None:
    trust = line("project_trust.skipped", at(0), cwd=CWD, phase="session_start")
    reload = line("lifecycle.reload", at(0), cwd=CWD, triggeredBy="session_start")
    for start in (trust, reload):
        assert places(data(start, asked(second=5))) == {"t1": (CWD, CwdSource.INFERRED)}


def test_nothing_is_known_before_the_first_session_start() -> None:
    assert places(data(asked(call="a"), session_start(5), asked(call="b", second=9))) == {
        "a": (None, CwdSource.UNKNOWN),
        "b": (CWD, CwdSource.INFERRED),
    }


def test_a_second_project_soon_after_makes_it_ambiguous_and_long_after_does_not() -> None:
    def log(gap: float) -> bytes:
        return data(
            session_start(0),
            asked(call="a", second=5),
            session_start(5 + gap, OTHER),
            asked(call="b", second=10 + gap),
        )

    soon, late = places(log(45 * MINUTE)), places(log(75 * MINUTE))
    assert soon == {"a": (CWD, CwdSource.INFERRED), "b": (OTHER, CwdSource.AMBIGUOUS)}
    assert late == {"a": (CWD, CwdSource.INFERRED), "b": (OTHER, CwdSource.INFERRED)}


def test_a_line_of_a_stretch_may_be_of_any_project_at_work_in_it() -> None:
    third = "/home/mia/shed"
    log = data(
        session_start(0),
        session_start(20 * MINUTE, OTHER),
        asked(call="a", second=70 * MINUTE),
        session_start(80 * MINUTE, OTHER),
        asked(call="b", second=81 * MINUTE),
        session_start(150 * MINUTE, third),
        asked(call="c", second=151 * MINUTE),
    )
    assert places(log) == {
        "a": (OTHER, CwdSource.AMBIGUOUS),
        "b": (OTHER, CwdSource.AMBIGUOUS),
        "c": (third, CwdSource.INFERRED),
    }


def test_the_same_project_again_is_not_ambiguous() -> None:
    log = data(session_start(0), asked(call="a", second=5), session_start(9), asked(call="b", second=12))
    assert places(log)["b"] == (CWD, CwdSource.INFERRED)


def test_a_late_ask_of_an_earlier_project_shows_that_it_was_still_at_work() -> None:
    log = data(
        session_start(0),
        asked(call="a", second=5),
        session_start(75 * MINUTE, OTHER),
        asked(call="b", second=76 * MINUTE),
        external("c", 80 * MINUTE, CWD),
    )
    found = places(log)
    assert found["b"] == (OTHER, CwdSource.AMBIGUOUS)
    assert found["c"] == (CWD, CwdSource.RECORDED)


def test_starts_without_a_directory_leave_it_to_the_asks_between_them() -> None:
    log = data(
        session_start(0, None),
        asked(call="a", second=5),
        external("b", 10),
        session_start(45 * MINUTE, None),
        asked(call="c", second=46 * MINUTE),
    )
    assert places(log) == {
        "a": (CWD, CwdSource.INFERRED),
        "b": (CWD, CwdSource.RECORDED),
        "c": (None, CwdSource.UNKNOWN),
    }


def test_two_directories_between_two_starts_are_ambiguous() -> None:
    log = data(external("a", 0), external("b", 5), external("c", 9, OTHER), asked(call="d", second=12))
    assert places(log)["d"] == (CWD, CwdSource.AMBIGUOUS)


def test_what_the_user_supplies_goes_before_the_log() -> None:
    log = data(external("t1", 0))
    options = ReadOptions(cwd=OTHER, home="/h", platform=Platform.WIN32)
    assert places(log, options=options) == {"t1": (OTHER, CwdSource.SUPPLIED)}
    reading = read(log, options=options)
    assert (reading.home, reading.home_source) == ("/h", CwdSource.SUPPLIED)
    assert (reading.platform, reading.platform_source) == (Platform.WIN32, CwdSource.SUPPLIED)
    assert reading.calls[0].reasons == ("working directory supplied",)


def test_a_rule_supplies_some_and_leaves_the_rest_to_the_log() -> None:
    def rule(moment: str, agent: str | None) -> str | None:
        return OTHER if agent == "ann" and moment > at(0) else None

    log = data(session_start(0), asked(call="a", second=5), asked(call="b", second=9, agentName="ann"))
    assert places(log, options=ReadOptions(cwd_rule=rule)) == {
        "a": (CWD, CwdSource.INFERRED),
        "b": (OTHER, CwdSource.SUPPLIED),
    }


def test_home_and_platform() -> None:
    one = read(data(session_start(0)))
    assert (one.home, one.home_source) == (HOME, CwdSource.INFERRED)
    assert (one.platform, one.platform_source) == (Platform.POSIX, CwdSource.INFERRED)
    two = read(data(session_start(0), session_start(9, "/Users/bo/x", home="/Users/bo"), asked(second=12)))
    assert (two.home, two.home_source) == (None, CwdSource.AMBIGUOUS)
    assert two.calls[0].home == "/Users/bo"
    none = read(data(asked()))
    assert (none.home, none.home_source) == (None, CwdSource.UNKNOWN)
    assert (none.platform, none.platform_source) == (None, CwdSource.UNKNOWN)
    windows = line("config.resolved", at(), agentsDir="C:\\u\\.pi\\agent\\agents")
    assert read(data(windows)).platform is Platform.WIN32


def test_calls_that_no_directory_decides_are_exact_all_the_same() -> None:
    message = "Current agent requested tool 'plant' with input {\"n\":1}. Allow this call?"
    tool = {"toolName": "plant", "toolInputPreview": 'input {"n":1}', "message": message}
    reading = read(data(session_start(0), prompt("waiting", at(5), **tool)))
    assert reading.calls[0].exactness is Exactness.EXACT
    assert reading.cases[0].input == {"n": 1}


def test_the_least_certain_call_decides_how_far_a_case_can_be_trusted() -> None:
    hit = {"toolCallId": "b", "toolName": "bash", "command": "cat /a", "externalPaths": ["/a"]}
    log = data(session_start(0), external("a", 5), gate("session_approved", at(9), **hit), external("c", 12))
    (case,) = read(log).cases
    assert (case.occurrences, case.lines) == (3, 5)
    assert (case.cwd_source, case.exactness) == (CwdSource.INFERRED, Exactness.ASSUMED)


@pytest.mark.parametrize(
    ("pairs", "links"),
    [
        ([("/etc/a", "/private/etc/a")], (("/etc", "/private/etc"),)),
        ([("/etc", "/private/etc")], (("/etc", "/private/etc"),)),
        ([("/w/l/a", "/opt/l/a")], (("/w/l/a", "/opt/l/a"),)),
        ([("/w/l/a", "/opt/v/a"), ("/w/l/b", "/opt/v/b")], (("/w/l", "/opt/v"),)),
        (
            [("/w/l/x/a", "/o/x/a"), ("/w/l/x/b", "/o/x/b"), ("/w/l/y", "/o/y")],
            (("/w/l", "/o"), ("/w/l/x", "/o/x")),
        ),
        ([("/w/a", "/o/b")], (("/w/a", "/o/b"),)),
        ([("/w/l", "/o/l"), ("/w/l/a", "/o/l/a"), ("/w/l/b", "/o/l/b")], (("/w/l", "/o/l"),)),
        ([("/w/l", "/o/l"), ("/w/l/a/b", "/o/l/a/b")], (("/w/l", "/o/l"),)),
        ([("/w/l/a//b/", "/o/v/a/b")], (("/w/l/a/b", "/o/v/a/b"),)),
        ([("/w/l/../k/a", "/o/k/a"), ("/w/k/b/", "/o/k/b")], (("/w/k", "/o/k"),)),
        ([], ()),
    ],
)
def test_links_that_explain_what_sentences_say(
    pairs: list[tuple[str, str]], links: tuple[tuple[str, str], ...]
) -> None:
    assert links_of(pairs) == links


def test_links_are_collected_from_sentences() -> None:
    log = data(asked("cat l", message=external_message("cat l", "/etc/l (resolves to '/private/etc/l')")))
    assert read(log).links == (("/etc", "/private/etc"),)
