"""Stock's `salt.fileserver`: functions shared by the backends of the file server."""

import contextlib
import os
import time
from collections.abc import Callable, Mapping
from typing import Any

import msgpack

from salt_g.files.roots import RootsRules
from salt_g.process.disk import write_whole

#: Default time limit for waiting for a lock (s).
_LONGEST_WAIT = 600


def is_file_ignored(opts: Mapping[str, Any], fname: str) -> bool:
    """Return whether `file_ignore_regex` or `file_ignore_glob` excludes a file."""
    return RootsRules.from_opts(opts).is_ignored(fname)


def diff_mtime_map(map1: Mapping[str, Any], map2: Mapping[str, Any]) -> bool:
    """Return whether two mappings {path: mtime} differ."""
    return dict(map1) != dict(map2)


def wait_lock(lk_fn: str, dest: str, wait_timeout: float = 0) -> bool:
    """Wait until the lock file is gone (`wait_timeout` in s, 0: ten minutes); return False on a timeout.

    If the size of `dest` does not change for a second, the lock's owner is assumed to have died and the lock
    is removed.
    """
    deadline = time.monotonic() + (wait_timeout or _LONGEST_WAIT)
    size = -1
    while os.path.exists(lk_fn):
        if time.monotonic() > deadline:
            return False
        now = os.path.getsize(dest) if os.path.exists(dest) else 0
        if now == size:
            _unlock_cache(lk_fn)
            return True
        size = now
        time.sleep(1)
    return True


def check_file_list_cache(
    opts: Mapping[str, Any], form: str, list_cache: str, w_lock: str
) -> tuple[Any, bool, bool]:
    """Return (the cached list of an environment, whether to rebuild it, whether to write it).

    `form` is `files`, `dirs`, `empty_dirs` or `links`. A list is valid for `fileserver_list_cache_time`
    seconds. A caller that is to write it holds the lock until it calls `write_file_list_cache`.
    """
    for attempt in range(2):
        if (kept := _kept_list(opts, list_cache)) is not None:
            return kept.get(form, []), False, False
        if _lock_cache(w_lock):
            return None, True, True
        if attempt == 0:
            wait_lock(w_lock, list_cache, _LONGEST_WAIT / 10)
    return None, True, False


def write_file_list_cache(
    opts: Mapping[str, Any], data: Mapping[str, Any], list_cache: str, w_lock: str
) -> None:
    """Write the lists of an environment, {form: list}, to the cache and release the lock."""
    write_whole(list_cache, msgpack.packb(data, use_bin_type=True), mode=0o600)
    _unlock_cache(w_lock)


def check_env_cache(opts: Mapping[str, Any], env_cache: str) -> list[str] | None:
    """Return the cached names of environments, or None if the cache is missing or unreadable."""
    try:
        with open(env_cache, "rb") as file:
            found: list[str] = msgpack.unpackb(file.read(), raw=False)
    except (OSError, ValueError, msgpack.UnpackException):
        return None
    return found


def generate_mtime_map(opts: Mapping[str, Any], path_map: Mapping[str, Any]) -> dict[str, float]:
    """Return {path: mtime} of the files below the directories in `path_map`, {env: [directory]}.

    Ignored files are left out (see `is_file_ignored`).
    """
    follows = bool(opts.get("fileserver_followsymlinks", True))
    found: dict[str, float] = {}
    for directory in (each for directories in path_map.values() for each in directories):
        for folder, folders, names in os.walk(directory, followlinks=follows):
            folders[:] = [name for name in folders if os.path.realpath(os.path.join(folder, name)) != folder]
            for path in (os.path.join(folder, name) for name in names):
                with contextlib.suppress(OSError):
                    if not is_file_ignored(opts, path):
                        found[path] = os.path.getmtime(path)
    return found


def reap_fileserver_cache_dir(cache_base: str, find_func: Callable[..., Mapping[str, Any]]) -> None:
    """Remove cached hashes (`ENVIRONMENT/PATH.hash.TYPE` in `cache_base`) of files that no longer exist."""
    for folder, _, names in os.walk(cache_base):
        environment, _, below = os.path.relpath(folder, cache_base).partition(os.sep)
        for name in names if environment != "." else []:
            stem, *kind = name.rsplit(".", 2)
            if len(kind) < 2:
                continue
            if not find_func(os.path.join(below, stem), saltenv=environment)["path"]:
                os.unlink(os.path.join(folder, name))


def clear_lock(
    clear_func: Callable[..., Any], role: str, remote: Any = None, lock_type: str = "update"
) -> tuple[list[str], list[str]]:
    """Call a backend's function that clears locks; return (messages, errors), each prefixed with `role`."""
    done, failed = clear_func(remote=remote, lock_type=lock_type)
    return [f"{role}: {text}" for text in done], [f"{role}: {text}" for text in failed]


def _kept_list(opts: Mapping[str, Any], list_cache: str) -> dict[str, Any] | None:
    try:
        age = time.time() - os.path.getmtime(list_cache)
        if not 0 <= age < float(opts.get("fileserver_list_cache_time", 20)):
            return None
        with open(list_cache, "rb") as file:
            kept = msgpack.unpackb(file.read(), raw=False)
    except (OSError, ValueError, msgpack.UnpackException):
        return None
    return kept if isinstance(kept, dict) else None


def _lock_cache(w_lock: str) -> bool:
    """Try to take a lock and return whether that worked; called, like `_unlock_cache`, by users' backends."""
    os.makedirs(os.path.dirname(w_lock), exist_ok=True)
    try:
        os.close(os.open(w_lock, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    except FileExistsError:
        return False
    return True


def _unlock_cache(w_lock: str) -> None:
    with contextlib.suppress(FileNotFoundError):
        # Stock's locks may be directories.
        os.rmdir(w_lock) if os.path.isdir(w_lock) else os.unlink(w_lock)


__all__ = ["check_env_cache", "check_file_list_cache", "clear_lock", "diff_mtime_map", "generate_mtime_map"]
__all__ += ["is_file_ignored", "reap_fileserver_cache_dir", "wait_lock", "write_file_list_cache"]
