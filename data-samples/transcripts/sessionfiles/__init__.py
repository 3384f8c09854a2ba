"""Session files of three coding agents, made up."""
