"""States of RabbitMQ virtual hosts."""

from __future__ import annotations

from salt_g.api import call, opts
from salt_g.shapes import StateReturn
from salt_g.states._outcome import as_wanted, changed, would_change
from salt_g.states._rabbitmq import needs, refusals_as_results


def __virtual__() -> bool | tuple[bool, str]:
    return needs("rabbitmq.vhost_exists")


@refusals_as_results
def present(name: str) -> StateReturn:
    """Ensure that a virtual host exists.

    Example::

        salt-g state.single rabbitmq_vhost.present shop
    """
    if call("rabbitmq.vhost_exists", name):
        return as_wanted(name, f"Virtual Host '{name}' already exists.")
    changes = {"old": "", "new": name}
    if opts["test"]:
        return would_change(name, f"Virtual Host '{name}' will be created.", changes)
    return changed(name, call("rabbitmq.add_vhost", name)["Added"], changes)


@refusals_as_results
def absent(name: str) -> StateReturn:
    """Ensure that a virtual host does not exist; its contents are deleted.

    Example::

        salt-g state.single rabbitmq_vhost.absent shop
    """
    if not call("rabbitmq.vhost_exists", name):
        return as_wanted(name, f"Virtual Host '{name}' is not present.")
    changes = {"old": name, "new": ""}
    if opts["test"]:
        return would_change(name, f"Virtual Host '{name}' will be removed.", changes)
    return changed(name, call("rabbitmq.delete_vhost", name)["Deleted"], changes)
