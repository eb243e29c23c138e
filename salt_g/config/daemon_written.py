"""Settings that a daemon writes itself: `_schedule.conf` and `beacons.conf`, next to the user's own files.

A minion saves its schedule in the first, and `beacons.save` saves its beacons in the second. While no minion
is running, the functions of `schedule` read and write the first.
Shapes: one top-level key (`schedule`, `beacons`) with the saved mapping.
Errors: OSError if the file cannot be written; ConfigError if its content is invalid.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from salt_g.errors import ConfigError, YamlError
from salt_g.process.disk import write_whole

SCHEDULE = "_schedule.conf"
BEACONS = "beacons.conf"


def own_file(opts: Mapping[str, Any], name: str) -> str:
    """Return the path of a file written by the daemon, in the directory of `default_include`."""
    directory = os.path.dirname(str(opts["conf_file"]))
    return os.path.join(directory, os.path.dirname(str(opts.get("default_include") or "")), name)


def read_own(path: str, key: str) -> dict[str, Any]:
    """Return the mapping saved under `key`, or {} if nothing is saved."""
    from salt_g.formats.yaml_plain import load_plain

    try:
        with open(path, "rb") as file:
            text = file.read()
    except FileNotFoundError:
        return {}
    try:
        content = load_plain(text)
    except YamlError as exc:
        raise ConfigError([f"{path}: {exc}"]) from exc
    saved = content.get(key) if isinstance(content, dict) else None
    return saved if isinstance(saved, dict) else {}


def write_own(path: str, key: str, values: Mapping[str, Any]) -> None:
    """Save `values` under `key`, replacing the previous values."""
    from salt_g.formats.yaml_dump import dump

    os.makedirs(os.path.dirname(path), exist_ok=True)
    write_whole(path, dump({key: dict(values)}, default_flow_style=False))
