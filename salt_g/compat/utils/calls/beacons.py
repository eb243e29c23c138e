"""Stock's `salt.utils.beacons`: the settings of a beacon."""

from collections.abc import Iterable, Mapping
from typing import Any


def list_to_dict(config: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """Merge a list of mappings into one mapping and return it."""
    return {key: value for item in config for key, value in item.items()}


def remove_hidden_options(
    config: Iterable[Mapping[str, Any]], whitelist: Iterable[str]
) -> list[Mapping[str, Any]]:
    """Return the settings that have a name without a leading underscore or in `whitelist`."""
    allowed = set(whitelist)
    return [item for item in config if not all(key.startswith("_") and key not in allowed for key in item)]


__all__ = ["list_to_dict", "remove_hidden_options"]
