"""A fact that all prompts of an era hold and that none shows is a mistake of the reader, not a zero."""

from __future__ import annotations

from zlib import crc32

import pytest

from audit.log.calls import Request
from audit.log.cases import Outcome
from audit.log.eras import Era
from audit.measures.recorded.requests import logged
from audit.measures.recorded.selectors import selectors
from tests.measures.recorded.builders import call, external, request


def blind(*requests: Request) -> set[tuple[str, str, int]]:
    found = selectors(logged([call(one) for one in requests]))
    return {(one.era, one.fact, one.found.denominator) for one in found.blind}


ASKS = b" requested bash command '%s'. Allow this command?"
PLAIN = request(pattern="*")


@pytest.mark.parametrize(
    ("requests", "missed"),
    [
        ([PLAIN], set()),
        ([request()], {("E8", "pattern", 1)}),
        ([request(), PLAIN], set()),
        ([request(), request(pattern="*", era=Era.E5)], {("E8", "pattern", 1)}),
        ([request(era=Era.E3)], set()),
        ([request(era=Era.E3, message=1)], {("E3", "sentence", 1)}),
        ([request(era=Era.E3, message=1, pattern="*")], set()),
        ([request("ls", era=Era.E3, message=crc32(b"Current agent" + ASKS % b"ls"))], set()),
        ([request("ls", era=Era.E3, agent="fox", message=crc32(b"Agent 'fox'" + ASKS % b"ls"))], set()),
        ([external("cat /srv/a")], set()),
        ([request(outcome=Outcome.POLICY_DENIED)], set()),
        ([request(None, pattern="*")], {("E8", "command", 1)}),
        ([request(outcome=Outcome.UNANSWERED, pattern="*")], {("E8", "answer", 1)}),
        ([request(outcome=Outcome.UNANSWERED, pattern="*"), PLAIN], set()),
        ([request(pattern="*", era=Era.E12)], {("E12", "surface", 1)}),
        ([request(pattern="*", era=Era.E12, surface="bash")], set()),
    ],
)
def test_an_era_is_read_if_one_of_its_prompts_shows_the_fact(
    requests: list[Request], missed: set[tuple[str, str, int]]
) -> None:
    assert blind(*requests) == missed
