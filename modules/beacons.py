"""Beacons of the local minion: listing, adding, changing, enabling and saving them.

Shapes: a change returns {"comment", "result"}; `modify` also returns "changes".
"""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from typing import Any

from salt_g.api import opts
from salt_g.config.daemon_written import BEACONS, own_file, write_own
from salt_g.modules._minion_bus import ask
from salt_g.process.disk import write_whole

__func_alias__ = {"list_": "list"}

Result = dict[str, Any]
_SILENT = "Did not receive the beacon {} complete event before the timeout"


def list_(
    return_yaml: bool = True, include_pillar: bool = True, include_opts: bool = True, **kwargs: Any
) -> Any:
    """Return the configured beacons, as YAML text.

    return_yaml
        False returns data instead of text.
    include_pillar, include_opts
        False leaves out beacons from pillar, or from the settings.

    Example::

        salt-g beacons.list
    """
    answer = _ask("s_list", func="list", include_pillar=include_pillar, include_opts=include_opts)
    beacons = answer.get("beacons")
    return _as_yaml(beacons) if return_yaml else beacons


def list_available(return_yaml: bool = True, **kwargs: Any) -> Any:
    """Return the available beacons, as YAML text.

    Example::

        salt-g beacons.list_available
    """
    beacons = _ask("s_list_available", func="list_available").get("beacons")
    if not beacons:
        return {"beacons": {}}
    return _as_yaml(beacons) if return_yaml else beacons


def add(name: str, beacon_data: Any, **kwargs: Any) -> Result:
    """Add a beacon.

    name
        Name of the beacon; it is also the beacon module, unless the settings contain `beacon_module`.
    beacon_data
        Settings of the beacon, a list of maps.

    Example::

        salt-g beacons.add ps "[{'processes': {'sshd': 'stopped'}}]"
    """
    if name in _configured():
        return _result(True, f"Beacon {name} is already configured.")
    plugin = _options(beacon_data).get("beacon_module", name)
    if plugin not in list_available(return_yaml=False):
        return _result(False, f'Beacon "{plugin}" is not available.')
    if _is_test(kwargs):
        return _result(True, f"Beacon: {name} would be added.")
    problem = _invalid(name, beacon_data)
    if problem:
        return _result(False, f"Beacon {name} configuration invalid, not adding.\n{problem}")
    answer = _ask("_add", func="add", name=name, beacon_data=beacon_data)
    return _verdict(
        answer,
        "add",
        good=f"Added beacon: {name}.",
        bad=f"Failed to add beacon {name}.",
        is_done=answer.get("beacons", {}).get(name) == beacon_data,
    )


def modify(name: str, beacon_data: Any, **kwargs: Any) -> Result:
    """Replace the settings of a beacon. For the arguments see `beacons.add`.

    Example::

        salt-g beacons.modify ps "[{'processes': {'sshd': 'running'}}]"
    """
    configured = _configured()
    if name not in configured:
        return _result(True, f"Beacon {name} is not configured.")
    if configured[name] == beacon_data:
        return _result(True, f"Job {name} in correct state")
    changes = {"diff": _diff(configured[name], beacon_data)}
    if _is_test(kwargs):
        return {**_result(True, f"Beacon: {name} would be modified."), "changes": changes}
    problem = _invalid(name, beacon_data)
    if problem:
        return _result(False, f"Beacon {name} configuration invalid, not modifying.\n{problem}")
    answer = _ask("_modify", func="modify", name=name, beacon_data=beacon_data)
    is_done = answer.get("beacons", {}).get(name) == beacon_data
    good, bad = f"Modified beacon: {name}.", f"Failed to modify beacon {name}."
    result = _verdict(answer, "modify", good=good, bad=bad, is_done=is_done)
    return {**result, "changes": changes} if result["result"] else result


def delete(name: str, **kwargs: Any) -> Result:
    """Delete a beacon.

    Example::

        salt-g beacons.delete ps
    """
    if _is_test(kwargs):
        return _result(True, f"Beacon: {name} would be deleted.")
    answer = _ask("_delete", func="delete", name=name)
    good, bad = f"Deleted beacon: {name}.", f"Failed to delete beacon {name}."
    return _verdict(answer, "delete", good=good, bad=bad, is_done=name not in answer.get("beacons", {}))


def save(**kwargs: Any) -> Result:
    """Save the beacons of the running minion, except those from pillar, so that they survive a restart.

    Example::

        salt-g beacons.save
    """
    path = own_file(opts, BEACONS)
    beacons = list_(return_yaml=False, include_pillar=False)
    try:
        if beacons:
            write_own(path, "beacons", beacons)
        else:
            write_whole(path, "")
    except OSError:
        return _result(False, f"Unable to write to beacons file at {path}. Check permissions.")
    return _result(True, f"Beacons saved to {path}.")


def enable(**kwargs: Any) -> Result:
    """Enable all beacons that are not disabled individually.

    Example::

        salt-g beacons.enable
    """
    return _switch("enable", True, kwargs)


def disable(**kwargs: Any) -> Result:
    """Disable all beacons.

    Example::

        salt-g beacons.disable
    """
    return _switch("disable", False, kwargs)


def enable_beacon(name: str, **kwargs: Any) -> Result:
    """Enable a beacon.

    Example::

        salt-g beacons.enable_beacon ps
    """
    return _switch_one("enable", name, True, kwargs)


def disable_beacon(name: str, **kwargs: Any) -> Result:
    """Disable a beacon.

    Example::

        salt-g beacons.disable_beacon ps
    """
    return _switch_one("disable", name, False, kwargs)


def reset(**kwargs: Any) -> Result:
    """Remove all beacons of the running minion, except those from pillar.

    Example::

        salt-g beacons.reset
    """
    if _is_test(kwargs):
        return _result(True, "Beacons would be reset.")
    answer = _ask("_reset", func="reset")
    return _verdict(answer, "reset", good="Beacon configuration reset.", bad="", is_done=True)


def _ask(word: str, **question: Any) -> Mapping[str, Any]:
    return ask(question, "manage_beacons", f"/salt/minion/minion_beacon{word}_complete") or {}


def _configured() -> dict[str, Any]:
    return dict(list_(return_yaml=False) or {})


def _invalid(name: str, beacon_data: Any) -> str:
    """Return the error in the settings of a beacon, or '' if they are valid."""
    answer = ask(
        {"func": "validate_beacon", "name": name, "beacon_data": beacon_data},
        "manage_beacons",
        "/salt/minion/minion_beacon_validation_complete",
    )
    if answer is None:
        return _SILENT.format("validation")
    return "" if answer["valid"] else str(answer["vcomment"])


def _switch(word: str, wanted: bool, kwargs: Mapping[str, Any]) -> Result:
    if _is_test(kwargs):
        return _result(True, f"Beacons would be {word}d.")
    answer = _ask(f"s_{word}d", func=word)
    is_done = answer.get("beacons", {}).get("enabled") is wanted
    good, bad = f"{word.capitalize()}d beacons on minion.", f"Failed to {word} beacons on minion."
    return _verdict(answer, f"{word}d", good=good, bad=bad, is_done=is_done)


def _switch_one(word: str, name: str, wanted: bool, kwargs: Mapping[str, Any]) -> Result:
    if not name:
        return _result(False, "Beacon name is required.")
    if _is_test(kwargs):
        return _result(True, f"Beacon {name} would be {word}d.")
    if name not in _configured():
        return _result(False, f"Beacon {name} is not currently configured.")
    answer = _ask(f"_{word}d", func=f"{word}_beacon", name=name)
    is_done = _options(answer.get("beacons", {}).get(name)).get("enabled") is wanted
    good = f"{word.capitalize()}d beacon {name} on minion."
    bad = f"Failed to {word} beacon {name} on minion."
    return _verdict(answer, f"{word}d", good=good, bad=bad, is_done=is_done)


def _verdict(answer: Mapping[str, Any], word: str, *, good: str, bad: str, is_done: bool) -> Result:
    """Return the result of a change, derived from the minion's answer (empty if none arrived)."""
    if not answer:
        return _result(False, _SILENT.format(word))
    if not answer.get("complete"):
        return _result(False, answer.get("comment", bad))
    return _result(is_done, good if is_done else bad)


def _result(result: bool, comment: str) -> Result:
    return {"comment": comment, "result": result}


def _options(config: Any) -> dict[str, Any]:
    parts = config if isinstance(config, list) else [config]
    return {key: value for part in parts if isinstance(part, Mapping) for key, value in part.items()}


def _is_test(kwargs: Mapping[str, Any]) -> bool:
    return bool(kwargs.get("test") or opts.get("test"))


def _diff(before: Any, after: Any) -> str:
    old, new = ([f"{key}:{value}\n" for key, value in _options(one).items()] for one in (before, after))
    return "".join(difflib.unified_diff(old, new))


def _as_yaml(beacons: Any) -> str:
    from salt_g.formats.yaml_dump import dump

    return dump({"beacons": beacons}, default_flow_style=False)
