"""Keep results of functions where others find them: the mine.

Without a master a machine shares with itself: results stand in one private file of the cache directory.
Shapes: `mine_functions` is a mapping of name to arguments (a list of positional ones, or a mapping), of
which one item may be `mine_function: real.name`; `mine.get` returns {minion id: result}.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from typing import Any

from salt_g.api import call, functions, has, opts, own_arguments, services
from salt_g.errors import SaltGError
from salt_g.modules._kept import read_kept, write_kept

log = logging.getLogger(__name__)

#: Name of the file in `cachedir`.
FILE = "mine.p"
#: The argument that names the function behind an alias.
_ALIAS = "mine_function"


def update(clear: bool = False, mine_functions: Mapping[str, Any] | None = None) -> bool:
    """Call the configured functions and keep their results; `clear` forgets all others.

    `mine_functions` replaces those of the settings and pillar. Returns True.

    Example::

        salt-g mine.update
    """
    kept = {} if clear else _read()
    for name, (function, args, kwargs) in _wanted(mine_functions).items():
        # A function is a plugin: one that raises leaves its old result and the others alone.
        try:
            kept[name] = call(function, *args, **kwargs)
        except Exception as exc:
            log.error("Function %s in mine.update failed to execute: %s", function, exc)
    return _write(kept)


def send(name: str, *args: Any, **kwargs: Any) -> bool:
    """Call a function and keep its result under `name`; `mine_function` names it where `name` is an alias.

    Returns False when there is no such function or it fails.

    Example::

        salt-g mine.send my_ips mine_function=network.ip_addrs
    """
    given = own_arguments(kwargs)
    function = given.pop(_ALIAS, name)
    if function not in functions:
        log.error("Function %s not available", function)
        return False
    # As in update: whatever the function raises is its own failure.
    try:
        result = call(function, *args, **given)
    except Exception as exc:
        log.error("Function %s in mine.send failed to execute: %s", function, exc)
        return False
    return _write({**_read(), name: result})


def get(tgt: Any, fun: Any, tgt_type: str = "glob", exclude_minion: bool = False) -> dict[str, Any]:
    """Return what is kept under `fun`, by minion id; for several (a list or commas) by function first.

    Example::

        salt-g mine.get '*' my_ips
    """
    wanted = fun if isinstance(fun, list) else str(fun).split(",")
    kept = _read() if services().match.matches(tgt, tgt_type) else {}
    found = {name: {opts["id"]: kept[name]} for name in wanted if name in kept}
    return found if len(wanted) > 1 else found.get(wanted[0], {})


def delete(fun: str) -> bool:
    """Forget what is kept under `fun`; return True.

    Example::

        salt-g mine.delete my_ips
    """
    kept = _read()
    kept.pop(fun, None)
    return _write(kept)


def flush() -> bool:
    """Forget everything; return True.

    Example::

        salt-g mine.flush
    """
    return _write({})


def valid() -> dict[str, Any]:
    """Return the configured functions with their arguments; an alias as {function: arguments}.

    Example::

        salt-g mine.valid
    """
    shown: dict[str, Any] = {}
    for name, given in _configured().items():
        function, rest = _split_alias(name, given)
        shown[name] = given if function == name else {function: rest}
    return shown


def _wanted(given: Mapping[str, Any] | None) -> dict[str, tuple[str, list[Any], dict[str, Any]]]:
    """Return {name: (function, positional, keyword arguments)} of those that there are here."""
    wanted = {}
    for name, arguments in (_configured() if given is None else given).items():
        function, rest = _split_alias(name, arguments)
        if function in functions:
            wanted[name] = (function, *_arguments(rest))
        else:
            log.error("Function %s not available", function)
    return wanted


def _configured() -> dict[str, Any]:
    found = call("config.merge", "mine_functions", {}) if has("config.merge") else opts.get("mine_functions")
    return dict(found) if isinstance(found, Mapping) else dict.fromkeys(found or (), [])


def _split_alias(name: str, arguments: Any) -> tuple[str, Any]:
    """Return the real function and the arguments without the item that names it."""
    if isinstance(arguments, Mapping):
        rest = {key: value for key, value in arguments.items() if key != _ALIAS}
        return str(arguments.get(_ALIAS, name)), rest
    if isinstance(arguments, list):
        names = [item[_ALIAS] for item in arguments if isinstance(item, Mapping) and _ALIAS in item]
        rest_items = [item for item in arguments if not (isinstance(item, Mapping) and _ALIAS in item)]
        return str(names[0] if names else name), rest_items
    return name, arguments


def _arguments(given: Any) -> tuple[list[Any], dict[str, Any]]:
    if isinstance(given, Mapping):
        return [], dict(given)
    return (list(given) if isinstance(given, list) else [given] if given else []), {}


def _read() -> dict[str, Any]:
    return read_kept(FILE)


def _write(kept: Mapping[str, Any]) -> bool:
    try:
        write_kept(FILE, kept)
    except (TypeError, ValueError) as exc:
        raise SaltGError(f"the mine cannot keep a result that is not plain data: {exc}") from exc
    return True
