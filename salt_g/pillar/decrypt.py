"""Decryption of the values named by `decrypt_pillar`.

Shapes: the setting is a list of colon paths and {path: renderer}, or one such mapping; a value may be text or
nested data.
Errors: returned as texts for `_errors`.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from typing import Any

from salt_g.data.nested import DELIMITER
from salt_g.errors import InvocationError, SaltGError
from salt_g.shapes import PillarDict

log = logging.getLogger(__name__)

#: Function that decrypts a text with a renderer: (text, renderer).
Decrypt = Callable[[str, str], Any]


def decrypt_values(pillar: PillarDict, opts: Mapping[str, Any], decrypt: Decrypt) -> list[str]:
    """Replace the configured values in `pillar` by their plaintext; return errors."""
    wanted = _wanted(opts.get("decrypt_pillar") or {})
    if wanted is None:
        return ["decrypt_pillar config option is malformed"]
    default = str(opts.get("decrypt_pillar_default") or "gpg")
    valid = opts.get("decrypt_pillar_renderers") or ["gpg"]
    delimiter = str(opts.get("decrypt_pillar_delimiter") or DELIMITER)
    errors = []
    for path, renderer in wanted.items():
        try:
            _replace(pillar, path.split(delimiter), _checked(decrypt, renderer or default, valid))
        except SaltGError as exc:
            errors.append(f"Failed to decrypt pillar key '{path}': {exc}")
    return errors


def _wanted(setting: Any) -> dict[str, str] | None:
    if isinstance(setting, Mapping):
        return dict(setting)
    if not isinstance(setting, list):
        return None
    wanted: dict[str, str] = {}
    for item in setting:
        wanted.update(item if isinstance(item, Mapping) else {str(item): ""})
    return wanted


def _checked(decrypt: Decrypt, renderer: str, valid: Any) -> Callable[[str], Any]:
    if renderer not in valid:
        raise InvocationError(
            f"'{renderer}' is not a valid decryption renderer. Valid choices are: {', '.join(valid)}"
        )
    return lambda text: decrypt(text, renderer)


def _replace(pillar: Any, path: list[str], decrypt: Callable[[str], Any]) -> None:
    for part in path[:-1]:
        pillar = pillar.get(part) if isinstance(pillar, Mapping) else None
    if isinstance(pillar, dict) and path[-1] in pillar:
        pillar[path[-1]] = _decrypted(pillar[path[-1]], decrypt)
    else:
        log.debug("pillar has no %r to decrypt", path)


def _decrypted(value: Any, decrypt: Callable[[str], Any]) -> Any:
    if isinstance(value, str):
        return decrypt(value)
    if isinstance(value, Mapping):
        return {key: _decrypted(item, decrypt) for key, item in value.items()}
    if isinstance(value, list):
        return [_decrypted(item, decrypt) for item in value]
    return value
