"""Worlds: which names exist below some folders, recorded once and read back as facts about places."""
