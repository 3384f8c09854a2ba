"""From policy files on disk to the sources of a ruleset; the mistakes of all files in one error."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeVar

from audit.core.policy.compose import PolicySources, merge_knobs
from audit.core.policy.document import ConfigDocument, PolicyDocument, read_config, read_policy
from audit.core.policy.frontmatter import AgentDocument, read_agent
from audit.core.policy.warning import PolicyWarning, open_shell_warning
from audit.errors import DocumentError, Mistake

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class PolicyPaths:
    """The files of one side."""

    policy: Path
    """A configuration file, or a bundle of all scopes."""
    project: Path | None = None
    agents_dir: Path | None = None
    project_agents_dir: Path | None = None
    mcp_servers: tuple[str, ...] = ()
    """Used where the policy file names none."""


@dataclass(frozen=True, slots=True)
class LoadedPolicy:
    """The sources of one side, and what is worth saying about them."""

    sources: PolicySources
    notes: tuple[str, ...]
    """Warnings, and entries of agent files that did not load, each a sentence."""


def load_policies(sides: Sequence[PolicyPaths]) -> list[LoadedPolicy]:
    """Read the files of every side; raise one `DocumentError` with the mistakes of all of them."""
    reading = _Reading()
    loaded = [_load(side, reading) for side in sides]
    if reading.mistakes:
        raise DocumentError(list(dict.fromkeys(reading.mistakes)))
    return loaded


class _Reading:
    """Reads documents and keeps their mistakes, so that all can be told at once."""

    def __init__(self) -> None:
        self.mistakes: list[Mistake] = []

    def read(self, reader: Callable[[], T], otherwise: T) -> T:
        try:
            return reader()
        except DocumentError as error:
            self.mistakes += error.mistakes
            return otherwise


def _load(paths: PolicyPaths, reading: _Reading) -> LoadedPolicy:
    document = reading.read(lambda: read_policy(_text(paths.policy), str(paths.policy)), PolicyDocument())
    project = reading.read(lambda: _project(paths.project), ConfigDocument())
    none: dict[str, AgentDocument] = {}
    agents = reading.read(lambda: _agents(paths.agents_dir), none)
    project_agents = reading.read(lambda: _agents(paths.project_agents_dir), none)
    policy = document.sources
    sources = replace(
        policy,
        project=project.permission if paths.project else policy.project,
        agents={**policy.agents, **_permissions(agents)},
        project_agents={**policy.project_agents, **_permissions(project_agents)},
        config=merge_knobs(policy.config, project.knobs),
        mcp_servers=policy.mcp_servers or paths.mcp_servers,
    )
    warnings = (*document.warnings, *project.warnings, *open_shell_warning(sources))
    return LoadedPolicy(sources, tuple(_notes(warnings, {**agents, **project_agents})))


def _project(path: Path | None) -> ConfigDocument:
    return ConfigDocument() if path is None else read_config(_text(path), str(path))


def read_document(path: Path, allowed: str) -> str:
    """Return the text of a document; raise `DocumentError` where it cannot be read."""
    try:
        return path.read_text(encoding="utf-8")
    except FileNotFoundError:
        found = "there is no such file"
    except IsADirectoryError:
        found = "this is a folder"
    except UnicodeDecodeError:
        found = "this is not UTF-8 text"
    except OSError as error:
        found = f"it cannot be read ({error.strerror})"
    raise DocumentError([Mistake(str(path), "(document)", found, allowed)])


def _text(path: Path) -> str:
    return read_document(path, "a policy file in JSON with comments")


def _agents(folder: Path | None) -> dict[str, AgentDocument]:
    if folder is None:
        return {}
    if not folder.is_dir():
        found = "there is no such folder"
        raise DocumentError([Mistake(str(folder), "(folder)", found, "a folder of agent files, NAME.md")])
    return {path.stem: read_agent(_text(path)) for path in sorted(folder.glob("*.md"))}


def _permissions(agents: Mapping[str, AgentDocument]) -> dict[str, Mapping[str, object]]:
    return {name: document.permission for name, document in agents.items() if document.permission is not None}


def _notes(warnings: Iterable[PolicyWarning], agents: Mapping[str, AgentDocument]) -> Iterator[str]:
    yield from map(str, warnings)
    for name, document in agents.items():
        for dropped in document.dropped:
            yield f"{name}.md: {dropped.path}: {dropped.found} did not load, {dropped.reason}"
