"""From a command's syntax tree to what a policy can be asked about it."""
