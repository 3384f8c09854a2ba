"""Speed, measured side by side in one run: what counts are the ratios.

    python bench/run.py [--rounds N] [--million] [--write docs/benchmarks.md]

Parsing alone, the full decision and, where Node and the black-box runner over the published package are
present, that package's own decision go over the same commands; a replay and a summary go over a made log.
Without the material beside the repository (`../shared`) the commands of the sample log are taken, and what
cannot be measured is named with the reason.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import TypeVar

import msgspec

from audit.core.bash.parser import parse
from audit.core.call import shell
from audit.core.decide import Judge
from audit.core.ecma import to_code_units
from audit.core.place import Place
from audit.core.policy.compose import PolicySources, compose
from audit.core.policy.document import read_policy
from audit.core.revision import LATEST
from audit.files import open_logs
from audit.log.line import decode_gate_entry
from audit.log.read import read_logs

T = TypeVar("T")

ROOT = Path(__file__).resolve().parents[1]
SHARED = ROOT.parent / "shared"
COMMANDS = SHARED / "corpus" / "bench-commands.txt"
POLICIES = SHARED / "vectors" / "policies.json"
ORACLE = SHARED / "oracle"
MAKE_LOG = SHARED / "logs" / "make_log.py"
PLACE = Place("/srv/project", "/home/user")
WARM_UP = "cat ./x /tmp/x"
TURN = 100
BEGIN, END = "<!-- figures: begin -->", "<!-- figures: end -->"


@dataclass(frozen=True)
class Rate:
    """Commands a second over several rounds."""

    name: str
    rounds: tuple[float, ...]

    @property
    def middle(self) -> float:
        return median(self.rounds)

    def row(self) -> str:
        low, high = min(self.rounds), max(self.rounds)
        return f"| {self.name} | {self.middle:,.0f} | {low:,.0f} to {high:,.0f} |"


def commands() -> tuple[list[str], PolicySources, str]:
    """Return the commands, the policy and what they are."""
    if COMMANDS.exists() and POLICIES.exists():
        texts = [json.loads(line) for line in COMMANDS.read_text("utf-8").splitlines()]
        rules = json.loads(POLICIES.read_text("utf-8"))["reader"]
        return texts, PolicySources(permission=rules), f"{len(texts):,} real commands, policy `reader`"
    reading = read_logs(open_logs([str(ROOT / "data-samples" / "review.jsonl")]))
    texts = [text for case in reading.cases if isinstance(text := case.input.get("command"), str)]
    policy = ROOT / "data-samples" / "baseline.json"
    return (
        texts,
        read_policy(policy.read_text("utf-8"), policy.name).sources,
        f"{len(texts):,} commands of the sample",
    )


def seconds(work: Callable[[T], object], given: Sequence[T]) -> float:
    """Return how long the work takes over all that is given."""
    started = time.perf_counter()
    for item in given:
        work(item)
    return time.perf_counter() - started


def in_process(texts: Sequence[str], sources: PolicySources, rounds: int) -> tuple[Rate, Rate]:
    """Measure parsing alone and the full decision, a hundred commands of each in turn.

    So whatever else the machine does slows both alike. Each round begins with a new judge, which has read
    nothing yet.
    """
    units = [to_code_units(text) for text in texts]
    calls = [shell(text) for text in texts]
    parsed: list[float] = []
    decided: list[float] = []
    for _ in range(rounds):
        judge = Judge(compose(sources), PLACE, LATEST)
        judge.decide(shell(WARM_UP))
        parsing = deciding = 0.0
        for start in range(0, len(texts), TURN):
            parsing += seconds(parse, units[start : start + TURN])
            deciding += seconds(judge.decide, calls[start : start + TURN])
        parsed.append(len(texts) / parsing)
        decided.append(len(texts) / deciding)
    return Rate("tree-sitter parsing alone", tuple(parsed)), Rate("full decision", tuple(decided))


def package(texts: Sequence[str]) -> Iterator[Rate | str]:
    """Measure the published package's own decision, or say why that is not possible."""
    if not ORACLE.is_dir() or not POLICIES.exists():
        yield "the published package was not measured: the runner over it is not beside the repository"
        return
    if shutil.which("node") is None or shutil.which("npm") is None:
        yield "the published package was not measured: Node is not installed"
        return
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "oracle"
        shutil.copytree(ORACLE, folder, copy_function=shutil.copy)
        folder.chmod(0o755)
        (folder / "build" / "npm").mkdir(parents=True)
        source = "node_modules/@gotgenes/pi-permission-system/src"
        subprocess.run(["npm", "install", "--legacy-peer-deps"], cwd=folder, check=True, capture_output=True)
        subprocess.run(
            ["node", "build.mjs", source, "build/npm"], cwd=folder, check=True, capture_output=True
        )
        (folder / "build" / "npm" / "rev.json").write_text('{"rev":"npm","version":"20.7.3"}')
        rules = json.loads(POLICIES.read_text("utf-8"))["reader"]
        (folder / "bench-policy.json").write_text(json.dumps({"permission": rules}))
        (folder / "commands.txt").write_text("".join(json.dumps(text) + "\n" for text in texts))
        for label, extra in (("on the disk", []), ("with links from memory", ["--virtual"])):
            words = ["node", "runner.mjs", "--bench", "commands.txt", *extra]
            ran = subprocess.run(words, cwd=folder, check=True, capture_output=True)
            found = json.loads(ran.stdout)["decision"]["runs"]
            yield Rate(f"published package 20.7.3, decision {label}", tuple(map(float, found)))


def made_log(lines: int, folder: Path) -> Path | None:
    """Return a made log of about so many lines, or None without the means."""
    if not MAKE_LOG.exists():
        return None
    path = folder / f"log-{lines}.jsonl"
    subprocess.run([sys.executable, str(MAKE_LOG), str(lines), "-o", str(path)], check=True)
    return path


def whole_commands(folder: Path) -> Iterator[str]:
    """Time whole commands over a made log, start-up included."""
    log = made_log(20_000, folder)
    if log is None:
        yield "no made log: its maker is not beside the repository"
        return
    policies = json.loads(POLICIES.read_text("utf-8"))
    for name in ("reader", "permissive"):
        (folder / f"{name}.json").write_text(json.dumps({"permission": policies[name]}))
    words = ["--policy", "reader.json", "--candidate-policy", "permissive.json"]
    for label, arguments in (
        ("`impact` over 20,000 lines", ["impact", log.name, *words, "-o", "report.txt"]),
        ("`summary` over 20,000 lines", ["summary", log.name, "-o", "summary.txt"]),
    ):
        seconds = [_seconds([sys.executable, "-m", "audit", *arguments], folder) for _ in range(3)]
        yield f"| {label} | {median(seconds):.1f} s | {min(seconds):.1f} to {max(seconds):.1f} s |"


def two_cores(folder: Path) -> Iterator[str]:
    """Time the comparison of two revisions of the core, one of which looks and so replays twice."""
    log = made_log(90_000, folder)
    if log is None:
        return
    place = ["--cwd", "/home/user/src/storefront", "--home", "/home/user", "--platform", "posix"]
    words = ["impact", log.name, "--policy", "reader.json", "--candidate-core", "r25", *place]
    seconds = _seconds(
        [sys.executable, "-m", "audit", *words, "--format", "json", "-o", "cores.json"], folder
    )
    commands = json.loads((folder / "cores.json").read_text("utf-8"))["matrix"]["population"]["commands"]
    yield f"| `impact` of cores 20.7.3 and r25, {commands:,} distinct commands | {seconds:.1f} s | |"


_LARGEST = """
import resource, subprocess, sys
subprocess.run(sys.argv[1:], check=True)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024 // 1000)
"""
"""Runs a command and tells the kilobytes of its largest process. It is a process of its own because one that
is started counts the memory of the one it was started from."""


def million(folder: Path) -> Iterator[str]:
    """Hold the ingest of a million lines against a bare loop that decodes the same lines."""
    log = made_log(1_000_000, folder)
    if log is None:
        yield "no made log: its maker is not beside the repository"
        return
    started = time.perf_counter()
    with log.open("rb") as lines:
        for line in lines:
            try:
                decode_gate_entry(line)
            except msgspec.MsgspecError:
                continue
    bare = time.perf_counter() - started
    words = [sys.executable, "-m", "audit", "ingest", log.name, "-o", "cases"]
    started = time.perf_counter()
    told = subprocess.run(
        [sys.executable, "-c", _LARGEST, *words],
        cwd=folder,
        check=True,
        capture_output=True,
        env=_environment(),
    )
    seconds = time.perf_counter() - started
    peak = int(told.stdout.splitlines()[-1]) / 1000
    yield f"| bare decoding of 1,000,000 lines | {bare:.1f} s | |"
    times = seconds / bare
    yield f"| `ingest` of them | {seconds:.1f} s, {times:.2f} times | largest process {peak:,.0f} MB |"


def _seconds(words: Sequence[str], folder: Path) -> float:
    started = time.perf_counter()
    subprocess.run(words, cwd=folder, check=True, capture_output=True, env=_environment())
    return time.perf_counter() - started


def _environment() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(ROOT)}


def figures(rounds: int, *, with_million: bool) -> list[str]:
    """Return the page's figures as lines of Markdown."""
    texts, sources, what = commands()
    parsing, deciding = in_process(texts, sources, rounds)
    lines = [
        f"Python {platform.python_version()}, {platform.machine()}, {os.cpu_count()} processors, one "
        f"process. {what}; {rounds} alternating rounds.",
        "",
        "| what | commands a second, median | rounds |",
        "| --- | ---: | --- |",
        parsing.row(),
        deciding.row(),
    ]
    packages = list(package(texts))
    lines += [found.row() for found in packages if isinstance(found, Rate)]
    pairs = [one / other for one, other in zip(parsing.rounds, deciding.rounds, strict=True)]
    lines += ["", f"- A full decision takes {median(pairs):.2f} times as long as parsing alone "
              f"({min(pairs):.2f} to {max(pairs):.2f})."]  # fmt: skip
    lines += [
        f"- It is {deciding.middle / found.middle:.1f} times as fast as the {found.name}."
        if isinstance(found, Rate)
        else f"- Here {found}."
        for found in packages
    ]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        lines += ["", "| whole command | wall time | |", "| --- | ---: | --- |", *whole_commands(folder)]
        lines += two_cores(folder)
        if with_million:
            lines += million(folder)
    return lines


def main() -> None:
    """Measure, print, and write the figures into a page if asked."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--million", action="store_true", help="time the ingest of a million lines, too")
    parser.add_argument("--write", type=Path, help="put the figures into this page, between its marks")
    given = parser.parse_args()
    text = "\n".join(figures(given.rounds, with_million=given.million))
    sys.stdout.write(text + "\n")
    if given.write is not None:
        page = given.write.read_text("utf-8")
        marked = re.compile(f"{re.escape(BEGIN)}.*{re.escape(END)}", re.DOTALL)
        given.write.write_text(marked.sub(lambda _: f"{BEGIN}\n{text}\n{END}", page), "utf-8")


if __name__ == "__main__":
    main()
