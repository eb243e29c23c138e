"""Stock's `salt.utils.verify`: paths that have to stay in a directory, ids of minions."""

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

    It has to be directly there unless `subdir`; links are followed unless `realpath` is false.
    """
    resolve = os.path.realpath if realpath else os.path.abspath
    place = resolve(root)
    found = resolve(path if os.path.isabs(path) else os.path.join(place, path))
    if subdir:
        return found if os.path.commonpath([found, place]) == place else ""
    return found if found != place and os.path.dirname(found) == place else ""


def clean_join(root: str, *paths: str, subdir: bool = False, realpath: bool = True) -> str:
    """Return the path of a file below `root`; raise SaltValidationError if it is elsewhere.

    All but the last of `paths` may be directories below `root` in any case.
    """
    parent = root
    for path in paths:
        parent, above = os.path.join(parent, path), parent
        if not clean_path(above, parent, subdir, realpath):
            raise vars(stock_errors)["SaltValidationError"](f"Invalid path: {path!r}")
    return parent


def valid_id(opts: Mapping[str, Any], id_: Any) -> bool:
    """Return whether a text may be the id of a minion: it is the name of a file in a directory of keys."""
    return isinstance(id_, str) and id_ not in ("", ".", "..") and not {"/", "\0"} & set(id_)


def check_user(user: str) -> bool:
    """Become a user; return whether that was possible."""
    try:
        privileges.become(user)
    except PrivilegeError as exc:
        log.critical("%s", exc)
        return False
    return True


def verify_log(opts: Mapping[str, Any]) -> None:
    """Do nothing: the log may have the level `debug`, because it holds no secrets here."""


def verify_env(dirs: Iterable[str], user: str, *stock: Any, **more: Any) -> None:
    """Make directories that do not exist, for the user of this process."""
    for directory in filter(None, dirs):
        os.makedirs(directory, mode=0o755, exist_ok=True)


__all__ = ["check_user", "clean_join", "clean_path", "valid_id", "verify_env", "verify_log"]
