"""Stock's `salt.utils.event`: the event buses of master and minion for plugins and programs."""

import os
from collections.abc import Iterable, Mapping
from typing import Any

from salt_g.client.event_bus import LocalEventBus
from salt_g.wire.events import unpack_event

TAGS = {"job": "job", "key": "key", "minion": "minion", "run": "run", "wheel": "wheel", "auth": "auth"}


def SaltEvent(node: str, sock_dir: str | None = None, opts: Any = None, **stock: Any) -> LocalEventBus:
    """Return a listener on the bus of the master or minion whose sockets are in `sock_dir`."""
    return get_event(node, sock_dir=sock_dir, opts=opts)


SaltEvent.unpack = unpack_event  # type: ignore[attr-defined]  # a method of stock's class


def get_event(
    node: str, sock_dir: str | None = None, transport: str | None = None, opts: Any = None, **stock: Any
) -> LocalEventBus:
    """Return a listener on the minion's bus if `node` is "minion", otherwise on the master's."""
    if node == "minion":
        return _minion_bus(sock_dir, opts)
    settings: Mapping[str, Any] | None = opts
    if sock_dir and settings is None:
        settings = {"sock_dir": os.path.abspath(sock_dir)}
    return LocalEventBus(settings)


def get_master_event(opts: Mapping[str, Any], sock_dir: str, **stock: Any) -> LocalEventBus:
    """Return a listener on the master's bus."""
    return LocalEventBus({**opts, "sock_dir": sock_dir})


def MasterEvent(sock_dir: str, opts: Mapping[str, Any] | None = None, **stock: Any) -> LocalEventBus:
    """Return a listener on the bus of the master whose sockets are in `sock_dir`."""
    return get_event("master", sock_dir=sock_dir, opts={**opts, "sock_dir": sock_dir} if opts else None)


def MinionEvent(opts: Mapping[str, Any], **stock: Any) -> LocalEventBus:
    """Return a listener on the bus of the minion with these settings."""
    return get_event("minion", opts=opts)


def _minion_bus(sock_dir: str | None, opts: Mapping[str, Any] | None) -> LocalEventBus:
    # Imported lazily: most programs connect to a master, and do not need this.
    from salt_g import config
    from salt_g.client.minion_link import MinionLink

    settings = opts if opts and "id" in opts else config.load("minion").opts
    if sock_dir:
        settings = {**settings, "sock_dir": os.path.abspath(sock_dir)}
    return LocalEventBus(settings, link=MinionLink(settings))


def tagify(suffix: str | Iterable[Any] = "", prefix: str = "", base: str = "salt") -> str:
    """Return a tag built from its parts, such as `salt/job/1/new`."""
    words = [suffix] if isinstance(suffix, str) else [str(word) for word in suffix]
    parts = [base, TAGS.get(prefix, prefix), *words]
    return "/".join(part for part in parts if part)


__all__ = ["TAGS", "MasterEvent", "MinionEvent", "SaltEvent", "get_event", "get_master_event", "tagify"]
