"""Contexts of ports."""

from __future__ import annotations

import re
from typing import Any

from salt_g.errors import InvocationError
from salt_g.modules._programs import output, run
from salt_g.shapes import Completed

_PORT = re.compile(r"(tcp|udp|sctp|dccp)/(\d+(?:-\d+)?)\Z")
_PORT_LINE = re.compile(r"(\w+)\s+(\w+)\s+([\d\-, ]+)\Z")


def port_get_policy(
    name: str, sel_type: str | None = None, protocol: str | None = None, port: Any = None
) -> dict[str, str] | None:
    """Return the policy for a port (`tcp/80`) or a range of ports (`tcp/8000-8080`), or None without one.

    If `name` has another form, `protocol` and `port` are used instead. With `sel_type` only a policy of this
    type is returned. The result is {"sel_type", "protocol", "port": all ports of the policy}.

    Example::

        salt-g selinux.port_get_policy tcp/80
    """
    protocol, port = _protocol_and_port(name, protocol, port)
    for line in output(["semanage", "port", "--list"]).splitlines():
        found = _PORT_LINE.match(line.strip())
        if found and found.group(2) == protocol and sel_type in (None, "", found.group(1)):
            ports = found.group(3).strip()
            if port in [part.strip() for part in ports.split(",")]:
                return {"sel_type": found.group(1), "protocol": protocol, "port": ports}
    return None


def port_add_policy(
    name: str,
    sel_type: str | None = None,
    protocol: str | None = None,
    port: Any = None,
    sel_range: str | None = None,
) -> Completed:
    """Add a policy that gives a port the type `sel_type`; return the result of semanage.

    `sel_range` is the range of security levels; for the other arguments see `selinux.port_get_policy`.

    Example::

        salt-g selinux.port_add_policy tcp/8080 http_port_t
    """
    if not sel_type:
        raise InvocationError("SELinux Type is required to add a policy")
    return _port("add", name, protocol, port, sel_type, sel_range)


def port_modify_policy(
    name: str,
    sel_type: str | None = None,
    protocol: str | None = None,
    port: Any = None,
    sel_range: str | None = None,
) -> Completed:
    """Change the policy for a port; for the arguments see `selinux.port_add_policy`.

    Example::

        salt-g selinux.port_modify_policy tcp/8080 http_port_t
    """
    return _port("modify", name, protocol, port, sel_type, sel_range)


def port_delete_policy(name: str, protocol: str | None = None, port: Any = None) -> Completed:
    """Delete the policy for a port; for the arguments see `selinux.port_get_policy`.

    Example::

        salt-g selinux.port_delete_policy tcp/8080
    """
    return _port("delete", name, protocol, port, None, None)


def _port(
    action: str, name: str, protocol: str | None, port: Any, sel_type: str | None, sel_range: str | None
) -> Completed:
    protocol, port = _protocol_and_port(name, protocol, port)
    options = {"--type": sel_type, "--range": sel_range}
    words = [word for option, value in options.items() if value for word in (option, value)]
    return run(["semanage", "port", f"--{action}", "--proto", protocol, *words, port])


def _protocol_and_port(name: str, protocol: str | None, port: Any) -> tuple[str, str]:
    found = _PORT.match(str(name)) or _PORT.match(f"{protocol}/{port}")
    if not found:
        raise InvocationError(
            f'Invalid name "{name}" format and protocol and port not provided or invalid:'
            f' "{protocol}" "{port}".'
        )
    return found.group(1), found.group(2)
