"""The command line: arguments in, one workflow call, text and an exit code out."""
