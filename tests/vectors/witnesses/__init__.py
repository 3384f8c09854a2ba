"""Authored calls that witness each rule of the specification, and the policies they run under."""

from __future__ import annotations

from . import base, damaged, matching, paths, tokens, tools, units, windows
from .case import Json
from .policies import POLICIES

__all__ = ["POLICIES", "vectors"]


def vectors() -> list[Json]:
    """Return all vectors without what they expect, in the order of the specification."""
    modules = (units, tokens, base, paths, matching, windows, damaged, tools)
    return [vector for module in modules for vector in module.CALLS]
