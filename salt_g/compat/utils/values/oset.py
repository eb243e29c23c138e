"""Stock's `salt.utils.oset`: a set that remembers its order."""

from collections.abc import Iterable, Iterator, MutableSet
from typing import Any


class OrderedSet(MutableSet[Any]):
    """Set that keeps its items in the order of insertion; items can be accessed by position."""

    def __init__(self, iterable: Iterable[Any] = ()) -> None:
        self._items = dict.fromkeys(iterable or ())

    def __contains__(self, value: object) -> bool:
        return value in self._items

    def __iter__(self) -> Iterator[Any]:
        return iter(self._items)

    def __len__(self) -> int:
        return len(self._items)

    def __getitem__(self, index: Any) -> Any:
        items = list(self._items)
        return OrderedSet(items[index]) if isinstance(index, slice) else items[index]

    def __eq__(self, other: object) -> bool:
        if isinstance(other, (OrderedSet, list, tuple)):
            return list(self) == list(other)
        return isinstance(other, (set, frozenset)) and set(self) == other

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"OrderedSet({list(self)!r})"

    def add(self, value: Any) -> int:  # type: ignore[override]  # stock's return
        """Append an item unless it is present; return its position."""
        self._items.setdefault(value)
        return self.index(value)

    append = add

    def update(self, sequence: Iterable[Any]) -> None:
        """Add several items."""
        self._items.update(dict.fromkeys(sequence))

    def discard(self, value: Any) -> None:
        """Remove an item if it is present."""
        self._items.pop(value, None)

    def index(self, key: Any) -> int:
        """Return the position of an item; raise ValueError if it is missing."""
        return list(self._items).index(key)

    def copy(self) -> "OrderedSet":
        """Return a copy."""
        return OrderedSet(self)


__all__ = ["OrderedSet"]
