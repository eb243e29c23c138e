"""Stock's `salt.utils.lazy`: dicts that load their values on first access."""

from collections.abc import Iterator, MutableMapping
from typing import Any

from salt_g.errors import CommandExecutionError


class LazyDict(MutableMapping[Any, Any]):
    """Base class of lazy dicts; a subclass defines `_load(key)` and `_load_all()`.

    `_load` sets `_dict[key]` and returns True, or returns False if there is no value.
    """

    def __init__(self) -> None:
        self.clear()

    def clear(self) -> None:
        """Discard all loaded values."""
        self._dict: dict[Any, Any] = {}
        self.loaded = False

    def _load(self, key: Any) -> bool:
        raise NotImplementedError

    def _load_all(self) -> None:
        raise NotImplementedError

    def _missing(self, key: Any) -> bool:
        """Return whether a key is known to have no value."""
        return False

    def missing_fun_string(self, function_name: str) -> str:
        """Return the error text for a missing function."""
        return f"'{function_name}' is not available."

    def __getitem__(self, key: Any) -> Any:
        if self._missing(key):
            raise KeyError(key)
        if key not in self._dict and not (not self.loaded and self._load(key)):
            raise KeyError(key)
        return self._dict[key]

    def __setitem__(self, key: Any, value: Any) -> None:
        self._dict[key] = value

    def __delitem__(self, key: Any) -> None:
        del self._dict[key]

    def __len__(self) -> int:
        self._complete()
        return len(self._dict)

    def __iter__(self) -> Iterator[Any]:
        self._complete()
        return iter(self._dict)

    def _complete(self) -> None:
        if not self.loaded:
            self._load_all()


def verify_fun(lazy_obj: Any, fun: str) -> None:
    """Raise CommandExecutionError unless a table of functions contains this function."""
    if not fun:
        raise CommandExecutionError("Must specify a function to run!")
    if fun not in lazy_obj:
        raise CommandExecutionError(f"'{fun}' is not available.")


__all__ = ["LazyDict", "verify_fun"]
