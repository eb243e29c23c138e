"""Let functions and states of the managing minion work in a resource's place.

Why its own file: what a minion can do with its own files is written once; types that can show it a
resource's files, below a root or as a copy, have it done that way. Grains, pillar, templates and test mode
stay the resource's.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from salt_g import api
from salt_g.api import CallContext
from salt_g.plugin_services import Plugins


def on_host(kind: str, name: str, /, *args: Any, **options: Any) -> Any:
    """Call a plugin function of the managing minion (`modules`, `file.read`) in the resource's place."""
    inside = api.current()
    plugins = _HostPlugins(inside.services.plugins)
    services = inside.services.replace(plugins=lambda: plugins, render=lambda: _RenderedInside(inside))
    with api.use(inside.replace(services=services)):
        return plugins.table(kind)[name](*args, **options)


class _HostPlugins:
    """The managing minion's tables; implements `services.Plugins`."""

    def __init__(self, plugins: Plugins) -> None:
        self._plugins = plugins

    def table(self, kind: str) -> Mapping[str, Callable[..., Any]]:
        """Return the managing minion's functions of a kind."""
        return self._plugins.table(f"minion.{kind}")

    def with_providers(self, providers: Mapping[str, str]) -> Plugins:
        """Return the same: there is nothing to choose."""
        return self

    def reload(self, kinds: Any = ()) -> None:
        """Do nothing: no file of a resource brings plugins."""


class _RenderedInside:
    """Rendering in the resource's own context: what templates call is the type's; implements `Rendering`."""

    def __init__(self, inside: CallContext) -> None:
        self._inside = inside

    def __getattr__(self, name: str) -> Any:
        def render(*args: Any, **options: Any) -> Any:
            with api.use(self._inside):
                return getattr(self._inside.services.render, name)(*args, **options)

        return render
