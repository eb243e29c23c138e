"""Settings directory of a host, and settings files edited line by line.

A user's file is never lost: only lines with installed settings change.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping

from salt_g.config.files import STANDARD_DIRECTORIES
from salt_g.errors import CommandExecutionError
from salt_g.install.host import Host

OWN, STOCK = STANDARD_DIRECTORIES
_HEAD = """\
# Settings of the {role} on this host. `salt-g config --role {role}` prints all effective settings and their
# origins. Files {role}.d/*.conf in this directory are read after this one.
"""
_ROLES = ("master", "minion")


def directory_of(host: Host) -> str:
    """Return the settings directory of a host: stock's if it has settings and ours does not exist."""
    if host.is_directory(OWN):
        return OWN
    names = (f"{STOCK}/{role}{ending}" for role in _ROLES for ending in ("", ".d"))
    return STOCK if any(map(host.exists, names)) else OWN


def head(role: str) -> str:
    """Return the header of a new file."""
    return _HEAD.format(role=role)


def with_settings(text: str, settings: Mapping[str, str], path: str) -> str:
    """Return the text of a YAML file with top-level settings set; other lines are unchanged.

    Raises CommandExecutionError if the file cannot be changed line by line.
    """
    missing = {name: value for name, value in settings.items() if parse(text, path).get(name) != value}
    changed = text
    for name, value in missing.items():
        line = f"{name}: {json.dumps(value)}"
        # The value is JSON text, whose backslashes `re` must not interpret.
        changed, count = re.subn(rf"(?m)^{name}[ \t]*:.*$", line.replace("\\", "\\\\"), changed)
        if not count:
            changed = f"{changed.rstrip()}\n{line}\n" if changed.strip() else f"{line}\n"
    if not _is_set(changed, {**parse(text, path), **settings}):
        wanted = ", ".join(f"{name}: {json.dumps(value)}" for name, value in settings.items())
        raise CommandExecutionError(f"{path} cannot be changed line by line; add {wanted} by hand")
    return changed


def _is_set(text: str, settings: Mapping[str, object]) -> bool:
    """Return whether a text sets exactly these values."""
    try:
        return parse(text, "") == settings
    except CommandExecutionError:
        return False


def parse(text: str, path: str) -> dict[str, object]:
    """Return the settings in a file."""
    from salt_g.errors import YamlError
    from salt_g.formats.yaml_load import load

    try:
        found = load(text) or {}
    except YamlError as exc:
        raise CommandExecutionError(f"{path} is not valid YAML: {exc}") from exc
    if not isinstance(found, dict):
        raise CommandExecutionError(f"{path} is not a mapping of settings")
    return dict(found)
