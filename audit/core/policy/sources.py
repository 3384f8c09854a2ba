"""From the files of a session to the sources of a ruleset (core-policy.md 2.1, 2.5 and 2.6)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from audit.core.policy.compose import PolicySources, merge_knobs
from audit.core.policy.document import ConfigDocument
from audit.core.policy.frontmatter import AgentDocument

NOTHING = ConfigDocument()
"""What a file that is not there says."""


@dataclass(frozen=True, slots=True)
class PolicyFiles:
    """The documents that a session reads, each already free of mistakes."""

    user: ConfigDocument = NOTHING
    """The global configuration file."""
    project: ConfigDocument = NOTHING
    agents: Mapping[str, AgentDocument] = field(default_factory=dict)
    project_agents: Mapping[str, AgentDocument] = field(default_factory=dict)
    mcp_servers: tuple[str, ...] = ()
    legacy_user: ConfigDocument = NOTHING
    """Files at former places lend their knobs and never their rules."""
    legacy_runtime: ConfigDocument = NOTHING
    legacy_project: ConfigDocument = NOTHING

    def sources(self) -> PolicySources:
        """Bring the documents together, knobs weakest first."""
        knobs: dict[str, object] = {}
        for document in (
            self.legacy_user,
            self.legacy_runtime,
            self.user,
            self.legacy_project,
            self.project,
        ):
            knobs = merge_knobs(knobs, document.knobs)
        return PolicySources(
            permission=self.user.permission,
            project=self.project.permission,
            agents=_permissions(self.agents),
            project_agents=_permissions(self.project_agents),
            config=knobs,
            mcp_servers=self.mcp_servers,
        )


def _permissions(agents: Mapping[str, AgentDocument]) -> dict[str, Mapping[str, object]]:
    return {name: agent.permission for name, agent in agents.items() if agent.permission is not None}
