"""Record the authored vectors with the published package.

    python tests/vectors/record.py ORACLE [OUT]

`ORACLE` is a folder that holds the black-box runner over the npm package
`@gotgenes/pi-permission-system` 20.7.3: `runner.mjs`, its `build` folder and `node_modules`
(`npm install`, then `node build.mjs`, as the runner's own README says; Node 20 or later). `OUT` is
the file to write, `authored.jsonl` beside this script when it is left out.

The cases come from the `witnesses` package beside this script; their `expect` comes from the runner
alone, renamed to the words of the engine protocol. Nothing in it is written by hand.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

Json = dict[str, Any]

HERE = Path(__file__).resolve().parent
OUT = HERE / "authored.jsonl"


class RecordError(Exception):
    """The runner did not answer a request as it should."""


def policy_request(policy: Json) -> Json:
    """Return the runner's request that sets one policy line."""
    body = {key: value for key, value in policy.items() if key != "policy_named"}
    return {"id": None, "set_policy": body, "name": policy["policy_named"]}


def case_request(number: int, vector: Json) -> Json:
    """Return the runner's request for one vector; `number` comes back as the answer's id."""
    place = vector["place"]
    call = vector["call"]
    return {
        "id": number,
        "kind": "tool",
        "toolName": call["tool"],
        "input": call["input"],
        "policy": vector["policy"],
        "agent": vector.get("agent"),
        "cwd": place["cwd"],
        "home": place["home"],
        "platform": place["platform"],
        "realpath": place["realpath"],
    }


def _renamed(item: Json, names: dict[str, str]) -> Json:
    return {names[key]: value for key, value in item.items() if key in names and value is not None}


UNIT = {"text": "text", "context": "context", "wrapper": "wrapper", "wrapperKind": "wrapper"}
EXTERNAL = {"value": "value", "matchValues": "match_values", "boundary": "boundary"}
CANDIDATE = {"token": "token", "values": "values"}
GATE = {
    "gate": "gate",
    "outcome": "outcome",
    "surface": "surface",
    "value": "value",
    "state": "state",
    "origin": "origin",
    "context": "context",
    "paths": "paths",
    "matchedPattern": "matched_pattern",
}


def expect(answer: Json) -> Json:
    """Return what a vector expects, from one answer of the runner."""
    if "error" in answer:
        raise RecordError(f"the runner failed on request {answer.get('id')}: {answer['error']}")
    if answer["decision"] not in ("allow", "ask", "deny"):
        raise RecordError(f"the package threw on request {answer['id']}: {answer.get('reason')}")

    def listed(name: str, names: dict[str, str]) -> list[Json] | None:
        items = answer.get(name)
        return None if items is None else [_renamed(item, names) for item in items]

    return {
        "decision": answer["decision"],
        "first": answer["first"],
        "units": listed("units", UNIT),
        "external": listed("external", EXTERNAL),
        "candidates": listed("candidates", CANDIDATE),
        "gates": listed("gates", GATE),
    }


def ask(oracle: Path, requests: Iterable[Json]) -> Iterator[Json]:
    """Send requests to the runner and return its answers, one for each, in order."""
    text = "".join(json.dumps(request) + "\n" for request in requests)
    done = subprocess.run(
        ["node", "runner.mjs"], cwd=oracle, input=text.encode(), capture_output=True, check=False
    )
    if done.returncode != 0:
        raise RecordError(f"the runner ended with {done.returncode}: {done.stderr.decode()[-2000:]}")
    # Split at line feeds alone: a text line separator may stand inside an answer.
    for line in done.stdout.decode().split("\n"):
        if line:
            yield json.loads(line)


def record(oracle: Path, policies: list[Json], vectors: list[Json]) -> list[Json]:
    """Return the vectors with their `expect` as the runner answers it."""
    requests = [policy_request(policy) for policy in policies]
    requests += [case_request(number, vector) for number, vector in enumerate(vectors)]
    answers = {a.get("id"): a for a in ask(oracle, requests) if "policy" not in a}
    missing = [vector["id"] for number, vector in enumerate(vectors) if number not in answers]
    if missing:
        raise RecordError(f"no answer for {', '.join(map(str, missing))}")
    return [{**vector, "expect": expect(answers[number])} for number, vector in enumerate(vectors)]


def dumped(lines: Iterable[Json]) -> str:
    """Return lines as the vector file holds them: ASCII, no spaces, one object a line."""
    return "".join(json.dumps(line, separators=(",", ":")) + "\n" for line in lines)


def main(arguments: list[str]) -> int:
    """Record all witnesses; return the exit code."""
    if not 1 <= len(arguments) <= 2:
        sys.stderr.write(f"{__doc__}\n")
        return 2
    from witnesses import POLICIES, vectors  # noqa: PLC0415  (a caller of the converter needs no cases)

    out = Path(arguments[1]) if len(arguments) == 2 else OUT
    recorded = record(Path(arguments[0]), POLICIES, vectors())
    out.write_text(dumped([*POLICIES, *recorded]), encoding="ascii")
    sys.stderr.write(f"{len(recorded)} vectors, {len(POLICIES)} policies\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
