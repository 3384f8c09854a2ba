"""The kinds of `misbehaving.py` whose one answer does not fit."""

ODD_KINDS = (
    "unknown-word",
    "no-decision",
    "contradiction",
    "first-wrong",
    "no-gates",
    "order",
    "after-deny",
    "half-a-program",
    "unit-without-text",
    "no-state",
    "unknown-failure",
)
