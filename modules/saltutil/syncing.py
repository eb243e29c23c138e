"""Synchronization of users' plugins from the file server (`saltutil.sync_*`)."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

from salt_g.api import opts, services
from salt_g.errors import CommandExecutionError
from salt_g.modules.saltutil.copying import Limits, copy_form, folder_of
from salt_g.modules.saltutil.refreshing import (
    clear_grains_cache,
    refresh_beacons,
    refresh_modules,
    refresh_pillar,
    refresh_resources,
)
from salt_g.plugin_sync import unloaded_plugins

#: Argument of a sync function: the file environments (None: those of the top file).
Envs = str | list[str] | None


#: {label in the return of `sync_all`: form}
_ALL_FORMS = {
    "tops": "tops",
    "clouds": "clouds",
    "beacons": "beacons",
    "modules": "modules",
    "states": "states",
    "sdb": "sdb",
    "grains": "grains",
    "renderers": "renderers",
    "returners": "returners",
    "output": "output",
    "utils": "utils",
    "log_handlers": "log_handlers",
    "executors": "executors",
    "proxymodules": "proxy",
    "engines": "engines",
    "thorium": "thorium",
    "serializers": "serializers",
    "matchers": "matchers",
    "resources": "resources",
    "pillar": "pillar",
    "wrapper": "wrapper",
}
#: Forms that belong to a master; a minion gets them only if it has none.
_LOCAL_ONLY = frozenset(("tops", "pillar", "wrapper"))


def list_extmods() -> dict[str, list[str]]:
    """Return {form: names} of the users' plugins on this minion.

    Example::

        salt-g saltutil.list_extmods
    """
    top = folder_of()
    if not os.path.isdir(top):
        return {}
    return {form: sorted(_plugin_names(os.path.join(top, form))) for form in sorted(os.listdir(top))}


def sync_all(
    saltenv: Envs = None,
    refresh: bool = True,
    extmod_whitelist: Limits = None,
    extmod_blacklist: Limits = None,
    clean_pillar_cache: bool = False,
) -> dict[str, list[str]]:
    """Synchronize users' plugins of all kinds and return {kind: [new or changed plugin, ...]}.

    `extmod_whitelist` and `extmod_blacklist` are {kind: [name, ...]}; `refresh` makes a running minion load
    the new plugins and refresh the pillar at once. `clean_pillar_cache` has no effect.

    Example::

        salt-g saltutil.sync_all
    """
    envs = _envs(saltenv)
    is_local = opts.get("file_client") == "local"
    brought = {
        label: _sync(form, envs, extmod_whitelist, extmod_blacklist)
        for label, form in _ALL_FORMS.items()
        if is_local or form not in _LOCAL_ONLY
    }
    services().plugins.reload()
    if refresh:
        refresh_pillar(clean_cache=clean_pillar_cache)
    return brought


def _sync_function(
    name: str, form: str, what: str, *, refresh: bool = True, after: Callable[[], Any] = refresh_modules
) -> Callable[..., list[str]]:
    """Return the sync function of one kind, which calls `after` if its argument `refresh` is true."""

    def sync(
        saltenv: Envs = None,
        refresh: bool = refresh,
        extmod_whitelist: Limits = None,
        extmod_blacklist: Limits = None,
        clean_pillar_cache: bool = False,
    ) -> list[str]:
        if form in _LOCAL_ONLY and opts.get("file_client") != "local":
            raise CommandExecutionError(f"{what} can only be synced to masterless minions")
        envs = _envs(saltenv)
        unloaded = unloaded_plugins(form, envs, services().files)
        if unloaded:
            raise CommandExecutionError(unloaded)
        brought = _sync(form, envs, extmod_whitelist, extmod_blacklist)
        if refresh:
            after()
        return brought

    sync.__name__ = sync.__qualname__ = name
    sync.__doc__ = (
        f"Bring users' {what} (`salt://_{form}`) to this minion and return what was new.\n\n"
        f"    Example::\n\n        salt-g saltutil.{name}\n    "
    )
    return sync


def _sync(form: str, saltenvs: list[str], whitelist: Limits, blacklist: Limits) -> list[str]:
    brought = copy_form(form, saltenvs, whitelist=whitelist, blacklist=blacklist)
    if form == "grains":
        clear_grains_cache()
    return brought


def _envs(saltenv: Envs) -> list[str]:
    """Return the environments to synchronize from; by default those of the top file."""
    if isinstance(saltenv, str):
        return saltenv.split(",")
    if saltenv:
        return list(saltenv)
    return list(services().states.top_matches()) or ["base"]


def _plugin_names(folder: str) -> set[str]:
    return {
        name.split(".")[0] for _, _, names in os.walk(folder) for name in names if not name.endswith(".pyc")
    }


sync_beacons = _sync_function("sync_beacons", "beacons", "beacons", after=refresh_beacons)
sync_clouds = _sync_function("sync_clouds", "clouds", "cloud modules")
sync_engines = _sync_function("sync_engines", "engines", "engines", refresh=False)
sync_executors = _sync_function("sync_executors", "executors", "executors")
sync_grains = _sync_function("sync_grains", "grains", "grain modules", after=refresh_pillar)
sync_log_handlers = _sync_function("sync_log_handlers", "log_handlers", "log handlers")
sync_matchers = _sync_function("sync_matchers", "matchers", "matchers", refresh=False)
sync_modules = _sync_function("sync_modules", "modules", "execution modules")
sync_output = _sync_function("sync_output", "output", "outputters")
sync_outputters = _sync_function("sync_outputters", "output", "outputters")
sync_pillar = _sync_function("sync_pillar", "pillar", "Pillar modules", after=refresh_pillar)
sync_proxymodules = _sync_function("sync_proxymodules", "proxy", "proxy modules", refresh=False)
sync_renderers = _sync_function("sync_renderers", "renderers", "renderers")
sync_resources = _sync_function("sync_resources", "resources", "resource types", after=refresh_resources)
sync_returners = _sync_function("sync_returners", "returners", "returners")
sync_sdb = _sync_function("sync_sdb", "sdb", "sdb modules", refresh=False)
sync_serializers = _sync_function("sync_serializers", "serializers", "serializers")
sync_states = _sync_function("sync_states", "states", "state modules")
sync_thorium = _sync_function("sync_thorium", "thorium", "thorium modules", refresh=False)
sync_tops = _sync_function("sync_tops", "tops", "Master top modules")
sync_utils = _sync_function("sync_utils", "utils", "utility modules")
sync_wrapper = _sync_function("sync_wrapper", "wrapper", "Wrapper modules")
