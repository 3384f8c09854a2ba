"""The blast-radius report as a page."""

from __future__ import annotations

from audit.report.blocks import header, ledger, matrix, prompt_rate, summary
from audit.report.blocks_of_change import (
    candidate_sets,
    causes,
    examples,
    ladder,
    new_prompts,
    selectivity,
)
from audit.report.json import digest
from audit.report.model import Report
from audit.report.sections import Code, Page


def page(report: Report) -> Page:
    """Return all blocks of a report, in their order."""
    return Page(
        "Blast radius of a permission change",
        (
            *summary(report),
            header(report),
            ledger(report),
            matrix(report),
            prompt_rate(report),
            ladder(report),
            new_prompts(report),
            candidate_sets(report),
            selectivity(report),
            causes(report),
            examples(report),
        ),
        ("Report digest ", Code(digest(report))),
    )
