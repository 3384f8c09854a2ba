"""Attribution: the named set really makes the change, and no smaller one does."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from audit.core.call import shell
from audit.core.decide import Decision, decide
from audit.core.place import Place
from audit.core.policy.compose import PolicySources, compose
from audit.core.revision import LATEST, Revision, revision
from audit.replay.attribution import Attribution, Attributor
from audit.replay.edits import PolicyEdits
from audit.replay.worker import Work

PLACE = Place("/srv/shop", "/home/mia")
OPEN = {"*": "allow"}
FORMER = revision("9.1.0-before-307")


def attribution(
    command: str,
    before: dict[str, Any] = OPEN,
    after: dict[str, Any] | None = None,
    cores: tuple[Revision, Revision] = (LATEST, LATEST),
) -> tuple[Attribution, list[list[str]]]:
    policies = PolicySources(before), PolicySources(before if after is None else after)
    [found] = Attributor(cores, policies).causes([Work(shell(command), None, PLACE)])
    return found, [[factor.text for factor in cause] for cause in found.causes]


def test_one_edit_of_many_is_the_cause() -> None:
    after = {**OPEN, "bash": {"git *": "ask", "rm *": "deny"}}
    assert attribution("rm -r build", after=after)[1] == [['bash["rm *"] added, deny']]
    assert attribution("git log", after=after)[1] == [['bash["git *"] added, ask']]


def test_two_edits_that_need_each_other_are_a_pair() -> None:
    before = {**OPEN, "bash": {"git *": "deny", "git push *": "deny"}}
    assert attribution("git push origin", before, OPEN)[1] == [
        ['bash["git *"] removed', 'bash["git push *"] removed']
    ]


def test_a_switch_is_a_cause() -> None:
    cores = (revision("20.7.3+floor-indirection=off"), LATEST)
    found, causes = attribution("sudo ls", cores=cores)
    assert causes == [["floor-indirection: off to fifteen"]]
    assert not found.decision_only


def test_a_switch_and_an_edit_can_be_a_pair() -> None:
    cores = (revision("20.7.3+bare-tokens=none"), LATEST)
    _, causes = attribution("cat id_rsa", after={**OPEN, "path": {"id_rsa": "deny"}}, cores=cores)
    assert [len(cause) for cause in causes] == [2]


def test_equal_sides_have_no_factors() -> None:
    assert Attributor((LATEST, LATEST), (PolicySources(OPEN), PolicySources(OPEN))).factors == ()


COMMANDS = st.sampled_from(
    ["git log", "rm -r ../x", "cd /tmp && cat a", "sudo ls", "echo $(rm x)", "cat .env", "FOO=1 npm test"]
)
RULES = st.dictionaries(
    st.sampled_from(["git *", "rm *", "npm *", "*"]), st.sampled_from(["allow", "ask", "deny"]), max_size=4
)
PATHS = st.dictionaries(
    st.sampled_from([".env", "*", "a"]), st.sampled_from(["allow", "ask", "deny"]), max_size=2
)


@given(COMMANDS, RULES, RULES, PATHS, st.booleans())
@settings(max_examples=60, deadline=None)
def test_a_named_set_makes_the_change_and_no_smaller_one_does(
    command: str, before: dict[str, str], after: dict[str, str], paths: dict[str, str], former: bool
) -> None:
    one, other = (
        PolicySources({"*": "ask", "bash": before}),
        PolicySources({"*": "ask", "bash": after, "path": paths}),
    )
    cores = (FORMER if former else LATEST, LATEST)
    attributor = Attributor(cores, (one, other))
    work = Work(shell(command), None, PLACE)
    wanted = decide(work.call, compose(other), PLACE, LATEST)
    assume(attributor.judge((), work).decide(work.call) != wanted)
    [found] = attributor.causes([work])
    assert isinstance(wanted, Decision)
    for cause in found.causes:
        answer = attributor.judge(cause, work).decide(work.call)
        assert isinstance(answer, Decision)
        assert answer.action is wanted.action
        assert found.decision_only or answer == wanted
        for size in range(len(cause)):
            for smaller in combinations(cause, size):
                less = attributor.judge(smaller, work).decide(work.call)
                assert less != wanted


def test_independent_edits_are_attributed_as_if_alone() -> None:
    before = PolicySources({**OPEN, "bash": {}})
    edits = {"git *": "ask", "rm *": "deny", "npm *": "ask"}
    together = PolicyEdits(before, PolicySources({**OPEN, "bash": edits}))
    assert [edit.key[1] for edit in together.edits if edit.key[1]] == list(edits)


@pytest.mark.parametrize("command", ["git log", "rm x", "npm test"])
def test_a_union_of_edits_keeps_the_cause_of_each(command: str) -> None:
    edits = {"git *": "ask", "rm *": "deny", "npm *": "ask"}
    word = command.partition(" ")[0] + " *"
    before = {"x": "ask"}

    def causes(made: dict[str, str]) -> list[list[str]]:
        return attribution(command, {**OPEN, "bash": before}, {**OPEN, "bash": {**before, **made}})[1]

    assert causes({word: edits[word]}) == causes(edits) != []


def test_edits_leave_the_policies_they_are_made_of_as_they_are() -> None:
    empty: dict[str, str] = {}
    edits = PolicyEdits(PolicySources({"bash": empty}), PolicySources({"bash": {"git *": "allow"}}))
    assert edits.policy(edits.edits).permission == {"bash": {"git *": "allow"}}
    assert empty == {}
