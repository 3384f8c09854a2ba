"""The command line: arguments in, one workflow call, text and an exit code out."""

import os

# Told before it is loaded: by itself the allocator of the frames library keeps freed memory for seconds, a
# fifth more for a log of a million lines; giving it back at once takes a tenth more time.
os.environ.setdefault("_RJEM_MALLOC_CONF", "dirty_decay_ms:50,muzzy_decay_ms:0,narenas:2")
