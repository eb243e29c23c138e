"""Stock's `salt.config`: the settings of a minion or a master as a dict."""

import os
from typing import Any

from salt_g import config
from salt_g.compat.refusal import refuse
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


_ADVICE = "drivers of clouds are not loaded; create machines with the tools of the cloud"
check_driver_dependencies = refuse("salt.config.check_driver_dependencies", _ADVICE)
get_cloud_config_value = refuse("salt.config.get_cloud_config_value", _ADVICE)
is_profile_configured = refuse("salt.config.is_profile_configured", _ADVICE)
is_provider_configured = refuse("salt.config.is_provider_configured", _ADVICE)

__all__ = ["DEFAULT_HASH_TYPE", "check_driver_dependencies", "client_config", "get_cloud_config_value"]
__all__ += ["is_profile_configured", "is_provider_configured", "master_config", "minion_config"]
