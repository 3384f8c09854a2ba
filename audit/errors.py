"""Every exception of the toolkit, each kind with its own exit code.

::

    AuditError                    1
    ├── DocumentError             2   mistakes in a policy, agent or place document, all at once
    ├── LogError                      something is wrong with an input log
    │   ├── MissingLog            3
    │   ├── LogIsDirectory        4
    │   ├── EmptyLog              5
    │   ├── BinaryLog             6
    │   ├── NoUsableLine          7
    │   ├── BlindSelector        13   an era's prompts show nothing of a fact that all of them hold
    │   └── IngestError          11   an ingest folder is damaged, or does not go with the command line
    │       └── NewerFormat      12   an ingest folder of a format from after this version
    ├── OutputError               8   a result cannot be written
    ├── EngineError               9   an engine cannot be started or broke its protocol
    ├── UnknownName              10   a name that is not in a list (revision, policy, format)
    └── WorldError               14   a world cannot be recorded, or is damaged
        └── NewerWorld           15   a world of a format from after this version

Exit code 0 is success and 130 an interruption. Click uses 2 for a command line it cannot read.
Messages are one sentence: lower case, input in backticks, no full stop.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

EXIT_INTERRUPTED = 130


class AuditError(Exception):
    """Something the user can act on; `advice` says how."""

    exit_code = 1

    def __init__(self, message: str, advice: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.advice = advice


@dataclass(frozen=True, slots=True)
class Mistake:
    """One mistake in a document: where it is, what is there and what may stand there."""

    document: str
    """The file, or a name such as `--rule` for text that came from elsewhere."""
    path: str
    """The place inside the document, `permission.bash["rm *"]`, or `line 3, column 9`."""
    found: str
    allowed: str

    def __str__(self) -> str:
        return f"{self.document}: {self.path}: {self.found}; allowed: {self.allowed}"


class DocumentError(AuditError):
    """One or more mistakes in documents the user wrote."""

    exit_code = 2

    def __init__(self, mistakes: Sequence[Mistake]) -> None:
        noun = "mistake" if len(mistakes) == 1 else "mistakes"
        super().__init__(f"{len(mistakes)} {noun} found")
        self.mistakes = tuple(mistakes)


class LogError(AuditError):
    """A log that cannot be read."""


class MissingLog(LogError):
    """No file, or no file matches the pattern."""

    exit_code = 3


class LogIsDirectory(LogError):
    """A folder where a file was expected."""

    exit_code = 4


class EmptyLog(LogError):
    """No bytes, or only blank lines."""

    exit_code = 5


class BinaryLog(LogError):
    """Not text."""

    exit_code = 6


class NoUsableLine(LogError):
    """Lines, but none that is an entry of a review log."""

    exit_code = 7


class BlindSelector(LogError):
    """Prompts of an era, and a fact that each of them holds in none: they were read wrongly."""

    exit_code = 13


class IngestError(LogError):
    """An ingest folder that is damaged, or does not go with the rest of the command line."""

    exit_code = 11


class NewerFormat(IngestError):
    """An ingest folder of a format from after this version of the toolkit."""

    exit_code = 12


class OutputError(AuditError):
    """A result cannot be written."""

    exit_code = 8


class EngineError(AuditError):
    """An engine cannot be started, or does not keep to its protocol."""

    exit_code = 9


class UnknownName(AuditError):
    """A name that is in no list; `advice` holds the nearest ones."""

    exit_code = 10


class WorldError(AuditError):
    """A world cannot be recorded, is damaged, or does not go with the rest of the command line."""

    exit_code = 14


class NewerWorld(WorldError):
    """A world of a format from after this version of the toolkit."""

    exit_code = 15
