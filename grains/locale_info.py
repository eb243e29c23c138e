"""Grains of language, encoding and time zone."""

from __future__ import annotations

import time
from typing import Any

__virtualname__ = "core"


def locale_info() -> dict[str, Any]:
    """Return `locale_info`: default language and encoding, detected encoding, time zone name."""
    import locale  # Imported lazily: few programs have it loaded, and only this function uses it.

    try:
        language, encoding = locale.getlocale()
    except ValueError:
        language = encoding = "unknown"
    return {
        "locale_info": {
            "defaultlanguage": language,
            "defaultencoding": encoding,
            "detectedencoding": locale.getpreferredencoding(False).lower(),
            "timezone": time.localtime().tm_zone,
        }
    }
