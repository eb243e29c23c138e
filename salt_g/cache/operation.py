"""Kinds of writes, and the connection that they work on.

Both databases of the store offer the same small connection, so that an operation is written once.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Protocol


class Cursor(Protocol):
    """Result of a statement."""

    @property
    def rowcount(self) -> int:
        """Number of rows that the statement changed."""

    def fetchone(self) -> Any:
        """Return the next row."""

    def fetchall(self) -> list[Any]:
        """Return the remaining rows."""

    def __iter__(self) -> Iterator[Any]: ...


class Connection(Protocol):
    """Connection to the database of a store; statements have `?` for each value."""

    @property
    def in_transaction(self) -> bool:
        """Whether a transaction is open."""

    def execute(self, sql: str, parameters: Sequence[Any] = ..., /) -> Cursor:
        """Execute one statement."""

    def executemany(self, sql: str, parameters: Iterable[Sequence[Any]], /) -> Any:
        """Execute one statement for each sequence of values."""

    def close(self) -> None:
        """Close the connection."""


@dataclasses.dataclass(frozen=True)
class Operation:
    """A kind of write.

    `apply(connection, items)` returns one result for each item. Writes of one `lane` stay in order;
    those of different lanes use different tables and may be reordered. Up to `in_one_statement` items are
    written by one statement on a server, which needs no transaction around it.
    """

    name: str
    lane: int
    apply: Callable[[Connection, Sequence[Any]], Sequence[Any]]
    in_one_statement: int = 0


def _do_nothing(connection: Connection, items: Sequence[None]) -> Sequence[None]:
    return items


#: Opens the database, and does nothing else.
OPEN = Operation("open", 0, _do_nothing)
