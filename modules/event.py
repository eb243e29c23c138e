"""Fire events on the bus of this minion or of its master."""

from __future__ import annotations

import logging
import os
from collections.abc import Mapping
from typing import Any

from salt_g.api import advise, grains, opts, own_arguments, pillar, services
from salt_g.data.minion_tags import may_fire, refused_tags, why_refused
from salt_g.errors import SaltGError
from salt_g.process.secret_hiding import hide
from salt_g.services.daemons import MinionServices

log = logging.getLogger(__name__)


def fire_master(data: Any, tag: str, preload: Mapping[str, Any] | None = None) -> bool:
    """Fire an event on the master's bus; return whether the master accepted it.

    A running minion sends events asynchronously, so True means that the event is queued. A master of salt-g
    refuses tags that belong to the daemons (`salt/...`), and the result is False, as without a master.
    `preload` is added to the request.

    Example::

        salt-g event.fire_master '{data: my event data}' tag
    """
    if _is_local():
        log.warning("Local mode detected. Event with tag %s will NOT be sent.", tag)
        return False
    load = {"data": hide(data), "tag": tag, "events": None, "pretag": None}
    # Send a daemon's tag directly: only the master knows whether it accepts the tag (stock's does).
    if getattr(services(), "jobs", None) is not None and may_fire(tag, str(opts.get("id"))):
        return fire({**load, "preload": dict(preload or {})}, "fire_master")
    try:
        reply = services(MinionServices).master.ask({**load, **(preload or {}), "cmd": "_minion_event"})
    except SaltGError as exc:
        log.error("the master did not accept event %s: %s", tag, exc)
        return False
    if refused_tags(reply):
        advise(f"the master refuses the event {tag!r}: {why_refused(tag)}")
        return False
    return True


def fire(data: Any, tag: str) -> bool:
    """Fire an event on the bus of this minion; return whether a running minion received it.

    `data` must be a mapping.

    Example::

        salt-g event.fire '{data: my event data}' tag
    """
    events = getattr(services(), "events", None)
    if events is None or not isinstance(data, Mapping):
        log.debug("event %s: no minion runs here, or its data is not a mapping", tag)
        return False
    return bool(events.fire(tag, dict(data)))


def send(
    tag: str,
    data: Any = None,
    preload: Mapping[str, Any] | None = None,
    with_env: bool | list[str] = False,
    with_grains: bool | list[str] = False,
    with_pillar: bool | list[str] = False,
    with_env_opts: bool = False,
    **kwargs: Any,
) -> bool:
    """Fire an event with collected data on the master's bus, or on this minion's bus without a master.

    `with_env`, `with_grains` and `with_pillar` add all data of their kind, or the keys in a list;
    `with_env_opts` adds saltenv and pillarenv; further keywords are data.

    Example::

        salt-g event.send myco/mytag foo=Foo bar=Bar
    """
    gathered: dict[str, Any] = {}
    for name, wanted, source in (
        ("environ", with_env, os.environ),
        ("grains", with_grains, grains),
        ("pillar", with_pillar, pillar),
    ):
        if wanted:
            gathered[name] = _chosen(source, wanted)
    if with_env_opts:
        gathered["saltenv"] = opts.get("saltenv", "base")
        gathered["pillarenv"] = opts.get("pillarenv")
    gathered.update(own_arguments(kwargs))
    if isinstance(data, Mapping):
        gathered.update(data)
    if _is_local():
        return fire(gathered, tag)
    return fire_master(gathered, tag, preload)


def _is_local() -> bool:
    return opts.get("file_client") == "local" and not opts.get("use_master_when_local")


def _chosen(source: Mapping[str, Any], wanted: bool | list[str]) -> dict[str, Any]:
    if isinstance(wanted, list):
        return {key: source[key] for key in source if key in wanted}
    return dict(source)
