"""What pillar says of a minion's resources: the types, their ids, the settings of each.

Why its own file: the minion finds its resources by it and matches them by their settings, and a
master looks into cached pillar with the same rules.
Shapes: `{type: anything}` below the key of the setting `resource_pillar_key`. Two conventions name ids:
`resource_ids: [id, ...]` and `hosts: {id: {settings}}`; what else is there is the type's own business.
Source: resources specification, section 2.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping
from typing import Any

log = logging.getLogger(__name__)

#: The key when the settings name none.
DEFAULT_KEY = "resources"
#: Stands in messages where a secret was.
MASK = "**********"
#: Parts of the names of settings whose values are secret.
_SECRET = ("pass", "secret", "token", "key", "community", "credential")
#: Shorter values are not looked for in texts: too much would be masked.
_SHORTEST_SECRET = 4


def key_of(opts: Mapping[str, Any]) -> str:
    """Return the pillar key below which resources are declared."""
    key = opts.get("resource_pillar_key", DEFAULT_KEY)
    if isinstance(key, str) and key:
        return key
    log.warning("resource_pillar_key is %r, which names no key; %r is used", key, DEFAULT_KEY)
    return DEFAULT_KEY


def declared(pillar: Mapping[str, Any], opts: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return {type: what pillar says of it}; what is no mapping counts as empty."""
    tree = pillar.get(key_of(opts))
    return {str(name): below for name, below in tree.items()} if isinstance(tree, Mapping) else {}


def listed_ids(below: Any) -> list[Any]:
    """Return the ids that one type's subtree names, as they are written there."""
    if isinstance(below, Mapping):
        listed, hosts = below.get("resource_ids"), below.get("hosts")
        named = list(listed) if isinstance(listed, (list, tuple)) else []
        return [*named, *(hosts if isinstance(hosts, Mapping) else ())]
    return list(below) if isinstance(below, (list, tuple)) else []


def settings_of(below: Any, id: str) -> Mapping[str, Any]:
    """Return the settings of one resource: the subtree of its id under `hosts`, {} without one."""
    hosts = below.get("hosts") if isinstance(below, Mapping) else None
    if not isinstance(hosts, Mapping):
        return {}
    found = hosts.get(id)
    if found is None and id.isdigit():
        # YAML reads `42:` as a number.
        found = hosts.get(int(id))
    return found if isinstance(found, Mapping) else {}


def path_of(type: str, below: Any, id: Any, key: str) -> str:
    """Return where in pillar an id stands, for messages: `resources:ssh:hosts:web 01`."""
    if isinstance(below, Mapping):
        hosts, listed = below.get("hosts"), below.get("resource_ids")
        # An id may be anything that YAML knows, a list for instance, which is no key.
        if isinstance(hosts, Mapping) and id in list(hosts):
            return f"{key}:{type}:hosts:{id}"
        if isinstance(listed, (list, tuple)) and id in listed:
            return f"{key}:{type}:resource_ids[{list(listed).index(id)}]"
    return f"{key}:{type}"


def without_secrets(text: str, settings: Any) -> str:
    """Return a message without the secret values of the settings that it may repeat."""
    for secret in sorted(_secrets(settings), key=len, reverse=True):
        text = text.replace(secret, MASK)
    return text


def _secrets(value: Any, *, is_secret: bool = False) -> Iterable[str]:
    if isinstance(value, Mapping):
        for name, below in value.items():
            yield from _secrets(below, is_secret=is_secret or _names_secret(str(name)))
    elif isinstance(value, (list, tuple)):
        for below in value:
            yield from _secrets(below, is_secret=is_secret)
    elif is_secret and value is not None and len(str(value)) >= _SHORTEST_SECRET:
        yield str(value)


def _names_secret(name: str) -> bool:
    return any(part in name.lower() for part in _SECRET)
