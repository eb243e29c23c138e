"""Synchronization of users' plugins from the file server to the master."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

from salt_g.api import opts, services
from salt_g.errors import CommandExecutionError
from salt_g.plugin_sync import limits_of, sync_form, unloaded_plugins

#: {label in the return of `sync_all`: plugin type}
_ALL_FORMS = {
    "clouds": "clouds",
    "modules": "modules",
    "states": "states",
    "grains": "grains",
    "renderers": "renderers",
    "returners": "returners",
    "output": "output",
    "proxymodules": "proxy",
    "runners": "runners",
    "wheel": "wheel",
    "engines": "engines",
    "thorium": "thorium",
    "queues": "queues",
    "pillar": "pillar",
    "utils": "utils",
    "sdb": "sdb",
    "cache": "cache",
    "fileserver": "fileserver",
    "tops": "tops",
    "tokens": "tokens",
    "serializers": "serializers",
    "executors": "executors",
    "roster": "roster",
    "wrapper": "wrapper",
}


def sync_all(
    saltenv: str | list[str] = "base", extmod_whitelist: Any = None, extmod_blacklist: Any = None
) -> dict[str, list[str]]:
    """Synchronize users' plugins of every type and return {type: new plugins}.

    `saltenv` names environments, several with commas; `extmod_whitelist` and `extmod_blacklist`
    are {type: [name, ...]}.

    Example::

        salt-g run saltutil.sync_all
    """
    return {
        label: _sync(form, saltenv, extmod_whitelist, extmod_blacklist) for label, form in _ALL_FORMS.items()
    }


def _refuse_unloaded(form: str, saltenv: str | list[str]) -> None:
    """Raise CommandExecutionError if there are plugins of a kind that is not loaded."""
    sentence = unloaded_plugins(form, _envs(saltenv), services().files)
    if sentence:
        raise CommandExecutionError(sentence)


def _envs(saltenv: str | list[str]) -> list[str]:
    return saltenv.split(",") if isinstance(saltenv, str) else list(saltenv)


def _sync(form: str, saltenv: str | list[str], whitelist: Any, blacklist: Any) -> list[str]:
    top = os.path.join(str(opts["extension_modules"]), form)
    return sync_form(
        form,
        _envs(saltenv),
        files=services().files,
        top=top,
        whitelist=limits_of(form, whitelist, opts.get("extmod_whitelist")),
        blacklist=limits_of(form, blacklist, opts.get("extmod_blacklist")),
        cleans=opts.get("clean_dynamic_modules", True),
    )


def _sync_function(form: str, what: str, *, name: str = "") -> Callable[..., list[str]]:
    """Return the sync function of one plugin type."""

    def sync(
        saltenv: str | list[str] = "base", extmod_whitelist: Any = None, extmod_blacklist: Any = None
    ) -> list[str]:
        _refuse_unloaded(form, saltenv)
        return _sync(form, saltenv, extmod_whitelist, extmod_blacklist)

    sync.__name__ = sync.__qualname__ = name or f"sync_{form}"
    sync.__doc__ = (
        f"Synchronize users' {what} (`salt://_{form}`) to the master and return the new ones.\n\n"
        f"    Example::\n\n        salt-g run saltutil.{sync.__name__}\n    "
    )
    return sync


sync_auth = _sync_function("auth", "modules of external authentication")
sync_cache = _sync_function("cache", "cache modules")
sync_clouds = _sync_function("clouds", "cloud modules")
sync_eauth_tokens = _sync_function("tokens", "stores of tokens", name="sync_eauth_tokens")
sync_engines = _sync_function("engines", "engines")
sync_executors = _sync_function("executors", "executors")
sync_fileserver = _sync_function("fileserver", "file server backends")
sync_grains = _sync_function("grains", "grain modules")
sync_matchers = _sync_function("matchers", "matchers")
sync_modules = _sync_function("modules", "execution modules")
sync_output = _sync_function("output", "outputters")
sync_pillar = _sync_function("pillar", "pillar modules")
sync_proxymodules = _sync_function("proxy", "proxy modules", name="sync_proxymodules")
sync_queues = _sync_function("queues", "queue modules")
sync_renderers = _sync_function("renderers", "renderers")
sync_returners = _sync_function("returners", "returners")
sync_roster = _sync_function("roster", "rosters")
sync_runners = _sync_function("runners", "runners")
sync_sdb = _sync_function("sdb", "sdb modules")
sync_serializers = _sync_function("serializers", "serializers")
sync_states = _sync_function("states", "state modules")
sync_thorium = _sync_function("thorium", "thorium modules")
sync_tops = _sync_function("tops", "master tops")
sync_utils = _sync_function("utils", "utility modules")
sync_wheel = _sync_function("wheel", "wheel modules")
sync_wrapper = _sync_function("wrapper", "wrapper modules")
