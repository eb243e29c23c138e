"""States of RabbitMQ policies."""

from __future__ import annotations

import json
from typing import Any

from salt_g.api import call, opts
from salt_g.shapes import StateReturn
from salt_g.states._outcome import as_wanted, changed, failed, would_change
from salt_g.states._rabbitmq import needs, refusals_as_results


def __virtual__() -> bool | tuple[bool, str]:
    return needs("rabbitmq.policy_exists")


@refusals_as_results
def present(
    name: str,
    pattern: str,
    definition: str | dict[str, Any],
    priority: int = 0,
    vhost: str = "/",
    runas: str | None = None,
    apply_to: str | None = None,
) -> StateReturn:
    """Ensure that a virtual host has a policy.

    `pattern` is a regular expression of names, `definition` is JSON or a dict, and `apply_to` is `queues`,
    `exchanges` or `all`.

    Example::

        salt-g state.single rabbitmq_policy.present lazy pattern='^lazy' definition='{"queue-mode": "lazy"}'
    """
    known = call("rabbitmq.list_policies", vhost=vhost, runas=runas).get(vhost, {}).get(name)
    try:
        wanted = json.loads(definition) if isinstance(definition, str) and definition else definition
    except ValueError as exc:
        return failed(name, f"Error: the definition of policy {name!r} is not JSON: {exc}")
    updates = _updates(known, pattern, wanted, apply_to, priority) if known else []
    if known and not updates:
        return as_wanted(name, f"Policy {vhost} {name} is already present")
    changes = {"old": known, "new": updates} if known else {"old": {}, "new": name}
    if opts["test"]:
        return would_change(
            name, f"Policy {vhost} {name} is set to be {'updated' if known else 'created'}", changes
        )
    how = {"priority": priority, "runas": runas, "apply_to": apply_to}
    text = definition if isinstance(definition, str) else json.dumps(definition)
    return changed(name, call("rabbitmq.set_policy", vhost, name, pattern, text, **how)["Set"], changes)


@refusals_as_results
def absent(name: str, vhost: str = "/", runas: str | None = None) -> StateReturn:
    """Ensure that a virtual host does not have a policy.

    Example::

        salt-g state.single rabbitmq_policy.absent lazy
    """
    if not call("rabbitmq.policy_exists", vhost, name, runas=runas):
        return as_wanted(name, f"Policy '{vhost} {name}' is not present.")
    changes = {"new": "", "old": name}
    if opts["test"]:
        return would_change(name, f"Policy '{vhost} {name}' will be removed.", changes)
    call("rabbitmq.delete_policy", vhost, name, runas=runas)
    return changed(name, "Deleted", changes)


def _updates(
    known: dict[str, str], pattern: str, definition: Any, apply_to: str | None, priority: int
) -> list[str]:
    """Return stock's names of the differing properties."""
    differs = {
        "Pattern": known["pattern"] != pattern,
        "Definition": (json.loads(known["definition"]) if known["definition"] else "") != definition,
        "Applyto": bool(apply_to) and known["apply_to"] != apply_to,
        "Priority": int(known["priority"]) != int(priority),
    }
    return [word for word, is_so in differs.items() if is_so]
