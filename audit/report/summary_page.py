"""A summary as a page and in its machine form."""

from __future__ import annotations

import json

from audit.report.json import body_digest, members
from audit.report.sections import Code, Page
from audit.report.summary import Summary
from audit.report.summary_blocks import coverage, header, in_short, ledger, volume
from audit.report.summary_blocks_of_causes import causes, deciders, directions, roots
from audit.report.summary_blocks_of_cost import always_approved, bursts, per_call, repeats, waiting


def summary_page(summary: Summary) -> Page:
    """Return all blocks of a summary, in their order."""
    return Page(
        "What the log says by itself",
        (
            *in_short(summary),
            header(summary),
            ledger(summary),
            volume(summary),
            causes(summary),
            directions(summary),
            roots(summary),
            deciders(summary),
            waiting(summary),
            bursts(summary),
            repeats(summary),
            always_approved(summary),
            per_call(summary),
            coverage(summary),
        ),
        ("Summary digest ", Code(body_digest(_body(summary)))),
    )


def summary_to_json(summary: Summary) -> str:
    """Return a summary as JSON in ASCII, ending with a line feed; `digest` is the SHA-256 of the rest."""
    body = _body(summary)
    return json.dumps({**body, "digest": body_digest(body)}, indent=2) + "\n"


def _body(summary: Summary) -> dict[str, object]:
    return {"schema_version": summary.schema_version, "kind": "summary", **members(summary)}
