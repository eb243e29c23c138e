"""Plugins of a daemon's settings: setup of users' log handlers, and detection of unknown sources.

Source: stock docs, "External Logging Handlers".
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from salt_g import api
from salt_g.formats import reclass_inventory
from salt_g.local_call import local_context
from salt_g.shapes import Opts
from salt_g.telemetry.log import add_handler

log = logging.getLogger(__name__)

#: Advice for a configured source that no plugin provides.
_REMEDY = "no plugin provides it: install its extension (salt-g pip install) or remove it"


def add_log_handlers(opts: Opts) -> None:
    """Call each `setup_handlers` of users' plugins and add the returned handlers to the log.

    A plugin returns one handler, several, or False for none. A plugin that fails is logged and skipped.
    """
    with api.use(local_context(opts)) as context:
        table = context.table("log_handlers")
        for name in table:
            if not name.endswith(".setup_handlers"):
                continue
            try:
                made = table[name]()
            except (Exception, SystemExit):  # a plugin call
                log.exception("log handler %s failed; logging continues without it", name.partition(".")[0])
                continue
            _add(name, made)


def _add(name: str, made: Any) -> None:
    for handler in made if isinstance(made, (list, tuple)) else [made]:
        if isinstance(handler, logging.Handler):
            add_handler(handler)
        elif handler:
            log.error("%s must return a logging.Handler, a list of handlers or False, not %r", name, handler)


def unknown_sources(role: str, opts: Opts) -> list[str]:
    """Return a warning for each name in `ext_pillar` and `master_tops` that no plugin provides.

    Also warn if the library for `reclass` is missing. Neither a minion with a master nor the HTTP API reads
    these settings.
    """
    if role == "api" or (role == "minion" and opts.get("file_client") != "local"):
        return []
    from salt_g.pillar.external import find_source

    with api.use(local_context(opts)) as context:
        tops = context.table("tops")
        missing = [("ext_pillar", name) for name in _sources(opts) if find_source(name) is None]
        missing += [
            ("master_tops", name) for name in _names(opts.get("master_tops")) if f"{name}.top" not in tops
        ]
    found = [f"{setting}: {name!r} has no effect: {_REMEDY}" for setting, name in missing]
    used = [*_items(opts), ("master_tops", opts.get("master_tops"))]
    return found + [
        f"{setting}: 'reclass' has no effect: its library is missing: {reclass_inventory.ADVICE}"
        for setting, item in used
        if isinstance(item, Mapping) and "reclass" in item
        if not reclass_inventory.is_available(item["reclass"])
    ]


def _sources(opts: Opts) -> Iterator[str]:
    for _, item in _items(opts):
        yield from _names(item)


def _items(opts: Opts) -> Iterator[tuple[str, Any]]:
    listed = opts.get("ext_pillar")
    for item in listed if isinstance(listed, (list, tuple)) else ():
        yield "ext_pillar", item


def _names(item: Any) -> Iterable[str]:
    return map(str, item) if isinstance(item, Mapping) else ()
