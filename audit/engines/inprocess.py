"""Our own core as an engine in this process."""

from __future__ import annotations

from collections.abc import Mapping

from audit.core.decide import Judge, Undecided
from audit.core.place import Place
from audit.core.policy.compose import PolicySources, compose
from audit.core.policy.rule import Ruleset
from audit.core.revision import Revision, revision
from audit.errors import DocumentError
from audit.protocol.engine import Answer, Decided, Detail, EngineInfo, Failed, FailureKind, Question


class InProcessEngine:
    """Answers with the core of one revision; keeps one judge per ruleset and place."""

    def __init__(self, revision: Revision) -> None:
        self._revision = revision
        self._policies: dict[str, PolicySources] = {}
        self._rulesets: dict[tuple[str, str | None], Ruleset] = {}
        self._judges: dict[tuple[str, str | None, Place], Judge] = {}

    @property
    def info(self) -> EngineInfo:
        """What the engine is."""
        return EngineInfo("audit-core", self._revision.name, tuple(Detail), self._revision.switches())

    def define(self, name: str, policy: Mapping[str, object]) -> Failed | None:
        """Give a policy a name; an earlier one of that name is replaced."""
        from audit.core.policy.document import read_bundle  # noqa: PLC0415 - loads the validation library

        try:
            sources = read_bundle(policy, name)
        except DocumentError as error:
            return Failed(FailureKind.POLICY, "; ".join(map(str, error.mistakes)))
        self.define_sources(name, sources)
        return None

    def define_sources(self, name: str, sources: PolicySources) -> None:
        """Give a policy that was read already a name."""
        self._policies[name] = sources
        self._rulesets = {key: kept for key, kept in self._rulesets.items() if key[0] != name}
        self._judges = {key: kept for key, kept in self._judges.items() if key[0] != name}

    def answer(self, question: Question) -> Answer:
        """Answer one question."""
        judge = self.judge(question)
        if isinstance(judge, Failed):
            return judge
        decision = judge.decide(question.call)
        if isinstance(decision, Undecided):
            return Failed(FailureKind(decision.kind), decision.message)
        return Decided(decision)

    def judge(self, question: Question) -> Judge | Failed:
        """Return the judge that answers a question, so that two engines can share one reading."""
        if question.policy not in self._policies:
            return Failed(FailureKind.POLICY, f"no policy is named `{question.policy}`")
        key = (question.policy, question.agent, question.place)
        judge = self._judges.get(key)
        if judge is None:
            ruleset = self._ruleset(question.policy, question.agent)
            judge = self._judges[key] = Judge(ruleset, question.place, self._revision)
        return judge

    def _ruleset(self, policy: str, agent: str | None) -> Ruleset:
        key = (policy, agent)
        ruleset = self._rulesets.get(key)
        if ruleset is None:
            ruleset = self._rulesets[key] = compose(self._policies[policy], agent)
        return ruleset


def open_core(revision_name: str, policies: Mapping[str, PolicySources]) -> InProcessEngine:
    """Return our own core with policies defined; raise `UnknownName` for a revision that is none."""
    engine = InProcessEngine(revision(revision_name))
    for name, sources in policies.items():
        engine.define_sources(name, sources)
    return engine
