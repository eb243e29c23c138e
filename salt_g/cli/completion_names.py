"""Names that completion offers, read from this host's files: SLS names, keys of minions.

Nothing is changed and no error is printed. A directory that the user may not read yields no names.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any

#: States of keys that completion offers: all of them, and those that can be accepted or rejected.
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
