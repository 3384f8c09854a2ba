"""The ingest format: a reading of logs as tables with a manifest, and back."""
