"""Stock's `salt.config`: the settings of a minion or a master as a dict."""

import glob
import os
from typing import Any

from salt_g import api, config
from salt_g.compat.refusal import refuse
from salt_g.config import registry
from salt_g.data.nested import merge_recursive
from salt_g.formats import yaml_load
from salt_g.shapes import OptsDraft

#: Default of the setting `hash_type`.
DEFAULT_HASH_TYPE = "sha256"


def __getattr__(name: str) -> Any:
    """Return `DEFAULT_MINION_OPTS` or another dict of default settings, built on each access."""
    roles = {"MINION": "minion", "MASTER": "master", "PROXY_MINION": "minion", "API": "master"}
    role = roles.get(name.removeprefix("DEFAULT_").removesuffix("_OPTS"))
    if role is None or not (name.startswith("DEFAULT_") and name.endswith("_OPTS")):
        raise AttributeError(f"module 'salt.config' has no attribute {name!r} here")
    return registry.defaults(role)


def load_config(path: str, env_var: str = "", default_path: str | None = None, **stock: Any) -> Any:
    """Return a file's settings without defaults, or {} if it is missing.

    The environment variable `env_var` can name another file.
    """
    chosen = os.environ.get(env_var) or path or default_path
    return _read(str(chosen)) if chosen and os.path.isfile(chosen) else {}


def include_config(include: Any, orig_path: str, verbose: bool = False, **stock: Any) -> dict[str, Any]:
    """Return the merged settings of the files that globs match; later files win.

    The globs are relative to the directory of `orig_path`.
    """
    found: dict[str, Any] = {}
    for pattern in [include] if isinstance(include, str) else include or []:
        for path in sorted(glob.glob(os.path.join(os.path.dirname(orig_path), pattern))):
            found = merge_recursive(found, _read(path))
    return found


def apply_sdb(opts: Any, sdb_opts: Any = None) -> Any:
    """Replace values `sdb://PROFILE/KEY` in settings, at any depth, and return the settings."""
    inner = opts if sdb_opts is None else sdb_opts
    if isinstance(inner, str) and inner.startswith("sdb://"):
        return api.call("sdb.get", inner)
    if isinstance(inner, dict):
        for key, value in inner.items():
            inner[key] = apply_sdb(opts, value) if value else value
    elif isinstance(inner, list):
        inner[:] = [apply_sdb(opts, value) if value else value for value in inner]
    return inner


def _read(path: str) -> Any:
    with open(path, encoding="utf-8") as file:
        return yaml_load.load(file.read(), name=path) or {}


def minion_config(path: str | None = None, **stock: Any) -> OptsDraft:
    """Return a minion's settings, read from the directory of `path` or from the standard directory."""
    return _settings("minion", path, stock.get("minion_id"))


def master_config(path: str | None = None, **stock: Any) -> OptsDraft:
    """Return a master's settings, read from the directory of `path` or from the standard directory."""
    return _settings("master", path)


def client_config(path: str | None = None, **stock: Any) -> OptsDraft:
    """Return the settings of a client, which are those of its master."""
    return _settings("master", path)


def api_config(path: str | None = None, **stock: Any) -> OptsDraft:
    """Return the settings of the HTTP API: the master's, with the API's own `pidfile` and `log_file`."""
    opts = _settings("master", path)
    return {**opts, "pidfile": opts["api_pidfile"], "log_file": opts["api_logfile"]}


def _settings(role: str, path: str | None, minion_id: Any = None) -> OptsDraft:
    directory = os.path.dirname(path) if path and not os.path.isdir(path) else path
    overrides = {"id": minion_id} if isinstance(minion_id, str) else {}
    return dict(config.load(role, directory or None, overrides, asks_for_id=False).opts)


_ADVICE = "cloud drivers are not loaded; create machines with the tools of the cloud"
cloud_config = refuse("salt.config.cloud_config", _ADVICE)
check_driver_dependencies = refuse("salt.config.check_driver_dependencies", _ADVICE)
get_cloud_config_value = refuse("salt.config.get_cloud_config_value", _ADVICE)
is_profile_configured = refuse("salt.config.is_profile_configured", _ADVICE)
is_provider_configured = refuse("salt.config.is_provider_configured", _ADVICE)

__all__ = ["DEFAULT_HASH_TYPE", "check_driver_dependencies", "client_config", "get_cloud_config_value"]
__all__ += ["is_profile_configured", "is_provider_configured", "master_config", "minion_config"]
__all__ += ["api_config", "apply_sdb", "cloud_config", "include_config", "load_config"]
