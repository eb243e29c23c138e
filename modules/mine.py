"""The mine: function results published to other minions.

The master stores the results of all minions; without a master they are in a private file of the cache
directory, for this machine only.
Shapes: `mine_functions` is a mapping of name to arguments (a list of positional ones, or a mapping), which
can include `mine_function: real.name`, and `allow_tgt` with `allow_tgt_type` (the minions that may read the
result); `mine.get` returns {minion id: result}.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from typing import Any, NamedTuple

from salt_g.api import call, functions, has, opts, own_arguments, services
from salt_g.errors import SaltGError
from salt_g.modules._msgpack_file import read_mapping, write_mapping
from salt_g.services.daemons import MinionServices
from salt_g.wire.compound_words import looks_at_minions_word

log = logging.getLogger(__name__)

#: Name of the file in `cachedir`.
FILE = "mine.p"
#: Argument that names the function behind an alias.
_ALIAS = "mine_function"
#: Arguments for access control.
_LIMITS = ("allow_tgt", "allow_tgt_type")
#: Keys of a result with access control, in the master's format.
_DATA, _ACL, _VERSION = "__data__", "__saltmine_acl__", 1


class _Definition(NamedTuple):
    """Definition of a mine function: its call and the minions that may read the result."""

    function: str
    args: list[Any]
    kwargs: dict[str, Any]
    limits: dict[str, Any]

    @property
    def rest(self) -> list[Any]:
        """Positional arguments, followed by each keyword argument as a mapping."""
        return [*self.args, *({name: value} for name, value in self.kwargs.items())]

    def entry(self, result: Any) -> Any:
        """Return the stored form of a result."""
        if not self.limits.get("allow_tgt"):
            return result
        return {_DATA: result, _ACL: _VERSION, **self.limits}


def update(clear: bool = False, mine_functions: Mapping[str, Any] | list[str] | None = None) -> bool | None:
    """Call the configured functions and store their results; `clear` removes all other results.

    `mine_functions` replaces the functions configured in settings and pillar. Returns whether the results
    were stored, None if there is nothing to call.

    Example::

        salt-g mine.update
    """
    wanted = _configured() if not mine_functions else _as_mapping(mine_functions)
    if not wanted:
        return None
    results = {}
    for name, given in wanted.items():
        definition = _definition(name, given)
        if definition.function not in functions:
            log.error("Function %s not available", definition.function)
            continue
        # A function is a plugin: one that raises leaves its old result and the others alone.
        try:
            results[name] = definition.entry(call(definition.function, *definition.args, **definition.kwargs))
        except Exception as exc:
            log.error("Function %s in mine.update failed to execute: %s", definition.function, exc)
    return _keep(results, clear)


def send(name: str, *args: Any, **kwargs: Any) -> bool:
    """Call a function and store the result under `name`; for an alias, `mine_function` is the function.

    `allow_tgt` and `allow_tgt_type` are a target: the minions that may read the result.
    Returns False if there is no such function or it fails.

    Example::

        salt-g mine.send my_ips mine_function=network.ip_addrs
    """
    definition = _definition(name, own_arguments(kwargs))
    if definition.function not in functions:
        log.error("Function %s not available", definition.function)
        return False
    # As in update: an exception of the function is only logged.
    try:
        result = call(definition.function, *args, **definition.kwargs)
    except Exception as exc:
        log.error("Function %s in mine.send failed to execute: %s", definition.function, exc)
        return False
    return _keep({name: definition.entry(result)})


def get(tgt: Any, fun: Any, tgt_type: str = "glob", exclude_minion: bool = False) -> dict[str, Any]:
    """Return the results of `fun` by minion id.

    Several functions (a list, or comma-separated) give {function: {minion id: result}}. `exclude_minion`
    leaves out this minion's own results.

    Example::

        salt-g mine.get '*' my_ips
    """
    if _has_master():
        asked = {"cmd": "_mine_get", "tgt": tgt, "fun": fun, "tgt_type": tgt_type}
        answer = services(MinionServices).master.ask(asked)
        found = dict(answer) if isinstance(answer, Mapping) else {}
    else:
        found = _own(fun) if services().match.matches(tgt, tgt_type) else {}
    return _of_others(found, fun) if exclude_minion else found


def delete(fun: str) -> bool:
    """Delete the result of `fun`; return True.

    Example::

        salt-g mine.delete my_ips
    """
    if _has_master():
        return bool(services(MinionServices).master.ask({"cmd": "_mine_delete", "fun": fun}))
    kept = _read()
    kept.pop(fun, None)
    return _write(kept)


def flush() -> bool:
    """Delete all results of this minion; return True.

    Example::

        salt-g mine.flush
    """
    if _has_master():
        return bool(services(MinionServices).master.ask({"cmd": "_mine_flush"}))
    return _write({})


def valid() -> dict[str, Any] | None:
    """Return the existing configured functions with their arguments; None if nothing is configured.

    An aliased function is shown as {function: arguments}.

    Example::

        salt-g mine.valid
    """
    configured = _configured()
    shown: dict[str, Any] = {}
    for name, given in configured.items():
        definition = _definition(name, given)
        if definition.function in functions:
            shown[name] = given if definition.function == name else {definition.function: definition.rest}
    return shown if configured else None


def _has_master() -> bool:
    return bool(opts.get("file_client") == "remote")


def _configured() -> dict[str, Any]:
    found = call("config.merge", "mine_functions", {}) if has("config.merge") else opts.get("mine_functions")
    return _as_mapping(found)


def _as_mapping(given: Any) -> dict[str, Any]:
    return dict(given) if isinstance(given, Mapping) else {key: [] for key in given or ()}


def _definition(name: str, given: Any) -> _Definition:
    """Parse the arguments of a function: a mapping, or a list of values and mappings."""
    kwargs: dict[str, Any] = {}
    args: list[Any] = []
    for item in given if isinstance(given, list) else [given] if given else []:
        if isinstance(item, Mapping):
            kwargs.update(item)
        else:
            args.append(item)
    function = str(kwargs.pop(_ALIAS, None) or name)
    limits = {key: kwargs.pop(key) for key in _LIMITS if key in kwargs}
    _check_limits(name, limits)
    return _Definition(function, args, kwargs, {key: value for key, value in limits.items() if value})


def _check_limits(name: str, limits: Mapping[str, Any]) -> None:
    """Log an access rule that no minion can satisfy because it depends on self-reported data."""
    tgt, tgt_type = limits.get("allow_tgt"), limits.get("allow_tgt_type") or "glob"
    if tgt and looks_at_minions_word(tgt, str(tgt_type)):
        log.error(
            "mine function %s: allow_tgt %r (%s) depends on grains, which minions report about themselves, so"
            " a salt-g master lets no minion read it; use ids, lists, nodegroups of ids, or pillar",
            name,
            tgt,
            tgt_type,
        )


def _keep(results: Mapping[str, Any], clear: bool = False) -> bool:
    if _has_master():
        return bool(
            services(MinionServices).master.ask({"cmd": "_mine", "data": dict(results), "clear": clear})
        )
    return _write({**({} if clear else _read()), **results})


def _of_others(found: dict[str, Any], fun: Any) -> dict[str, Any]:
    """Return an answer of `mine.get` without the results of this minion."""
    if not _is_by_function(fun):
        return {id: value for id, value in found.items() if id != opts["id"]}
    others = {name: {id: values[id] for id in values if id != opts["id"]} for name, values in found.items()}
    return {name: values for name, values in others.items() if values}


def _is_by_function(fun: Any) -> bool:
    """Return whether the answer of `mine.get` names the function of each result."""
    return isinstance(fun, list) or len(set(str(fun).split(","))) > 1


def _own(fun: Any) -> dict[str, Any]:
    """Return this machine's own results, in the form of `mine.get`."""
    wanted = fun if isinstance(fun, list) else str(fun).split(",")
    kept = _read()
    found = {name: {opts["id"]: _value(kept[name])} for name in wanted if name in kept}
    return found if _is_by_function(fun) else found.get(wanted[0], {})


def _value(entry: Any) -> Any:
    return entry.get(_DATA) if isinstance(entry, Mapping) and _ACL in entry else entry


def _read() -> dict[str, Any]:
    return read_mapping(FILE)


def _write(kept: Mapping[str, Any]) -> bool:
    try:
        write_mapping(FILE, kept)
    except (TypeError, ValueError) as exc:
        raise SaltGError(f"the mine cannot keep a result that is not plain data: {exc}") from exc
    return True
