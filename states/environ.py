"""States of environment variables of the salt-g process.

Source: stock's `environ` state; conformance case `states/environ`.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from salt_g.api import call, opts
from salt_g.shapes import StateReturn
from salt_g.states._outcome import as_wanted, changed, failed, outcome


def setenv(
    name: str,
    value: Any,
    false_unsets: bool = False,
    clear_all: bool = False,
    update_minion: bool = False,
    permanent: bool = False,
) -> StateReturn:
    """Ensure that environment variables have these values.

    value
        The value of the variable `name`, or a mapping of several variables; False sets an empty value.
    false_unsets
        With this, False unsets a variable instead of emptying it.
    clear_all
        Empty (or unset) all other variables.
    update_minion
        Set the variables in the minion's daemon, too.
    permanent
        Accepted for compatibility; it applies to Windows only.

    Example::

        salt-g state.single environ.setenv EDITOR value=vim
    """
    if isinstance(value, str) or value is False:
        wanted: Mapping[str, Any] = {name: value}
    elif isinstance(value, Mapping):
        wanted = value
    else:
        return failed(name, "Environ value must be string, dict or False")
    differs = _difference(wanted, false_unsets is True, clear_all is True)
    if opts.get("test"):
        # Stock's result is True here even if something would change.
        returned = "will be changed" if differs else "are already set with the correct values"
        return outcome(name, True, f"Environ values {returned}", differs)
    if not differs:
        return as_wanted(name, "Environ values were already set with the correct values")
    done = call("environ.setenv", dict(wanted), false_unsets, clear_all, update_minion, permanent)
    if not done:
        return failed(name, "Failed to set environ variables", differs)
    return changed(name, "Environ values were set", done)


def _difference(wanted: Mapping[str, Any], false_unsets: bool, clear_all: bool) -> dict[str, Any]:
    """Return {name: wanted value} of the variables that differ, None for one to be unset."""
    away = None if false_unsets else ""
    differs: dict[str, Any] = {key: away for key in os.environ if key not in wanted} if clear_all else {}
    for key, value in wanted.items():
        now = os.environ.get(key)
        if value is not False:
            if (now or "") != value:
                differs[key] = value
        elif now != away:
            differs[key] = away
    return differs
