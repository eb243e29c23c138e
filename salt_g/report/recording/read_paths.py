"""Mappings that record which of their paths are read, for pillar and grains in templates.

Shapes: a path is text, its parts joined by colons (`pillar:nginx:port`). A value other than a mapping is one
read; a nested mapping is returned as one that records its own paths. An operation on a mapping as a whole
(iteration, length, comparison, printing, copying) counts as a read of all of it.
The mappings are dicts with all content, so C code that bypasses the methods sees the right values. Changes by
a template also reach the original mapping.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from salt_g.formats.ordered import Ordered

if TYPE_CHECKING:
    from salt_g.services.read_notes import ReadNotes


#: Maximum length of a name (characters); a longer path is replaced by one above it.
LONGEST = 500
#: Names of attributes. Jinja looks for attributes before keys, so no pillar key may have these names.
_SLOTS = ("_salt_g_notes", "_salt_g_origin", "_salt_g_path", "_salt_g_paths")

#: Methods of `dict`; calling them directly is faster than `super()`.
_get, _has, _item = dict.get, dict.__contains__, dict.__getitem__


class _Paths(dict[Any, str]):
    """Paths by key, created on first access; a path that is too long is replaced by one above it."""

    __slots__ = ("_beginning",)

    def __init__(self, path: str) -> None:
        super().__init__()
        self._beginning = f"{path}:"

    def __missing__(self, key: Any) -> str:
        path = f"{self._beginning}{key}"
        if len(path) > LONGEST:
            path = path[:LONGEST].rpartition(":")[0]
        self[key] = path
        return path


class NotedMapping(dict[Any, Any]):
    """Mapping at a path of pillar or grains; `notes` receives the paths that are read.

    Paths are added to `notes.here` directly because templates look up many paths, often the same ones.
    """

    __slots__ = _SLOTS

    def __init__(self, origin: dict[Any, Any], path: str, notes: ReadNotes) -> None:
        super().__init__(origin)
        self._salt_g_origin = origin
        self._salt_g_path = path
        self._salt_g_paths = _Paths(path)
        self._salt_g_notes = notes

    # One key

    def __getitem__(self, key: Any) -> Any:
        self._salt_g_notes.here.add(self._salt_g_paths[key])
        value = _item(self, key)
        return self._salt_g_below(key, value) if type(value) in _WRAPPED else value

    def get(self, key: Any, default: Any = None) -> Any:
        """Return the value of a key, or `default`."""
        self._salt_g_notes.here.add(self._salt_g_paths[key])
        value = _get(self, key, default)
        if type(value) in _WRAPPED and _has(self, key):
            return self._salt_g_below(key, value)
        return value

    def __contains__(self, key: object) -> bool:
        self._salt_g_notes.here.add(self._salt_g_paths[key])
        return _has(self, key)

    def setdefault(self, key: Any, default: Any = None) -> Any:
        """Return the value of a key, which is set to `default` if it is missing."""
        if key not in self:
            self[key] = default
        return self[key]

    def pop(self, key: Any, *default: Any) -> Any:
        """Remove a key and return its value."""
        self._salt_g_notes.here.add(self._salt_g_paths[key])
        self._salt_g_origin.pop(key, None)
        return plain(super().pop(key, *default))

    # All of it

    def __iter__(self) -> Iterator[Any]:
        self._salt_g_whole()
        return super().__iter__()

    def __reversed__(self) -> Iterator[Any]:
        self._salt_g_whole()
        return super().__reversed__()

    def __len__(self) -> int:
        self._salt_g_whole()
        return super().__len__()

    def keys(self) -> Any:
        """Return the keys."""
        self._salt_g_whole()
        return super().keys()

    def values(self) -> Any:
        """Return the values."""
        self._salt_g_whole()
        return super().values()

    def items(self) -> Any:
        """Return the items."""
        self._salt_g_whole()
        return super().items()

    def __eq__(self, other: object) -> bool:
        self._salt_g_whole()
        return super().__eq__(other)

    def __ne__(self, other: object) -> bool:
        return not self == other

    __hash__ = None

    def __repr__(self) -> str:
        return repr(self.copy())

    def __or__(self, other: Any) -> Any:
        return plain(self) | plain(other) if isinstance(other, dict) else NotImplemented

    def __ror__(self, other: Any) -> Any:
        return plain(other) | plain(self) if isinstance(other, dict) else NotImplemented

    def copy(self) -> dict[Any, Any]:
        """Return a plain copy."""
        self._salt_g_whole()
        found = {key: plain(value) for key, value in super().items()}
        return Ordered(found) if isinstance(self, Ordered) else found

    __copy__ = copy

    def __deepcopy__(self, memo: dict[int, Any]) -> dict[Any, Any]:
        import copy  # Imported lazily: few templates copy.

        return copy.deepcopy(self.copy(), memo)

    def __reduce_ex__(self, protocol: Any) -> Any:
        return type(self._salt_g_origin), (self.copy(),)

    # Changes

    def __setitem__(self, key: Any, value: Any) -> None:
        super().__setitem__(key, value)
        self._salt_g_origin[key] = plain(value)

    def __delitem__(self, key: Any) -> None:
        super().__delitem__(key)
        self._salt_g_origin.pop(key, None)

    def update(self, *args: Any, **kwargs: Any) -> None:
        """Set several keys."""
        for key, value in dict(*args, **kwargs).items():
            self[key] = value

    def popitem(self) -> tuple[Any, Any]:
        """Remove the last key; return it with its value."""
        self._salt_g_whole()
        key, value = super().popitem()
        self._salt_g_origin.pop(key, None)
        return key, plain(value)

    def clear(self) -> None:
        """Remove all keys."""
        super().clear()
        self._salt_g_origin.clear()

    # Internals

    def _salt_g_below(self, key: Any, value: dict[Any, Any]) -> NotedMapping:
        below = noted(value, self._salt_g_paths[key], self._salt_g_notes)
        # As with any dict, the next reader gets the same object.
        super().__setitem__(key, below)
        return below

    def _salt_g_whole(self) -> None:
        self._salt_g_notes.whole(self._salt_g_path)


#: Types of nested mappings that are returned wrapped, so that their reads are recorded.
_WRAPPED = frozenset((dict, Ordered))


class _NotedOrdered(NotedMapping, Ordered):  # type: ignore[misc]
    """Variant of `NotedMapping` for a mapping that keeps the order of its file."""


# A template's error about a missing key contains the name of the mapping's class, which must be the same
# with and without recording.
NotedMapping.__module__, NotedMapping.__name__ = "builtins", "dict"
_NotedOrdered.__module__, _NotedOrdered.__name__ = Ordered.__module__, Ordered.__name__


def noted(origin: dict[Any, Any], path: str, notes: ReadNotes) -> NotedMapping:
    """Return a mapping at a path, wrapped so that reads of it are recorded."""
    return (_NotedOrdered if isinstance(origin, Ordered) else NotedMapping)(origin, path, notes)


def plain(value: Any) -> Any:
    """Return data as plain mappings; each recording mapping in it counts as read completely."""
    if isinstance(value, NotedMapping):
        return value.copy()
    if type(value) is dict or type(value) is Ordered:
        return type(value)((key, plain(item)) for key, item in value.items())
    if type(value) is list:
        return [plain(item) for item in value]
    return value
