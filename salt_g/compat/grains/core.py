"""Stock's `salt.grains.core`: parts of the grains, returned by functions with stock's names."""

from collections.abc import Callable

from salt_g import api
from salt_g.shapes import GrainsDict

#: {stock's function: grains that it returns}
_PARTS = {
    "fqdns": ("fqdns",),
    "get_machine_id": ("machine_id",),
    "get_server_id": ("server_id",),
    "hostname": ("localhost", "fqdn", "host", "domain"),
    "hwaddr_interfaces": ("hwaddr_interfaces",),
    "id_": ("id",),
    "ip4_interfaces": ("ip4_interfaces",),
    "ip6_interfaces": ("ip6_interfaces",),
    "ip_fqdn": ("fqdn_ip4", "fqdn_ip6", "ipv4", "ipv6"),
    "ip_interfaces": ("ip_interfaces",),
    "locale_info": ("locale_info",),
    "path": ("path", "systempath"),
    "pythonexecutable": ("pythonexecutable",),
    "pythonpath": ("pythonpath",),
    "pythonversion": ("pythonversion",),
    "saltpath": ("saltpath",),
    "saltversion": ("saltversion",),
    "saltversioninfo": ("saltversioninfo",),
    "zmqversion": ("zmqversion",),
}


def os_data() -> GrainsDict:
    """Return all grains of this machine; stock's function of this name returns only some of them."""
    return dict(api.grains)


def __getattr__(name: str) -> Callable[[], GrainsDict]:
    if name not in _PARTS:
        raise AttributeError(f"module 'salt.grains.core' has no attribute {name!r} here")
    return lambda: {grain: api.grains[grain] for grain in _PARTS[name] if grain in api.grains}
