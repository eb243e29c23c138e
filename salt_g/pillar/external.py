"""External pillars, called in order and merged.

Shapes: the setting `ext_pillar` is a list of {name: arguments}; a mapping of arguments becomes
keywords, a list positionals, anything else the one argument.
Errors: an unknown source is logged and skipped; an exception is reported in `_errors`.
"""

from __future__ import annotations

import importlib
import logging
from collections.abc import Callable, Collection, Mapping
from typing import Any

from salt_g import api
from salt_g.loader.current_values import plain
from salt_g.pillar.merging import Merging
from salt_g.shapes import CallArguments, PillarDict

log = logging.getLogger(__name__)

#: Function (minion id, pillar so far, arguments...) that returns pillar.
Source = Callable[..., Any]

#: Built-in sources, with their module in `sources/`.
OWN = {
    "cmd_json": "commands",
    "cmd_yaml": "commands",
    "cmd_yamlex": "commands",
    "csv": "csv_file",
    "extra_minion_data_in_pillar": "extra_minion_data",
    "file_tree": "file_tree",
    "git": "git",
    "gpg": "gpg",
    "nodegroups": "nodegroups",
    "postgres": "postgres",
    "reclass": "reclass",
    "stack": "stack",
}


def merge_external(
    pillar: PillarDict,
    wanted: Any,
    *,
    minion_id: str,
    merging: Merging,
    errors: list[str],
    excluded: Collection[str] = (),
    extra_minion_data: Mapping[str, Any] | None = None,
) -> PillarDict:
    """Return `pillar` with the data of all `wanted` sources merged over it.

    `extra_minion_data` is data sent by the minion, for sources with an argument of this name.
    """
    if not isinstance(wanted, (list, tuple)) or not all(isinstance(item, Mapping) for item in wanted):
        errors.append('The "ext_pillar" option is malformed')
        return pillar
    for name, arguments in (pair for item in wanted for pair in item.items()):
        if name in excluded:
            continue
        data = _call_source(name, arguments, minion_id, pillar, errors, extra_minion_data or {})
        if isinstance(data, Mapping) and data:
            pillar = merging.merge(pillar, data)
    return pillar


def _call_source(
    name: str,
    arguments: Any,
    minion_id: str,
    pillar: PillarDict,
    errors: list[str],
    extra_minion_data: Mapping[str, Any],
) -> Any:
    source = find_source(name)
    if source is None:
        log.critical("external pillar %r is not available; check where its plugin is installed", name)
        return {}
    positional, keywords = _spread(arguments)
    if extra_minion_data and _takes_extra(source):
        keywords["extra_minion_data"] = dict(extra_minion_data)
    try:
        return plain(source(minion_id, pillar, *positional, **keywords))
    except (Exception, SystemExit) as exc:  # a plugin call
        log.exception("external pillar %r failed", name)
        errors.append(f"Failed to load ext_pillar {name}: {exc}")
        return {}


def find_source(name: str) -> Source | None:
    """Return the function of a source: the user's plugin, else the built-in one; None if missing."""
    custom = api.current().table("pillar").get(f"{name}.ext_pillar")
    if custom is not None or name not in OWN:
        return custom
    module = importlib.import_module(f"salt_g.pillar.sources.{OWN[name]}")
    source: Source = getattr(module, name)
    return source


def _takes_extra(source: Source) -> bool:
    import inspect  # Imported lazily: few minions send extra data.

    return "extra_minion_data" in inspect.signature(source).parameters


def _spread(arguments: Any) -> CallArguments:
    if isinstance(arguments, Mapping):
        return [], dict(arguments)
    return (list(arguments), {}) if isinstance(arguments, list) else ([arguments], {})
