"""Stock's `salt.utils.immutabletypes`: immutable mappings, lists and sets."""

import copy
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from typing import Any


class ImmutableDict(Mapping[Any, Any]):
    """Immutable mapping; values that are collections are immutable too."""

    def __init__(self, obj: Mapping[Any, Any]) -> None:
        self._values = dict(obj)

    def __getitem__(self, key: Any) -> Any:
        return freeze(self._values[key])

    def __iter__(self) -> Iterator[Any]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self._values!r}>"

    def __deepcopy__(self, memo: Any) -> dict[Any, Any]:
        return copy.deepcopy(self._values, memo)

    def copy(self) -> dict[Any, Any]:
        """Return a mutable copy."""
        return copy.deepcopy(self._values)


class ImmutableList(Sequence[Any]):
    """Immutable list; items that are collections are immutable too."""

    def __init__(self, obj: Iterable[Any]) -> None:
        self._values = list(obj)

    def __getitem__(self, index: Any) -> Any:
        return freeze(self._values[index])

    def __len__(self) -> int:
        return len(self._values)

    def __add__(self, other: Any) -> "ImmutableList":
        return ImmutableList([*self._values, *other])

    def __radd__(self, other: Any) -> "ImmutableList":
        return ImmutableList([*other, *self._values])

    def __eq__(self, other: object) -> bool:
        return isinstance(other, (ImmutableList, list)) and list(self) == list(other)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self._values!r}>"

    def __deepcopy__(self, memo: Any) -> list[Any]:
        return copy.deepcopy(self._values, memo)

    def copy(self) -> list[Any]:
        """Return a mutable copy."""
        return copy.deepcopy(self._values)


class ImmutableSet(Set[Any]):
    """Immutable set."""

    def __init__(self, obj: Iterable[Any]) -> None:
        self._values = frozenset(obj)

    def __contains__(self, value: object) -> bool:
        return value in self._values

    def __iter__(self) -> Iterator[Any]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {set(self._values)!r}>"

    def copy(self) -> set[Any]:
        """Return a mutable copy."""
        return set(self._values)


def freeze(obj: Any) -> Any:
    """Return an immutable copy of a dict, list or set; return other values unchanged."""
    if isinstance(obj, dict):
        return ImmutableDict(obj)
    if isinstance(obj, list):
        return ImmutableList(obj)
    return ImmutableSet(obj) if isinstance(obj, set) else obj


__all__ = ["ImmutableDict", "ImmutableList", "ImmutableSet", "freeze"]
