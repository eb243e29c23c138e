"""Refreshes of plugins, pillar, grains, beacons and resources.

This process is refreshed at once; a running minion is notified by an event, and the return value says
whether the minion received the event.
"""

from __future__ import annotations

import logging
import os
from typing import Any

from salt_g.api import call, opts, services
from salt_g.errors import InvocationError

log = logging.getLogger(__name__)

#: Event of the minion after loading its pillar again.
PILLAR_DONE = "/salt/minion/minion_pillar_refresh_complete"


def refresh_modules(**kwargs: Any) -> bool:
    """Reload users' plugins; return whether a running minion was notified.

    Example::

        salt-g saltutil.refresh_modules
    """
    services().plugins.reload()
    return bool(call("event.fire", {}, "module_refresh"))


def refresh_matchers() -> bool:
    """Reload users' matchers; return whether a running minion was notified.

    Example::

        salt-g saltutil.refresh_matchers
    """
    services().plugins.reload(["matchers"])
    return bool(call("event.fire", {}, "matchers_refresh"))


def refresh_beacons() -> bool:
    """Make a running minion reload its beacons; return whether one was notified.

    Example::

        salt-g saltutil.refresh_beacons
    """
    return bool(call("event.fire", {}, "beacons_refresh"))


def refresh_resources() -> bool:
    """Make a running minion discover its resources again; return whether one was notified.

    Example::

        salt-g saltutil.refresh_resources
    """
    return bool(call("event.fire", {}, "resource_refresh"))


def resource_errors() -> dict[str, str]:
    """Return {resource name, or location in pillar: its last error}.

    Only a running minion has such errors; elsewhere the result is empty.

    Example::

        salt-g saltutil.resource_errors
    """
    managed = getattr(services(), "resources", None)
    return {} if managed is None else dict(managed.errors())


def refresh_pillar(wait: bool = False, timeout: int = 30, clean_cache: bool = True) -> bool:
    """Make a running minion reload its pillar; return whether one was notified.

    With `wait=True`, wait at most `timeout` seconds for the reload and return whether it has finished. A
    local call always compiles the pillar again. `clean_cache` has no effect.

    Example::

        salt-g saltutil.refresh_pillar
    """
    data = {"clean_cache": clean_cache}
    if not wait:
        return bool(call("event.fire", data, "pillar_refresh"))
    events = getattr(services(), "events", None)
    if events is None:
        return False
    try:
        with events.watch(PILLAR_DONE) as watch:
            return bool(events.fire("pillar_refresh", data) and watch.get(float(timeout)))
    except OSError:
        log.debug("no minion runs here")
        return False


def pillar_refresh(wait: bool = False, timeout: int = 30, clean_cache: bool = True) -> bool:
    """Refresh the pillar, as `saltutil.refresh_pillar` does.

    Example::

        salt-g saltutil.pillar_refresh
    """
    return refresh_pillar(wait, timeout, clean_cache)


def refresh_grains(refresh_pillar: bool = True, clean_pillar_cache: bool = False, **kwargs: Any) -> bool:
    """Drop the cached grains and make a running minion gather them again; return True.

    The pillar is refreshed too, unless `refresh_pillar` is False. `clean_pillar_cache` has no effect.

    Example::

        salt-g saltutil.refresh_grains
    """
    unknown = sorted(key for key in kwargs if not key.startswith("__"))
    if unknown:
        raise InvocationError(f"The following keyword arguments are not valid: {', '.join(unknown)}")
    clear_grains_cache()
    if refresh_pillar:
        call("saltutil.refresh_pillar", clean_cache=clean_pillar_cache)
    else:
        refresh_modules()
    return True


def clear_grains_cache() -> None:
    """Remove the file of cached grains."""
    path = os.path.join(str(opts["cachedir"]), "grains.cache.p")
    try:
        os.unlink(path)
    except FileNotFoundError:
        log.debug("no cached grains in %s", path)
