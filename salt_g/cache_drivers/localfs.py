"""Banks and keys as files below `cachedir`: `<bank>/<key>.p` in MessagePack, as in stock.

Errors: SaltCacheError for a name that leads out of `cachedir`, and for a file that cannot be read.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping
from typing import Any

from salt_g.api import opts
from salt_g.errors import WireError
from salt_g.process import disk
from salt_g.stock_errors import SaltCacheError
from salt_g.wire.packing import pack_bus, unpack

__func_alias__ = {"list_": "list"}


def init_kwargs(kwargs: Mapping[str, Any]) -> dict[str, Any]:
    """Return the keyword arguments for all functions: the directory.

    Example::

        salt-g master    # with `cache: localfs`
    """
    return {"cachedir": kwargs.get("cachedir") or opts["cachedir"]}


def store(bank: str, key: str, data: Any, cachedir: str) -> None:
    """Store a value.

    Example::

        salt-g master    # with `cache: localfs`
    """
    path = _path(cachedir, bank, key)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    disk.write_whole(path, pack_bus(data))


def fetch(bank: str, key: str, cachedir: str) -> Any:
    """Return a value, or {} if there is none.

    Example::

        salt-g master    # with `cache: localfs`
    """
    try:
        with open(_path(cachedir, bank, key), "rb") as file:
            return unpack(file.read())
    except FileNotFoundError:
        return {}
    except (OSError, WireError) as exc:
        raise SaltCacheError(f"cannot read {key!r} of the bank {bank!r}: {exc}") from exc


def flush(bank: str, key: str | None = None, cachedir: str = "") -> None:
    """Remove a value, or a bank with all banks below it.

    Example::

        salt-g master    # with `cache: localfs`
    """
    if key is None:
        shutil.rmtree(_directory(cachedir, bank), ignore_errors=True)
    elif os.path.isfile(path := _path(cachedir, bank, key)):
        os.unlink(path)


def list_(bank: str, cachedir: str) -> list[str]:
    """Return the keys of a bank and the names of its direct sub-banks, sorted.

    Example::

        salt-g master    # with `cache: localfs`
    """
    directory = _directory(cachedir, bank)
    names = os.listdir(directory) if os.path.isdir(directory) else []
    return sorted(name.removesuffix(".p") for name in names)


def contains(bank: str, key: str | None = None, cachedir: str = "") -> bool:
    """Return whether a value exists, or whether a bank exists.

    Example::

        salt-g master    # with `cache: localfs`
    """
    if key is None:
        return os.path.isdir(_directory(cachedir, bank))
    return os.path.isfile(_path(cachedir, bank, key))


def updated(bank: str, key: str, cachedir: str) -> int | None:
    """Return when a value was stored (s since 1970), or None if there is none.

    Example::

        salt-g master    # with `cache: localfs`
    """
    path = _path(cachedir, bank, key)
    return int(os.path.getmtime(path)) if os.path.isfile(path) else None


def _directory(cachedir: str, bank: str) -> str:
    return _below(cachedir, os.path.join(cachedir, bank))


def _path(cachedir: str, bank: str, key: str) -> str:
    return _below(_directory(cachedir, bank), os.path.join(cachedir, bank, f"{key}.p"))


def _below(top: str, path: str) -> str:
    """Return the normalized path; raises SaltCacheError if it is not below `top`."""
    top, path = os.path.normpath(top), os.path.normpath(path)
    if os.path.commonpath((top, path)) != top:
        raise SaltCacheError(f"{path} is not below {top}: names of banks and keys must not lead out of it")
    return path
