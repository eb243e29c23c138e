"""Settings of the master and their files."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from salt_g import config
from salt_g.api import opts
from salt_g.errors import YamlError
from salt_g.formats import yaml_dump, yaml_load
from salt_g.process import disk

#: Mode of new config files, which can hold passwords.
_FILE_MODE = 0o600


def values() -> dict[str, Any]:
    """Return the settings as read from the config files now.

    Example::

        wheel.cmd("config.values")
    """
    return dict(config.load("master", _directory()).opts)


def apply(key: str, value: Any) -> None:
    """Set one setting in the main config file; the comments of the file are lost.

    The running master keeps the values read at its start.

    Example::

        wheel.cmd("config.apply", ["worker_threads", 5])
    """
    path = opts["conf_file"]
    try:
        with open(path, encoding="utf-8") as file:
            said = yaml_load.load(file.read()) or {}
    except FileNotFoundError:
        said = {}
    said[key] = value
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with disk.replacing(path, new_mode=_FILE_MODE) as written:
        written.write(yaml_dump.dump(said, default_flow_style=False).encode())


def update_config(file_name: str, yaml_contents: Mapping[str, Any]) -> str:
    """Write settings to a separate file next to the main one; return a message.

    file_name
        Name without `.conf`; the file goes into the directory of `default_include`.

    Example::

        wheel.cmd("config.update_config", ["gui", {"id": "m"}])
    """
    name = f"{file_name}.conf"
    if os.path.basename(name) != name or "\0" in name:
        return "Invalid path"
    directory = os.path.join(_directory(), os.path.dirname(opts["default_include"]))
    try:
        text = yaml_dump.dump(yaml_contents, default_flow_style=False)
        os.makedirs(directory, mode=0o755, exist_ok=True)
        with disk.replacing(os.path.join(directory, name), new_mode=_FILE_MODE) as file:
            file.write(text.encode())
    except (OSError, YamlError, ValueError) as exc:
        return str(exc)
    return f"Wrote {name}"


def _directory() -> str:
    path: str = opts["conf_file"]
    return os.path.dirname(path)
