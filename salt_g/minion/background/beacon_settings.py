"""Configured beacons, with the queries and changes that `beacons.*` functions request.

This file does no I/O; `beacons.py` has the loop that runs beacons.
Shapes: beacons are {name: [{option: value}, ...]} and the key `enabled`; a request is an event on the
minion's bus (`manage_beacons`), and so is its answer.
Source: stock's events `/salt/minion/minion_beacon*_complete`.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from salt_g.shapes import PillarDict

log = logging.getLogger(__name__)

_TAG = "/salt/minion/minion_beacon"
#: Key that enables or disables all beacons, and option that does so for one.
ENABLED = "enabled"


class BeaconAnswer(NamedTuple):
    """Event that answers a request, and the names of the beacons to stop."""

    tag: str = ""
    data: Mapping[str, Any] = {}
    stopped: tuple[str, ...] = ()


class BeaconSettings:
    """Beacons from settings and pillar; `validate(name, config)` lets a beacon check its configuration."""

    def __init__(
        self,
        beacons: Any,
        *,
        validate: Callable[[str, Any], tuple[bool, str]],
        available: Callable[[], list[str]],
    ) -> None:
        self.own = _mapping(beacons)
        self.pillar: PillarDict = {}
        self._validate = validate
        self._available = available
        self._known: dict[str, Callable[[Mapping[str, Any]], BeaconAnswer]] = {
            "add": self._add,
            "modify": self._modify,
            "delete": self._delete,
            "enable": lambda question: self._switch(True, "s_enabled"),
            "disable": lambda question: self._switch(False, "s_disabled"),
            "enable_beacon": lambda question: self._switch_one(question, True),
            "disable_beacon": lambda question: self._switch_one(question, False),
            "list": self._list,
            "list_available": self._list_available,
            "validate_beacon": self._validate_beacon,
            "reset": self._reset,
        }

    def set_pillar(self, beacons: Any) -> None:
        """Replace the beacons from pillar."""
        self.pillar = _mapping(beacons)

    def all(self) -> dict[str, Any]:
        """Return all beacons; a beacon in the settings overrides one of the same name in pillar."""
        return {**self.pillar, **self.own}

    def handle(self, question: Mapping[str, Any]) -> BeaconAnswer:
        """Execute a request and return the event that answers it."""
        found = self._known.get(str(question.get("func")))
        if found is None:
            log.error("beacons: unknown function %r", question.get("func"))
            return BeaconAnswer()
        return found(question)

    def disable(self, name: str) -> None:
        """Disable a `run_once` beacon after its run."""
        if name in self.own:
            self.own[name] = _with_enabled(self.own[name], False)
        else:
            self.own[name] = _with_enabled(self.pillar.get(name, []), False)

    def _answer(
        self, word: str, comment: str = "", *, complete: bool = True, stopped: str = ""
    ) -> BeaconAnswer:
        data: dict[str, Any] = {"complete": complete, "beacons": self.own}
        if comment:
            data["comment"] = comment
        return BeaconAnswer(f"{_TAG}{word}_complete", data, (stopped,) if stopped else ())

    def _add(self, question: Mapping[str, Any]) -> BeaconAnswer:
        name = str(question.get("name"))
        if name in self.pillar:
            comment = f"Cannot update beacon item {name}, because it is configured in pillar."
            return self._answer("_add", comment, complete=False)
        comment = f"Added new beacon item: {name}"
        if name in self.own:
            comment = f"Updating settings for beacon item: {name}"
        self.own[name] = question.get("beacon_data")
        return self._answer("_add", comment)

    def _modify(self, question: Mapping[str, Any]) -> BeaconAnswer:
        name = str(question.get("name"))
        if name in self.pillar:
            comment = f"Cannot modify beacon item {name}, it is configured in pillar."
            return self._answer("_modify", comment, complete=False)
        self.own[name] = question.get("beacon_data")
        # Stopped, so that the beacon starts again with the new settings and new file watches.
        return self._answer("_modify", f"Updating settings for beacon item: {name}", stopped=name)

    def _delete(self, question: Mapping[str, Any]) -> BeaconAnswer:
        name = str(question.get("name"))
        if name in self.pillar:
            comment = f"Cannot delete beacon item {name}, it is configured in pillar."
            return self._answer("_delete", comment, complete=False)
        if self.own.pop(name, None) is None:
            return self._answer("_delete", f"Beacon item {name} not found.")
        return self._answer("_delete", f"Deleting beacon item: {name}", stopped=name)

    def _switch(self, wanted: bool, word: str) -> BeaconAnswer:
        self.own[ENABLED] = wanted
        return self._answer(word)

    def _switch_one(self, question: Mapping[str, Any], wanted: bool) -> BeaconAnswer:
        name = str(question.get("name"))
        word = "enable" if wanted else "disable"
        if name in self.pillar:
            comment = f"Cannot {word} beacon item {name}, it is configured in pillar."
            return self._answer(f"_{word}d", comment, complete=False)
        if name in self.own:
            self.own[name] = _with_enabled(self.own[name], wanted)
        comment = f"{word.capitalize()[:-1]}ing beacon item {name}"
        return self._answer(f"_{word}d", comment, stopped="" if wanted else name)

    def _list(self, question: Mapping[str, Any]) -> BeaconAnswer:
        shown = self.pillar if question.get("include_pillar", True) else {}
        shown = {**shown, **self.own} if question.get("include_opts", True) else shown
        return BeaconAnswer(f"{_TAG}s_list_complete", {"complete": True, "beacons": shown})

    def _list_available(self, question: Mapping[str, Any]) -> BeaconAnswer:
        data = {"complete": True, "beacons": self._available()}
        return BeaconAnswer(f"{_TAG}s_list_available_complete", data)

    def _validate_beacon(self, question: Mapping[str, Any]) -> BeaconAnswer:
        config = question.get("beacon_data")
        valid, comment = self._validate(str(question.get("name")), config)
        data = {"complete": True, "vcomment": comment, "valid": valid}
        return BeaconAnswer(f"{_TAG}_validation_complete", data)

    def _reset(self, question: Mapping[str, Any]) -> BeaconAnswer:
        stopped = tuple(name for name in self.own if name != ENABLED)
        self.own.clear()
        return self._answer("_reset", "Beacons have been reset")._replace(stopped=stopped)


def options_of(config: Any) -> dict[str, Any]:
    """Return a beacon's configuration, which is usually a list of mappings, as one dict."""
    if isinstance(config, Mapping):
        return dict(config)
    parts = config if isinstance(config, list) else []
    return {key: value for part in parts if isinstance(part, Mapping) for key, value in part.items()}


def _with_enabled(config: Any, wanted: bool) -> Any:
    if isinstance(config, Mapping):
        return {**config, ENABLED: wanted}
    others = [part for part in config or [] if not (isinstance(part, Mapping) and ENABLED in part)]
    return [*others, {ENABLED: wanted}]


def _mapping(beacons: Any) -> dict[str, Any]:
    if isinstance(beacons, Mapping):
        return dict(beacons)
    if beacons:
        log.error("beacons: the setting must be a mapping, not %s; ignored", type(beacons).__name__)
    return {}
