"""Driver for values in YAML files.

    my-yaml-file:
      driver: yaml
      files:
        - /path/to/foo.yaml
        - /path/to/bar.yaml
      merge:
        strategy: smart
        merge_lists: False
      gpg: True

The files are merged, and later ones take precedence; `merge` has arguments of `slsutil.merge`. In a key, `:`
separates the levels of mappings and lists. With `gpg`, encrypted values are decrypted as by the renderer gpg.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from typing import Any

from salt_g.api import call, services
from salt_g.data.nested import traverse
from salt_g.errors import CommandExecutionError, YamlError
from salt_g.formats.yaml_load import load

log = logging.getLogger(__name__)

__virtualname__ = "yaml"
__func_alias__ = {"set_": "set"}


def get(key: str, profile: Mapping[str, Any] | None = None) -> Any:
    """Return the value of a key, or None when it does not exist; unreadable files are logged.

    Example::

        salt-g sdb.get sdb://my-yaml-file/user1:password
    """
    profile = profile or {}
    value = traverse(_merged(profile), key, None)
    return _opened(value) if profile.get("gpg") else value


def set_(key: str, value: Any, profile: Mapping[str, Any] | None = None) -> Any:
    """Raise CommandExecutionError, because the driver is read-only.

    Example::

        salt-g sdb.set sdb://my-yaml-file/user1:password secret
    """
    files = ", ".join(map(str, (profile or {}).get("files") or ())) or "its files"
    raise CommandExecutionError(f"the sdb driver yaml is read-only; write {key} into {files}")


def _merged(profile: Mapping[str, Any]) -> Mapping[str, Any]:
    merged: Mapping[str, Any] = {}
    options = profile.get("merge") or {}
    for path in profile.get("files") or ():
        data = _read(str(path))
        merged = call("slsutil.merge", merged, data, **options) if merged else data
    return merged


def _read(path: str) -> Mapping[str, Any]:
    """Return the mapping in a file; log an unreadable file, or one with anything else, and return {}."""
    try:
        with open(path, encoding="utf-8") as file:
            data = load(file.read())
    except (OSError, UnicodeDecodeError, YamlError) as exc:
        log.error("sdb: %s cannot be read: %s", path, exc)
        return {}
    if data is not None and not isinstance(data, Mapping):
        log.error("sdb: %s must have a mapping at its top level, not a %s", path, type(data).__name__)
        return {}
    return data or {}


def _opened(value: Any) -> Any:
    """Return a value with its encrypted texts decrypted; run gpg only if there are any."""
    if isinstance(value, str):
        return services().render.render_text(value, pipe="gpg") if "PGP MESSAGE" in value else value
    if isinstance(value, Mapping):
        return {key: _opened(item) for key, item in value.items()}
    return [_opened(item) for item in value] if isinstance(value, list) else value
