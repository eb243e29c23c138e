"""States of firewalld zones and services.

All changes are permanent; firewalld reloads them once after a change.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from salt_g.api import call, functions, opts
from salt_g.errors import CommandExecutionError
from salt_g.shapes import StateReturn
from salt_g.states._error_comment import as_text
from salt_g.states._outcome import as_wanted, changed, failed, would_change


class _Part(NamedTuple):
    """One list of a zone or service: its key in `changes`, and functions to list, add and remove items."""

    title: str
    read: str
    add: str
    remove: str


_PARTS = {
    "block_icmp": _Part("icmp_types", "list_icmp_block", "block_icmp", "allow_icmp"),
    "ports": _Part("ports", "list_ports", "add_port", "remove_port"),
    "port_fwd": _Part("port_fwd", "list_port_fwd", "add_port_fwd", "remove_port_fwd"),
    "services": _Part("services", "list_services", "add_service", "remove_service"),
    "interfaces": _Part("interfaces", "get_interfaces", "add_interface", "remove_interface"),
    "sources": _Part("sources", "get_sources", "add_source", "remove_source"),
    "rich_rules": _Part("rich_rules", "get_rich_rules", "add_rich_rule", "remove_rich_rule"),
}
_OF_SERVICES = {
    "ports": _Part("ports", "get_service_ports", "add_service_port", "remove_service_port"),
    "protocols": _Part(
        "protocols", "get_service_protocols", "add_service_protocol", "remove_service_protocol"
    ),
}
#: Fields of a port forwarding in the order of `port:port:protocol:address`.
_FORWARDING = ("Source port", "Destination port", "Protocol", "Destination address")


def __virtual__() -> bool | tuple[bool, str]:
    if "firewalld.version" in functions:
        return True
    return False, "firewall-cmd is not available, firewalld is probably not installed."


def present(
    name: str,
    block_icmp: list[str] | None = None,
    prune_block_icmp: bool = False,
    default: bool | None = None,
    masquerade: bool | None = None,
    ports: list[str] | None = None,
    prune_ports: bool = False,
    port_fwd: list[str] | None = None,
    prune_port_fwd: bool = False,
    services: list[str] | None = None,
    prune_services: bool = False,
    interfaces: list[str] | None = None,
    prune_interfaces: bool = False,
    sources: list[str] | None = None,
    prune_sources: bool = False,
    rich_rules: list[str] | None = None,
    prune_rich_rules: bool = False,
) -> StateReturn:
    """Ensure that a zone exists with these services, ports, forwardings and other rules.

    Other existing items are kept, unless they are pruned.

    default
        Make this the default zone, for connections that belong to no other zone.
    masquerade
        Whether to masquerade outgoing addresses (NAT).
    port_fwd
        `from:to:protocol` or `from:to:protocol:address`.
    rich_rules
        Rules in firewalld's rich language.

    Example::

        public:
          firewalld.present:
            - services: [ssh, http]
            - ports: [8080/tcp]
            - port_fwd: ['22:2222:tcp']
            - prune_services: True
    """
    lists: dict[str, tuple[list[str] | None, bool]] = {
        "block_icmp": (block_icmp, prune_block_icmp),
        "ports": (ports, prune_ports),
        "port_fwd": (port_fwd, prune_port_fwd),
        "services": (services, prune_services),
        "interfaces": (interfaces, prune_interfaces),
        "sources": (sources, prune_sources),
        "rich_rules": (rich_rules, prune_rich_rules),
    }
    changes: dict[str, Any] = {}
    try:
        is_new = _zone(name, changes)
        _default(name, default, changes)
        _masquerade(name, masquerade, is_new, changes)
        for argument, (wanted, prune) in lists.items():
            _sync_items(name, argument, wanted, prune, is_new, changes)
        return _state_return(name, changes)
    except CommandExecutionError as exc:
        return failed(name, f"Error: {exc}", {} if opts["test"] else changes)


def service(name: str, ports: list[str] | None = None, protocols: list[str] | None = None) -> StateReturn:
    """Ensure that a service exists with exactly these ports and protocols.

    Example::

        salt-g state.single firewalld.service mine ports='[8080/tcp]'
    """
    changes: dict[str, Any] = {}
    created: dict[str, Any] = {}
    try:
        is_new = name not in call("firewalld.get_services")
        if is_new:
            if not opts["test"]:
                call("firewalld.new_service", name, restart=False)
            created = {name: {"old": None, "new": name}}
        for argument, wanted in (("ports", ports or []), ("protocols", protocols or [])):
            part = _OF_SERVICES[argument]
            there = [] if is_new else call(f"firewalld.{part.read}", name)
            if set(wanted) != set(there):
                _do(part.add, [(name, item) for item in wanted if item not in there])
                _do(part.remove, [(name, item) for item in there if item not in wanted])
                changes[part.title] = {"old": there, "new": wanted}
        # Ports or protocols alone are the change of a new service that has some.
        changes = changes or created
        if changes and not opts["test"]:
            call("firewalld.reload_rules")
    except CommandExecutionError as exc:
        return failed(name, f"Error: {exc}", {} if opts["test"] else changes or created)
    if not changes:
        return as_wanted(name, f"'{name}' is already in the desired state.")
    if opts["test"]:
        return would_change(name, f"Configuration for '{name}' will change.", changes)
    return changed(name, f"'{name}' was configured.", changes)


def _zone(name: str, changes: dict[str, Any]) -> bool:
    """Create the zone if missing; return whether it was missing."""
    zones = call("firewalld.get_zones", permanent=True)
    if name in zones:
        return False
    if not opts["test"]:
        call("firewalld.new_zone", name)
    changes[name] = {"old": zones, "new": name}
    return True


def _default(name: str, wanted: bool | None, changes: dict[str, Any]) -> None:
    if not wanted:
        return
    before = call("firewalld.default_zone")
    if before != name:
        if not opts["test"]:
            call("firewalld.set_default_zone", name)
        changes["default"] = {"old": before, "new": name}


def _masquerade(name: str, wanted: bool | None, is_new: bool, changes: dict[str, Any]) -> None:
    if wanted is None:
        return
    before = not (is_new and opts["test"]) and call("firewalld.get_masquerade", name, permanent=True)
    if before == bool(wanted):
        return
    verb, word = ("add", "set") if wanted else ("remove", "disabled")
    if not opts["test"]:
        call(f"firewalld.{verb}_masquerade", name, permanent=True)
    changes["masquerade"] = {"old": before, "new": f"Masquerading successfully {word}."}


def _sync_items(
    name: str, argument: str, wanted: list[str] | None, prune: bool, is_new: bool, changes: dict[str, Any]
) -> None:
    """Bring one list of a zone to the wanted items; without `prune` extra items are kept."""
    if not wanted and not prune:
        return
    part = _PARTS[argument]
    # In test mode a new zone does not exist yet and cannot be queried.
    there = [] if is_new and opts["test"] else call(f"firewalld.{part.read}", name, permanent=True)
    items = _READERS[argument](wanted or []) if argument in _READERS else list(wanted or [])
    new = [item for item in items if item not in there]
    gone = [item for item in there if item not in items] if prune else []
    _do(part.add, [_arguments(argument, name, item) for item in new], permanent=True)
    _do(part.remove, [_arguments(argument, name, item) for item in gone], permanent=True)
    if new or gone:
        changes[part.title] = {"old": there, "new": items if prune else [*there, *new]}


def _do(function: str, calls: Iterable[tuple[Any, ...]], **options: Any) -> None:
    if opts["test"]:
        return
    for arguments in calls:
        call(f"firewalld.{function}", *arguments, **options)


def _arguments(argument: str, zone: str, item: Any) -> tuple[Any, ...]:
    """Return the arguments of a module function for one item."""
    if argument == "services":
        return (item, zone)
    return (zone, *(item[part] for part in _FORWARDING)) if argument == "port_fwd" else (zone, item)


def _state_return(name: str, changes: dict[str, Any]) -> StateReturn:
    if not changes:
        return as_wanted(name, f"'{name}' is already in the desired state.")
    if opts["test"]:
        return would_change(name, f"Configuration for '{name}' will change:\n{as_text(changes)}")
    call("firewalld.reload_rules")
    return changed(name, f"'{name}' was configured.", changes)


def _forwardings(given: Iterable[str]) -> list[dict[str, str]]:
    made = []
    for text in given:
        parts = str(text).split(":", 3)
        if len(parts) < 3:
            raise CommandExecutionError(
                f"port_fwd {text!r} is not `from:to:protocol` or `from:to:protocol:address`"
            )
        made.append(dict(zip(_FORWARDING, [*parts, ""], strict=False)))
    return made


def _rich_rules(given: Iterable[str]) -> list[str]:
    """Return rules with their values quoted, as firewalld lists them."""
    return [re.sub(r"""(?<==)(?:'([^']*)'|([^"'\s]+))(?=\s|$)""", r'"\1\2"', rule) for rule in given]


def _icmp_types(given: Iterable[str]) -> list[str]:
    known = call("firewalld.get_icmp_types", permanent=True)
    unknown = [item for item in given if item not in known]
    if unknown:
        raise CommandExecutionError(f"{unknown[0]} is an invalid ICMP type. Valid: {', '.join(known)}")
    return list(given)


#: Functions that check the items of a list, or convert them to the form in which firewalld lists them.
_READERS: dict[str, Callable[[list[str]], list[Any]]] = {
    "block_icmp": _icmp_types,
    "port_fwd": _forwardings,
    "rich_rules": _rich_rules,
}
