"""Setting values from plugins: the id from `id_function`, and the values of `sdb://` addresses.

`config` is below the loader and must not import plugins. Both kinds are rare, so plugins are loaded only on
first use.
Errors: ConfigError if a plugin raises an error, or if `id_function` does not return text.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from salt_g.errors import ConfigError

if TYPE_CHECKING:
    from salt_g.shapes import Opts


class LocalSettingsPlugins:
    """Implementation of `config.settings.SettingsPlugins` with the plugins of this machine."""

    def id_of(self, opts: Opts) -> str:
        """Return the result of the function in the setting `id_function`."""
        named = opts["id_function"]
        name, arguments = (named, {}) if isinstance(named, str) else next(iter(named.items()))
        value = _called(str(name), opts, **(arguments or {}))
        if not isinstance(value, str) or not value:
            raise ConfigError([f"id_function: {name} returned {value!r}, which is not a valid id"])
        return value

    def look_up(self, uri: str, opts: Opts) -> Any:
        """Return the value of an `sdb://` address, or the address itself if no plugin resolves it."""
        return _called("sdb.get", opts, uri=uri)


def _called(name: str, opts: Opts, **arguments: Any) -> Any:
    from salt_g import api
    from salt_g.local_call import local_context

    with api.use(local_context(opts)) as context:
        try:
            return context.table("modules")[name](**arguments)
        # A plugin may raise anything; without the setting's value, the program cannot continue.
        except Exception as exc:
            raise ConfigError([f"{name} failed to provide a setting: {exc}"]) from exc
