"""One suite over every kind of engine: what each promises, whatever stands behind it."""

from __future__ import annotations

import pytest

from audit.core.action import Action
from audit.core.call import ToolCall, shell
from audit.core.place import Place, Platform
from audit.core.policy.document import read_bundle
from audit.core.revision import revision
from audit.engines.inprocess import InProcessEngine
from audit.engines.spec import choose_engine
from audit.protocol.engine import Decided, Detail, Engine, Failed, FailureKind, Question, RemoteEngine
from audit.protocol.messages import decision_message
from tests.core.bash.generate import commands
from tests.engines.conftest import spec

POLICY = {
    "permission": {
        "*": "ask",
        "bash": {"*": "ask", "git *": "allow", "rm *": "deny"},
        "path": {"*": "allow", "*.pem": "deny"},
        "external_directory": {"*": "ask", "/etc/*": "deny"},
    },
    "agents": {"scout": {"bash": {"git *": "ask"}}},
    "config": {"yoloMode": False},
}
PLACE = Place("/srv/project", "/home/user")
LINKED = Place("/srv/project", "/home/user", links=(("/srv/project/link", "/etc"),))
WINDOWS = Place("C:\\Proj", "C:\\Users\\user", Platform.WIN32)

A_FEW = [
    (shell("git log"), PLACE, None, Action.ALLOW),
    (shell("git log"), PLACE, "scout", Action.ASK),
    (shell("rm a && git log"), PLACE, None, Action.DENY),
    (shell("cat key.pem"), PLACE, None, Action.DENY),
    (shell("git diff /srv/project/link/x"), LINKED, None, Action.DENY),
    (shell("git diff /srv/project/link/x"), PLACE, None, Action.ALLOW),
    (shell("git diff C:\\\\Other"), WINDOWS, None, Action.ASK),
    (shell("git log \ud800"), PLACE, None, Action.ALLOW),
    (shell("rm '\ud800 \U0001f600' \udc00"), PLACE, None, Action.DENY),
    (shell(""), PLACE, None, Action.ASK),
    (ToolCall("read", {"path": "../x.txt"}), PLACE, None, Action.ASK),
    (ToolCall("mcp", {"tool": "exa:search"}), PLACE, None, Action.ASK),
]


@pytest.fixture(params=["core", "exec", "git", "package"], scope="module")
def engine(request: pytest.FixtureRequest) -> Engine:
    opened = choose_engine(spec(request.param)).opening({"p": read_bundle(POLICY, "p")})()
    yield opened
    if isinstance(opened, RemoteEngine):
        opened.close()


def ours() -> InProcessEngine:
    core = InProcessEngine(revision("20.7.3"))
    assert core.define("p", POLICY) is None
    return core


def answers(engine: Engine, questions: list[Question]) -> list[object]:
    if isinstance(engine, RemoteEngine):
        return engine.answers(questions)
    return [engine.answer(question) for question in questions]


def test_an_engine_says_what_it_is(engine: Engine) -> None:
    assert engine.info.engine
    assert engine.info.revision == "20.7.3"
    assert engine.info.details == tuple(Detail)


@pytest.mark.parametrize(("call", "place", "agent", "action"), A_FEW)
def test_decisions(engine: Engine, call: ToolCall, place: Place, agent: str | None, action: Action) -> None:
    question = Question(call, place, "p", agent)
    answer = engine.answer(question)
    assert isinstance(answer, Decided), answer
    assert answer.decision.action is action
    assert same(answer, ours().answer(question))


def same(one: object, other: object) -> bool:
    assert isinstance(one, Decided)
    assert isinstance(other, Decided)
    return decision_message(None, one.decision) == decision_message(None, other.decision)


def test_many_questions_in_flight_keep_their_answers(engine: Engine) -> None:
    source = commands(11)
    questions = [Question(shell(next(source)), PLACE, "p") for _ in range(300)]
    for one, other in zip(answers(engine, questions), answers(ours(), questions), strict=True):
        assert same(one, other)


def test_an_unknown_policy_is_a_failure_and_nothing_else(engine: Engine) -> None:
    given = answers(engine, [Question(shell("git log"), PLACE, name) for name in ("p", "nobody", "p")])
    assert [isinstance(answer, Decided) for answer in given] == [True, False, True]
    assert isinstance(given[1], Failed)
    assert given[1].kind is FailureKind.POLICY


def test_a_policy_with_mistakes_is_refused(engine: Engine) -> None:
    refusal = engine.define("bad", {"permission": "everything"})
    assert isinstance(refusal, Failed)
    assert refusal.kind is FailureKind.POLICY
    assert isinstance(engine.answer(Question(shell("git log"), PLACE, "p")), Decided)


def test_a_policy_may_be_replaced(engine: Engine) -> None:
    question = Question(shell("git log"), PLACE, "changing")
    for action in ("deny", "allow", "ask"):
        assert engine.define("changing", {"permission": {"*": action}}) is None
        answer = engine.answer(question)
        assert isinstance(answer, Decided)
        assert answer.decision.action.value == action
