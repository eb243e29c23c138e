"""Stock's `salt.utils.verify`: checks of paths, minion ids and users."""

import logging
import os
from collections.abc import Iterable, Mapping
from typing import Any

from salt_g import stock_errors
from salt_g.errors import PrivilegeError
from salt_g.process import privileges

log = logging.getLogger(__name__)


def clean_path(root: str, path: str, subdir: bool = False, realpath: bool = True) -> str:
    """Return the absolute path of a file in `root`, or '' if it is elsewhere.

    Without `subdir` the file must be directly in `root`; links are followed unless `realpath` is false.
    """
    resolve = os.path.realpath if realpath else os.path.abspath
    place = resolve(root)
    found = resolve(path if os.path.isabs(path) else os.path.join(place, path))
    if subdir:
        return found if os.path.commonpath([found, place]) == place else ""
    return found if found != place and os.path.dirname(found) == place else ""


def clean_join(root: str, *paths: str, subdir: bool = False, realpath: bool = True) -> str:
    """Return the path of a file below `root`; raise SaltValidationError if it is elsewhere.

    Without `subdir` each of `paths` must be directly below the one before it.
    """
    parent = root
    for path in paths:
        parent, above = os.path.join(parent, path), parent
        if not clean_path(above, parent, subdir, realpath):
            raise vars(stock_errors)["SaltValidationError"](f"Invalid path: {path!r}")
    return parent


def valid_id(opts: Mapping[str, Any], id_: Any) -> bool:
    """Return whether text is valid as a minion's id, which is also the name of a key file."""
    return isinstance(id_, str) and id_ not in ("", ".", "..") and not {"/", "\0"} & set(id_)


def check_user(user: str) -> bool:
    """Switch this process to a user; return whether that succeeded."""
    try:
        privileges.become(user)
    except PrivilegeError as exc:
        log.critical("%s", exc)
        return False
    return True


def verify_log(opts: Mapping[str, Any]) -> None:
    """Do nothing; the log level `debug` needs no warning, because the log contains no secrets."""


def verify_env(dirs: Iterable[str], user: str, *stock: Any, **more: Any) -> None:
    """Create missing directories, owned by the user of this process; `user` is ignored."""
    for directory in filter(None, dirs):
        os.makedirs(directory, mode=0o755, exist_ok=True)


__all__ = ["check_user", "clean_join", "clean_path", "valid_id", "verify_env", "verify_log"]
