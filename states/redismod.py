"""States of Redis keys and replication.

Further arguments are those of the connection: `host`, `port`, `db` and `password`.
"""

from __future__ import annotations

from typing import Any

from salt_g.api import call, functions, opts
from salt_g.errors import CommandExecutionError
from salt_g.shapes import StateReturn
from salt_g.states._outcome import as_wanted, changed, failed, outcome, would_change

__virtualname__ = "redis"


def __virtual__() -> bool | tuple[bool, str]:
    if "redis.set_key" in functions:
        return True
    return False, "redis module could not be loaded. Install it with: pip install 'salt-g[redis]'"


def string(
    name: str,
    value: str,
    expire: int | None = None,
    expireat: int | None = None,
    **connection_args: Any,
) -> StateReturn:
    """Ensure that a key holds a string.

    `expire` is in seconds from now, `expireat` in seconds since the epoch.

    Example::

        salt-g state.single redis.string greeting value=hello
    """
    wanted = str(value)
    try:
        differs = call("redis.get_key", name, **connection_args) != wanted
        if opts["test"]:
            return would_change(name, "Key would be updated") if differs else _already(name)
        changes = {name: "Value updated"} if differs else {}
        if differs:
            call("redis.set_key", name, wanted, **connection_args)
        changes |= _expiry(name, expire, expireat, connection_args)
    except CommandExecutionError as exc:
        return failed(name, str(exc))
    return outcome(name, True, "Key updated to new value", changes) if differs else _already(name, changes)


def absent(name: str, keys: list[str] | None = None, **connection_args: Any) -> StateReturn:
    """Ensure that a key, or each of `keys`, does not exist.

    Example::

        salt-g state.single redis.absent greeting
    """
    if keys and not isinstance(keys, list):
        return failed(name, "`keys` not formed as a list type")
    try:
        found = [key for key in keys or [name] if call("redis.exists", key, **connection_args)]
        if not found:
            return as_wanted(name, "Key(s) specified already absent")
        if opts["test"]:
            return would_change(name, f"Key(s) would be deleted: {', '.join(found)}")
        call("redis.delete", *found, **connection_args)
    except CommandExecutionError as exc:
        return failed(name, str(exc))
    return changed(name, "Keys deleted" if keys else "Key deleted", {"deleted": found})


def slaveof(
    name: str,
    sentinel_host: str | None = None,
    sentinel_port: int | None = None,
    sentinel_password: str | None = None,
    **connection_args: Any,
) -> StateReturn:
    """Ensure that the server is a replica of the master that a sentinel knows by this name.

    Example::

        salt-g state.single redis.slaveof mymaster sentinel_host=sentinel.example
    """
    sentinel = (sentinel_host, sentinel_port, sentinel_password)
    try:
        wanted = call("redis.sentinel_get_master_ip", name, *sentinel)
        if wanted["master_host"] in call("network.ip_addrs"):
            return as_wanted(name, f"Minion is the master: {name}")
        before = _master(connection_args)
        if _same(before, wanted):
            return as_wanted(name, f"Minion already slave of master: {name}")
        if opts["test"]:
            return would_change(name, f"Minion will be made a slave of {name}: {wanted['master_host']}")
        call("redis.slaveof", **wanted, **connection_args)
        now = _master(connection_args)
    except CommandExecutionError as exc:
        return failed(name, f"Failed to setup slave: {exc}")
    if not _same(now, wanted):
        return failed(name, "Failed to setup slave")
    return changed(name, f"Minion successfully connected to master: {name}", {"old": before, "new": now})


def _already(name: str, changes: dict[str, Any] | None = None) -> StateReturn:
    return outcome(name, True, "Key already set to defined value", changes)


def _expiry(
    name: str, expire: int | None, expireat: int | None, connection_args: dict[str, Any]
) -> dict[str, str]:
    if expireat:
        call("redis.expireat", name, expireat, **connection_args)
        return {"expireat": f"Key expires at {expireat}"}
    if expire:
        call("redis.expire", name, expire, **connection_args)
        return {"expire": f"TTL set to {expire} seconds"}
    return {}


def _master(connection_args: dict[str, Any]) -> dict[str, Any]:
    address = {key: value for key, value in connection_args.items() if key in ("host", "port", "password")}
    found: dict[str, Any] = call("redis.get_master_ip", **address)
    return found


def _same(one: dict[str, Any], other: dict[str, Any]) -> bool:
    """Return whether two masters are the same; ports occur as numbers and as texts."""
    return {key: str(value) for key, value in one.items()} == {k: str(value) for k, value in other.items()}
