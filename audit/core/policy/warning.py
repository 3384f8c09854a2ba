"""What is allowed in a policy and yet likely not meant. A warning never changes a decision."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from audit.core.policy.compose import UNIVERSAL, PolicySources, merge_scopes


@dataclass(frozen=True, slots=True)
class PolicyWarning:
    """A sentence about one place of a policy."""

    document: str
    path: str
    text: str

    def __str__(self) -> str:
        return f"{self.document}: {self.path}: {self.text}"


def universal_map_warning(document: str, permission: Mapping[str, object]) -> list[PolicyWarning]:
    """Warn of a map under the universal key: it gives no rule and no fallback (5.2)."""
    if not isinstance(permission.get(UNIVERSAL), Mapping):
        return []
    text = "a map here makes no rule and leaves the fallback at ask; write an action, or `**` for a surface"
    return [PolicyWarning(document, 'permission["*"]', text)]


def open_shell_warning(sources: PolicySources, agent: str | None = None) -> list[PolicyWarning]:
    """Warn when the fallback allows and `bash` has no catch-all of its own (2.4, point 4)."""
    permission = merge_scopes(sources, agent).permission
    bash = permission.get("bash")
    guarded = isinstance(bash, str) or (isinstance(bash, Mapping) and UNIVERSAL in bash)
    if permission.get(UNIVERSAL) != "allow" or guarded:
        return []
    text = "every shell command that no pattern names is allowed by the fallback; add an entry `*`"
    return [PolicyWarning("policy", "permission.bash", text)]
