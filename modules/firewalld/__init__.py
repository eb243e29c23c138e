"""Zones and services of firewalld, managed with `firewall-cmd`.

With `permanent` (the default), functions read and change the configuration of the next start, not the running
one; `firewalld.reload_rules` activates it. Without `zone` the default zone is meant.
Tested with `firewall-offline-cmd` in a separate directory.
"""

from __future__ import annotations

from salt_g.modules._programs import is_installed
from salt_g.modules._required import hint
from salt_g.modules.firewalld.contents import (
    add_interface,
    add_masquerade,
    add_port,
    add_port_fwd,
    add_rich_rule,
    add_service,
    add_source,
    allow_icmp,
    block_icmp,
    get_icmp_types,
    get_interfaces,
    get_masquerade,
    get_rich_rules,
    get_sources,
    list_icmp_block,
    list_port_fwd,
    list_ports,
    list_services,
    remove_interface,
    remove_masquerade,
    remove_port,
    remove_port_fwd,
    remove_rich_rule,
    remove_service,
    remove_source,
)
from salt_g.modules.firewalld.services import (
    add_service_port,
    add_service_protocol,
    delete_service,
    get_service_ports,
    get_service_protocols,
    get_services,
    new_service,
    remove_service_port,
    remove_service_protocol,
)
from salt_g.modules.firewalld.zones import (
    default_zone,
    delete_zone,
    get_zones,
    list_all,
    list_zones,
    make_permanent,
    new_zone,
    reload_rules,
    set_default_zone,
    version,
)

__all__ = [
    "add_interface",
    "add_masquerade",
    "add_port",
    "add_port_fwd",
    "add_rich_rule",
    "add_service",
    "add_service_port",
    "add_service_protocol",
    "add_source",
    "allow_icmp",
    "block_icmp",
    "default_zone",
    "delete_service",
    "delete_zone",
    "get_icmp_types",
    "get_interfaces",
    "get_masquerade",
    "get_rich_rules",
    "get_service_ports",
    "get_service_protocols",
    "get_services",
    "get_sources",
    "get_zones",
    "list_all",
    "list_icmp_block",
    "list_port_fwd",
    "list_ports",
    "list_services",
    "list_zones",
    "make_permanent",
    "new_service",
    "new_zone",
    "reload_rules",
    "remove_interface",
    "remove_masquerade",
    "remove_port",
    "remove_port_fwd",
    "remove_rich_rule",
    "remove_service",
    "remove_service_port",
    "remove_service_protocol",
    "remove_source",
    "set_default_zone",
    "version",
]


def __virtual__() -> bool | tuple[bool, str]:
    if is_installed("firewall-cmd"):
        return True
    return False, (
        "The firewalld execution module cannot be loaded: the firewall-cmd binary is not in the path."
        f"{hint('firewall-cmd')}"
    )
