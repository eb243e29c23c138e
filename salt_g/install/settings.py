"""Which directory holds the settings, and a settings file with some of them set.

Why its own file: a user's file is never lost: lines of ours are changed, everything else stays.
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
# Settings of the {role} on this host. `salt-g config --role {role}` prints all that are in effect, and where
# each comes from. Files {role}.d/*.conf beside this one are read after it.
"""
_ROLES = ("master", "minion")


def directory_of(host: Host) -> str:
    """Return where the settings of a host are: stock's directory only when settings are in it."""
    if host.is_directory(OWN):
        return OWN
    names = (f"{STOCK}/{role}{ending}" for role in _ROLES for ending in ("", ".d"))
    return STOCK if any(map(host.exists, names)) else OWN


def head(role: str) -> str:
    """Return the beginning of a new file."""
    return _HEAD.format(role=role)


def with_settings(text: str, settings: Mapping[str, str], path: str) -> str:
    """Return the text of a YAML file with top-level settings set; other lines stay as they are.

    Raises CommandExecutionError when that cannot be done line by line.
    """
    missing = {name: value for name, value in settings.items() if parse(text, path).get(name) != value}
    changed = text
    for name, value in missing.items():
        line = f"{name}: {json.dumps(value)}"
        # The value is quoted text in JSON, of which re must not read any backslash.
        changed, count = re.subn(rf"(?m)^{name}[ \t]*:.*$", line.replace("\\", "\\\\"), changed)
        if not count:
            changed = f"{changed.rstrip()}\n{line}\n" if changed.strip() else f"{line}\n"
    if not _is_set(changed, {**parse(text, path), **settings}):
        wanted = ", ".join(f"{name}: {json.dumps(value)}" for name, value in settings.items())
        raise CommandExecutionError(f"{path} cannot be changed line by line; put {wanted} there yourself")
    return changed


def _is_set(text: str, settings: Mapping[str, object]) -> bool:
    """Return whether a text says exactly these settings."""
    try:
        return parse(text, "") == settings
    except CommandExecutionError:
        return False


def parse(text: str, path: str) -> dict[str, object]:
    """Return what a settings file says."""
    from salt_g.errors import YamlError
    from salt_g.formats.yaml_load import load

    try:
        found = load(text) or {}
    except YamlError as exc:
        raise CommandExecutionError(f"{path} is no YAML: {exc}") from exc
    if not isinstance(found, dict):
        raise CommandExecutionError(f"{path} is no mapping of settings")
    return dict(found)
