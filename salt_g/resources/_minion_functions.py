"""Functions and states of the managing minion, run on behalf of a resource.

Resource types whose files are below a root or in a local copy reuse the minion's own file functions this way.
Grains, pillar, templates and test mode remain the resource's.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from salt_g import api
from salt_g.api import CallContext
from salt_g.shapes import RenderedSls

if TYPE_CHECKING:
    from salt_g.services.protocols import Plugins


def on_host(kind: str, name: str, /, *args: Any, **options: Any) -> Any:
    """Call a function of the managing minion (`modules`, `file.read`) on behalf of the resource."""
    inside = api.current()
    plugins = _HostPlugins(inside.services.plugins)
    services = inside.services.replace(plugins=lambda: plugins, render=lambda: _RenderedInside(inside))
    with api.use(inside.replace(services=services)):
        return plugins.table(kind)[name](*args, **options)


class _HostPlugins:
    """Plugin tables of the managing minion; implements `services.protocols.Plugins`."""

    def __init__(self, plugins: Plugins) -> None:
        self._plugins = plugins

    def table(self, kind: str) -> Mapping[str, Callable[..., Any]]:
        """Return the managing minion's functions of a kind."""
        return self._plugins.table(f"minion.{kind}")

    def with_providers(self, providers: Mapping[str, str]) -> Plugins:
        """Return this object, because providers cannot be chosen for the minion's functions."""
        return self

    def reload(self, kinds: Any = ()) -> None:
        """Do nothing, because the files of a resource contain no plugins."""


class _RenderedInside:
    """Rendering in the resource's context, for functions of its type; implements `Rendering`."""

    def __init__(self, inside: CallContext) -> None:
        self._inside = inside

    def render_sls(self, path: str, **options: Any) -> Any:
        """Render the SLS file at `path` to data."""
        with api.use(self._inside):
            return self._inside.services.render.render_sls(path, **options)

    def locate_sls(self, path: str, **options: Any) -> RenderedSls:
        """Render the SLS file at `path` again, for the line numbers of its ids."""
        with api.use(self._inside):
            return self._inside.services.render.locate_sls(path, **options)

    def render_text(self, text: str, **options: Any) -> Any:
        """Render `text` through a pipe of renderers."""
        with api.use(self._inside):
            return self._inside.services.render.render_text(text, **options)

    def render_template(self, text: str, **options: Any) -> str:
        """Render a managed file's text with a template engine."""
        with api.use(self._inside):
            return self._inside.services.render.render_template(text, **options)

    def names(self) -> list[str]:
        """Return the names of salt-g's own renderers, sorted."""
        return self._inside.services.render.names()
