"""Makes the generator's package importable; it lives beside the data it makes."""

from __future__ import annotations

import sys
from pathlib import Path

SAMPLES = Path(__file__).parents[2] / "data-samples"

sys.path.insert(0, str(SAMPLES))
