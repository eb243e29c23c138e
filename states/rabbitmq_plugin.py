"""States of RabbitMQ plugins."""

from __future__ import annotations

from salt_g.api import call, opts
from salt_g.shapes import StateReturn
from salt_g.states._outcome import as_wanted, changed, would_change
from salt_g.states._rabbitmq import needs, refusals_as_results


def __virtual__() -> bool | tuple[bool, str]:
    return needs("rabbitmq.plugin_is_enabled")


@refusals_as_results
def enabled(name: str, runas: str | None = None) -> StateReturn:
    """Ensure that a plugin is enabled.

    Example::

        salt-g state.single rabbitmq_plugin.enabled rabbitmq_management
    """
    return _switch(name, runas, "enable", {"old": "", "new": name})


@refusals_as_results
def disabled(name: str, runas: str | None = None) -> StateReturn:
    """Ensure that a plugin is disabled.

    Example::

        salt-g state.single rabbitmq_plugin.disabled rabbitmq_management
    """
    return _switch(name, runas, "disable", {"old": name, "new": ""})


def _switch(name: str, runas: str | None, verb: str, changes: dict[str, str]) -> StateReturn:
    is_enabled = call("rabbitmq.plugin_is_enabled", name, runas=runas)
    if is_enabled == (verb == "enable"):
        return as_wanted(name, f"Plugin '{name}' is already {verb}d.")
    if opts["test"]:
        return would_change(name, f"Plugin '{name}' is set to be {verb}d.", changes)
    call(f"rabbitmq.{verb}_plugin", name, runas=runas)
    return changed(name, f"Plugin '{name}' was {verb}d.", changes)
