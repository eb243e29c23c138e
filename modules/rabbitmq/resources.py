"""Virtual hosts, queues, policies and upstreams."""

from __future__ import annotations

import json
from typing import Any

from salt_g.errors import CommandExecutionError, InvocationError
from salt_g.modules.rabbitmq._ctl import ctl, lines, listed
from salt_g.modules.rabbitmq.users import Runas

_UPSTREAM = "federation-upstream"


def list_vhosts(runas: Runas = None) -> list[str]:
    """Return the names of the virtual hosts.

    Example::

        salt-g rabbitmq.list_vhosts
    """
    return [row["name"] for row in listed("list_vhosts", runas=runas)]


def vhost_exists(name: str, runas: Runas = None) -> bool:
    """Return whether a virtual host of this name exists.

    Example::

        salt-g rabbitmq.vhost_exists shop
    """
    return name in list_vhosts(runas)


def add_vhost(vhost: str, runas: Runas = None) -> dict[str, str]:
    """Add a virtual host.

    Example::

        salt-g rabbitmq.add_vhost shop
    """
    return {"Added": ctl("add_vhost", vhost, runas=runas)}


def delete_vhost(vhost: str, runas: Runas = None) -> dict[str, str]:
    """Remove a virtual host and everything in it.

    Example::

        salt-g rabbitmq.delete_vhost shop
    """
    return {"Deleted": ctl("delete_vhost", vhost, runas=runas)}


def list_queues(runas: Runas = None, *args: str) -> dict[str, list[str]]:
    """Return {queue: [value, ...]} of the virtual host `/`.

    `args` are columns of `rabbitmqctl list_queues`: `name`, then those of the values (default: `messages`).

    Example::

        salt-g rabbitmq.list_queues root name messages consumers
    """
    return _queues(ctl("list_queues", "-q", *args, runas=runas), args)


def list_queues_vhost(vhost: str, runas: Runas = None, *args: str) -> dict[str, list[str]]:
    """Return {queue: [value, ...]} of a virtual host; for the columns `args` see `rabbitmq.list_queues`.

    Example::

        salt-g rabbitmq.list_queues_vhost shop root name messages
    """
    return _queues(ctl("list_queues", "-q", "-p", vhost, *args, runas=runas), args)


def list_policies(vhost: str = "/", runas: Runas = None) -> dict[str, dict[str, dict[str, str]]]:
    """Return {vhost: {policy: {"pattern", "apply_to", "definition" (JSON), "priority"}}} of a virtual host.

    Example::

        salt-g rabbitmq.list_policies
    """
    found: dict[str, dict[str, dict[str, str]]] = {}
    for row in listed("list_policies", "-p", vhost, runas=runas):
        found.setdefault(row["vhost"], {})[row["name"]] = {
            "pattern": row["pattern"],
            "apply_to": row["apply-to"],
            "definition": row["definition"],
            "priority": str(row["priority"]),
        }
    return found


def policy_exists(vhost: str, name: str, runas: Runas = None) -> bool:
    """Return whether a virtual host has a policy of this name.

    Example::

        salt-g rabbitmq.policy_exists / lazy
    """
    try:
        return name in list_policies(vhost, runas).get(vhost, {})
    except CommandExecutionError:
        if vhost_exists(vhost, runas):
            raise
        return False


def set_policy(
    vhost: str,
    name: str,
    pattern: str,
    definition: str | dict[str, Any],
    priority: int | str | None = None,
    runas: Runas = None,
    apply_to: str | None = None,
) -> dict[str, str]:
    """Set a policy; `definition` is JSON or a dict, `apply_to` is queues, exchanges or all.

    Example::

        salt-g rabbitmq.set_policy / lazy '^lazy' '{"queue-mode": "lazy"}'
    """
    text = json.dumps(definition) if isinstance(definition, dict) else definition
    if not isinstance(text, str):
        raise InvocationError("The 'definition' argument must be a dictionary or JSON string")
    words = ["-p", vhost]
    words += ["--priority", str(priority)] if priority else []
    words += ["--apply-to", apply_to] if apply_to else []
    return {"Set": ctl("set_policy", *words, name, pattern, text, runas=runas)}


def delete_policy(vhost: str, name: str, runas: Runas = None) -> dict[str, str]:
    """Remove a policy.

    Example::

        salt-g rabbitmq.delete_policy / lazy
    """
    return {"Deleted": ctl("clear_policy", "-p", vhost, name, runas=runas)}


def list_upstreams(runas: Runas = None) -> dict[str, str]:
    """Return {name: definition as JSON} of the federation upstreams in the virtual host `/`.

    Example::

        salt-g rabbitmq.list_upstreams
    """
    rows = listed("list_parameters", runas=runas)
    return {row["name"]: row["value"] for row in rows if row["component"] == _UPSTREAM}


def upstream_exists(name: str, runas: Runas = None) -> bool:
    """Return whether an upstream of this name exists.

    Example::

        salt-g rabbitmq.upstream_exists other
    """
    return name in list_upstreams(runas)


def set_upstream(
    name: str,
    uri: str,
    prefetch_count: int | None = None,
    reconnect_delay: int | None = None,
    ack_mode: str | None = None,
    trust_user_id: bool | None = None,
    exchange: str | None = None,
    max_hops: int | None = None,
    expires: int | None = None,
    message_ttl: int | None = None,
    ha_policy: str | None = None,
    queue: str | None = None,
    runas: Runas = None,
) -> bool:
    """Set an upstream. `reconnect_delay` is in seconds, `expires` and `message_ttl` in milliseconds.

    Example::

        salt-g rabbitmq.set_upstream other amqp://broker.example
    """
    given = {
        "uri": uri,
        "prefetch-count": prefetch_count,
        "reconnect-delay": reconnect_delay,
        "ack-mode": ack_mode,
        "trust-user-id": trust_user_id,
        "exchange": exchange,
        "max-hops": max_hops,
        "expires": expires,
        "message-ttl": message_ttl,
        "ha-policy": ha_policy,
        "queue": queue,
    }
    value = {key: each for key, each in given.items() if each}
    parameter = {"component": _UPSTREAM, "name": name, "vhost": "/", "value": value}
    # `set_parameter` takes the value only as an argument, which would show the password in the URI.
    ctl("import_definitions", stdin=json.dumps({"parameters": [parameter]}), runas=runas)
    return True


def delete_upstream(name: str, runas: Runas = None) -> bool:
    """Remove an upstream.

    Example::

        salt-g rabbitmq.delete_upstream other
    """
    ctl("clear_parameter", _UPSTREAM, name, runas=runas)
    return True


def _queues(printed: str, columns: tuple[str, ...]) -> dict[str, list[str]]:
    header = "\t".join(columns or ("name", "messages"))
    rows = (line.split("\t") for line in lines(printed) if line != header)
    return {name: values for name, *values in rows}
