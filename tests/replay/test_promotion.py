"""What bare words name, and what comes of taking them for paths."""

from __future__ import annotations

from typing import Any

import pytest

from audit.core.call import shell
from audit.core.place import NOTHING_KNOWN, Entries, Place, listed
from audit.core.policy.compose import PolicySources
from audit.core.revision import revision
from audit.engines.inprocess import open_core
from audit.protocol.engine import Question
from audit.replay.promotion import NO_WORDS, WordFacts, WordReader
from audit.replay.worker import Work

OPEN: dict[str, Any] = {"*": "allow"}
SECRET = {**OPEN, "path": {"*": "allow", "id_rsa": "deny"}}
LOOKS = "20.7.3+bare-tokens=existence"
HOME = Entries(frozenset({"/srv/shop/id_rsa", "/srv/shop/src"}), roots=frozenset({"/srv/shop"}))


def facts(
    command: str, entries: Entries = NOTHING_KNOWN, core: str = "20.7.3", policy: dict[str, Any] = SECRET
) -> WordFacts:
    policies = {"p": PolicySources(policy)}
    work = Work(shell(command), None, Place("/srv/shop", "/home/mia", entries=entries))
    answer = open_core(core, policies).answer(Question(work.call, work.place, "p"))
    return WordReader(revision(core), policies).facts(work, "p", answer)


@pytest.mark.parametrize(
    ("command", "entries", "core", "expected"),
    [
        ("cat id_rsa", NOTHING_KNOWN, "20.7.3", WordFacts(0, 0, 0, True)),
        ("cat notes", NOTHING_KNOWN, "20.7.3", NO_WORDS),
        ("cat id_rsa notes", HOME, "20.7.3", WordFacts(2, 1, 0, True)),
        ("cd /tmp && cat id_rsa", HOME, "20.7.3", WordFacts(1, 0, 1, True)),
        ("cat id_rsa", NOTHING_KNOWN, LOOKS, WordFacts(1, 0, 1, False)),
        ("cat id_rsa", HOME, LOOKS, WordFacts(1, 1, 0, True)),
        ("cat id_rsa", listed([]), LOOKS, WordFacts(1, 0, 0, False)),
        ("cat id_rsa", HOME, "20.7.3+bare-tokens=none", WordFacts(1, 1, 0, False)),
    ],
)
def test_words_of_a_command(command: str, entries: Entries, core: str, expected: WordFacts) -> None:
    assert facts(command, entries, core) == expected


def test_a_command_that_no_rule_names_is_decided_alike() -> None:
    assert not facts("cat id_rsa", HOME, LOOKS, OPEN).changed
