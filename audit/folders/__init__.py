"""Ingest folders in the file system."""
