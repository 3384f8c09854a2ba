"""Engine specifications, the one place where they are read: `core:`, `git:`, `package:`, `exec:`.

What a specification needs (a commit, a built package) is made ready once, before any process is started.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from audit.core.policy.compose import PolicySources
from audit.core.revision import revision
from audit.engines.gitref import git_program
from audit.engines.inprocess import open_core
from audit.engines.pipes import Launch
from audit.engines.process import EngineProgram, open_process
from audit.engines.typescript import package_program
from audit.errors import UnknownName
from audit.protocol.engine import Engine

FORMS = "core:NAME, git:REF, git:REF/core:NAME, package:DIR, exec:COMMAND"

Opening = Callable[[], Engine]


@dataclass(frozen=True, slots=True)
class EngineChoice:
    """An engine that can be opened, again in each process."""

    spec: str
    core: str | None
    """The core revision, for an engine in this process."""
    program: EngineProgram | None

    def opening(self, policies: Mapping[str, PolicySources]) -> Opening:
        """Return what opens the engine with policies defined; it survives pickling."""
        if self.program is None:
            return partial(open_core, self.core or "", policies)
        told = {name: policy_members(sources) for name, sources in policies.items()}
        return partial(open_process, self.program, told)


def policy_members(sources: PolicySources) -> dict[str, object]:
    """Return a policy as the protocol's `policy` message tells it."""
    return {
        "permission": sources.permission,
        "project": sources.project,
        "agents": dict(sources.agents),
        "project_agents": dict(sources.project_agents),
        "config": dict(sources.config),
        "mcp_servers": list(sources.mcp_servers),
    }


def choose_engine(spec: str) -> EngineChoice:
    """Read a specification and make ready what it needs.

    Raises `UnknownName` for a form or a core revision that is none, `EngineError` for an engine that is not
    to be had.
    """
    form, _, rest = spec.partition(":")
    if form == "core" and rest:
        return EngineChoice(spec, revision(rest).name, None)
    if form == "git" and rest:
        ref, _, name = rest.partition("/core:")
        return EngineChoice(spec, None, git_program(spec, ref, name or None))
    if form == "package" and rest:
        return EngineChoice(spec, None, package_program(spec, rest))
    if form == "exec" and (words := _words(rest)):
        return EngineChoice(spec, None, EngineProgram(spec, Launch(words, folder=str(Path.cwd()))))
    raise UnknownName(f"`{spec}` is no engine", f"known forms are {FORMS}")


def _words(command: str) -> tuple[str, ...]:
    """Split a command into words as a shell would, and let nothing else happen to it."""
    try:
        return tuple(shlex.split(command))
    except ValueError as error:
        raise UnknownName(f"`exec:{command}` cannot be split into words: {error}") from None
