"""Apache configuration files generated from data."""

from __future__ import annotations

import os
from typing import Any

from salt_g.api import call, functions, opts
from salt_g.process import disk
from salt_g.shapes import StateReturn
from salt_g.states._outcome import as_wanted, changed, failed, would_change


def __virtual__() -> bool | tuple[bool, str]:
    return True if "apache.config" in functions else (False, "apache module could not be loaded")


def configfile(name: str, config: list[dict[str, Any]]) -> StateReturn:
    """Ensure that the file `name` has the content generated from `config`; see `apache.config`.

    Example::

        salt-g state.single apache.configfile /etc/apache2/ports.conf config="[{'Listen': '80'}]"
    """
    wanted = call("apache.config", name, config, edit=False)
    current = ""
    if os.path.exists(name):
        with open(name, encoding="utf-8") as file:
            current = file.read()
    if wanted.strip() == current.strip():
        return as_wanted(name, "Configuration is up to date.")
    changes = {"old": current, "new": wanted}
    if opts["test"]:
        return would_change(name, "Configuration will update.", changes)
    try:
        disk.rewrite(name, f"{wanted}\n".encode())
    except OSError as exc:
        return failed(name, f"Failed to create apache configuration. {name}: {exc.strerror}")
    return changed(name, "Successfully created configuration.", changes)
