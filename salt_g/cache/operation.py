"""Kinds of writes, and the interface of the connection that they use.

Both databases of the store have this small interface, so that an operation is implemented only once.
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


class DatabaseConnection(Protocol):
    """Connection to the database of a store; statements have `?` as the placeholder of a value."""

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
    """Kind of write.

    `apply(connection, items)` returns one result for each item. Writes of one `lane` stay in order;
    writes of different lanes use different tables and can be reordered. Up to `in_one_statement` items
    are written by a single statement on a server, which then needs no explicit transaction.
    """

    name: str
    lane: int
    apply: Callable[[DatabaseConnection, Sequence[Any]], Sequence[Any]]
    in_one_statement: int = 0


def _do_nothing(connection: DatabaseConnection, items: Sequence[None]) -> Sequence[None]:
    return items


#: Operation that only opens the database.
OPEN = Operation("open", 0, _do_nothing)
