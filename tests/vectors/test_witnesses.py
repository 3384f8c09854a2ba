"""The authored vectors are the witnesses, recorded, and every rule has one."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest
import record
from witnesses import POLICIES, vectors

RECORDED = Path(__file__).with_name("authored.jsonl")
BASH_RULES = (
    *(f"S{n}" for n in (1, 2)),
    *(f"U{n}" for n in range(1, 9)),
    *(f"W{n}" for n in range(1, 8)),
    "V1",
    *(f"T{n}" for n in range(1, 8)),
    *(f"B{n}" for n in range(1, 13)),
    *(f"C{n}" for n in range(1, 7)),
    *(f"P{n}" for n in range(1, 13)),
    *(f"X{n}" for n in range(1, 5)),
    *(f"M{n}" for n in range(1, 9)),
    *(f"G{n}" for n in range(1, 13)),
    *("2.2", "2.6", "2.8", "3", "14"),
)
POLICY_RULES = (
    "2.3",
    "2.5",
    "4",
    "5.2",
    "5.3",
    "6",
    "8.1",
    "8.2",
    "8.3",
    "8.4",
    "9",
    "10",
    "11.1",
    "11.4",
    "11.5",
    "13",
)


def lines() -> list[record.Json]:
    return [json.loads(line) for line in RECORDED.read_text(encoding="ascii").splitlines()]


def test_the_file_holds_every_witness_and_nothing_else() -> None:
    recorded = [line for line in lines() if "policy_named" not in line]
    assert [{k: v for k, v in line.items() if k != "expect"} for line in recorded] == vectors()
    assert [line for line in lines() if "policy_named" in line] == POLICIES


def test_ids_are_unique_and_policies_are_used() -> None:
    ids = Counter(vector["id"] for vector in vectors())
    assert [name for name, count in ids.items() if count > 1] == []
    assert {vector["policy"] for vector in vectors()} == {policy["policy_named"] for policy in POLICIES}


def test_every_rule_has_a_witness() -> None:
    witnessed = {vector["rule"] for vector in vectors()}
    assert sorted({*BASH_RULES, *POLICY_RULES} ^ witnessed) == []


def test_every_decision_and_gate_outcome_occurs() -> None:
    expected = [line["expect"] for line in lines() if "expect" in line]
    assert {(e["first"], e["decision"]) for e in expected} == {
        ("allow", "allow"),
        ("ask", "ask"),
        ("ask", "deny"),
        ("deny", "deny"),
    }
    outcomes = {(gate["gate"], gate["outcome"]) for e in expected for gate in e["gates"]}
    assert outcomes == {
        ("skill_read", "none"),
        ("path", "none"),
        ("path", "check"),
        ("external_directory", "none"),
        ("external_directory", "bypass"),
        ("external_directory", "check"),
        ("bash_external_directory", "none"),
        ("bash_external_directory", "bypass"),
        ("bash_external_directory", "check"),
        ("bash_path", "none"),
        ("bash_path", "check"),
        ("tool", "check"),
    }


def test_answers_are_renamed_to_the_words_of_the_protocol() -> None:
    answer = {
        "id": 3,
        "decision": "ask",
        "first": "ask",
        "reason": None,
        "units": [{"text": "sudo x", "wrapper": "indirection"}],
        "external": [{"value": "/a", "matchValues": ["/a"], "boundary": ""}],
        "candidates": [{"token": "/a", "values": ["/a"]}],
        "gates": [
            {"gate": "path", "outcome": "none"},
            {
                "gate": "tool",
                "outcome": "check",
                "surface": "bash",
                "value": "sudo x",
                "state": "ask",
                "matchedPattern": "<indirection-bash-wrapper>",
                "origin": None,
                "resolution": "user_approved",
            },
        ],
    }
    assert record.expect(answer) == {
        "decision": "ask",
        "first": "ask",
        "units": [{"text": "sudo x", "wrapper": "indirection"}],
        "external": [{"value": "/a", "match_values": ["/a"], "boundary": ""}],
        "candidates": [{"token": "/a", "values": ["/a"]}],
        "gates": [
            {"gate": "path", "outcome": "none"},
            {
                "gate": "tool",
                "outcome": "check",
                "surface": "bash",
                "value": "sudo x",
                "state": "ask",
                "matched_pattern": "<indirection-bash-wrapper>",
            },
        ],
    }


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        ({"id": 1, "error": "no such policy: q"}, "no such policy"),
        ({"id": 2, "decision": "error", "reason": "stack"}, "the package threw"),
    ],
)
def test_a_failed_request_is_no_vector(answer: record.Json, message: str) -> None:
    with pytest.raises(record.RecordError, match=message):
        record.expect(answer)
