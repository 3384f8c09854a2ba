"""Values that are cheap to make: records, and answers that are kept."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeVar, dataclass_transform

T = TypeVar("T")
K = TypeVar("K")
V = TypeVar("V")

_MOST_KEPT = 1 << 16
_LONGEST_KEPT = 1 << 10


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def record(cls: type[T]) -> type[T]:
    """Make a dataclass that the type checker treats as frozen.

    A dataclass frozen at run time takes four times as long to make, and a decision makes dozens.
    """
    return dataclass(slots=True, unsafe_hash=True)(cls)


class Kept(dict[K, V]):
    """Answers to one kind of question; those to questions that are not long are kept.

    A question is asked by subscript: an answer that is kept then costs no call.
    """

    __slots__ = ("_ask", "_length")

    def __init__(self, ask: Callable[[K], V], length: Callable[[K], int]) -> None:
        super().__init__()
        self._ask = ask
        self._length = length

    def __missing__(self, asked: K) -> V:
        answer = self._ask(asked)
        if self._length(asked) <= _LONGEST_KEPT:
            if len(self) >= _MOST_KEPT:
                self.clear()
            self[asked] = answer
        return answer
