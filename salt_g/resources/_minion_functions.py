"""Functions and states of the managing minion, run on behalf of a resource.

Resource types that expose their files below a root or as a copy reuse the minion's own file functions this
way. Grains, pillar, templates and test mode remain the resource's.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from salt_g import api
from salt_g.api import CallContext
from salt_g.plugin_services import Plugins


def on_host(kind: str, name: str, /, *args: Any, **options: Any) -> Any:
    """Call a function of the managing minion (`modules`, `file.read`) on behalf of the resource."""
    inside = api.current()
    plugins = _HostPlugins(inside.services.plugins)
    services = inside.services.replace(plugins=lambda: plugins, render=lambda: _RenderedInside(inside))
    with api.use(inside.replace(services=services)):
        return plugins.table(kind)[name](*args, **options)


class _HostPlugins:
    """Plugin tables of the managing minion; implements `services.Plugins`."""

    def __init__(self, plugins: Plugins) -> None:
        self._plugins = plugins

    def table(self, kind: str) -> Mapping[str, Callable[..., Any]]:
        """Return the managing minion's functions of a kind."""
        return self._plugins.table(f"minion.{kind}")

    def with_providers(self, providers: Mapping[str, str]) -> Plugins:
        """Return this object: there are no providers to choose from."""
        return self

    def reload(self, kinds: Any = ()) -> None:
        """Do nothing: no file of a resource contains plugins."""


class _RenderedInside:
    """Rendering in the resource's context: templates call functions of the resource type; implements
    `Rendering`.
    """

    def __init__(self, inside: CallContext) -> None:
        self._inside = inside

    def __getattr__(self, name: str) -> Any:
        def render(*args: Any, **options: Any) -> Any:
            with api.use(self._inside):
                return getattr(self._inside.services.render, name)(*args, **options)

        return render
