"""Diagnosis of a master's port that does not answer, as a message with cause and remedy.

Shapes: `Service` of `transport/port_probe.py` in, PortProblem out; None if the port is the expected one.
"""

from __future__ import annotations

from typing import NamedTuple

from salt_g.minion.connection.masters import MasterAddress
from salt_g.transport.port_probe import Service

#: Default ports of a master.
RET_PORT, PUBLISH_PORT = 4506, 4505


#: Advice for a port that accepts connections and then closes them.
_OTHER_TRANSPORT = "give `transport` and `ssl` the values that the master has"


class PortProblem(NamedTuple):
    """Reason why a port cannot be used; `is_final` if another service owns it, so waiting is useless."""

    text: str
    is_final: bool = False


def of_requests(found: Service, place: MasterAddress, address: str) -> PortProblem | None:
    """Return the problem with a master's request port, or None if a request server answers."""
    where = f"{address}:{place.port}"
    correct = f"set `master_port` to the master's ret_port ({RET_PORT} unless the master has another)"
    if found.kind == "publications":
        return PortProblem(f"{where} is a publish_port, which accepts no requests: {correct}", is_final=True)
    if found.kind == "foreign":
        return PortProblem(
            f"{where} is not a Salt master; it says {found.detail!r}: {correct}", is_final=True
        )
    if found.kind == "zeromq":
        return PortProblem(f"{where} is not a Salt master (ZeroMQ {found.detail}): {correct}", is_final=True)
    if found.kind == "refusing":
        return PortProblem(f"{where} ends connections{_because(found)}: {_OTHER_TRANSPORT}, or {correct}")
    if found.kind == "silent":
        return PortProblem(
            f"{where} accepts connections but sends nothing: the master there hangs, or it is another service"
            f" or its publish_port; {correct}"
        )
    if found.kind == "closed":
        return PortProblem(
            f"no connection to {where} ({found.detail}): start the master there, open its firewall, or"
            " correct `master` and `master_port` in the minion's settings"
        )
    return None


def of_publications(found: Service, address: str, port: int, announced: int) -> PortProblem | None:
    """Return the problem with a master's publish port; `announced` is the port that the master announced."""
    where = f"{address}:{port}"
    if port != announced:
        correct = f"the master says {announced}: remove `publish_port: {port}` from the minion's settings"
    else:
        correct = f"it is the master's `publish_port`: open it in the firewall ({PUBLISH_PORT} by default)"
    if found.kind == "closed":
        return PortProblem(f"no jobs arrive: no connection to {where} ({found.detail}); {correct}")
    if found.kind == "refusing":
        return PortProblem(f"no jobs arrive: {where} ends connections{_because(found)}; {_OTHER_TRANSPORT}")
    if found.kind != "publications":
        return PortProblem(f"no jobs arrive: {where} is not a publish_port of a master; {correct}")
    return None


def _because(found: Service) -> str:
    return f" ({found.detail})" if found.detail else ""
