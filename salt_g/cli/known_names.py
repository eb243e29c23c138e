"""Names known on this host, for completion and suggestions: SLS, keys, functions.

SLS names and keys are read from files; a directory that the user may not read yields no names. Function names
come from the loader's source index: no plugin is imported.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from typing import Any

#: States of keys that completion offers: all states, and the state of pending keys.
ALL_KEYS = ("minions", "minions_pre", "minions_rejected", "minions_denied")
PENDING_KEYS = ("minions_pre",)


def sls_names(config_dir: str | None = None) -> list[str]:
    """Return the names of all SLS files below the `file_roots` of this host's master and minion."""
    from salt_g.files.client import local_roots
    from salt_g.files.client import sls_names as names_of

    found = set[str]()
    for role in ("master", "minion"):
        roots = local_roots(_settings(role, config_dir) or {}, "file_roots")
        for saltenv in roots.envs():
            found.update(names_of(roots.listing(saltenv).files))
    return sorted(found)


def key_ids(config_dir: str | None = None, states: Sequence[str] = ALL_KEYS) -> list[str]:
    """Return the ids of the keys that this host's master has in the given key states."""
    pki_dir = (_settings("master", config_dir) or {}).get("pki_dir", "")
    found = set[str]()
    for state in states if pki_dir else ():
        try:
            found.update(os.listdir(os.path.join(pki_dir, state)))
        except OSError:
            continue
    return sorted(id for id in found if not id.startswith("."))


def _settings(role: str, config_dir: str | None) -> Mapping[str, Any] | None:
    from salt_g import config
    from salt_g.errors import ConfigError

    try:
        return config.load(role, config_dir, asks_for_id=False).opts
    except ConfigError:
        return None


def runner_functions(config_dir: str | None = None) -> list[str]:
    """Return the names of all runner functions."""
    return _function_names("master", config_dir, "runners")


def execution_functions(config_dir: str | None = None) -> list[str]:
    """Return the names of all execution functions, without importing any."""
    return _function_names("minion", config_dir, "modules")


def _function_names(role: str, config_dir: str | None, kind: str) -> list[str]:
    from salt_g import config
    from salt_g.errors import ConfigError
    from salt_g.loader import Loader

    try:
        opts = config.load(role, config_dir).opts
    except ConfigError as exc:
        print(exc, file=sys.stderr)
        return []
    return sorted(Loader(opts).table(kind).known_names())
