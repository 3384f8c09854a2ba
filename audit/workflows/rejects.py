"""Rejected lines as a file one can look through."""

from __future__ import annotations

import json
from collections.abc import Iterable

from audit.log.cases import Reject


def rejects_text(rejects: Iterable[Reject]) -> str:
    """Return one JSON object a line: file, line number, reason, and the line as it was."""
    return "".join(
        json.dumps({"file": reject.file, "line": reject.line, "why": reject.why, "text": reject.text}) + "\n"
        for reject in rejects
    )
