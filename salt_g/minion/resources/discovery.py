"""Discovery of resources: types from pillar, their ids from each type, checks of each id.

A type's answer is untrusted data; an invalid name or a failing type does not affect other resources.
Shapes: `DiscoveredResources` is {type: [id]} in the order of pillar, and {pillar path: reason} of skipped
resources. Source: resources specification, sections 1, 2 and 5.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from salt_g import api
from salt_g.errors import TargetError
from salt_g.minion.resources.contexts import Contexts
from salt_g.minion.resources.time_limited import TypeCallFailed, call_with_timeout
from salt_g.minion.resources.types import ResourceType, ResourceTypes
from salt_g.process.offload import yield_to_hub
from salt_g.resource_model import srn
from salt_g.resource_model.pillar_settings import listed_ids, path_of, without_secrets
from salt_g.shapes import Opts

log = logging.getLogger(__name__)

#: Number of ids checked between two yields to other greenlets; they take a few ms.
SLICE = 500


class DiscoveredResources(NamedTuple):
    """Discovered resources by type, and the reason for each skipped resource by path in pillar."""

    ids: dict[str, list[str]]
    refused: dict[str, str]


def discover(
    declared: Mapping[str, Any],
    types: ResourceTypes,
    contexts: Contexts,
    *,
    key: str,
    before: Mapping[str, list[str]],
    timeout: float,
) -> DiscoveredResources:
    """Initialize the types in pillar and query their ids; for a failing type keep the ids in `before`."""
    found = DiscoveredResources({}, {})
    for name, below in declared.items():
        type = _usable(name, types, found.refused, key)
        if type is None:
            continue
        context = contexts.of_type(type)
        type.begin(context, below, timeout=timeout)
        try:
            with api.use(context):
                ids = _discovered_ids(type, below, context.opts, timeout)
        except TypeCallFailed as exc:
            kept = before.get(name, [])
            reason = without_secrets(str(exc), below)
            log.warning(
                "Resource discovery failed for type '%s': %s; its last %d resources are kept",
                name,
                reason,
                len(kept),
            )
            found.refused[f"{key}:{name}"] = f"discover: {reason}"
            found.ids[name] = list(kept)
            continue
        found.ids[name] = _checked(name, ids, below, found.refused, key, own=str(context.opts["id"]))
    return found


def _usable(name: str, types: ResourceTypes, refused: dict[str, str], key: str) -> ResourceType | None:
    try:
        srn.check_type(name)
        type = types.of(name)
        reason = types.why_missing(name) if type is None else ""
    except TargetError as exc:
        type, reason = None, str(exc)
    if type is None:
        why = f" ({reason})" if reason else ""
        log.warning("No resource module found for type '%s'; skipping discovery.%s", name, why)
        refused[f"{key}:{name}"] = reason or "no resource module of this name"
    return type


def _discovered_ids(type: ResourceType, below: Any, opts: Opts, timeout: float) -> list[Any]:
    """Return the ids that a type discovers or, without `discover`, the ids listed in pillar."""
    find = type.function("discover")
    if find is None:
        return listed_ids(below)
    # Converted to a list within the time limit: `discover` may return a generator that waits.
    return call_with_timeout(timeout, _listed, find, opts)  # type: ignore[no-any-return]


def _listed(find: Any, opts: Opts) -> list[Any]:
    found = find(opts)
    if isinstance(found, (str, bytes)) or not isinstance(found, Iterable):
        raise TypeError(f"discover returned {type(found).__name__}, not ids")
    return list(found)


def _checked(
    name: str, ids: list[Any], below: Any, refused: dict[str, str], key: str, *, own: str
) -> list[str]:
    good: dict[str, None] = {}
    for number, id in enumerate(ids, 1):
        if number % SLICE == 0:
            yield_to_hub()
        try:
            text = srn.check_id(id)
            reason = "it is the id of this minion" if text == own else ""
        except TargetError as exc:
            text, reason = "", str(exc)
        if reason:
            path = path_of(name, below, id, key)
            log.warning("resource at %s ignored: %s", _shown(path), reason)
            refused[_shown(path)] = reason
        else:
            good[text] = None
    return list(good)


def _shown(path: str) -> str:
    """Return a path in printable and shortened form for messages, because ids can be arbitrary text."""
    text = ascii(path)[1:-1]
    return text if len(text) <= 200 else f"{text[:200]}…"
