"""Engines that misbehave, as programs: `python misbehaving.py KIND`. Each is decent until it is not."""

from __future__ import annotations

import json
import sys
import time

KIND = sys.argv[1]
DETAILS = {"coarse": ["decision"], "gates": ["decision", "gates"], "unknown-detail": ["decision", "colour"]}


def say(message: object) -> None:
    sys.stdout.write((message if isinstance(message, str) else json.dumps(message)) + "\n")
    sys.stdout.flush()


def gate(state: str, name: str = "tool") -> dict[str, object]:
    return {"gate": name, "outcome": "check", "state": state, "surface": "bash", "value": "v"}


def decision(number: object, **changed: object) -> dict[str, object]:
    whole = {"type": "decision", "id": number, "decision": "ask", "first": "ask", "gates": [gate("ask")]}
    return {**whole, "units": None, "external": None, "candidates": None, **changed}


ODD_ANSWERS = {
    "unknown-word": {"decision": "maybe"},
    "no-decision": {"decision": None},
    "contradiction": {"decision": "allow", "first": "allow"},
    "first-wrong": {"first": "deny"},
    "no-gates": {"gates": None},
    "order": {"gates": [gate("ask"), gate("ask", "path")]},
    "after-deny": {"decision": "deny", "first": "deny", "gates": [gate("deny", "path"), gate("ask")]},
    "half-a-program": {"units": []},
    "unit-without-text": {"units": [{}], "external": [], "candidates": []},
    "no-state": {"gates": [{"gate": "tool", "outcome": "check"}]},
    "unknown-failure": {"type": "failure", "kind": "weather"},
}


def answer(message: dict[str, object]) -> None:
    number = message["id"]
    command = message["call"]["input"]["command"]
    if command == "true" or KIND == "decent":
        say(decision(number))
    elif KIND in ODD_ANSWERS:
        say(decision(number, **(ODD_ANSWERS[KIND] if "odd" in command else {})))
    elif "odd" not in command:
        say(decision(number))
    elif KIND == "crash":
        sys.stderr.write("x" * 100_000 + "cannot go on")
        sys.exit(7)
    elif KIND == "garbage":
        say("Segmentation fault, not JSON")
    elif KIND == "bytes":
        sys.stdout.buffer.write(b"\xff\xfe\n")
        sys.stdout.flush()
    elif KIND == "hang":
        time.sleep(600)
    elif KIND == "twice":
        say(decision(number))
        say(decision(number))
    elif KIND == "stranger":
        say(decision(10_000_000))
    elif KIND == "refusal":
        say({"type": "failure", "id": number, "kind": "unsupported", "message": "not this one"})
    else:
        say(decision(number))


def main() -> None:
    if KIND == "silent":
        time.sleep(600)
    if KIND == "slow":
        time.sleep(1.5)
    if KIND == "early-end":
        sys.exit(3)
    if KIND == "no-hello":
        say("welcome")
    protocol = 2 if KIND == "newer" else 1
    details = DETAILS.get(KIND, ["decision", "gates", "program"])
    say({"type": "hello", "protocol": protocol, "engine": "odd", "revision": "0", "details": details})
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "policy" and KIND == "no-policy":
            say({"type": "failure", "id": None, "kind": "policy", "message": "too strict for me"})
        if message["type"] == "decide":
            answer(message)


main()
