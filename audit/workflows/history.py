"""Which policy was in force when: one policy for all calls, or the history of a place file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from audit.core.policy.compose import PolicySources, compose
from audit.core.policy.document import read_policy
from audit.core.policy.rule import Ruleset
from audit.errors import DocumentError, Mistake
from audit.files import read_git_file
from audit.log.places import PlaceFile, PolicyInForce, moment, read_place_file
from audit.workflows.policies import read_document


@dataclass(frozen=True)
class PolicyHistory:
    """Policies by name, and the name in force for a call."""

    policies: Mapping[str, PolicySources]
    always: str | None
    """The name of the policy that is always in force; None: the place file says which."""
    places: PlaceFile = field(default_factory=PlaceFile)
    _rulesets: dict[tuple[str, str | None], Ruleset] = field(default_factory=dict)

    def name_at(self, time: str, cwd: str | None) -> str | None:
        """Return the name of the policy in force for a call; None where none is known."""
        if self.always is not None:
            return self.always
        entry = self.places.policy_of(moment(time), cwd)
        return None if entry is None else entry.name

    def names_at(self, time: str) -> frozenset[str]:
        """Return the names of the policies in force at a time, whatever the working directory."""
        if self.always is not None:
            return frozenset({self.always})
        when = moment(time)
        return frozenset(entry.name for entry in self.places.policies if entry.covers(when))

    def ruleset(self, name: str, agent: str | None) -> Ruleset:
        """Return the ruleset of a policy for an agent, the same object each time."""
        key = (name, agent)
        ruleset = self._rulesets.get(key)
        if ruleset is None:
            ruleset = self._rulesets[key] = compose(self.policies[name], agent)
        return ruleset


def load_place_file(path: Path) -> PlaceFile:
    """Read a place file; raise `DocumentError`."""
    return read_place_file(read_document(path, "a place file in TOML"), str(path))


def load_history(places: PlaceFile, folder: Path) -> PolicyHistory:
    """Read every policy that a place file names; raise one `DocumentError` for the mistakes of all.

    `folder` is that of the place file. MCP servers of the place file go to policies that name none.
    """
    policies: dict[str, PolicySources] = {}
    mistakes: list[Mistake] = []
    for entry in places.policies:
        if entry.name in policies:
            continue
        try:
            sources = read_policy(_text(entry, folder), entry.name).sources
        except DocumentError as error:
            mistakes += error.mistakes
            continue
        servers = sources.mcp_servers or places.mcp_servers
        policies[entry.name] = replace(sources, mcp_servers=servers)
    if mistakes:
        raise DocumentError(list(dict.fromkeys(mistakes)))
    return PolicyHistory(policies, None, places)


def _text(entry: PolicyInForce, folder: Path) -> str:
    if entry.git is not None:
        return read_git_file(folder, entry.git, entry.file)
    return read_document(folder / entry.file, "a policy file in JSON with comments")
