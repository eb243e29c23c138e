"""Small values kept on this machine: a dict in one file of the cache directory.

Shapes: the file `datastore` holds one msgpack map, as stock writes it. Targets of type `data` read it.
"""

from __future__ import annotations

import ast
import contextlib
import json
import os
from collections.abc import Mapping
from typing import Any

from salt_g.api import opts
from salt_g.modules._msgpack_file import read_mapping, write_mapping

#: Name of the file in `cachedir`.
FILE = "datastore"


def clear() -> bool:
    """Remove all values; return True.

    Example::

        salt-g data.clear
    """
    path = _path()
    if os.path.exists(path):
        os.unlink(path)
    return True


def load() -> dict[str, Any]:
    """Return all values as a dict; {} if there are none or the file is damaged.

    Example::

        salt-g data.load
    """
    return read_mapping(FILE)


def dump(new_data: Mapping[str, Any]) -> bool:
    """Replace all values with `new_data`; return whether it was a mapping.

    The mapping can also be a text: JSON or a Python literal.

    Example::

        salt-g data.dump '{"eggs": "spam"}'
    """
    if isinstance(new_data, str):
        new_data = _read(new_data)
    if not isinstance(new_data, Mapping):
        return False
    write_mapping(FILE, new_data)
    return True


def update(key: str, value: Any) -> bool:
    """Set the value of `key`; return True.

    Example::

        salt-g data.update eggs spam
    """
    return dump({**load(), key: value})


def cas(key: str, value: Any, old_value: Any) -> bool:
    """Set `key` to `value` if its value is `old_value`; return whether it was set (compare and set).

    Example::

        salt-g data.cas eggs ham spam
    """
    stored = load()
    if key not in stored or stored[key] != old_value:
        return False
    return update(key, value)


def pop(key: str, default: Any = None) -> Any:
    """Remove `key` and return its value, or `default`.

    Example::

        salt-g data.pop eggs
    """
    stored = load()
    value = stored.pop(key, default)
    dump(stored)
    return value


def get(key: str | list[str], default: Any = None) -> Any:
    """Return the value of `key`, or `default`; for a list of keys, the list of existing values.

    Example::

        salt-g data.get eggs
    """
    stored = load()
    if isinstance(key, list):
        return [stored[name] for name in key if name in stored]
    return stored.get(key, default)


def getval(key: str) -> Any:
    """Return the value of `key`, or None if there is none.

    Example::

        salt-g data.getval eggs
    """
    return load().get(key)


def has_key(key: str) -> bool:
    """Return whether `key` has a value.

    Example::

        salt-g data.has_key eggs
    """
    return key in load()


def keys() -> list[str]:
    """Return the keys.

    Example::

        salt-g data.keys
    """
    return list(load())


def values() -> list[Any]:
    """Return the values.

    Example::

        salt-g data.values
    """
    return list(load().values())


def items() -> dict[str, Any]:
    """Return all values as a dict.

    Example::

        salt-g data.items
    """
    return load()


def _read(text: str) -> Any:
    """Parse a text as JSON or a Python literal; return None if it is neither."""
    for read in (json.loads, ast.literal_eval):
        with contextlib.suppress(ValueError, SyntaxError, RecursionError, MemoryError):
            return read(text)
    return None


def _path() -> str:
    return os.path.join(opts["cachedir"], FILE)
