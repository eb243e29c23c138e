"""Environment variables of the salt-g process, which commands inherit.

Shapes: names and values are texts; False as a value empties or unsets a variable.
"""

from __future__ import annotations

import logging
import os
from typing import Any

from salt_g.api import call

log = logging.getLogger(__name__)


def setval(key: str, val: Any, false_unsets: bool = False, permanent: bool = False) -> Any:
    """Set a variable; return its new value, None if it was unset, False if it cannot be set.

    val
        Text, or False to empty the variable.
    false_unsets
        False unsets the variable instead of emptying it.
    permanent
        Accepted for compatibility; it applies to Windows only.

    Example::

        salt-g environ.setval foo bar
    """
    if val is False and false_unsets is True:
        os.environ.pop(key, None)
        return None
    wanted = "" if val is False else val
    if not isinstance(key, str) or not isinstance(wanted, str):
        log.debug("environ.setval: variable %r needs text or False, not %r", key, val)
        return False
    try:
        os.environ[key] = wanted
    except ValueError as exc:
        log.error("environ.setval: %r cannot be set: %s", key, exc)
        return False
    return wanted


def setenv(
    environ: dict[str, Any],
    false_unsets: bool = False,
    clear_all: bool = False,
    update_minion: bool = False,
    permanent: bool = False,
) -> Any:
    """Set several variables; return {name: new value}, or False if a value is neither text nor False.

    environ
        {name: text or False}.
    false_unsets
        False unsets a variable instead of emptying it.
    clear_all
        Empty (or unset) all other variables.
    update_minion
        Also set the variables in the minion's daemon, by an event.
    permanent
        Accepted for compatibility; it applies to Windows only.

    Example::

        salt-g environ.setenv '{foo: bar, baz: quux}'
    """
    if not isinstance(environ, dict):
        log.debug("environ.setenv: %r is not a mapping", environ)
        return False
    others = [key for key in os.environ if key not in environ] if clear_all is True else []
    done = {key: setval(key, False, false_unsets) for key in others}
    for key, value in environ.items():
        if not isinstance(value, str) and value is not False:
            log.debug("environ.setenv: variable %r needs text or False, not %r", key, value)
            return False
        done[key] = setval(key, value, false_unsets)
    if update_minion is True:
        asked = {"environ": environ, "false_unsets": false_unsets, "clear_all": clear_all}
        call("event.fire", {**asked, "permanent": permanent}, "environ_setenv")
    return done


def get(key: str, default: Any = "") -> Any:
    """Return the value of a variable, or `default`; False if the name is not text.

    Example::

        salt-g environ.get HOME
    """
    return os.environ.get(key, default) if isinstance(key, str) else False


def has_value(key: str, value: str | None = None) -> bool:
    """Return whether a variable is set, to this value if one is given.

    Example::

        salt-g environ.has_value HOME
    """
    if not isinstance(key, str) or key not in os.environ:
        return False
    return value is None or os.environ[key] == value


def item(keys: str | list[str], default: Any = "") -> dict[str, Any]:
    """Return {name: value or `default`} of one or several variables.

    Example::

        salt-g environ.item '[HOME, SHELL]'
    """
    names = [keys] if isinstance(keys, str) else keys if isinstance(keys, list) else []
    return {name: os.environ.get(name, default) for name in names}


def items() -> dict[str, str]:
    """Return all variables.

    Example::

        salt-g environ.items
    """
    return dict(os.environ)
