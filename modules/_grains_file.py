"""The file `grains` beside the minion's configuration file: what users set on this machine.

Why its own file: the grains module writes it, and whoever only wants to know what was set reads
it without gathering a single fact.
"""

from __future__ import annotations

import logging
import os
from typing import Any

from salt_g.api import opts

log = logging.getLogger(__name__)

#: Mode of a new file: facts are no secrets.
_MODE = 0o644


def grains_path() -> str:
    """Return where the file is."""
    configuration = str(opts.get("conf_file") or "")
    folder = configuration if os.path.isdir(configuration) else os.path.dirname(configuration)
    return os.path.join(folder, "grains")


def read_grains() -> dict[str, Any]:
    """Return what the file holds, {} without one; raises YamlError."""
    if not os.path.isfile(grains_path()):
        return {}
    from salt_g.formats.yaml_load import load  # few machines have the file, and YAML loads slowly

    with open(grains_path(), "rb") as file:
        written = load(file.read(), name=grains_path())
    return written if isinstance(written, dict) else {}


def write_grains(written: dict[str, Any]) -> None:
    """Replace what the file holds; a directory that cannot be written is logged."""
    from salt_g.formats.yaml_dump import dump
    from salt_g.process.disk import write_whole

    path = grains_path()
    try:
        mode = os.stat(path).st_mode & 0o7777 if os.path.exists(path) else _MODE
        write_whole(path, dump(written, default_flow_style=False), mode=mode)
    except OSError as exc:
        log.error("grains cannot be written to %s: %s", path, exc)
