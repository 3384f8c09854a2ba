"""Lines that belong to no gate: forwarding, sessions, chains, third parties, debug (3.6 to 4, 14)."""

from __future__ import annotations

import re
from sys import intern

from msgspec import UNSET

from audit.log.asks import PERM
from audit.log.eras import EVENT_BOUNDS, Era
from audit.log.line import Entry
from audit.log.part import ForwardLine, LinkLine, OtherLine, Part, PlaceLine

FORWARDED = "forwarded_permission."
TRANSPORT = "transport: "
DEBUG = "debug stream: "
LINK = "link decision: "
OTHER = "other event: "

_TRAFFIC = (
    "request_created",
    "response_received",
    "response_timed_out",
    "no_serving_session",
    "prompted",
    "auto_approved",
    "auto_denied",
    "session_recorded",
    "approved",
    "denied",
)
KNOWN_EVENTS = frozenset(
    {
        "config.resolved",
        "project_trust.skipped",
        "authorizer_chain_unregistered_link",
        "authorizer_chain_resolved",
        "authorizer_chain_delegated",
        "authorizer_link_vacant",
        "child_node_absent",
        "permission_request.rpc_prompt",
        "permission_forwarding.warning",
        "permission_forwarding.error",
        "config.loaded",
        "config.saved",
        "lifecycle.reload",
        "permission_request.event_emit_failed",
        "permission.decision",
        "permission.session_summary",
        *(FORWARDED + name for name in _TRAFFIC),
    }
)

_LINK_EVENTS = (".decision", ".circuit_open")
_PROJECT_CONFIG = re.compile(
    r"(?P<cwd>.+?)[\\/]\.pi[\\/]"
    r"(?:extensions[\\/]pi-permission-system[\\/]config\.json|agent[\\/]pi-permissions\.jsonc)\Z",
    re.DOTALL,
)
_PROJECT_AGENTS = re.compile(r"(?P<cwd>.+?)[\\/]\.pi[\\/](?:agent[\\/])?agents\Z", re.DOTALL)
_AGENTS = re.compile(r"(?P<home>.+?)[\\/]\.pi[\\/]agent[\\/]agents\Z", re.DOTALL)


def keep_other(entry: Entry, part: Part, content: int) -> None:
    """Put a line that is no gate's into a part; `content` is the checksum of its bytes."""
    event = entry.event or ""
    at = entry.timestamp or ""
    pos = entry.pos
    klass = intern(_klass(entry, event))
    low, high = _bounds(entry, event, klass)
    part.marks.saw(low, at)
    part.others.append(OtherLine(at, pos, klass, content, entry.requestId is not None, low << 4 | high))
    if klass.startswith(TRANSPORT):
        if entry.requestId:
            name = event.removeprefix(FORWARDED)
            reason = None if entry.denialReason is UNSET else entry.denialReason
            agent, session = entry.requesterAgentName, entry.requesterSessionId
            part.forwards.append(
                ForwardLine(
                    at, pos, name, entry.requestId, agent, session, entry.resolution, reason, low << 4 | high
                )
            )
    elif klass.startswith(LINK):
        verdict = entry.emittedVerdict or entry.verdict or entry.outcome
        verdict = verdict.lower() if verdict else None
        part.links.append(LinkLine(at, pos, event, entry.requestId, verdict, entry.command))
    elif event == "config.resolved":
        part.places.append(_session_start(entry, at, pos))
    elif entry.cwd is not None and event in {"project_trust.skipped", "lifecycle.reload"}:
        part.places.append(PlaceLine(at, pos, event == "lifecycle.reload", entry.cwd, None, event))


def unknown_event(line: OtherLine) -> str | None:
    """Return the event of a line if the specification does not know it."""
    kind, _, event = line.klass.partition(": ")
    return None if event in KNOWN_EVENTS or kind + ": " == LINK else event


def _klass(entry: Entry, event: str) -> str:
    if entry.stream == "debug":
        return DEBUG + event
    if event.startswith(FORWARDED):
        return TRANSPORT + event
    if event.endswith(_LINK_EVENTS) and event not in KNOWN_EVENTS:
        return LINK + event
    return OTHER + event


def _bounds(entry: Entry, event: str, klass: str) -> tuple[int, int]:
    if entry.decidedBy is not None:
        return Era.E12, Era.E12
    if event == "config.resolved":
        return (Era.E2, Era.E2) if entry.extensionConfigPath is not None else (Era.E3, Era.E12)
    low, high = EVENT_BOUNDS.get(event, (Era.E0, Era.E12))
    if entry.requestId is not None and entry.requestId.startswith(PERM):
        low = max(low, Era.E10)
    elif klass.startswith(LINK):
        low = max(low, Era.E9)
    return low, high


def _session_start(entry: Entry, at: str, pos: int) -> PlaceLine:
    home = None
    if entry.agentsDir is not None:
        agents = _AGENTS.match(entry.agentsDir)
        home = agents["home"] if agents is not None else None
    for path, pattern, evidence in (
        (entry.projectConfigPath, _PROJECT_CONFIG, "projectConfigPath of config.resolved"),
        (entry.projectAgentsDir, _PROJECT_AGENTS, "projectAgentsDir of config.resolved"),
    ):
        found = pattern.match(path) if path is not None else None
        if found is not None:
            return PlaceLine(at, pos, True, found["cwd"], home, evidence)
    return PlaceLine(at, pos, True, None, home, "config.resolved")
