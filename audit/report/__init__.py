"""The report as data, and its renderers."""
