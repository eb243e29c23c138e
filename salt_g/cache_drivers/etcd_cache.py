"""Banks and keys in etcd, by API version 2 in stock's layout, or else by version 3.

    cache: etcd
    etcd.host: 127.0.0.1
    etcd.port: 2379
    etcd.path_prefix: /salt_cache
    etcd.require_v2: true      # only version 2; false: only version 3

Servers since etcd 3.4 offer version 2 only with `--enable-v2`; all masters that share a server must use
the same version. No library is needed. `_etcd_server.py` lists the other settings.
Errors: SaltCacheError when the server cannot be reached or refuses a request.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any, Protocol

from salt_g.api import opts, scratch
from salt_g.cache_drivers._etcd_server import Server
from salt_g.cache_drivers._etcd_v2 import Nodes
from salt_g.cache_drivers._etcd_v3 import Ranges
from salt_g.errors import WireError
from salt_g.stock_errors import SaltCacheError
from salt_g.wire.packing import pack_bus, unpack

__virtualname__ = "etcd"
__func_alias__ = {"list_": "list"}

_KEPT = "cache.etcd.interface"


class _Interface(Protocol):
    def store(self, bank: str, key: str, value: bytes, stamp: int) -> None: ...
    def fetch(self, bank: str, key: str) -> bytes | None: ...
    def stamp(self, bank: str, key: str) -> Any: ...
    def stamps(self, bank: str) -> Mapping[str, Any]: ...
    def names(self, bank: str) -> set[str]: ...
    def has(self, bank: str, key: str | None) -> bool: ...
    def remove(self, bank: str, key: str | None) -> None: ...


def store(bank: str, key: str, data: Any) -> None:
    """Store a value.

    Example::

        salt-g master    # with `cache: etcd`
    """
    _interface().store(bank, key, pack_bus(data), int(time.time()))


def fetch(bank: str, key: str) -> Any:
    """Return a value, or {} if there is none.

    Example::

        salt-g master    # with `cache: etcd`
    """
    found = _interface().fetch(bank, key)
    if found is None:
        return {}
    try:
        return unpack(found)
    except WireError as exc:
        raise SaltCacheError(f"etcd: {key} of {bank} is not MessagePack: {exc}") from exc


def flush(bank: str, key: str | None = None) -> None:
    """Remove a value, or a bank with all banks below it.

    Example::

        salt-g master    # with `cache: etcd`
    """
    _interface().remove(bank, key)


def list_(bank: str) -> list[str]:
    """Return the keys of a bank and the names of its direct sub-banks, sorted.

    Example::

        salt-g master    # with `cache: etcd`
    """
    return sorted(_interface().names(bank))


def contains(bank: str, key: str | None = None) -> bool:
    """Return whether a value exists, or whether a bank is not empty.

    Example::

        salt-g master    # with `cache: etcd`
    """
    return _interface().has(bank, key)


def updated(bank: str, key: str) -> int | None:
    """Return when a value was stored (s since 1970), or None if there is none.

    Example::

        salt-g master    # with `cache: etcd`
    """
    return _time(_interface().stamp(bank, key))


def stamps(bank: str) -> dict[str, int]:
    """Return when each value of a bank was stored (s since 1970), by key; invalid times are left out.

    Example::

        salt-g master    # with `cache: etcd`
    """
    times = ((key, _time(stored)) for key, stored in _interface().stamps(bank).items())
    return {key: seconds for key, seconds in times if seconds is not None}


def _time(stored: Any) -> int | None:
    """Return a stored time as a number, None if it is invalid."""
    try:
        return int(stored)
    except (TypeError, ValueError):
        return None


def _interface() -> _Interface:
    """Return the client for the API version of the server, which is detected once."""
    if _KEPT not in scratch:
        server = Server(opts)
        scratch[_KEPT] = Nodes(server, opts) if _has_nodes(server) else Ranges(server, opts)
    kept: _Interface = scratch[_KEPT]
    return kept


def _has_nodes(server: Server) -> bool:
    required = opts.get("etcd.require_v2")
    if required is not None:
        return bool(required)
    return server.ask("GET", "/v2/keys/").status != 404
