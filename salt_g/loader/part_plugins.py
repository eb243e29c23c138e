"""Users' plugins that belong to a part of a daemon: logins, file server backends, matchers, cache drivers.

They are called outside of any job, so their call context has only settings and plugins.
Errors: SaltGError for a plugin that calls `sys.exit`; other exceptions of a plugin propagate.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from typing import Any

from salt_g import api
from salt_g.api import CallContext
from salt_g.errors import NoSuchFunction, SaltGError
from salt_g.loader import Loader
from salt_g.loader.current_values import plain
from salt_g.services.plugins import Services
from salt_g.shapes import Opts


class PartPlugins:
    """Plugins of one kind, loaded with the first call."""

    def __init__(self, opts: Opts, kind: str) -> None:
        self._kind = kind
        loader = Loader(opts)
        self._context = CallContext(
            opts=opts, grains={}, pillar={}, services=Services(plugins=lambda: loader), scratch={}
        )

    def has(self, name: str) -> bool:
        """Return whether there is a function of this name."""
        return self._find(name) is not None

    def why_missing(self, name: str) -> str:
        """Return why a plugin's function is unavailable, or '' if it exists or no plugin has this name."""
        with api.use(self._context) as context:
            try:
                context.table(self._kind)[name]
            except NoSuchFunction as exc:
                return exc.reason
        return ""

    def call(self, name: str, *arguments: Any, **keywords: Any) -> Any:
        """Call a function and return plain values; raise LookupError if there is none."""
        function = self._find(name)
        if function is None:
            raise LookupError(name)
        return self._within(self._context, function, *arguments, **keywords)

    def call_about(
        self, id: str, grains: Mapping[str, Any], pillar: Mapping[str, Any], name: str, *arguments: Any
    ) -> Any:
        """Call a function as if it ran on the minion `id`; raise LookupError if there is none."""
        function = self._find(name)
        if function is None:
            raise LookupError(name)
        opts = {**self._context.opts, "id": id}
        return self._within(
            self._context.replace(opts=opts, grains=grains, pillar=pillar), function, *arguments
        )

    def named(self, name: str, given: Mapping[str, Any]) -> dict[str, Any]:
        """Return the `given` keywords that a function accepts."""
        function = self._find(name)
        if function is None:
            return {}
        parameters = inspect.signature(function).parameters.values()
        if any(one.kind is one.VAR_KEYWORD for one in parameters):
            return dict(given)
        names = {one.name for one in parameters}
        return {key: value for key, value in given.items() if key in names}

    def _find(self, name: str) -> Callable[..., Any] | None:
        with api.use(self._context) as context:
            found: Callable[..., Any] | None = context.table(self._kind).get(name)
            return found

    def _within(
        self, context: CallContext, function: Callable[..., Any], *arguments: Any, **keywords: Any
    ) -> Any:
        with api.use(context):
            try:
                return plain(function(*arguments, **keywords))
            except SystemExit as exc:
                raise SaltGError(f"a plugin of the kind {self._kind} called sys.exit({exc.code!r})") from exc
