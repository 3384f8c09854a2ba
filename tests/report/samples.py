"""Reports for tests, made by replaying authored commands under two policies."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from audit.log.cases import Case, LineLedger, LogReading, Outcome
from audit.replay.run import replay
from audit.report.build import Making, build_report
from audit.report.model import Report
from tests.replay.builders import HOME, arms, case

BASELINE = {
    "*": "ask",
    "bash": {"*": "ask", "git *": "allow", "ls *": "allow", "cat *": "allow", "make deploy *": "deny"},
    "path": {"*.key": "deny", "wages*": "ask"},
    "external_directory": {"*": "ask"},
}
CANDIDATE = {
    "*": "ask",
    "bash": {
        "*": "ask",
        "git *": "allow",
        "git push *": "ask",
        "ls *": "allow",
        "cat *": "allow",
        "npm *": "allow",
        "make *": "allow",
    },
    "path": {"*.key": "deny"},
    "external_directory": {"*": "ask", "/var/log/*": "allow"},
}


def reading(cases: Sequence[Case], other: int = 3) -> LogReading:
    lines = sum(one.lines for one in cases)
    return LogReading(
        cases=tuple(cases),
        ledger=LineLedger(lines + other, {"call": lines, "blank": other}),
        eras={"E8": lines},
        rejects=(),
        digest="9f" * 32,
        first="2026-05-01T08:00:00.000Z",
        last="2026-07-02T18:00:00.000Z",
        case_classes=frozenset({"call"}),
    )


def sample_cases() -> list[Case]:
    approved, refused = {Outcome.APPROVED: 4}, {Outcome.APPROVED: 1, Outcome.DENIED: 1}
    return [
        case("npm install", 12, approved),
        case("npm run build", 3, {Outcome.UNAVAILABLE: 3}),
        case("npm publish", 2, refused),
        case("git push origin main", 9, {Outcome.APPROVED: 9}),
        case("git push --force origin main | tee out.txt", 1),
        case("make deploy now", 2, {Outcome.POLICY_DENIED: 2}),
        case("tail -f /var/log/syslog", 5, {Outcome.APPROVED: 5}),
        case("cat /var/log/auth.log && ls -l", 5, {Outcome.UNANSWERED: 5}),
        case("cat wages", 1, {Outcome.DENIED: 1}),
        case("ls wages # <b>|`x`", 1),
        case("cat server.key", 1, {Outcome.POLICY_DENIED: 1}),
        case("printf 'a\nb' > ../out", 2, {Outcome.APPROVED: 2}),
        case("read", 3, tool="read", given={"path": "notes.md"}),
    ]


def report(
    cases: Sequence[Case] | None = None,
    baseline: Mapping[str, object] | None = None,
    candidate: Mapping[str, object] | None = None,
) -> Report:
    used = sample_cases() if cases is None else list(cases)
    sides = arms(BASELINE if baseline is None else baseline, CANDIDATE if candidate is None else candidate)
    return build_report(
        reading(used),
        replay(used, *sides, processes=1),
        sides,
        Making("0.1.0", "permission-audit impact LOG --policy a.json --candidate-policy b.json"),
    )


__all__ = ["BASELINE", "CANDIDATE", "HOME", "reading", "report", "sample_cases"]
