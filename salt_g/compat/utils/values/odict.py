"""Stock's `salt.utils.odict`, and `CaseInsensitiveDict` of `salt.utils.data`."""

from collections import OrderedDict, defaultdict
from collections.abc import Iterator, Mapping, MutableMapping
from typing import Any

#: A plain `defaultdict`, because all dicts keep their order.
DefaultOrderedDict = defaultdict


class HashableOrderedDict(OrderedDict):  # type: ignore[type-arg]
    """An ordered dict that can be a key of a mapping; its hash is its identity."""

    def __hash__(self) -> int:  # type: ignore[override]
        return id(self)


class CaseInsensitiveDict(MutableMapping[Any, Any]):
    """A dict with case-insensitive text keys, which keeps the spelling with which a key was last set."""

    def __init__(self, init: Mapping[Any, Any] | None = None, **kwargs: Any) -> None:
        #: {key in lower case: (key, value)}
        self._data: dict[Any, tuple[Any, Any]] = {}
        self.update(init or {}, **kwargs)

    def __len__(self) -> int:
        return len(self._data)

    def __setitem__(self, key: Any, value: Any) -> None:
        self._data[_lower(key)] = (key, value)

    def __delitem__(self, key: Any) -> None:
        del self._data[_lower(key)]

    def __getitem__(self, key: Any) -> Any:
        return self._data[_lower(key)][1]

    def __iter__(self) -> Iterator[Any]:
        return (key for key, _ in self._data.values())

    def __eq__(self, rval: object) -> bool:
        if not isinstance(rval, Mapping):
            return NotImplemented
        return dict(self.items_lower()) == dict(CaseInsensitiveDict(rval).items_lower())

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return repr(dict(self.items()))

    def items_lower(self) -> Iterator[tuple[Any, Any]]:
        """Yield the keys in lower case, and their values."""
        return ((key, value) for key, (_, value) in self._data.items())

    def copy(self) -> "CaseInsensitiveDict":
        """Return a dict with the same keys and values."""
        return CaseInsensitiveDict(dict(self.items()))


def _lower(key: Any) -> Any:
    return key.lower() if isinstance(key, str) else key


__all__ = ["CaseInsensitiveDict", "DefaultOrderedDict", "HashableOrderedDict", "OrderedDict"]
