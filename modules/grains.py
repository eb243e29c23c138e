"""Grains of this minion: reading and writing.

Changes are written to the file `grains` next to the minion's configuration file and take effect at once.
Shapes: a key can be a path, `a:b:0`. Source: stock's texts and results.
"""

from __future__ import annotations

import json
import logging
import os
from collections.abc import Callable, Mapping
from typing import Any

from salt_g.api import call, has, opts
from salt_g.api import grains as facts
from salt_g.data.nested import DELIMITER, traverse
from salt_g.errors import SaltGError, YamlError
from salt_g.modules._booleans import is_true
from salt_g.modules._grains_file import read_grains, write_grains
from salt_g.modules._lookup import choose

__func_alias__ = {"set_": "set"}
#: Default outputters of these functions.
__outputter__ = {"items": "nested", "item": "nested", "setval": "nested"}

log = logging.getLogger(__name__)
_MISSING = object()


def get(key: str, default: Any = "", delimiter: str = DELIMITER, ordered: bool = True) -> Any:
    """Return the grain at `key`, or `default`.

    `ordered` False returns a copy made of plain JSON types.

    Example::

        salt-g grains.get ip4_interfaces:lo:0
    """
    known = facts if ordered is True else json.loads(json.dumps(facts.copy()))
    return traverse(known, key, default, delimiter=delimiter)


def fetch(key: str, default: Any = "", delimiter: str = DELIMITER, ordered: bool = True) -> Any:
    """Return the grain at `key`, as `get` does, under a name that templates can use.

    Example::

        salt-g grains.fetch os
    """
    return get(key, default, delimiter, ordered)


def has_value(key: str) -> bool:
    """Return whether there is a grain at `key`.

    Example::

        salt-g grains.has_value pkg:apache
    """
    return get(key, _MISSING) is not _MISSING


def items(sanitize: bool = False) -> dict[str, Any]:
    """Return all grains; `sanitize` hides names and serial numbers.

    Example::

        salt-g grains.items sanitize=True
    """
    return _sanitized(facts.copy()) if is_true(sanitize) else facts.copy()


def item(*args: str, **kwargs: Any) -> dict[str, Any]:
    """Return {key: grain} of some grains; `default` and `delimiter` as in `get`, `sanitize` as in `items`.

    Example::

        salt-g grains.item os osrelease oscodename
    """
    default, delimiter = kwargs.get("default", ""), kwargs.get("delimiter", DELIMITER)
    found = {key: get(key, default, delimiter) for key in args}
    return _sanitized(found) if is_true(kwargs.get("sanitize")) else found


def ls() -> list[str]:
    """Return the names of all grains, sorted.

    Example::

        salt-g grains.ls
    """
    return sorted(facts)


def equals(key: str, value: Any) -> bool:
    """Return whether the grain at `key` equals `value` when both are converted to text.

    Example::

        salt-g grains.equals os_family Debian
    """
    return str(value) == str(get(key))


def filter_by(
    lookup_dict: Mapping[Any, Any],
    grain: str = "os_family",
    merge: Mapping[str, Any] | None = None,
    default: str = "default",
    base: str | None = None,
) -> Any:
    """Return the value of `lookup_dict` whose key (a glob) matches the grain at the path `grain`.

    `default` names the key used without a match, `base` a key whose mapping provides defaults; `merge` is a
    mapping that overrides the result. If the grain is a list, its items are matched in order.

    Example::

        salt-g grains.filter_by '{Debian: {pkg: apache2}, RedHat: {pkg: httpd}}'
    """
    return choose(lookup_dict, facts, grain, merge=merge, default=default, base=base)


def setvals(
    grains: Mapping[str, Any], destructive: bool = False, refresh_pillar: bool = True
) -> dict[str, Any] | str:
    """Set several grains at once and return them.

    With `destructive` a value None deletes the grain. `refresh_pillar` recompiles the pillar afterwards.
    Returns a text if the existing file cannot be read.

    Example::

        salt-g grains.setvals '{role: web, rack: 4}'
    """
    if not isinstance(grains, Mapping):
        raise SaltGError("setvals grains must be a dictionary.")
    try:
        written = read_grains()
    except (YamlError, OSError) as exc:
        return f"Unable to read existing grains file: {exc}"
    for key, value in grains.items():
        for place in (written, facts):
            _put(place, key, value, destructive)
    write_grains(written)
    _note_refresh()
    if not opts.get("local") and has("saltutil.refresh_grains"):
        call("saltutil.refresh_grains", refresh_pillar=refresh_pillar)
    return dict(grains)


def setval(
    key: str, val: Any, destructive: bool = False, refresh_pillar: bool = True
) -> dict[str, Any] | str:
    """Set a grain and return it; the key is a plain name, not a path.

    Example::

        salt-g grains.setval role web
    """
    return setvals({key: val}, destructive, refresh_pillar=refresh_pillar)


def append(key: str, val: Any, convert: bool = False, delimiter: str = DELIMITER) -> dict[str, Any] | str:
    """Append a value, or each item of a list, to a grain that is a list.

    `convert` first turns a grain that is not a list into one. Returns {grain: value}, or a text if nothing is
    appended.

    Example::

        salt-g grains.append roles web
    """
    present = get(key, [], delimiter)
    if convert and not isinstance(present, list):
        present = [] if present is None else [present]
    if not isinstance(present, list):
        return f"The key {key} is not a valid list"
    if val in present:
        return f"The val {val} was already in the list {key}"
    present.extend(val if isinstance(val, list) else [val])
    return _set_nested(key, present, delimiter)


def remove(key: str, val: Any, delimiter: str = DELIMITER) -> dict[str, Any] | str:
    """Remove a value from a grain that is a list; return {grain: value}, or a text if nothing is removed.

    Example::

        salt-g grains.remove roles web
    """
    present = get(key, [], delimiter)
    if not isinstance(present, list):
        return f"The key {key} is not a valid list"
    if val not in present:
        return f"The val {val} was not in the list {key}"
    present.remove(val)
    return _set_nested(key, present, delimiter)


def delkey(key: str, force: bool = False) -> dict[str, Any]:
    """Delete a grain (a list or mapping only with `force`); return the result of `grains.set`.

    Example::

        salt-g grains.delkey role
    """
    return delval(key, destructive=True, force=force)


def delval(key: str, destructive: bool = False, force: bool = False) -> dict[str, Any]:
    """Set a grain to None, or delete it if `destructive`; return the result of `grains.set`.

    Lists and mappings are changed only with `force`.

    Example::

        salt-g grains.delval role
    """
    return set_(key, None, destructive=destructive, force=force)


def set_(
    key: str, val: Any = "", force: bool = False, destructive: bool = False, delimiter: str = DELIMITER
) -> dict[str, Any]:
    """Set the grain at a path and return {'result', 'comment', 'changes'}.

    Lists and mappings are overwritten, and replace simple values, only with `force`. With `destructive` the
    value None deletes the key.

    Example::

        salt-g grains.set apps:site:port 8080
    """
    present = get(key, _MISSING, delimiter)
    if present is not _MISSING and present == val and (val is not None or destructive is not True):
        return _answer(True, "Grain is already set")
    refusal = "" if present is None or force else _refusal(key, present, val)
    if refusal:
        return _answer(False, refusal)
    top, value, refusal = _inside(key, val, force, destructive, delimiter)
    if refusal:
        return _answer(False, refusal)
    changes = setval(top, value, destructive=destructive)
    if isinstance(changes, str):
        return _answer(False, changes)
    return {"comment": "", "changes": changes, "result": True}


def _answer(result: bool, comment: str) -> dict[str, Any]:
    return {"comment": comment, "changes": {}, "result": result}


def _refusal(key: str, present: Any, val: Any) -> str:
    if isinstance(present, (dict, list)):
        return f"The key '{key}' exists but is a dict or a list. Use 'force=True' to overwrite."
    if isinstance(val, (dict, list)) and present is not _MISSING:
        return (
            f"The key '{key}' exists and the given value is a dict or a list. Use 'force=True' to overwrite."
        )
    return ""


def _inside(key: str, value: Any, force: bool, destructive: bool, delimiter: str) -> tuple[str, Any, str]:
    """Return the top key of a path, its new value with `value` inside, and the reason for a refusal."""
    while delimiter in key:
        key, _, last = key.rpartition(delimiter)
        parent = get(key, {}, delimiter)
        if isinstance(parent, dict):
            _put(parent, last, value, destructive)
        elif isinstance(parent, list):
            _put_into_list(parent, last, value)
        elif parent == last or force:
            parent = {last: value}
        else:
            text = (
                f"The key '{key}' value is '{parent}', which is different from the provided key"
                f" '{last}'. Use 'force=True' to overwrite."
            )
            return key, value, text
        value = parent
    return key, value, ""


def _put(place: Any, key: str, value: Any, destructive: bool) -> None:
    if value is None and destructive:
        place.pop(key, None)
    else:
        place[key] = value


def _put_into_list(parent: list[Any], key: str, value: Any) -> None:
    """Set `key` in the list's matching items; append one if there is none."""
    holders = [index for index, held in enumerate(parent) if _holds(held, key)]
    for index in holders:
        parent[index] = {**(parent[index] if isinstance(parent[index], dict) else {}), key: value}
    if not holders:
        parent.append({key: value})


def _holds(held: Any, key: str) -> bool:
    return held == key or (isinstance(held, dict) and key in held)


def _set_nested(key: str, value: Any, delimiter: str) -> dict[str, Any] | str:
    while delimiter in key:
        key, _, last = key.rpartition(delimiter)
        parent = get(key, {}, delimiter)
        if isinstance(parent, dict):
            parent[last] = value
        value = parent
    return setval(key, value)


def _note_refresh() -> None:
    """Set the flag that makes a running minion look for changed plugins."""
    path = os.path.join(str(opts.get("cachedir", "")), "module_refresh")
    try:
        with open(path, "w", encoding="utf-8"):
            pass
    except OSError as exc:
        log.error("cannot write %s: %s", path, exc)


def _sanitized(found: dict[str, Any]) -> dict[str, Any]:
    return {key: _SANITIZERS[key](value) if key in _SANITIZERS else value for key, value in found.items()}


def _without_last_quarter(serial: str) -> str:
    kept = len(serial) * 3 // 4
    return serial[:kept] + "X" * (len(serial) - kept)


def _always(word: str) -> Callable[[Any], str]:
    return lambda _: word


#: {grain: function that masks its value}
_SANITIZERS: dict[str, Callable[[Any], str]] = {
    "serialnumber": _without_last_quarter,
    "domain": _always("DOMAINNAME"),
    "fqdn": _always("MINION.DOMAINNAME"),
    "id": _always("MINION.DOMAINNAME"),
    "host": _always("MINION"),
    "localhost": _always("MINION"),
    "nodename": _always("MINION"),
}
