"""Keywords of `x509` functions: old spellings, and those that mean nothing any more.

Why its own file: every function that makes something takes keywords, and SLS of ten years use them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from salt_g.x509.words import renewed

#: Keywords of the first `x509` module that had a meaning there.
_WITHOUT_MEANING = ("cipher", "overwrite", "serial_bits", "text", "verbose", "version")
_RENAMED = {"algorithm": "digest", "bits": "keysize"}


def current(arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Return keywords by their names of today, without those of the job and those that mean nothing."""
    kept = {
        _RENAMED.get(name, name): value
        for name, value in arguments.items()
        if name not in _WITHOUT_MEANING and not name.startswith("_")
    }
    return renewed(kept)
