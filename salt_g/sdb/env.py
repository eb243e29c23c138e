"""Driver for the environment of this process.

    osenv:
      driver: env

Every user of the profile can read the whole environment.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

__func_alias__ = {"set_": "set"}


def get(key: str, profile: Mapping[str, Any] | None = None) -> str | None:
    """Return a variable, or None when it is not set.

    Example::

        salt-g sdb.get sdb://osenv/HOME
    """
    return os.environ.get(key)


def set_(key: str, value: Any, profile: Mapping[str, Any] | None = None) -> Any:
    """Set a variable for this process and the programs that it starts.

    Example::

        salt-g sdb.set sdb://osenv/FOO bar
    """
    os.environ[key] = str(value)
    return value


def delete(key: str, profile: Mapping[str, Any] | None = None) -> bool:
    """Remove a variable; return whether it was set.

    Example::

        salt-g sdb.delete sdb://osenv/FOO
    """
    return os.environ.pop(key, None) is not None
