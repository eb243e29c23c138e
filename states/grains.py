"""States that set and delete grains of this minion.

A name may be a path (`a:b`), with `delimiter` between its parts. Values added to a list during a run are kept
in the scratch dict, since a grain to which several states append is read once per run.
Source: stock's texts and results.
"""

from __future__ import annotations

from typing import Any

from salt_g.api import call, opts, scratch
from salt_g.api import grains as facts
from salt_g.data.nested import DELIMITER
from salt_g.shapes import StateReturn
from salt_g.states._outcome import as_wanted, changed, failed, outcome, would_change

_MISSING = object()


def exists(name: str, delimiter: str = DELIMITER) -> StateReturn:
    """Check that a grain exists.

    Example::

        role:
          grains.exists
    """
    name = _path(name, delimiter)
    if call("grains.get", name, _MISSING) is _MISSING:
        return failed(name, "Grain does not exist")
    return as_wanted(name, "Grain exists")


def present(name: str, value: Any, delimiter: str = DELIMITER, force: bool = False) -> StateReturn:
    """Ensure that a grain has this value; `force` overwrites lists and mappings.

    Example::

        role:
          grains.present:
            - value: web
    """
    name = _path(name, delimiter)
    current = call("grains.get", name, _MISSING)
    if current == value:
        return as_wanted(name, "Grain is already set")
    if opts["test"]:
        if current is _MISSING:
            return would_change(name, f"Grain {name} is set to be added", {"new": name})
        return would_change(name, f"Grain {name} is set to be changed", {"changed": {name: value}})
    done = call("grains.set", name, value, force=force)
    comment = f"Set grain {name} to {value}" if done["result"] and done["changes"] else done["comment"]
    return outcome(name, done["result"], comment, done["changes"])


def list_present(name: str, value: Any, delimiter: str = DELIMITER) -> StateReturn:
    """Ensure that a grain is a list that contains this value, or each of these values.

    Example::

        roles:
          grains.list_present:
            - value: [web, dev]
    """
    name = _path(name, delimiter)
    current = call("grains.get", name)
    if current and not isinstance(current, list):
        return failed(name, f"Grain {name} is not a valid list")
    added = _added_in_this_run(name)
    wanted = value if isinstance(value, list) else [value]
    missing = [item for item in wanted if item not in (current or []) and item not in added]
    if not missing:
        where = f"already in grain {name} (or pending)" if current else f"already pending in grain {name}"
        return as_wanted(name, f"Value {value} is {where}")
    added.extend(missing)
    note = _left_out(name, wanted, missing, bool(current)) if isinstance(value, list) else ""
    return _append_missing(name, missing if isinstance(value, list) else value, current, note)


def list_absent(name: str, value: Any, delimiter: str = DELIMITER) -> StateReturn:
    """Ensure that a list grain contains none of these values.

    Example::

        roles:
          grains.list_absent:
            - value: dev
    """
    name = _path(name, delimiter)
    current = call("grains.get", name, None)
    if not current:
        return as_wanted(name, f"Grain {name} does not exist")
    if not isinstance(current, list):
        return failed(name, f"Grain {name} is not a valid list")
    wanted = value if isinstance(value, list) else [value]
    deleted = [item for item in wanted if item in current]
    comments = [_deletion(item, name, item in deleted) for item in wanted]
    if not opts["test"]:
        for item in deleted:
            call("grains.remove", name, item)
    result = None if deleted and opts["test"] else True
    return outcome(name, result, "\n".join(comments), {"deleted": deleted} if deleted else {})


def absent(
    name: str, destructive: bool = False, delimiter: str = DELIMITER, force: bool = False
) -> StateReturn:
    """Ensure that a grain is None, or with `destructive` that it does not exist. For `force` see `present`.

    Example::

        role:
          grains.absent:
            - destructive: True
    """
    name = _path(name, delimiter)
    current = call("grains.get", name, _MISSING)
    if current is _MISSING:
        return as_wanted(name, f"Grain {name} does not exist")
    if opts["test"]:
        return _would_delete(name, current, destructive)
    done = call("grains.set", name, None, destructive=destructive, force=force)
    if not done["result"]:
        return outcome(name, done["result"], done["comment"], done["changes"])
    if destructive is True:
        return changed(name, f"Grain {name} was deleted", {"deleted": name})
    if current is None:
        return outcome(name, True, done["comment"], done["changes"])
    return changed(name, f"Value for grain {name} was set to None", {"grain": name, "value": None})


def append(name: str, value: Any, convert: bool = False, delimiter: str = DELIMITER) -> StateReturn:
    """Ensure that a list grain contains a value; `convert` turns another value into a list.

    Example::

        roles:
          grains.append:
            - value: web
    """
    name = _path(name, delimiter)
    current = call("grains.get", name, None)
    if not current and name not in facts:
        return failed(name, f"Grain {name} does not exist")
    if isinstance(current, list):
        return _append_to_list(name, value, current)
    if convert is not True:
        return failed(name, f"Grain {name} is not a valid list")
    if opts["test"]:
        comment = f"Grain {name} is set to be converted to list and value {value} will be added"
        return would_change(name, comment, {"added": value})
    call("grains.setval", name, ([] if current is None else [current]) + [value])
    return changed(name, f"Value {value} was added to grain {name}", {"added": value})


def _path(name: str, delimiter: str) -> str:
    return name if delimiter == DELIMITER else name.replace(delimiter, DELIMITER)


def _added_in_this_run(name: str) -> list[Any]:
    found: list[Any] = scratch.setdefault("pending_grains", {}).setdefault(name, [])
    return found


def _left_out(name: str, wanted: list[Any], missing: list[Any], is_there: bool) -> str:
    already = [item for item in wanted if item not in missing]
    if not already:
        return ""
    reason = f'value found in "{name}" (or pending)' if is_there else f'value already pending in "{name}"'
    return f"Removed value {already} from update due to {reason}.\n"


def _append_missing(name: str, value: Any, current: Any, note: str) -> StateReturn:
    if opts["test"]:
        comment = (
            f"Value {value} is set to be appended to grain {name}"
            if current
            else f"Grain {name} is set to be added"
        )
        return would_change(name, comment, {"new": current})
    new = call("grains.append", name, value)
    after = call("grains.get", name, [])
    if any(item not in after for item in (value if isinstance(value, list) else [value])):
        return failed(name, f"Failed append value {value} to grain {name}")
    return changed(name, f"{note}Append value {value} to grain {name}", {"new": new})


def _append_to_list(name: str, value: Any, current: list[Any]) -> StateReturn:
    if value in current:
        return as_wanted(name, f"Value {value} is already in the list for grain {name}")
    if opts["test"]:
        return would_change(name, f"Value {value} in grain {name} is set to be added", {"added": value})
    call("grains.append", name, value)
    return changed(name, f"Value {value} was added to grain {name}", {"added": value})


def _deletion(item: Any, name: str, is_there: bool) -> str:
    if not is_there:
        return f"Value {item} is absent from grain {name}"
    if opts["test"]:
        return f"Value {item} in grain {name} is set to be deleted"
    return f"Value {item} was deleted from grain {name}"


def _would_delete(name: str, current: Any, destructive: bool) -> StateReturn:
    if destructive is True:
        return would_change(name, f"Grain {name} is set to be deleted", {"deleted": name})
    if current is None:
        return would_change(name, "")
    comment = f"Value for grain {name} is set to be deleted (None)"
    return would_change(name, comment, {"grain": name, "value": None})
