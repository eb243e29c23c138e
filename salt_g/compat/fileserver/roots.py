"""Stock's `salt.fileserver.roots`: the backend `roots`, for users' backends that build on it.

The functions use the settings of the running call.
"""

import importlib
import os
from collections.abc import Mapping
from typing import Any

from salt_g import api
from salt_g.compat.utils.host import verify
from salt_g.compat.utils.values import gzip_util
from salt_g.files import hashes
from salt_g.files.roots import Roots, RootsRules


def __getattr__(name: str) -> Any:
    """Return the package `salt`, which users' backends reach through this module."""
    if name == "salt":
        return importlib.import_module("salt")
    raise AttributeError(f"module 'salt.fileserver.roots' has no attribute {name!r} here")


def envs() -> list[str]:
    """Return the environments."""
    return _backend().envs()


def find_file(path: str, saltenv: str = "base", index: Any = None, **stock: Any) -> dict[str, Any]:
    """Return {"path", "rel", "stat"} of a file; without a match both paths are '' and there is no "stat".

    With `index`, only the environment's directory at this position is searched.
    """
    backend = _backend()
    if index is not None:
        backend = _only(backend, saltenv, index)
    found = backend.find(path, saltenv)
    if found is None:
        return {"path": "", "rel": ""}
    return {"path": found.path, "rel": found.relative, "stat": list(os.stat(found.path))}


def serve_file(load: Mapping[str, Any], fnd: Mapping[str, Any]) -> dict[str, Any]:
    """Return {"data": the chunk of a file at the offset `loc` of `load`, "dest": its relative path}.

    If `load` has `gzip` (the level), the chunk is compressed. For a file outside of the environment's
    directories the data is ''.
    """
    if not {"path", "loc", "saltenv"} <= set(load) or not fnd.get("path"):
        return {"data": "", "dest": ""}
    directories = _backend().directories(_saltenv(load))
    if not directories:
        return dict(fnd)
    follows = bool(api.opts.get("fileserver_followsymlinks", True))
    if not any(
        verify.clean_path(each, fnd["path"], subdir=True, realpath=not follows) for each in directories
    ):
        return {"data": "", "dest": fnd["rel"]}
    with open(fnd["path"], "rb") as file:
        file.seek(int(load["loc"] or 0))
        data = file.read(int(api.opts.get("file_buffer_size") or 1 << 18))
    level = load.get("gzip")
    if level and data:
        return {"data": gzip_util.compress(data, int(level)), "dest": fnd["rel"], "gzip": level}
    return {"data": data, "dest": fnd["rel"]}


def update() -> dict[str, Any]:
    """Discard cached listings; the returned changes are always empty, because they are not tracked."""
    _backend().forget_listings()
    return {"changed": False, "files": {"changed": [], "removed": [], "added": []}, "backend": "roots"}


def file_hash(load: Mapping[str, Any], fnd: Mapping[str, Any]) -> Any:
    """Return {"hsum", "hash_type"} of a file, {} if it does not exist, '' if `load` is incomplete."""
    if "path" not in load or "saltenv" not in load:
        return ""
    if not fnd.get("path") or not os.path.isfile(fnd["path"]):
        return {}
    kind = str(api.opts.get("hash_type") or "sha256")
    return {"hsum": hashes.hash_of(fnd["path"], kind), "hash_type": kind}


def file_list(load: Mapping[str, Any]) -> list[str]:
    """Return the files of the environment named by `saltenv` in `load`."""
    return list(_file_lists(load, "files"))


def file_list_emptydirs(load: Mapping[str, Any]) -> list[str]:
    """Return the empty directories of an environment."""
    return list(_file_lists(load, "empty_dirs"))


def dir_list(load: Mapping[str, Any]) -> list[str]:
    """Return the directories of an environment."""
    return list(_file_lists(load, "dirs"))


def symlink_list(load: Mapping[str, Any]) -> dict[str, str]:
    """Return {path: target} of the links whose paths start with `prefix` of `load`."""
    prefix = str(load.get("prefix") or "").strip("/")
    links: Mapping[str, str] = _file_lists(load, "links")
    return {path: target for path, target in links.items() if path.startswith(prefix)}


def _file_lists(load: Mapping[str, Any], form: str) -> Any:
    """Return one list of an environment (`files`, `dirs`, `empty_dirs`), or the mapping `links`."""
    listing = _backend().scan(_saltenv(load))
    if form == "links":
        return dict(listing.links)
    forms = {"files": listing.files, "dirs": listing.directories, "empty_dirs": listing.empty_directories}
    return list(forms.get(form, ()))


def _only(backend: Roots, saltenv: str, index: Any) -> Roots:
    """Return a backend with a single directory of an environment, or with none if the index is invalid."""
    try:
        chosen = [backend.directories(saltenv)[int(index)]]
    except (IndexError, ValueError):
        chosen = []
    return Roots({saltenv: chosen}, _rules())


def _rules() -> RootsRules:
    is_master = api.opts.get("__role") == "master"
    return RootsRules.of_master(api.opts) if is_master else RootsRules.from_opts(api.opts)


def _backend() -> Roots:
    return Roots(api.opts.get("file_roots") or {}, _rules())


def _saltenv(load: Mapping[str, Any]) -> str:
    return str(load.get("saltenv") or "base")


__all__ = ["dir_list", "envs", "file_hash", "file_list", "file_list_emptydirs", "find_file", "serve_file"]
__all__ += ["symlink_list", "update"]
