"""Switches and routers, through NAPALM (`pip install salt-g[napalm]`).

Settings of a device are those of stock's proxy minion `napalm`: `driver` (`ios`, `eos`, `junos`, `nxos` or
one installed in addition to NAPALM), `host`, `username`, `password`, `timeout` (s, default: 60),
`optional_args` (`port`, `secret`), `always_alive` (default: True, which keeps the connection between jobs).
`defaults`, and settings beside `hosts`, apply to all devices that do not override them.

Pillar::

    resources:
      network_device:
        defaults: {driver: ios, username: salt}
        hosts:
          sw1: {host: 192.0.2.11, password: …}
          gw1: {host: 192.0.2.1, driver: junos, password: …}

A device is connected on first use. Passwords do not appear in grains, logs or errors.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from typing import Any

from salt_g.api import opts, pillar, resource, scratch
from salt_g.errors import CommandExecutionError
from salt_g.resource_model.pillar_settings import declared, listed_ids, settings_of, shared_settings
from salt_g.resources.network_device.device import Device, DeviceError, Worker
from salt_g.shapes import GrainsDict

#: Modules taken from the minion: `pillar` reads the pillar of the running call, which is the resource's.
__fall_through__ = ("pillar",)

log = logging.getLogger(__name__)

#: Alternative names of the same setting.
_SPELLINGS = (("username", "user"), ("passwd", "password", "pass"))
#: Settings that can be given once for all devices.
_SHARED = ("driver", "timeout", "optional_args", "always_alive", *_SPELLINGS[0], *_SPELLINGS[1])
#: {grain: NAPALM's name of the fact}
_GRAINS = {
    "vendor": "vendor",
    "model": "model",
    "version": "os_version",
    "serial": "serial_number",
    "hostname": "hostname",
    "fqdn": "fqdn",
    "interfaces": "interface_list",
}


def __virtual__() -> bool | tuple[bool, str]:
    """Require NAPALM."""
    import importlib.util

    if importlib.util.find_spec("napalm") is None:
        return False, "network_device needs the library napalm: pip install salt-g[napalm]"
    return True


def discover(opts: Mapping[str, Any]) -> list[Any]:
    """Return the ids listed in pillar."""
    return listed_ids(declared(opts["pillar"], opts).get("network_device"))


def init(opts: Mapping[str, Any]) -> None:
    """Initialize the type without connections."""
    scratch["devices"] = {}
    scratch["worker"] = Worker()
    scratch["trouble"] = {}


def initialized() -> bool:
    """Return whether `init` was called."""
    return "devices" in scratch


def shutdown(opts: Mapping[str, Any]) -> None:
    """Close all connections."""
    for device in scratch.pop("devices", {}).values():
        device.close()
    worker: Worker | None = scratch.pop("worker", None)
    if worker is not None:
        worker.end()


def ping() -> bool:
    """Return whether the device is connected and alive; store the reason if it cannot be reached."""
    try:
        answer = _device().call("is_alive")
    except DeviceError as exc:
        scratch["trouble"][resource["id"]] = str(exc)
        return False
    scratch["trouble"].pop(resource["id"], None)
    return bool(answer.get("is_alive"))


def grains() -> GrainsDict:
    """Return the grains of the device."""
    device = _device()
    try:
        facts = device.call("get_facts")
    finally:
        release()
    found = {grain: facts[fact] for grain, fact in _GRAINS.items() if facts.get(fact) not in (None, "")}
    return {
        "resource_type": "network_device",
        "resource_id": resource["id"],
        "os": device.driver_name,
        "host": device.host,
        **found,
    }


def call(method: str, *args: Any, **kwargs: Any) -> Any:
    """Call a method of the device's NAPALM driver and return its result; raises DeviceError."""
    return _device().call(method, *args, **kwargs)


def release() -> None:
    """Close the connection of a device unless it is kept between jobs."""
    device = _device()
    if not device.is_kept:
        device.close()


def reconnect() -> None:
    """Close the connection and open a new one; raises DeviceError."""
    device = _device()
    device.close()
    device.connect()


def is_connected() -> bool:
    """Return whether a connection exists or can be opened."""
    try:
        _device().connect()
    except DeviceError:
        return False
    return True


def driver_name() -> str:
    """Return the name of the device's NAPALM driver."""
    return _device().driver_name


def _device() -> Device:
    devices: dict[str, Device] = scratch["devices"]
    id = resource["id"]
    if id not in devices:
        below = declared(pillar, opts).get("network_device")
        settings = _settings_of(below, id)
        if not settings.get("driver"):
            raise CommandExecutionError(f"network_device {id}: pillar names no driver (ios, eos, junos, …)")
        devices[id] = Device(id, settings, scratch["worker"])
    return devices[id]


def _settings_of(below: Any, id: str) -> dict[str, Any]:
    """Return a device's settings merged over the shared ones, whatever spellings of names they use."""
    own = settings_of(below, id)
    shared = shared_settings(below, _SHARED)
    for spellings in _SPELLINGS:
        if not own.keys().isdisjoint(spellings):
            shared = {name: value for name, value in shared.items() if name not in spellings}
    return {**shared, **own}
