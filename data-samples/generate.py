"""Make the sample review log.

    python data-samples/generate.py [-o OUT] [--seed N] [--scale PERCENT] [--policy FILE]

Standard library only; the same arguments give the same bytes on every platform. The traffic, the
people and the accidents are invented; the shapes of the lines are those of the releases that the
log's writer went through, and what was asked agrees with the policy that was in force
(`baseline.json` beside this script).
"""

from __future__ import annotations

import argparse
import sys
from datetime import datetime, timedelta
from pathlib import Path

from shoplog import lines
from shoplog.chance import Chance
from shoplog.era import ERAS, Era, later
from shoplog.judge import Judge, Rule, load
from shoplog.lines import Members
from shoplog.session import Manner, Session
from shoplog.traffic import Traffic

HERE = Path(__file__).resolve().parent
COMMANDS = 1400
"""Distinct shell commands to draw from."""
SECRETS = 3
"""Commands with a secret that each session of a masking era begins with."""
AGENTS = ("reviewer", "scout")


class Writer:
    """Collects lines with their moments; they are written in order of time."""

    def __init__(self) -> None:
        self._lines: list[tuple[datetime, int, str]] = []

    def put(self, moment: datetime, era: Era, event: str, members: Members) -> None:
        """Add one line."""
        self._lines.append((moment, len(self._lines), lines.line(moment, era, event, members)))

    def ordered(self) -> list[str]:
        """Return the lines as they stand in the file."""
        return [text for _, _, text in sorted(self._lines)]


def stretch(
    era: Era, rules: list[Rule], traffic: Traffic, chance: Chance, writer: Writer, scale: int
) -> None:
    """Write all sessions of one stretch of time."""
    sessions = max(1, era.sessions * scale // 100)
    for number in range(sessions):
        start = era.start + timedelta(days=number * era.days // sessions, hours=8, minutes=chance.below(480))
        manner = Manner(
            id=chance.uuid(),
            agent="builder" if number % 4 == 2 else None,
            headless=number % 16 == 5,
            yolo=era.serves and not era.masked and number % 15 == 7,
        )
        judge = Judge(rules, era.floors, yolo=manner.yolo)
        size = chance.between(18, 62)
        session = Session(era, manner, judge, chance, writer.put)
        shown = [traffic.secret() for _ in range(SECRETS if era.masked else 0)]
        session.run(start, shown + [traffic.draw() for _ in range(size)])
        if number % 3 == 1 and not manner.headless:
            child = Manner(id=chance.uuid(), agent=chance.pick(AGENTS), parent=manner.id)
            judge = Judge(rules, era.floors, yolo=False)
            Session(era, child, judge, chance, writer.put).run(
                later(start, chance.between(60_000, 600_000)), [traffic.draw() for _ in range(9)]
            )


def damaged(chance: Chance, texts: list[str]) -> list[str]:
    """Return the lines with the accidents of a real file: crashes, a full disk, an editor."""
    texts = list(texts)
    for accident in ("short", "hole", "tail", "glued", "noise", "blank", "blank"):
        at = 40 + chance.below(len(texts) - 80)
        text = texts[at]
        if accident == "short":
            texts[at] = text[: len(text) // 2]
        elif accident == "hole":
            texts[at] = "\0" * 64 + text[len(text) // 3 :]
        elif accident == "tail":
            texts[at] = text[len(text) // 2 :]
        elif accident == "glued":
            texts[at : at + 2] = [text + texts[at + 1]]
        elif accident == "noise":
            texts.insert(at, "Segmentation fault (core dumped)")
        else:
            texts.insert(at, "")
    return texts


def generate(seed: int, policy: Path, scale: int) -> str:
    """Return the whole log."""
    chance = Chance(seed)
    rules = load(policy)
    traffic = Traffic(chance, COMMANDS)
    writer = Writer()
    for era in ERAS:
        stretch(era, rules, traffic, chance, writer, scale)
    return "".join(f"{text}\n" for text in damaged(chance, writer.ordered()))


def main(arguments: list[str]) -> int:
    """Write the log; return the exit code."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("-o", "--out", type=Path, default=HERE / "review.jsonl", help="file to write")
    parser.add_argument("--seed", type=int, default=2026)
    parser.add_argument("--scale", type=int, default=100, help="sessions, in percent of the usual number")
    parser.add_argument("--policy", type=Path, default=HERE / "baseline.json", help="the policy in force")
    given = parser.parse_args(arguments)
    given.out.write_bytes(generate(given.seed, given.policy, given.scale).encode())
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
