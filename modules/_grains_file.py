"""The file `grains` next to the minion's configuration file: grains set by the user.

It is read without gathering other grains.
"""

from __future__ import annotations

import logging
import os
from typing import Any

from salt_g.api import opts

log = logging.getLogger(__name__)

#: Mode of a new file; grains are not secret.
_MODE = 0o644


def grains_path() -> str:
    """Return the path of the file."""
    configuration = str(opts.get("conf_file") or "")
    folder = configuration if os.path.isdir(configuration) else os.path.dirname(configuration)
    return os.path.join(folder, "grains")


def read_grains() -> dict[str, Any]:
    """Return the content of the file, or {} if it is missing or not a mapping; raises YamlError."""
    if not os.path.isfile(grains_path()):
        return {}
    from salt_g.formats.yaml_load import load  # Few machines have the file, and importing YAML is slow.

    with open(grains_path(), "rb") as file:
        written = load(file.read(), name=grains_path())
    return written if isinstance(written, dict) else {}


def write_grains(written: dict[str, Any]) -> None:
    """Replace the content of the file; an error in writing is only logged."""
    from salt_g.formats.yaml_dump import dump
    from salt_g.modules._text_file import rewrite_durably

    path = grains_path()
    try:
        rewrite_durably(path, dump(written, default_flow_style=False), mode=_MODE)
    except OSError as exc:
        log.error("cannot write grains to %s: %s", path, exc)
