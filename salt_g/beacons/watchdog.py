"""Beacon: changes in directories.

    beacons:
      watchdog:
        - directories:
            /path/to/dir:
              mask: [create, modify, delete, move]

`mask` lists the events (default: all four). Subdirectories are not watched. The creation,
deletion or move of a file also counts as a modification of its directory. A missing directory is
watched as soon as it exists.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from salt_g.beacons._settings import memory, merged, validated
from salt_g.beacons._watches import MASKS, Happened, Watches
from salt_g.shapes.loads import BeaconEvent

log = logging.getLogger(__name__)

#: {change as named in events: name in a mask}
_WORDS = {"created": "create", "modified": "modify", "deleted": "delete", "moved": "move"}
_WATCHED = (
    MASKS["create"]
    | MASKS["delete"]
    | MASKS["delete_self"]
    | MASKS["modify"]
    | MASKS["attrib"]
    | MASKS["moved_from"]
    | MASKS["moved_to"]
)


class _Change(NamedTuple):
    """Change of the directory `root` or of a path below it."""

    root: str
    path: str
    word: str


def validate(config: Any) -> tuple[bool, str]:
    """Return whether the settings are valid, and a message.

    Example::

        salt-g beacons.add watchdog '[{"directories": {"/etc": {"mask": ["modify"]}}}]'
    """
    return validated(config, "watchdog", _error)


def _error(settings: dict[str, Any]) -> str:
    if "directories" not in settings:
        return "Configuration for watchdog beacon must include directories."
    if not isinstance(settings["directories"], dict):
        return "Configuration for watchdog beacon directories must be a dictionary."
    return next(filter(None, map(_problem, settings["directories"].values())), "")


def beacon(config: Any) -> list[BeaconEvent]:
    """Return {tag, path, change} of each change: created, modified, deleted or moved (from `path`).

    Example::

        salt-g beacons.list
    """
    remembered = memory(config, "watchdog")
    directories = merged(config).get("directories", {})
    watches = remembered.get("watches")
    if watches is None:
        watches = remembered["watches"] = Watches()
    happened = list(watches.read())
    _watch(watches, directories)
    return [
        {"tag": "watchdog", "path": change.path, "change": change.word}
        for change in _changes(happened)
        if _WORDS[change.word] in _mask(directories.get(change.root))
    ]


def close(config: Any) -> None:
    """Stop watching.

    Example::

        salt-g beacons.delete watchdog
    """
    watches = memory(config, "watchdog").pop("watches", None)
    if watches is not None:
        watches.close()


def _problem(wanted: Any) -> str:
    if not isinstance(wanted, dict):
        return "Configuration for watchdog beacon directory path must be a dictionary."
    if not isinstance(wanted.get("mask", []), list):
        return "Configuration for watchdog beacon mask must be list."
    if not set(map(str, wanted.get("mask", ()))) <= set(_WORDS.values()):
        return "Configuration for watchdog beacon contains invalid mask"
    return ""


def _mask(wanted: Any) -> Iterable[str]:
    return (wanted or {}).get("mask") or _WORDS.values()


def _watch(watches: Watches, directories: Iterable[str]) -> None:
    """Watch the configured directories that are not watched yet."""
    watched = set(watches.paths.values())
    for path in directories:
        if path not in watched and os.path.isdir(path):
            try:
                watches.add(path, _WATCHED)
            except OSError as exc:
                log.warning("beacon watchdog: cannot watch %s: %s", path, exc)


def _changes(happened: Iterable[Happened]) -> Iterator[_Change]:
    """Yield the changes for a beacon's events; the two events of a move are one change."""
    happened = list(happened)
    left = {event.cookie for event in happened if event.mask & MASKS["moved_from"]}
    came = {event.cookie: event for event in happened if event.mask & MASKS["moved_to"]}
    for event in happened:
        if event.mask & MASKS["moved_to"] and event.cookie in left:
            continue
        word = _word(event, is_move=event.cookie in came)
        yield _Change(event.path, event.pathname, word)
        if event.name and word != "modified":
            yield _Change(event.path, event.path, "modified")
        if word == "moved":
            yield _Change(came[event.cookie].path, came[event.cookie].path, "modified")


def _word(event: Happened, *, is_move: bool) -> str:
    if event.mask & MASKS["moved_from"]:
        return "moved" if is_move else "deleted"
    if event.mask & (MASKS["create"] | MASKS["moved_to"]):
        return "created"
    return "deleted" if event.mask & (MASKS["delete"] | MASKS["delete_self"]) else "modified"
