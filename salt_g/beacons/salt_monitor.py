"""Beacon: results of execution functions.

    beacons:
      salt_monitor:
        - salt_fun:
            - test.ping
            - disk.percent:
                args: [/]
            - service.status:
                kwargs:
                  - name: sshd
        - interval: 3600

Empty results, False and None fire no event, unless `salt_fun` is a single name.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from salt_g.api import call, has
from salt_g.beacons._settings import merged, must_be_list
from salt_g.shapes.loads import BeaconEvent


class _Call(NamedTuple):
    """One function and its arguments."""

    function: str
    args: list[Any]
    kwargs: dict[str, Any]


def validate(config: Any) -> tuple[bool, str]:
    """Return whether the settings are valid, and a message.

    Example::

        salt-g beacons.add salt_monitor '[{"salt_fun": ["test.ping"]}, {"interval": 3600}]'
    """
    valid, comment = must_be_list(config, "salt_monitor")
    if not valid:
        return valid, comment
    wanted = merged(config).get("salt_fun")
    if not isinstance(wanted, str | list):
        return False, "Configuration for salt_monitor beacon requires salt_fun, a function or a list of them."
    problems = (_problem(entry) for entry in ([wanted] if isinstance(wanted, str) else wanted))
    problem = next(filter(None, problems), "")
    return (False, problem) if problem else (True, "valid config")


def beacon(config: Any) -> list[BeaconEvent]:
    """Return {salt_fun, ret} of each function, with `args` and `kwargs` if it has any.

    Example::

        salt-g beacons.list
    """
    wanted = merged(config)["salt_fun"]
    if isinstance(wanted, str):
        return [{"salt_fun": wanted, "ret": call(wanted)}]
    events = []
    for function, args, kwargs in _calls(wanted):
        ret = call(function, *args, **kwargs)
        if ret:
            given = {name: value for name, value in (("args", args), ("kwargs", kwargs)) if value}
            events.append({"salt_fun": function, "ret": ret, **given})
    return events


def _calls(wanted: list[Any]) -> Iterator[_Call]:
    for entry in wanted:
        function, given = _named(entry)
        kwargs = {name: value for pair in given.get("kwargs") or () for name, value in pair.items()}
        yield _Call(function, list(given.get("args") or ()), kwargs)


def _named(entry: Any) -> tuple[str, dict[str, Any]]:
    """Return (function, {args, kwargs}) of an entry, which is a name or a mapping with one name."""
    if not isinstance(entry, dict):
        return str(entry), {}
    ((function, given),) = entry.items()
    return str(function), given or {}


def _problem(entry: Any) -> str:
    if isinstance(entry, dict) and len(entry) != 1:
        return f"{entry!r} is not one function with its args and kwargs"
    function, given = _named(entry)
    if not isinstance(given, dict):
        return f"the value of {function} must be a mapping with args and kwargs"
    for key, value in given.items():
        if key not in ("args", "kwargs"):
            return f"key {key} not allowed under fun {function}"
        if not isinstance(value, list):
            kind = "list" if key == "args" else "list of key value pairs"
            return f"{key} key for fun {function} must be {kind}"
    for pair in given.get("kwargs") or ():
        if not isinstance(pair, dict):
            return f"{pair} is not a key / value pair"
    return "" if has(function) else f"{function} is not an available execution function"
