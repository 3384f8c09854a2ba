"""Two engines over many commands: every difference in a decision or in what stands behind it.

    python -m tests.engines.differential N [SEED]                     generated commands
    python -m tests.engines.differential --corpus FOLDER [POLICIES]   commands of a folder's `*.jsonl` files,
                                                                      every policy, both platforms

The published package (`package:`, where PACKAGE says or below `node/`) against `core:20.7.3`. All processors
take part. The exit code is 1 for a difference, which is printed as a case that can be run again.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from itertools import islice
from multiprocessing import get_context
from pathlib import Path
from random import Random, SystemRandom
from typing import Any

from audit.core.call import ToolCall
from audit.core.place import Place, Platform
from audit.core.revision import revision
from audit.engines.inprocess import InProcessEngine
from audit.engines.process import ProcessEngine, open_process
from audit.engines.spec import EngineChoice, choose_engine
from audit.protocol.engine import Answer, Failed, Question
from audit.protocol.messages import decision_message, failure_message, place_message
from tests.core.bash.generate import commands

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = Path(os.environ.get("PACKAGE", ROOT / "node"))
OURS = "20.7.3"
POLICIES: dict[str, dict[str, Any]] = json.loads((Path(__file__).parent / "policies.json").read_text("utf-8"))
LINKS = (("/srv/project/link", "/etc"), ("/tmp", "/private/tmp"))  # noqa: S108
PLACES = (
    Place("/srv/project", "/home/user"),
    Place("/srv/project/sub", "/home/user", links=LINKS),
    Place("C:\\Proj\\app", "C:\\Users\\user", Platform.WIN32),
)
CHUNK = 500


@dataclass(frozen=True)
class Chunk:
    """Commands to put to both engines under one policy in one place."""

    policy: str
    place: Place
    commands: tuple[str, ...]


def questions(chunk: Chunk) -> list[Question]:
    return [
        Question(ToolCall("bash", {"command": command}), chunk.place, chunk.policy)
        for command in chunk.commands
    ]


def shown(answer: Answer) -> dict[str, Any]:
    if isinstance(answer, Failed):
        return failure_message(None, answer)
    return decision_message(None, answer.decision)


def differences(theirs: ProcessEngine, ours: InProcessEngine, chunk: Chunk) -> Iterator[dict[str, Any]]:
    """Yield each command that the engines answer differently; a failure of either side is a difference."""
    asked = questions(chunk)
    for question, answer in zip(asked, theirs.answers(asked), strict=True):
        one, other = shown(answer), shown(ours.answer(question))
        if one != other or one["type"] == "failure":
            yield {
                "command": question.call.input["command"],
                "policy": chunk.policy,
                "place": place_message(chunk.place),
                "theirs": {key: value for key, value in one.items() if value != other.get(key)},
                "ours": {key: value for key, value in other.items() if value != one.get(key)},
            }


def generated(number: int, seed: int) -> Iterator[Chunk]:
    """Yield commands in chunks, each under a policy and in a place of its own, all from one seed."""
    random = Random(seed)  # noqa: S311 - the same commands for the same seed are wanted
    source = commands(seed)
    for at in range(0, number, CHUNK):
        policy, place = random.choice(tuple(POLICIES)), random.choice(PLACES)
        yield Chunk(policy, place, tuple(islice(source, min(CHUNK, number - at))))


def corpus(folder: Path, policies: Iterable[str]) -> Iterator[Chunk]:
    """Yield every distinct command of a folder's files, under each policy and on both platforms."""
    found: dict[str, None] = {}
    for file in sorted(folder.glob("*.jsonl")):
        with file.open(encoding="utf-8") as lines:
            found.update((json.loads(line)["command"], None) for line in lines)
    distinct = list(found)
    for place in (PLACES[1], PLACES[2]):
        for policy in policies:
            for at in range(0, len(distinct), CHUNK):
                yield Chunk(policy, place, tuple(distinct[at : at + CHUNK]))


_engines: list[tuple[ProcessEngine, InProcessEngine]] = []


def start(choice: EngineChoice, policies: dict[str, dict[str, Any]]) -> None:
    assert choice.program is not None
    ours = InProcessEngine(revision(OURS))
    for name, policy in policies.items():
        assert ours.define(name, policy) is None
    _engines[:] = [(open_process(choice.program, policies), ours)]


def compare(chunk: Chunk) -> list[dict[str, Any]]:
    return list(differences(*_engines[0], chunk))


def shortened(case: dict[str, Any], choice: EngineChoice, policies: dict[str, dict[str, Any]]) -> str:
    """Return the shortest command that still differs, by leaving out pieces, ever smaller ones."""
    start(choice, policies)
    place = next(place for place in PLACES if place_message(place) == case["place"])
    text: str = case["command"]
    size = max(1, len(text) // 2)
    while size:
        smaller = [text[:at] + text[at + size :] for at in range(0, len(text), size)]
        failing = compare(Chunk(case["policy"], place, tuple(smaller)))
        if failing:
            text = failing[0]["command"]
        else:
            size //= 2
    return text


def run(chunks: Sequence[Chunk], choice: EngineChoice, policies: dict[str, dict[str, Any]]) -> int:
    """Compare all chunks with all processors, print what differs, and return how many commands do."""
    total = sum(len(chunk.commands) for chunk in chunks)
    found: list[dict[str, Any]] = []
    done = 0
    with ProcessPoolExecutor(
        mp_context=get_context("spawn"), initializer=start, initargs=(choice, policies)
    ) as pool:
        results = zip(chunks, pool.map(compare, chunks), strict=True)
        for number, (chunk, differing) in enumerate(results, 1):
            done += len(chunk.commands)
            found += differing
            for case in differing[:3]:
                print(json.dumps(case), flush=True)
            if number % 40 == 0:
                print(f"{done:,} of {total:,} decided, {len(found):,} differ", file=sys.stderr, flush=True)
    print(f"{done:,} of {total:,} decisions compared, {len(found):,} differ")
    if found:
        case = min(found, key=lambda case: len(case["command"]))
        print(f"shortest: {json.dumps({**case, 'command': shortened(case, choice, policies)})}")
    return len(found)


def main(arguments: Sequence[str]) -> int:
    choice = choose_engine(f"package:{PACKAGE}")
    if arguments[:1] == ["--corpus"]:
        named = json.loads(Path(arguments[2]).read_text("utf-8")) if len(arguments) > 2 else {}
        policies = {name: {"permission": permission} for name, permission in named.items()} or POLICIES
        chunks = list(corpus(Path(arguments[1]), policies))
    else:
        number = int(arguments[0]) if arguments else 100_000
        seed = int(arguments[1]) if len(arguments) > 1 else SystemRandom().randrange(1 << 32)
        print(f"seed {seed}")
        policies, chunks = POLICIES, list(generated(number, seed))
    return 1 if run(chunks, choice, policies) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
