"""The `nacl` renderer: decryption of `NACL[...]` values in nested data by `nacl.dec`.

A value is decrypted only if all of it is `NACL[...]`. Keys are those of the setting `nacl.config`.
Errors: RenderError.
Source: the renderer `nacl` of Salt 3008, tested.
"""

from __future__ import annotations

import re
from typing import Any

from salt_g import api
from salt_g.errors import RenderError, SaltGError
from salt_g.render.decrypted import note_decrypted
from salt_g.render.request import RenderRequest

_VALUE = re.compile(r"NACL\[(.*)\]", re.DOTALL)


def render(data: Any, request: RenderRequest) -> Any:
    """Return the data with its values decrypted, changing mappings and lists in place."""
    if isinstance(data, str):
        found = _VALUE.fullmatch(data.strip())
        return _decrypted(found[1], request) if found else data
    if isinstance(data, dict):
        for key, value in data.items():
            data[key] = render(value, request)
    elif isinstance(data, list):
        data[:] = [render(item, request) for item in data]
    return data


def _decrypted(message: str, request: RenderRequest) -> Any:
    try:
        plain = api.call("nacl.dec", message)
    except SaltGError as exc:
        raise RenderError(f"a value NACL[...] cannot be decrypted: {exc}", path=request.path) from exc
    note_decrypted(plain, request.opts)
    return plain
