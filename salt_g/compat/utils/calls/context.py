"""Stock's `salt.utils.context`: temporary global names of a function, and views of nested mappings."""

import contextlib
from collections.abc import Callable, Iterator, MutableMapping
from typing import Any


@contextlib.contextmanager
def func_globals_inject(func: Callable[..., Any], **overrides: Any) -> Iterator[None]:
    """Replace global names in the function's module for the duration of a `with` block."""
    names = getattr(func, "__globals__", {})
    before = {name: names[name] for name in overrides if name in names}
    names.update(overrides)
    try:
        yield
    finally:
        for name in overrides:
            del names[name]
        names.update(before)


class NamespacedDictWrapper(MutableMapping[Any, Any], dict):  # type: ignore[misc,metaclass,type-arg]
    """Live view of a mapping that is nested in another one, at a key or a path of keys."""

    def __init__(self, d: Any, pre_keys: Any, override_name: str | None = None) -> None:
        self._whole = d
        self._path = (pre_keys,) if isinstance(pre_keys, str) else tuple(pre_keys)

    def _dict(self) -> Any:
        found = self._whole
        for key in self._path:
            found = found[key]
        return found

    def __getitem__(self, key: Any) -> Any:
        return self._dict()[key]

    def __setitem__(self, key: Any, value: Any) -> None:
        self._dict()[key] = value

    def __delitem__(self, key: Any) -> None:
        del self._dict()[key]

    def __iter__(self) -> Iterator[Any]:
        return iter(self._dict())

    def __len__(self) -> int:
        return len(self._dict())

    def __repr__(self) -> str:
        return repr(self._dict())


__all__ = ["NamespacedDictWrapper", "func_globals_inject"]
