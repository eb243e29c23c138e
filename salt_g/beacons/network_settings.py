"""Beacon: changed settings of network interfaces.

    beacons:
      network_settings:
        - interfaces:
            eth0:
              ipaddr:
              promiscuity:
                onvalue: 1
            'wlan*':
              operstate:
        - coalesce: True

An interface is a name or a regular expression searched in names. `onvalue` reports only changes to this
value; `coalesce` puts all changes of a round into one event.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, MutableMapping
from typing import Any

from salt_g.beacons._links import ATTRIBUTES, links
from salt_g.beacons._settings import memory, merged, validated
from salt_g.errors import TargetError
from salt_g.regex.bounded import compile_bounded
from salt_g.shapes.loads import BeaconEvent


def validate(config: Any) -> tuple[bool, str]:
    """Return whether the settings are valid, and a message.

    Example::

        salt-g beacons.add network_settings '[{"interfaces": {"eth0": {"ipaddr": null}}}]'
    """
    return validated(config, "network_settings", _error)


def _error(settings: dict[str, Any]) -> str:
    interfaces = settings.get("interfaces", {})
    if not isinstance(interfaces, dict):
        return "interfaces section for network_settings beacon must be a dictionary."
    return next(filter(None, (_problem(name, wanted) for name, wanted in interfaces.items())), "")


def beacon(config: Any) -> list[BeaconEvent]:
    """Return {tag, interface, change: {attribute: new value}} of each interface that changed.

    With `coalesce`, return one event {tag: result, changes: {interface: {attribute: new value}}}.

    Example::

        salt-g beacons.list
    """
    settings = merged(config)
    now, remembered = links(), memory(config, "network_settings")
    changes = dict(_changes(settings.get("interfaces", {}), now, remembered))
    remembered.clear()
    remembered.update(now)
    if settings.get("coalesce"):
        return [{"tag": "result", "changes": changes}] if changes else []
    return [{"tag": name, "interface": name, "change": change} for name, change in changes.items()]


def _problem(name: Any, wanted: Any) -> str:
    if not isinstance(wanted, dict):
        return "Interface attributes for network_settings beacon must be a dictionary."
    unknown = next((attribute for attribute in wanted if attribute not in ATTRIBUTES), None)
    if unknown is not None:
        known = ", ".join(sorted(ATTRIBUTES))
        return f"Invalid attributes in beacon configuration. {unknown!r} of {name} is none of {known}"
    try:
        compile_bounded(_pattern(name))
    except TargetError as exc:
        return f"Interface {name!r} of network_settings beacon: {exc}"
    return ""


def _pattern(name: Any) -> str:
    """Return the regular expression of a name; a bare `*`, which is not a valid one, means all."""
    return ".*" if name == "*" else str(name)


def _changes(
    interfaces: dict[str, Any], now: dict[str, dict[str, Any]], before: MutableMapping[str, Any]
) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield (interface, {attribute: new value}); a new interface counts as unchanged."""
    for wanted_name, wanted in interfaces.items():
        for name in _matching(wanted_name, now):
            if name in before:
                change = {
                    attribute: now[name][attribute]
                    for attribute, options in wanted.items()
                    if attribute in now[name]
                    and now[name][attribute] != before[name].get(attribute)
                    and _is_wanted(options, now[name][attribute])
                }
                if change:
                    yield name, change


def _matching(wanted: str, names: Iterable[str]) -> list[str]:
    if wanted in names:
        return [wanted]
    pattern = compile_bounded(_pattern(wanted))
    return [name for name in names if pattern.search(name)]


def _is_wanted(options: Any, value: Any) -> bool:
    return not isinstance(options, dict) or options.get("onvalue") in (None, value)
