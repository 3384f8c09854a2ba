"""Measures of what a log recorded, without a policy and without a replay."""
