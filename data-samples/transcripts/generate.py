"""Make the sample session files of three coding agents.

    python data-samples/transcripts/generate.py [-o FOLDER] [--seed N] [--log FILE]

Standard library only; the same arguments give the same bytes on every platform. Pi's sessions hold
the calls that three days of the sample's review log have, under the same identifiers, and beside
them the calls that the policy let through in silence. The other agents' sessions are work of the same
kind that this log never watched.
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from sessionfiles.claude_code import ClaudeCodeSession  # noqa: E402
from sessionfiles.codex import CodexSession  # noqa: E402
from sessionfiles.logged import steps_of  # noqa: E402
from sessionfiles.pi import PiSession  # noqa: E402
from sessionfiles.work import DROPPED, FAILED, Clock, Step, mixed, openai_id, quiet  # noqa: E402
from shoplog.chance import Chance  # noqa: E402

DAYS = ("2026-07-14", "2026-07-15", "2026-07-16")
SUBAGENTS = ("scout", "reviewer")
FORKED_ENTRIES = 40
ROOM = timedelta(seconds=6)
"""What a silent step takes at most, with its result."""

Files = dict[str, str]


def at(text: str) -> datetime:
    """Return a moment in UTC."""
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


def pi_files(chance: Chance, log: Path) -> Files:
    """Return a session for each day, one for its subagent, and a fork of the last day's."""
    sessions: list[PiSession] = []
    for day in DAYS:
        steps = steps_of(log, day)
        mine = [(agent, step) for agent, step in steps if agent not in SUBAGENTS]
        agent = mine[0][0]
        parent = pi_session(chance, [step for _, step in mine], agent)
        sessions.append(parent)
        for name in SUBAGENTS:
            theirs = [step for who, step in steps if who == name]
            if theirs:
                sessions.append(pi_session(chance, theirs, name))
    last = sessions[-1]
    clock = Clock(at("2026-07-16T15:20:00"), chance)
    fork = PiSession(
        clock, chance.uuid(), origin=f"/home/dev/.pi/agent/sessions/--home-dev-shop--/{last.name}"
    )
    fork.begin_as(last, FORKED_ENTRIES)
    fork.say("Try it the other way round.")
    for _ in range(6):
        fork.work([quiet(chance)])
    fork.lines.torn = True
    return {f"pi/{session.name}": session.lines.text() for session in [*sessions, fork]}


def pi_session(chance: Chance, steps: list[Step], agent: str | None) -> PiSession:
    """Return a session with the logged steps and silent ones between them."""
    begun = min(step.moment for step in steps if step.moment is not None)
    clock = Clock(begun - timedelta(minutes=2), chance)
    session = PiSession(clock, chance.uuid(), agent=agent)
    session.say("The cart total is a cent off for three vouchers. Find out why.")
    for number, step in enumerate(steps):
        for _ in range(chance.below(4)):
            if step.moment is not None and step.moment - clock.now > ROOM:
                session.work([quiet(chance)])
        if number % 20 == 11:
            dropped = replace(quiet(chance), fate=DROPPED)
            session.work([step, dropped], "Both at once.")
            session.say("Wait, first the failing test.")
        else:
            session.work([step])
        if number % 25 == 17:
            session.user_command("git status")
            session.mark("compaction", summary="Looked for the cent.", tokensBefore=51_200)
    session.mark("weather", outlook="unsettled")
    return session


def claude_code_files(chance: Chance) -> Files:
    """Return a session with a subagent, and the session that resumed it."""
    clock = Clock(at("2026-07-15T13:05:00"), chance)
    session = ClaudeCodeSession(clock, chance.uuid())
    session.lines.put(type="summary", summary="Voucher totals", leafUuid=chance.uuid())
    session.lines.put(type="file-history-snapshot", messageId=chance.uuid(), snapshot={})
    session.say("Vouchers are rounded twice. Fix it.")
    session.work(mixed(chance, 18))
    started = session.call(
        "Task", {"subagent_type": "reviewer", "description": "Review", "prompt": "Look at it."}
    )
    subagent = ClaudeCodeSession(clock, session.session, chance.letters("0123456789abcdef", 17))
    subagent.say("Look at it.")
    subagent.work(mixed(chance, 7))
    session.tell_of(started, subagent)
    done = {"status": "completed", "agentId": subagent.subagent}
    session.result(started, "Looks right.", toolUseResult=done)
    call = session.call("mcp__db__query", {"sql": "select count(*) from vouchers"})
    session.result(call, "41")
    call = session.call(
        "WebFetch", {"url": "https://docs.till.example/money", "prompt": "How are halves rounded?"}
    )
    session.result(call, "To even.")
    session.work(mixed(chance, 9))
    session.put("system", subtype="turn_duration", durationMs=184_000)
    clock.reach(at("2026-07-15T16:40:00"))
    resumed = ClaudeCodeSession(clock, chance.uuid())
    resumed.begin_as(session)
    resumed.say("And the invoices?")
    resumed.work(mixed(chance, 10))
    folder = "claude-code/-home-dev-shop"
    return {
        f"{folder}/{session.session}.jsonl": session.lines.text(),
        f"{folder}/{session.session}/subagents/agent-{subagent.subagent}.jsonl": subagent.lines.text(),
        f"{folder}/{resumed.session}.jsonl": resumed.lines.text(),
    }


def codex_files(chance: Chance) -> Files:
    """Return a rollout of each shape, and a fork."""
    old = CodexSession(Clock(at("2025-08-18T09:12:00"), chance), chance.uuid(), wrapped=False)
    old.say("Why is the checkout slow?")
    old.work(mixed(chance, 12))

    clock = Clock(at("2026-07-14T15:02:00"), chance)
    wrapped = CodexSession(clock, chance.uuid(), wrapped=True)
    wrapped.say("Move the prices into the money type.")
    wrapped.work(mixed(chance, 20))
    call = openai_id(chance)
    wrapped.function(call, "query", {"sql": "select 1"}, namespace="mcp__db")
    invocation = {"server": "db", "tool": "query", "arguments": {"sql": "select 1"}}
    wrapped.event("mcp_tool_call_end", call_id=call, invocation=invocation, result={"Ok": {"isError": False}})
    wrapped.output(call, "1")
    wrapped.event("token_count", info=None)
    clock.reach(at("2026-07-14T17:30:00"))
    fork = CodexSession(clock, chance.uuid(), wrapped=True, forked_from_id=wrapped.session)
    fork.begin_as(wrapped)
    fork.work(mixed(chance, 6))

    scripts = CodexSession(
        Clock(at("2026-07-16T18:10:00"), chance), chance.uuid(), wrapped=True, history_mode="paginated"
    )
    scripts.say("Which tests touch the vouchers?")
    for _ in range(5):
        scripts.script(
            [replace(step, fate=FAILED if step.fate == DROPPED else step.fate) for step in mixed(chance, 3)]
        )
    sessions = (old, wrapped, fork, scripts)
    return {f"codex/{session.name}": session.lines.text() for session in sessions}


def main(arguments: list[str]) -> int:
    """Write the files; return the exit code."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("-o", "--out", type=Path, default=HERE, help="folder to write to")
    parser.add_argument("--seed", type=int, default=2026)
    parser.add_argument("--log", type=Path, default=HERE.parent / "review.jsonl", help="the sample's log")
    given = parser.parse_args(arguments)
    # Seeds of their own: with the log's seed the silent calls would get identifiers that the log has.
    pi, claude_code, codex = (Chance(10 * given.seed + one) for one in (1, 2, 3))
    files = pi_files(pi, given.log) | claude_code_files(claude_code) | codex_files(codex)
    for name, text in files.items():
        path = given.out / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode())
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
