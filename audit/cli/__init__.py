"""The command line: arguments in, one workflow call, text and an exit code out."""

import os

# The frames library's allocator keeps freed memory for seconds unless told otherwise before it is loaded;
# a log of a million lines would take a fifth more.
os.environ.setdefault("_RJEM_MALLOC_CONF", "dirty_decay_ms:0,muzzy_decay_ms:0,narenas:2")
