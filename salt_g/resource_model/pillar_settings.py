"""Resources of a minion in its pillar: types, ids and settings.

Minions find resources and their settings by these rules; masters apply the same rules to cached pillar.
Shapes: `{type: anything}` below the key of the setting `resource_pillar_key`. Two conventions name ids:
`resource_ids: [id, ...]` and `hosts: {id: {settings}}`; other keys belong to the type.
Source: resources specification, section 2.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping
from typing import Any

log = logging.getLogger(__name__)

#: Default pillar key.
DEFAULT_KEY = "resources"
#: Replacement for a secret in messages.
MASK = "**********"
#: Substrings in the names of settings with secret values.
_SECRET = ("pass", "secret", "token", "key", "community", "credential")
#: Minimum length of a secret that is masked in texts; masking shorter values would hide too much.
_SHORTEST_SECRET = 4


def key_of(opts: Mapping[str, Any]) -> str:
    """Return the pillar key under which resources are declared."""
    key = opts.get("resource_pillar_key", DEFAULT_KEY)
    if isinstance(key, str) and key:
        return key
    log.warning("resource_pillar_key is %r, which is not a valid key; using %r", key, DEFAULT_KEY)
    return DEFAULT_KEY


def declared(pillar: Mapping[str, Any], opts: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return {type: its pillar data}; {} if pillar declares no resources, or not as a mapping."""
    return declared_below(key_of(opts), pillar)


def declared_below(key: str, pillar: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return {type: its pillar data} below a pillar key, as `declared` does."""
    tree = pillar.get(key)
    return {str(name): below for name, below in tree.items()} if isinstance(tree, Mapping) else {}


def listed_ids(below: Any) -> list[Any]:
    """Return the ids in one type's subtree, as written there."""
    if isinstance(below, Mapping):
        listed, hosts = below.get("resource_ids"), below.get("hosts")
        named = list(listed) if isinstance(listed, (list, tuple)) else []
        return [*named, *(hosts if isinstance(hosts, Mapping) else ())]
    return list(below) if isinstance(below, (list, tuple)) else []


def settings_of(below: Any, id: str) -> Mapping[str, Any]:
    """Return the settings of one resource: its subtree under `hosts`, or {} if there is none."""
    hosts = below.get("hosts") if isinstance(below, Mapping) else None
    if not isinstance(hosts, Mapping):
        return {}
    found = hosts.get(id)
    if found is None and id.isdigit():
        # YAML reads `42:` as a number.
        found = hosts.get(int(id))
    return found if isinstance(found, Mapping) else {}


def shared_settings(below: Any, names: Iterable[str]) -> dict[str, Any]:
    """Return the common settings of all resources of a type: `names` beside `hosts`, and `defaults`."""
    if not isinstance(below, Mapping):
        return {}
    beside = {name: below[name] for name in names if below.get(name) is not None}
    defaults = below.get("defaults")
    return {**beside, **(defaults if isinstance(defaults, Mapping) else {})}


def path_of(type: str, below: Any, id: Any, key: str) -> str:
    """Return the pillar path of an id, for messages: `resources:ssh:hosts:web 01`."""
    if isinstance(below, Mapping):
        hosts, listed = below.get("hosts"), below.get("resource_ids")
        # Search a list, because an id can be any YAML value, even an unhashable one such as a list.
        if isinstance(hosts, Mapping) and id in list(hosts):
            return f"{key}:{type}:hosts:{id}"
        if isinstance(listed, (list, tuple)) and id in listed:
            return f"{key}:{type}:resource_ids[{list(listed).index(id)}]"
    return f"{key}:{type}"


def without_secrets(text: str, settings: Any) -> str:
    """Mask the secret values of the settings in a message."""
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
