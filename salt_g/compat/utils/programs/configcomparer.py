"""Stock's `salt.utils.configcomparer`: one configuration merged into another."""

import itertools
from typing import Any


def compare_and_update_config(
    config: Any, update_config: Any, changes: dict[str, Any], namespace: str = ""
) -> Any:
    """Merge `config` into `update_config` and return the result; keys only in `update_config` are kept.

    Changes are added to `changes` as {path: {new, old}}, with paths such as `a.b[2].c`. Where one list is
    shorter, its missing items are reported as None.
    """
    alike = isinstance(config, (dict, list)) and type(config) is type(update_config)
    if not alike or (config and not update_config):
        return config if config == update_config else _changed(config, update_config, changes, namespace)
    if isinstance(config, dict):
        for key, value in config.items():
            place = f"{namespace}.{key}" if namespace else str(key)
            if key in update_config:
                value = compare_and_update_config(value, update_config[key], changes, place)
            elif value is not None:
                _changed(value, None, changes, place)
            update_config[key] = value
        return update_config
    merged = [
        compare_and_update_config(new, old, changes, f"{namespace}[{place}]")
        for place, (new, old) in enumerate(itertools.zip_longest(config, update_config))
    ]
    update_config[:] = merged[: len(config)]
    return update_config


def _changed(new: Any, old: Any, changes: dict[str, Any], place: str) -> Any:
    changes[place] = {"new": new, "old": old}
    return new


__all__ = ["compare_and_update_config"]
