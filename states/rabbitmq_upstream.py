"""States of RabbitMQ federation upstreams."""

from __future__ import annotations

import json
from typing import Any

from salt_g.api import call, opts
from salt_g.shapes import StateReturn
from salt_g.states._outcome import as_wanted, changed, would_change
from salt_g.states._rabbitmq import needs, refusals_as_results


def __virtual__() -> bool | tuple[bool, str]:
    is_here = needs("rabbitmq.set_upstream")
    return is_here if is_here is True else (False, "rabbitmq module could not be loaded")


@refusals_as_results
def present(
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
    runas: str | None = None,
) -> StateReturn:
    """Ensure that an upstream exists with these properties, which are those of RabbitMQ's federation plugin.

    Example::

        salt-g state.single rabbitmq_upstream.present other uri=amqp://broker.example
    """
    given: dict[str, Any] = {
        "uri": uri,
        "prefetch_count": prefetch_count,
        "reconnect_delay": reconnect_delay,
        "ack_mode": ack_mode,
        "trust_user_id": trust_user_id,
        "exchange": exchange,
        "max_hops": max_hops,
        "expires": expires,
        "message_ttl": message_ttl,
        "ha_policy": ha_policy,
        "queue": queue,
    }
    wanted = {key.replace("_", "-"): value for key, value in given.items() if value}
    known = call("rabbitmq.list_upstreams", runas=runas).get(name)
    has = None if known is None else json.loads(known)
    if has == wanted:
        return as_wanted(name, f'Upstream "{name}" already present as specified.')
    verb = "create" if has is None else "update"
    if opts["test"]:
        return would_change(name, f'Upstream "{name}" would have been {verb}d.')
    call("rabbitmq.set_upstream", name, **given, runas=runas)
    return changed(name, f'Upstream "{name}" {verb}d.', _difference(has, wanted))


@refusals_as_results
def absent(name: str, runas: str | None = None) -> StateReturn:
    """Ensure that the upstream does not exist.

    Example::

        salt-g state.single rabbitmq_upstream.absent other
    """
    if not call("rabbitmq.upstream_exists", name, runas=runas):
        return as_wanted(name, f'The upstream "{name}" is already absent.')
    if opts["test"]:
        return would_change(name, f'Upstream "{name}" would have been deleted.')
    call("rabbitmq.delete_upstream", name, runas=runas)
    return changed(name, f'Upstream "{name}" has been deleted.', {"old": name, "new": None})


def _difference(has: dict[str, Any] | None, wanted: dict[str, Any]) -> dict[str, Any]:
    """Return {"old", "new"} of the differences, without the passwords of URIs."""
    if has is None:
        return {"old": None, "new": _shown(wanted)}
    old = {key: value for key, value in has.items() if wanted.get(key) != value}
    new = {key: value for key, value in wanted.items() if has.get(key) != value}
    return {side: _shown(part) for side, part in (("old", old), ("new", new)) if part}


def _shown(properties: dict[str, Any]) -> dict[str, Any]:
    """Return properties with `***` instead of the password of each URI."""
    import re

    def hidden(value: Any) -> Any:
        if isinstance(value, list):
            return [hidden(each) for each in value]
        return re.sub(r"(//[^/@:]*):\S*@", r"\1:***@", value) if isinstance(value, str) else value

    return {key: hidden(value) for key, value in properties.items()}
