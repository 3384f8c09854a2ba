"""The coding agents' own session files, where every tool call stands, allowed or not."""
