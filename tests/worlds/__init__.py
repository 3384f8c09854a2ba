"""Worlds: recorded, written, read back."""
