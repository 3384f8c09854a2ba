"""What a log says by itself: from files to a summary."""

from __future__ import annotations

from collections.abc import Sequence

from audit.errors import BlindSelector
from audit.measures.recorded.selectors import Selectors
from audit.report.build import Making
from audit.report.summary import Summary, build_summary
from audit.workflows.reading import PlaceOptions, Progress, read_input


def summarize(patterns: Sequence[str], places: PlaceOptions, making: Making, progress: Progress) -> Summary:
    """Read logs or an ingest folder and measure what they recorded; raise `LogError`."""
    reading = read_input(patterns, places, progress)
    summary = build_summary(reading, making, places.rule(reading).links)
    _require_sight(summary.selectors)
    return summary


def _require_sight(selectors: Selectors) -> None:
    """Raise `BlindSelector` for eras whose figures would be zeros that nobody counted."""
    blind = [one for one in selectors.blind if not one.found.is_small]
    if blind:
        missed = ", ".join(
            f"no {one.fact} in {one.found.denominator:,} prompts of {one.era}" for one in blind
        )
        raise BlindSelector(
            f"the log's prompts do not show what all of their era should: {missed}",
            "the release that wrote them is one this permission-audit does not know",
        )
