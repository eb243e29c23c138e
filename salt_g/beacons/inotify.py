"""Beacon: changes to files.

    beacons:
      inotify:
        - files:
            /path/to/file/or/dir:
              mask: [create, close_write]
              recurse: True
              auto_add: True
              exclude:
                - /path/to/file/or/dir/*.swp
                - /path/to/file/or/dir/regex[a-m]*$:
                    regex: True
        - coalesce: True

`mask` lists events (default: create, delete and modify); `recurse` also watches subdirectories,
`auto_add` also those created later; `coalesce` reports equal events of a round once.
"""

from __future__ import annotations

import fnmatch
import logging
import os
from collections.abc import Iterable, Iterator
from typing import Any

from salt_g.beacons._settings import memory, own, validated
from salt_g.beacons._watches import MASKS, USUAL, Happened, Watches
from salt_g.regex.bounded import compile_bounded
from salt_g.shapes.loads import BeaconEvent

log = logging.getLogger(__name__)

_OPTIONS = ("mask", "recurse", "auto_add")


def validate(config: Any) -> tuple[bool, str]:
    """Return whether the settings are valid, and a message.

    Example::

        salt-g beacons.add inotify '[{"files": {"/etc/hosts": {"mask": ["modify"]}}}]'
    """
    return validated(config, "inotify", _error)


def _error(settings: dict[str, Any]) -> str:
    if "files" not in settings:
        return "Configuration for inotify beacon must include files."
    if not isinstance(settings["files"], dict):
        return "Configuration for inotify beacon invalid, files must be a dict."
    problems = (_problem(wanted) for wanted in settings["files"].values())
    return next(filter(None, problems), "")


def beacon(config: Any) -> list[BeaconEvent]:
    """Return {tag, path, change} of each change.

    Example::

        salt-g beacons.list
    """
    remembered = memory(config, "inotify")
    files = own(config).get("files", {})
    watches = remembered.get("watches")
    if watches is None:
        watches = remembered["watches"] = Watches()
    happened = list(watches.read())
    if own(config).get("coalesce") is True:
        happened = list(dict.fromkeys(happened))
    _watch(watches, files, happened)
    return [
        {"tag": event.path, "path": event.pathname, "change": event.maskname}
        for event in happened
        if not _is_excluded(event.pathname, files.get(_root(event.path, files)) or {})
    ]


def close(config: Any) -> None:
    """Stop watching.

    Example::

        salt-g beacons.delete inotify
    """
    watches = memory(config, "inotify").pop("watches", None)
    if watches is not None:
        watches.close()


def _problem(wanted: Any) -> str:
    if not isinstance(wanted, dict):
        return "Configuration for inotify beacon must be a list of dictionaries."
    if not any(option in wanted for option in _OPTIONS):
        return "Configuration for inotify beacon must contain mask, recurse or auto_add items."
    for option in ("auto_add", "recurse"):
        if not isinstance(wanted.get(option, True), bool):
            return f"Configuration for inotify beacon {option} must be boolean."
    mask = wanted.get("mask", [])
    if not isinstance(mask, list):
        return "Configuration for inotify beacon mask must be list."
    unknown = next((name for name in mask if name not in MASKS), None)
    return f"Configuration for inotify beacon invalid mask option {unknown}." if unknown else ""


def _watch(watches: Watches, files: dict[str, Any], happened: Iterable[Happened]) -> None:
    """Watch configured paths and new directories that are not watched yet."""
    watched = set(watches.paths.values())
    for path, wanted in files.items():
        if path not in watched and os.path.exists(path):
            _add(watches, path, wanted or {}, with_below=bool((wanted or {}).get("recurse")))
    for event in happened:
        wanted = files.get(_root(event.path, files)) or {}
        if wanted.get("auto_add") and event.mask & MASKS["isdir"] and os.path.isdir(event.pathname):
            _add(watches, event.pathname, wanted, with_below=True)


def _add(watches: Watches, path: str, wanted: dict[str, Any], *, with_below: bool) -> None:
    mask = sum({MASKS[name] for name in wanted.get("mask", ())}) or USUAL
    if wanted.get("auto_add"):
        mask |= MASKS["create"]
    for each in [path, *(_below(path) if with_below else ())]:
        if each != path and _is_excluded(each, wanted):
            continue
        try:
            watches.add(each, mask)
        except OSError as exc:
            log.warning("beacon inotify: cannot watch %s: %s", each, exc)


def _below(path: str) -> Iterator[str]:
    for directory, names, _ in os.walk(path):
        yield from (os.path.join(directory, name) for name in names)


def _root(path: str, files: dict[str, Any]) -> str:
    """Return the configured path that contains a watched path."""
    while path not in files and path != os.path.dirname(path):
        path = os.path.dirname(path)
    return path


def _is_excluded(path: str, wanted: dict[str, Any]) -> bool:
    for exclude in wanted.get("exclude") or ():
        if isinstance(exclude, dict):
            pattern, options = next(iter(exclude.items()))
            if (options or {}).get("regex") and compile_bounded(pattern).search(path):
                return True
        elif fnmatch.fnmatch(path, exclude) if "*" in exclude else path.startswith(exclude):
            return True
    return False
