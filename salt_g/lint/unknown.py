"""Placeholder for a value that only a minion knows, such as `salt['network.ip_addrs']()` in a template.

The placeholder is a text, so that renderers and filters accept it, and can also be called, indexed,
used in calculations and iterated over (without items). Tests of it (`==`, `in`, `startswith`) are all true,
or all false; comparisons by size are always false. Its text does not occur in trees.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Mapping
from typing import Any

#: Text of the placeholder; rendered data that contains it cannot be judged.
TEXT = "salt-g-lint-unknown-value"
#: Callback for a key that is read; None means all keys.
OnKey = Callable[["str | None"], None]


class Unknown(str):
    """Value that is not known without a minion.

    Trees are compiled twice: with `is_true` on, so that branches that depend on the value are checked, and
    off.
    """

    is_true = True

    def __new__(cls) -> Unknown:
        """Return a value whose text is TEXT."""
        return super().__new__(cls, TEXT)

    def __call__(self, *args: Any, **kwargs: Any) -> Unknown:
        """Return an unknown value."""
        return self

    def __getattr__(self, name: str) -> Unknown:
        if name.startswith("_"):
            raise AttributeError(name)
        return self

    def __getitem__(self, key: Any) -> Unknown:
        return self

    def __iter__(self) -> Iterator[str]:
        return iter(())

    def __len__(self) -> int:
        return int(Unknown.is_true)

    def __bool__(self) -> bool:
        return Unknown.is_true

    def _is_so(self, *args: Any) -> bool:
        """Return the result of a template's comparison or test of the value."""
        return Unknown.is_true

    __eq__ = __ne__ = __contains__ = startswith = endswith = _is_so
    isdigit = isnumeric = isalpha = isalnum = isdecimal = isspace = islower = isupper = istitle = _is_so
    __hash__ = str.__hash__

    def _same(self, other: Any) -> Unknown:
        return self

    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = _same
    __truediv__ = __rtruediv__ = __floordiv__ = __rfloordiv__ = __mod__ = __rmod__ = _same

    def _still(self, *args: Any, **kwargs: Any) -> Any:
        """Return an unknown value in place of a text or list derived from one."""
        return self

    split = rsplit = splitlines = partition = rpartition = strip = lstrip = rstrip = lower = upper = _still
    title = capitalize = swapcase = casefold = replace = removeprefix = removesuffix = format = _still
    zfill = ljust = rjust = center = expandtabs = _still
    #: Marks by which Jinja's sandbox recognizes functions that templates must not call.
    unsafe_callable = alters_data = False

    def __lt__(self, other: Any) -> bool:
        return False

    __gt__ = __le__ = __ge__ = __lt__


@contextlib.contextmanager
def unknown_values(*, is_true: bool) -> Iterator[None]:
    """Set whether unknown values are true during the block."""
    before, Unknown.is_true = Unknown.is_true, is_true
    try:
        yield
    finally:
        Unknown.is_true = before


def holds_unknown(value: Any) -> bool:
    """Return whether a text, list or mapping contains an unknown value."""
    if isinstance(value, str):
        return TEXT in str.__str__(value)
    if isinstance(value, Mapping):
        return any(holds_unknown(key) or holds_unknown(item) for key, item in value.items())
    return isinstance(value, (list, tuple)) and any(map(holds_unknown, value))


class NotedData(dict[str, Any]):
    """Pillar or grains that report reads; `on_read` gets each top-level key, or None for all keys."""

    def __init__(self, values: Mapping[str, Any], on_read: OnKey | None = None) -> None:
        super().__init__(values)
        self._on_read = on_read or _ignore

    def __getitem__(self, key: str) -> Any:
        self._on_read(key)
        return super().__getitem__(key)

    def __contains__(self, key: object) -> bool:
        self._on_read(str(key))
        return super().__contains__(key)

    def get(self, key: str, default: Any = None) -> Any:
        """Return the value of a key, or `default`."""
        self._on_read(key)
        return super().get(key, default)

    def __iter__(self) -> Iterator[str]:
        self._on_read(None)
        return super().__iter__()

    def keys(self) -> Any:
        """Return the keys."""
        self._on_read(None)
        return super().keys()

    def values(self) -> Any:
        """Return the values."""
        self._on_read(None)
        return super().values()

    def items(self) -> Any:
        """Return the items."""
        self._on_read(None)
        return super().items()


class Lenient(NotedData):
    """Pillar or grains of an imagined minion, whose missing keys are unknown; `on_missing` gets each one."""

    def __init__(self, values: Mapping[str, Any], on_missing: Any, on_read: OnKey | None = None) -> None:
        super().__init__(values, on_read)
        self._on_missing = on_missing

    def __missing__(self, key: str) -> Unknown:
        self._on_missing(key)
        return Unknown()

    def get(self, key: str, default: Any = None) -> Any:
        """Return the value of a key, or `default`."""
        if key not in self:
            self._on_missing(key)
        return super().get(key, default)


def _ignore(key: str | None) -> None:
    """Ignore a key."""
