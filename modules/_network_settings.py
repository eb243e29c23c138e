"""Settings and files that every provider of `ip.*` handles alike.

Errors: AttributeError for an invalid setting or path, as in stock; CommandExecutionError from the helpers
that only netplan and NetworkManager use. The states put the text of both into their comment.
"""

from __future__ import annotations

import ipaddress
import os
import re
from collections.abc import Iterable, Mapping
from typing import Any

from salt_g.errors import CommandExecutionError
from salt_g.modules import _text_file
from salt_g.process import disk

TRUE = ("yes", "on", "true", "1", True)
#: Values of settings that count as not set.
EMPTY: tuple[Any, ...] = (None, "", [], ())
FALSE = ("no", "off", "false", "0", False)


def invalid(iface: str, option: Any, expected: Iterable[Any]) -> AttributeError:
    """Return the error for an invalid setting of an interface."""
    return AttributeError(
        f"Invalid option -- Interface: {iface}, Option: {option}, Expected: [{_choices(expected)}]"
    )


def invalid_network(setting: str, expected: Iterable[Any]) -> AttributeError:
    """Return the error for an invalid setting of the whole machine."""
    return AttributeError(f"Invalid network setting -- Setting: {setting}, Expected: [{_choices(expected)}]")


def no_routes(iface: str) -> AttributeError:
    """Return the error for routes that were not given as a list."""
    return AttributeError(
        f"Invalid option -- Route interface: {iface}, Option: routes, Expected: [List of routes]"
    )


def is_on(value: Any) -> bool:
    """Return whether a switch is on: `yes`, `on`, `true` in any case, 1, True."""
    return value is True or str(value).lower() in ("yes", "on", "true", "1")


def given(settings: Mapping[str, Any]) -> dict[str, Any]:
    """Return the settings that have a value; a key without one in an SLS is None."""
    return {name: value for name, value in settings.items() if value is not None}


def words(value: Any) -> list[str]:
    """Return the items of a list, or of a text with commas or blanks between them, without empty ones."""
    if value is None:
        return []
    items = value if isinstance(value, (list, tuple)) else re.split(r"[,\s]+", str(value))
    return [str(item) for item in items if item is not None and str(item)]


def interface_with_prefix(address: Any, netmask: Any) -> str:
    """Return an address with its prefix length, taken from the netmask unless the address has one."""
    if "/" in str(address):
        return str(address)
    try:
        return str(ipaddress.ip_interface(f"{address}/{netmask}"))
    except ValueError as exc:
        raise CommandExecutionError(f"Invalid address/netmask {address}/{netmask}: {exc}") from exc


def vlan_of(iface: str, settings: Mapping[str, Any]) -> tuple[Any, Any]:
    """Return the id and the parent of a VLAN: from the settings, else from a name like eth0.100."""
    parent, dot, number = iface.rpartition(".")
    raw = settings.get("vlan-raw-device") or settings.get("vlan_raw_device") or settings.get("parent")
    given = settings.get("vlan_id") or settings.get("id", int(number) if dot and number.isdigit() else None)
    return given, raw or settings.get("link", parent if dot else None)


def members(settings: Mapping[str, Any], names: Iterable[str]) -> list[str]:
    """Return the members of a bond or bridge, from the first of these settings that is not empty."""
    given = (words(settings.get(name)) for name in names)
    return next((found for found in given if found), [])


def destination_of(route: Mapping[str, Any]) -> str:
    """Return a route's destination with its prefix length; without an address, the route's name is used."""
    destination = str(route.get("ipaddr") or route.get("name") or "default")
    if route.get("netmask") is None or destination == "default":
        return destination
    return interface_with_prefix(destination, route["netmask"])


def refuse_unsupported(settings: Iterable[str], does_what: str, where: str) -> None:
    """Raise CommandExecutionError if `settings`, those that a provider cannot express, is not empty."""
    if names := ", ".join(sorted(settings)):
        what = f"{does_what} these network.managed options: {names}"
        raise CommandExecutionError(f"{what}. Manage them outside network.managed on {where}.")


def text_of(path: str) -> str:
    """Return the text of a file, or '' if there is none."""
    try:
        with open(path, encoding="utf-8") as file:
            return file.read()
    except FileNotFoundError:
        return ""


def write(path: str, text: str, mode: int | None = None) -> None:
    """Write a file; raise AttributeError, as stock does, if its directory is missing.

    Without `mode`, an existing file keeps its own (it may hold a Wi-Fi password), and a new one gets 644.
    """
    if not os.path.isdir(os.path.dirname(path)):
        raise AttributeError(f"{path} cannot be written. {os.path.dirname(path)} does not exist")
    if mode is None:
        _text_file.rewrite_durably(path, text)
    else:
        disk.write_whole(path, text, mode=mode)


def file_name(iface: str) -> str:
    """Return the name of an interface for use in a path; raise AttributeError if it is invalid."""
    if iface in ("", ".", "..") or re.search(r"[/\0\n]", iface):
        raise AttributeError(f"{iface!r} is not the name of an interface: it cannot be a file name")
    return iface


def _choices(expected: Iterable[Any]) -> str:
    return "|".join(map(str, expected))
