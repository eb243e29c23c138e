"""What plugins say about settings: the id of `id_function`, values behind `sdb://` addresses.

Why its own file: `config` stands below the loader and must not know of plugins; both are rare, so
nothing is loaded before somebody asks.
Errors: ConfigError for an `id_function` that cannot be called, or returns no text.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from salt_g.errors import ConfigError


class PluggedSettings:
    """Implements `config.Plugged` with the plugins of this machine."""

    def id_of(self, opts: Mapping[str, Any]) -> str:
        """Return what the function of the setting `id_function` returns."""
        named = opts["id_function"]
        name, arguments = (named, {}) if isinstance(named, str) else next(iter(named.items()))
        value = _called(str(name), opts, **(arguments or {}))
        if not isinstance(value, str) or not value:
            raise ConfigError([f"id_function: {name} returned {value!r}, which is no id"])
        return value

    def look_up(self, uri: str, opts: Mapping[str, Any]) -> Any:
        """Return the value behind an `sdb://` address, the address itself when nobody knows it."""
        return _called("sdb.get", opts, uri=uri)


def _called(name: str, opts: Mapping[str, Any], **arguments: Any) -> Any:
    from salt_g import api
    from salt_g.local_call import local_context

    with api.use(local_context(opts)) as context:
        try:
            return context.table("modules")[name](**arguments)
        # A plugin may raise anything; without what it was to say there is no program to go on with.
        except Exception as exc:
            raise ConfigError([f"{name} was to say a setting and failed: {exc}"]) from exc
