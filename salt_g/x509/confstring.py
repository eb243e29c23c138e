"""Parser for extensions in the forms that users write: OpenSSL's text, lists, dicts.

Shapes: text `critical, CA:TRUE, pathlen:1`, a list `["critical", {"CA": True}]`, a dict with `critical:
true`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

_CRITICAL = "critical"


def is_critical(value: Any) -> bool:
    """Return whether an extension is marked critical."""
    if isinstance(value, Mapping):
        return bool(value.get(_CRITICAL, False))
    if isinstance(value, str):
        return value.startswith(_CRITICAL)
    return isinstance(value, (list, tuple)) and _CRITICAL in value


def words(value: Any) -> list[str]:
    """Return the words without the critical mark: parts of a text, items of a list, keys set in a dict."""
    if isinstance(value, str):
        # `critical CA:TRUE`, without a comma, is also accepted.
        parts = [part.strip() for part in value.removeprefix(_CRITICAL).split(",")]
    elif isinstance(value, Mapping):
        parts = [str(key) for key, is_set in value.items() if is_set is not False]
    else:
        parts = [str(item) for item in (value if isinstance(value, (list, tuple)) else [value])]
    return [part for part in parts if part and part != _CRITICAL]


def pairs(value: Any) -> Iterator[tuple[str, Any]]:
    """Yield (key, value) of `key:value` parts; a key without a value gets True."""
    if isinstance(value, Mapping):
        yield from ((str(key), item) for key, item in value.items() if key != _CRITICAL)
    elif isinstance(value, str):
        yield from (_pair(part) for part in words(value))
    else:
        for item in value if isinstance(value, (list, tuple)) else [value]:
            if isinstance(item, Mapping):
                yield from pairs(item)
            elif item != _CRITICAL:
                yield _pair(str(item))


def options(value: Any) -> dict[str, Any]:
    """Return the pairs of an extension as a dict."""
    return dict(pairs(value))


def _pair(text: str) -> tuple[str, Any]:
    key, colon, value = text.partition(":")
    return key.strip(), value.strip() if colon else True
