"""States of RabbitMQ clusters."""

from __future__ import annotations

from salt_g.api import call, opts
from salt_g.shapes import StateReturn
from salt_g.states._outcome import as_wanted, changed, would_change
from salt_g.states._rabbitmq import needs, refusals_as_results


def __virtual__() -> bool | tuple[bool, str]:
    return needs("rabbitmq.join_cluster")


@refusals_as_results
def joined(
    name: str, host: str, user: str = "rabbit", ram_node: bool | None = None, runas: str = "root"
) -> StateReturn:
    """Ensure that this node has joined the cluster of the node `user`@`host`.

    With `ram_node` the node keeps its data in memory only. The application is stopped while it joins.

    Example::

        salt-g state.single rabbitmq_cluster.joined together host=broker1
    """
    node = f"{user}@{host}"
    if node in call("rabbitmq.cluster_status"):
        return as_wanted(name, "Already in cluster")
    changes = {"old": "", "new": node}
    if opts["test"]:
        return would_change(name, f"Node is set to join cluster {node}", changes)
    return changed(name, call("rabbitmq.join_cluster", host, user, ram_node, runas=runas)["Join"], changes)


def join(
    name: str, host: str, user: str = "rabbit", ram_node: bool | None = None, runas: str = "root"
) -> StateReturn:
    """Old name of `joined`.

    Example::

        salt-g state.single rabbitmq_cluster.join together host=broker1
    """
    return joined(name, host, user, ram_node, runas)
