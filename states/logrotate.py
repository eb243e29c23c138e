"""States of logrotate settings."""

from __future__ import annotations

from typing import Any

from salt_g.api import call, functions, opts
from salt_g.shapes import StateReturn
from salt_g.states._outcome import as_wanted, outcome, would_change

__func_alias__ = {"set_": "set"}

_DEFAULT = "/etc/logrotate.conf"


def __virtual__() -> bool | tuple[bool, str]:
    return True if "logrotate.show_conf" in functions else (False, "logrotate module could not be loaded")


def set_(name: str, key: str, value: Any, setting: Any = None, conf_file: str = _DEFAULT) -> StateReturn:
    """Ensure that a global setting, or a setting of one log file, has a value.

    key, value
        The global setting and its value; with `setting`, the log file and the name of its setting.
    setting
        The value of the log file's setting.
    conf_file
        The configuration file.

    Example::

        salt-g state.single logrotate.set rotate-wtmp key=/var/log/wtmp value=rotate setting=2
    """
    inner = () if setting is None else (value,)
    wanted = _number(value if setting is None else setting)
    current = _current(key, inner, conf_file)
    what = f"command '{key}'" if setting is None else f"block '{key}' command '{value}'"
    if current == wanted:
        return as_wanted(name, f"{what[0].upper()}{what[1:]} already has value: {wanted}")
    changes = {"old": current, "new": wanted}
    if opts["test"]:
        return would_change(name, f"{what[0].upper()}{what[1:]} will be set to value: {wanted}", changes)
    done = call("logrotate.set", key, *inner, wanted, conf_file=conf_file)
    returned = f"{'Set' if done else 'Unable to set'} {what} value: {wanted}"
    return outcome(name, done, returned, changes)


def _current(key: str, inner: tuple[Any, ...], conf_file: str) -> Any:
    try:
        return call("logrotate.get", key, *inner, conf_file=conf_file)
    except (AttributeError, KeyError):
        # `key` is a global setting, not the block of a log file.
        return False


def _number(value: Any) -> Any:
    try:
        return int(str(value))
    except ValueError:
        return value
