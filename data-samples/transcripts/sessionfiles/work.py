"""What an agent does in the shop, in no agent's own words."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from shoplog.chance import BASE58, HEX, Chance
from shoplog.commands import AREAS, LIBRARIES, SERVICES, STEMS, WORDS

RAN, FAILED, REFUSED, DROPPED, OPEN = "ran", "failed", "refused", "dropped", "open"
"""What becomes of a step; an open one has no result, because the agent was killed."""


@dataclass(frozen=True, slots=True)
class Step:
    """One tool call, named as the permission system names it, and what became of it."""

    tool: str
    input: Mapping[str, Any]
    fate: str = RAN
    result: str = "done"
    id: str = ""
    moment: datetime | None = None


def bash(command: str, result: str = "done", fate: str = RAN) -> Step:
    """Return a shell command."""
    return Step("bash", {"command": command}, fate, result)


def quiet(chance: Chance) -> Step:
    """Return a step that the sample's policy lets through in silence."""
    area, stem = chance.pick(AREAS), chance.pick(STEMS)
    file = f"src/{area}/{stem}.ts"
    word = chance.pick(WORDS)
    steps = (
        bash("git status --short", f" M {file}"),
        bash(f"git diff src/{area}", f"diff --git a/{file} b/{file}"),
        bash(f"git log --oneline -n {chance.between(3, 12)}", "5f2e91c fix(cart): rounding"),
        bash(f"rg -n '{word}' src/{area}", "(no output)\n\nCommand exited with code 1", FAILED),
        bash(f"rg -l '{stem}' src | sort", file),
        bash(f"ls src/{area}", f"{stem}.ts"),
        bash(f"sed -n '1,{chance.between(20, 90)}p' {file}", "export const total = 0"),
        bash(f"cat services/{chance.pick(SERVICES)}/README.md", "# Service"),
        bash(f"npm ls {chance.pick(LIBRARIES)}", "shop@1.0.0"),
        bash(f"cd src/{area} && wc -l {stem}.ts", "118"),
        Step("read", {"path": file}, RAN, "export const total = 0"),
        Step("read", {"path": f"src/{area}/gone.ts"}, FAILED, f"ENOENT: no such file src/{area}/gone.ts"),
        Step("grep", {"pattern": word, "path": "src"}, RAN, file),
        Step("find", {"pattern": f"{stem}*.ts", "path": f"src/{area}"}, RAN, file),
        Step("ls", {"path": f"src/{area}"}, RAN, f"{stem}.ts"),
        edit(file, "netPrice", "net_price"),
        Step("write", {"path": f"docs/{area}.md", "content": f"# {area}\n\n{word}\n"}),
    )
    return chance.pick(steps)


def asked(chance: Chance) -> Step:
    """Return a step that people would be asked about; some of these they refuse."""
    area, stem = chance.pick(AREAS), chance.pick(STEMS)
    steps = (
        bash("npm test", "412 passed"),
        bash(f"npm test -- src/{area}", "1 failed\n\nCommand exited with code 1", FAILED),
        bash(f"git add src/{area}"),
        bash("git push --force", "", REFUSED),
        bash(f"rm -rf src/{area}/__snapshots__", "", REFUSED),
        bash("docker compose up -d db", "Started"),
        Step("write", {"path": f"src/{area}/{stem}.test.ts", "content": f"test.todo('{stem}')\n"}),
    )
    return chance.pick(steps)


def edit(path: str, old: str, new: str) -> Step:
    """Return an edit of one place."""
    return Step("edit", {"path": path, "edits": [{"oldText": old, "newText": new}]})


def mixed(chance: Chance, count: int) -> list[Step]:
    """Return so many steps, about every third of them one to ask about."""
    return [asked(chance) if chance.happens(0.33) else quiet(chance) for _ in range(count)]


def stamp(moment: datetime) -> str:
    """Return a moment as the agents write it."""
    return moment.strftime("%Y-%m-%dT%H:%M:%S.") + f"{moment.microsecond // 1000:03d}Z"


@dataclass(slots=True)
class Clock:
    """The time of a session; it only goes forward."""

    now: datetime
    chance: Chance

    def tick(self, low: int, high: int) -> datetime:
        """Go on by a random time in milliseconds and return the new moment."""
        self.now += timedelta(milliseconds=self.chance.between(low, high))
        return self.now

    def reach(self, moment: datetime) -> datetime:
        """Go on to a moment, unless it is past."""
        self.now = max(self.now, moment)
        return self.now


@dataclass(slots=True)
class Lines:
    """The lines of one file."""

    entries: list[dict[str, Any]] = field(default_factory=list)
    torn: bool = False
    """The agent was killed in the middle of the last line."""

    def put(self, **members: Any) -> dict[str, Any]:
        """Add one line."""
        self.entries.append(members)
        return members

    def text(self) -> str:
        """Return the file."""
        rows = [json.dumps(one, ensure_ascii=False, separators=(",", ":")) for one in self.entries]
        whole = "".join(f"{row}\n" for row in rows)
        return whole[: -len(rows[-1]) // 2] if self.torn else whole


def hexadecimal(chance: Chance, length: int) -> str:
    """Return random hexadecimal digits."""
    return chance.letters(HEX, length)


def anthropic_id(chance: Chance) -> str:
    """Return the identifier of a call as Anthropic's models give it."""
    return "toolu_01" + chance.letters(BASE58, 22)


def openai_id(chance: Chance) -> str:
    """Return the identifier of a call as OpenAI's models give it."""
    return "call_" + chance.letters(BASE58, 24)
