"""Seeded chance that gives the same draws on every platform and version of Python."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")

BASE58 = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
HEX = "0123456789abcdef"
BASE36 = "0123456789abcdefghijklmnopqrstuvwxyz"


class Chance:
    """Draws built on `random()` alone, whose sequence is guaranteed for a seed."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed).random  # noqa: S311 - traffic, not secrets

    def happens(self, share: float) -> bool:
        """Return True in this share of draws."""
        return self._random() < share

    def below(self, limit: int) -> int:
        """Return a whole number from 0 to `limit` - 1."""
        return int(self._random() * limit)

    def between(self, low: int, high: int) -> int:
        """Return a whole number from `low` to `high`, both included."""
        return low + self.below(high - low + 1)

    def pick(self, items: Sequence[T]) -> T:
        """Return one of the items, each as likely as the others."""
        return items[self.below(len(items))]

    def weighted(self, items: Sequence[T], running: Sequence[int]) -> T:
        """Return one item; `running` holds the running totals of the weights."""
        mark = self.below(running[-1])
        low, high = 0, len(running) - 1
        while low < high:
            middle = (low + high) // 2
            if running[middle] > mark:
                high = middle
            else:
                low = middle + 1
        return items[low]

    def shuffled(self, items: Sequence[T]) -> list[T]:
        """Return the items in another order."""
        mixed = list(items)
        for last in range(len(mixed) - 1, 0, -1):
            other = self.below(last + 1)
            mixed[last], mixed[other] = mixed[other], mixed[last]
        return mixed

    def letters(self, alphabet: str, length: int) -> str:
        """Return a text of letters of an alphabet."""
        return "".join(self.pick(alphabet) for _ in range(length))

    def uuid(self) -> str:
        """Return a random identifier in the usual five groups."""
        digits = self.letters(HEX, 32)
        return (
            f"{digits[:8]}-{digits[8:12]}-4{digits[13:16]}-{self.pick('89ab')}{digits[17:20]}-{digits[20:]}"
        )
