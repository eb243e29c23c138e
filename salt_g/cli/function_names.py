"""Function names from the loader's source index; no plugin is imported."""

from __future__ import annotations

import sys


def runner_functions(config_dir: str | None = None) -> list[str]:
    """Return the names of all runner functions."""
    return _names("master", config_dir, "runners")


def execution_functions(config_dir: str | None = None) -> list[str]:
    """Return the names of all execution functions, without importing any."""
    return _names("minion", config_dir, "modules")


def _names(role: str, config_dir: str | None, kind: str) -> list[str]:
    from salt_g import config
    from salt_g.errors import ConfigError
    from salt_g.loader import Loader

    try:
        opts = config.load(role, config_dir).opts
    except ConfigError as exc:
        print(exc, file=sys.stderr)
        return []
    return sorted(Loader(opts).table(kind).known_names())
