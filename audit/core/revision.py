"""Named versions of the rules of interpretation.

A registered revision is immutable in fact: golden vectors lock its decisions, and `REVISIONS` only grows.
"""

from __future__ import annotations

from dataclasses import dataclass
from difflib import get_close_matches

from audit.errors import UnknownName


@dataclass(frozen=True, slots=True)
class Revision:
    """How a call is interpreted, under the name of the release that interprets it so."""

    name: str


REVISIONS = {revision.name: revision for revision in (Revision("20.7.3"),)}

LATEST = REVISIONS["20.7.3"]


def revision(name: str) -> Revision:
    """Return a registered revision; raise `UnknownName`."""
    try:
        return REVISIONS[name]
    except KeyError:
        near = get_close_matches(name, REVISIONS) or list(REVISIONS)
        raise UnknownName(f"no core revision is named `{name}`", f"known are {', '.join(near)}") from None
