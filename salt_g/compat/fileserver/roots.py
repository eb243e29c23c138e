"""Stock's `salt.fileserver.roots`: the backend of directories, for backends of users that build on it.

The settings are those of the call.
"""

import os
from collections.abc import Mapping
from typing import Any

from salt_g import api
from salt_g.files.hashes import hash_of
from salt_g.files.roots import Roots, RootsRules


def envs() -> list[str]:
    """Return the environments."""
    return _backend().envs()


def find_file(path: str, saltenv: str = "base", **stock: Any) -> dict[str, Any]:
    """Return {"path", "rel", "stat"} of a file; both paths are '' if there is none."""
    found = _backend().find(path, saltenv)
    if found is None:
        return {"path": "", "rel": ""}
    return {"path": found.path, "rel": found.relative, "stat": list(os.stat(found.path))}


def serve_file(load: Mapping[str, Any], fnd: Mapping[str, Any]) -> dict[str, Any]:
    """Return {"data", "dest"}: a piece of a file from the place `loc` of `load`."""
    if not fnd.get("path"):
        return {"data": "", "dest": ""}
    with open(fnd["path"], "rb") as file:
        file.seek(int(load.get("loc") or 0))
        return {"data": file.read(int(api.opts.get("file_buffer_size") or 1 << 18)), "dest": fnd["rel"]}


def update() -> dict[str, Any]:
    """Look at the directories again; return what changed, which is not kept here: nothing."""
    _backend().forget_listings()
    return {"changed": False, "files": {"changed": [], "removed": [], "added": []}, "backend": "roots"}


def file_hash(load: Mapping[str, Any], fnd: Mapping[str, Any]) -> dict[str, str]:
    """Return {"hsum", "hash_type"} of a file; {} for none."""
    if not fnd.get("path"):
        return {}
    kind = str(api.opts.get("hash_type") or "sha256")
    return {"hsum": hash_of(fnd["path"], kind), "hash_type": kind}


def file_list(load: Mapping[str, Any]) -> list[str]:
    """Return the files of the environment `saltenv` of `load`."""
    return list(_backend().scan(_saltenv(load)).files)


def file_list_emptydirs(load: Mapping[str, Any]) -> list[str]:
    """Return the directories without files."""
    return list(_backend().scan(_saltenv(load)).empty_directories)


def dir_list(load: Mapping[str, Any]) -> list[str]:
    """Return the directories."""
    return list(_backend().scan(_saltenv(load)).directories)


def symlink_list(load: Mapping[str, Any]) -> dict[str, str]:
    """Return the links and where they lead."""
    return dict(_backend().scan(_saltenv(load)).links)


def _backend() -> Roots:
    is_master = api.opts.get("__role") == "master"
    rules = RootsRules.of_master(api.opts) if is_master else RootsRules.from_opts(api.opts)
    return Roots(api.opts.get("file_roots") or {}, rules)


def _saltenv(load: Mapping[str, Any]) -> str:
    return str(load.get("saltenv") or "base")


__all__ = ["dir_list", "envs", "file_hash", "file_list", "file_list_emptydirs", "find_file", "serve_file"]
__all__ += ["symlink_list", "update"]
