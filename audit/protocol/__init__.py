"""The engine interface and its words on the wire."""
