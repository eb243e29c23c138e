"""Stock's `salt.config`: the settings of a minion or a master as a dict."""

import os
from typing import Any

from salt_g import config
from salt_g.shapes import OptsDraft

#: Hash of `hash_type` by default.
DEFAULT_HASH_TYPE = "sha256"


def minion_config(path: str | None = None, **stock: Any) -> OptsDraft:
    """Return a minion's settings; `path` is its config file, by default the standard one."""
    return _settings("minion", path, stock.get("minion_id"))


def master_config(path: str | None = None, **stock: Any) -> OptsDraft:
    """Return a master's settings; `path` is its config file, by default the standard one."""
    return _settings("master", path)


def client_config(path: str | None = None, **stock: Any) -> OptsDraft:
    """Return the settings of a client of this master: the master's."""
    return _settings("master", path)


def _settings(role: str, path: str | None, minion_id: Any = None) -> OptsDraft:
    directory = os.path.dirname(path) if path and not os.path.isdir(path) else path
    overrides = {"id": minion_id} if isinstance(minion_id, str) else {}
    return dict(config.load(role, directory or None, overrides, asks_for_id=False).opts)


__all__ = ["DEFAULT_HASH_TYPE", "client_config", "master_config", "minion_config"]
