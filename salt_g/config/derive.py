"""Derived settings: the id, paths below `root_dir`, file roots.

The rules are stock's, for each role. Only the id, the user, relative paths and globs depend on the machine.
Each step changes the settings dict under construction, which is frozen afterwards.
Source: stock's `apply_minion_config` and `apply_master_config`; conformance areas `top`, `file`.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from types import NoneType
from typing import TYPE_CHECKING, Any

import salt_g.config.minion_id as minion_id
from salt_g.config.check import LISTS_OF_TEXTS
from salt_g.config.files import STANDARD_DIRECTORIES

if TYPE_CHECKING:
    from salt_g.shapes import OptsDraft

#: Path settings below `root_dir`, by role.
_BELOW_ROOT = {
    "minion": ("pki_dir", "cachedir", "sock_dir", "extension_modules", "pidfile", "log_file", "key_logfile"),
    "master": (
        *(
            "pki_dir",
            "cachedir",
            "pidfile",
            "sock_dir",
            "extension_modules",
            "autosign_file",
            "autoreject_file",
        ),
        *("token_dir", "syndic_dir", "sqlite_queue_dir", "autosign_grains_dir"),
        *("log_file", "key_logfile", "ssh_log_file", "api_logfile", "api_pidfile"),
    ),
}
#: {old name of a file server backend: name}
_BACKEND_NAMES = {"git": "gitfs", "hg": "hgfs", "svn": "svnfs", "minion": "minionfs"}
#: Number of characters by which `sock_dir` may be longer than `cachedir` before it is moved there.
_SOCK_DIR_SLACK = 10


def derive(
    role: str,
    opts: OptsDraft,
    given: set[str],
    *,
    asks_for_id: bool = True,
    name_id: Callable[[], str] | None = None,
) -> None:
    """Complete the settings of a role in place; `given` are the names set explicitly.

    `asks_for_id` and `name_id` apply to an id that is not set, see `minion_id.find_id`.
    """
    opts["__role"] = role
    _log_file(opts, given)
    _log_formats(opts, given)
    _saltenv(opts)
    _user(opts)
    opts["fileserver_backend"] = [_BACKEND_NAMES.get(name, name) for name in opts["fileserver_backend"]]
    _id(role, opts, asks=asks_for_id, name_id=name_id)
    if role == "minion":
        _append_id_to_directories(opts)
    _directories(role, opts)
    _plain_values(role, opts)
    for name in ("file_roots", "pillar_roots"):
        opts[name] = normal_roots(opts[name])
    if role == "minion":
        opts.setdefault("beacons", {})
        opts.setdefault("__cachedir", opts["cachedir"])


def normal_roots(roots: Any) -> dict[str, list[str]]:
    """Return {environment: [directories]} with globs expanded; a value that is not a list counts as empty."""
    if not isinstance(roots, dict):
        return {"base": []}
    return {str(env): _expanded(paths) if isinstance(paths, list) else [] for env, paths in roots.items()}


def below_root(path: str, root: str) -> str:
    """Return `path` placed below `root`.

    Paths that are already below `root`, and URLs such as a syslog address (`file:///dev/log`), are not
    changed.
    """
    if "://" in path:
        return path
    root = os.path.abspath(root)
    if path == root or path.startswith(root.rstrip("/") + "/"):
        return path
    return os.path.join(root, path.lstrip("/"))


def _log_file(opts: OptsDraft, given: set[str]) -> None:
    directory = opts.get("log_dir")
    if not directory:
        return
    name = opts["log_file"] if "log_file" in given else os.path.basename(opts["log_file"])
    opts["log_file"] = os.path.join(directory, name)


def _log_formats(opts: OptsDraft, given: set[str]) -> None:
    for name in ("log_fmt_console", "log_fmt_logfile"):
        if opts.get("log_fmt") and name not in given:
            opts[name] = opts["log_fmt"]


def _saltenv(opts: OptsDraft) -> None:
    if "environment" not in opts:
        return
    if opts["saltenv"] is None:
        opts["saltenv"] = opts["environment"]
    opts["environment"] = opts["saltenv"]


def _user(opts: OptsDraft) -> None:
    if "user" not in opts:
        import pwd

        try:
            opts["user"] = pwd.getpwuid(os.geteuid()).pw_name
        except KeyError:
            # A container may run as a uid without a name.
            opts["user"] = str(os.geteuid())


def _id(role: str, opts: OptsDraft, *, asks: bool, name_id: Callable[[], str] | None) -> None:
    is_address = False
    is_found = not opts.get("id")
    if is_found:
        opts["id"], is_address = minion_id.find_id(opts, STANDARD_DIRECTORIES, asks=asks, name_id=name_id)
    opts["id"] = str(opts["id"])
    if opts.get("append_domain") and not is_address:
        opts["id"] = minion_id.with_domain(opts["id"], opts["append_domain"])
    if role == "master" and is_found:
        opts["id"] += "_master"


def _append_id_to_directories(opts: OptsDraft) -> None:
    for name in opts.get("append_minionid_config_dirs", []):
        if name in ("pki_dir", "cachedir", "extension_modules"):
            opts[name] = os.path.join(opts[name], opts["id"])
        elif name == "default_include":
            directory, glob = os.path.split(opts[name])
            opts[name] = os.path.join(directory, opts["id"], glob)
        elif name == "pidfile":
            directory, file = os.path.split(opts[name])
            opts[name] = os.path.join(directory, "salt", opts["id"], file)


def _directories(role: str, opts: OptsDraft) -> None:
    # A UNIX socket's path is limited to about 100 characters; a long `sock_dir` moves into the cache.
    if len(opts["sock_dir"]) > len(opts["cachedir"]) + _SOCK_DIR_SLACK:
        opts["sock_dir"] = os.path.join(opts["cachedir"], ".salt-unix")
    if role == "master":
        opts["token_dir"] = os.path.join(opts["cachedir"], "tokens")
        opts["syndic_dir"] = os.path.join(opts["cachedir"], "syndics")
    if not opts.get("extension_modules"):
        opts["extension_modules"] = os.path.join(opts["cachedir"], "extmods")
    if not opts.get("utils_dirs"):
        opts["utils_dirs"] = [os.path.join(opts["extension_modules"], "utils")]
    if not os.path.isabs(opts["root_dir"]):
        # Make paths absolute: plugins, other programs and messages do not share our working directory.
        opts["root_dir"] = os.path.abspath(opts["root_dir"])
    for name in _BELOW_ROOT[role]:
        if opts.get(name):
            opts[name] = below_root(opts[name], opts["root_dir"])


def _plain_values(role: str, opts: OptsDraft) -> None:
    opts["hash_type"] = opts["hash_type"].lower()
    # Only the boolean `true` counts, not text that looks like it.
    opts["open_mode"] = opts["open_mode"] is True
    if role == "master":
        opts["auto_accept"] = opts["auto_accept"] is True
        opts["ssh_config_file"] = os.path.expanduser(opts["ssh_config_file"])
        opts["nodegroups"] = _as_mapping(opts["nodegroups"])
    for name in ("file_ignore_regex", "file_ignore_glob"):
        if not isinstance(opts[name], (list, NoneType)):
            opts[name] = [opts[name]]
    for name in LISTS_OF_TEXTS:
        if isinstance(opts.get(name), list):
            opts[name] = [str(item) for item in opts[name]]
    if isinstance(opts.get("return"), list):
        opts["return"] = ",".join(opts["return"])
    opts["ssl"] = {} if opts["ssl"] is True else opts["ssl"] or None


def _as_mapping(groups: Any) -> dict[str, Any]:
    if isinstance(groups, list):
        return {name: group for item in groups if isinstance(item, dict) for name, group in item.items()}
    return groups or {}


def _expanded(paths: list[Any]) -> list[str]:
    found: list[str] = []
    for path in map(str, paths):
        found.extend(_matching(path) if any(char in path for char in "*?[") else [path])
    return found


def _matching(pattern: str) -> list[str]:
    import glob

    return glob.glob(pattern)
