"""Path semantics of both platforms, without a file system."""
