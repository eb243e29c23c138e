"""Stock's `salt.utils.sdb`: values of secret stores, through the execution functions `sdb.*`."""

from typing import Any

from salt_g import api


def sdb_get(uri: Any, opts: Any = None, utils: Any = None, strict: bool = False) -> Any:
    """Return the value of a URI; other values are returned unchanged."""
    return api.call("sdb.get", uri, strict=strict)


def sdb_set(uri: str, value: Any, opts: Any = None, utils: Any = None) -> Any:
    """Store a value under a URI."""
    return api.call("sdb.set", uri, value)


def sdb_delete(uri: str, opts: Any = None, utils: Any = None) -> Any:
    """Delete the value of a URI."""
    return api.call("sdb.delete", uri)


__all__ = ["sdb_delete", "sdb_get", "sdb_set"]
