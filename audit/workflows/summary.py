"""What a log says by itself: from files to a summary."""

from __future__ import annotations

from collections.abc import Sequence

from audit.report.build import Making
from audit.report.summary import Summary, build_summary
from audit.workflows.reading import PlaceOptions, Progress, read_input


def summarize(patterns: Sequence[str], places: PlaceOptions, making: Making, progress: Progress) -> Summary:
    """Read logs or an ingest folder and measure what they recorded; raise `LogError`."""
    reading = read_input(patterns, places, progress)
    return build_summary(reading, making, places.rule(reading).links)
