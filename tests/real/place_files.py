"""A real log's timeline as a place file: what the log itself does not say."""

from __future__ import annotations

import json
from pathlib import Path

from tests.real.ground_truth import RealLog


def write_place_file(log: RealLog, folder: Path) -> Path:
    """Write `place.toml` into a folder; policies are named by their paths in the log's folder."""
    timeline = log.timeline
    lines = [
        "version = 1",
        f"home = {_text(timeline['home'])}",
        f"platform = {_text(timeline['platform'])}",
        f"agent_dir = {_text(timeline['agent_dir'])}",
        "",
        "[links]",
        *(f"{_text(link)} = {_text(target)}" for link, target in timeline["realpath"].items()),
    ]
    never_used = set(timeline["not_written"])
    for entry in timeline["in_force"]:
        if entry["policy"] in never_used:
            continue
        lines += [
            "",
            "[[policy]]",
            f"file = {_text(str(log.folder / 'policies' / entry['policy']) + '.json')}",
            f"cwd = {_text(entry['cwd'])}",
            *(f"{key} = {entry[key]}" for key in ("from", "to") if entry.get(key)),
        ]
    for skill in timeline["skills"]:
        lines += ["", "[[skill]]", *(f"{key} = {_text(skill[key])}" for key in ("name", "location"))]
    path = folder / "place.toml"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def _text(text: str) -> str:
    return json.dumps(text)
