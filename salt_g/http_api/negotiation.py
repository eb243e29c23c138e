"""Content negotiation, and encoding of answers in the chosen format.

Errors: Refusal with 406 when the client accepts none of the offered formats.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from typing import Any

from salt_g.formats import yaml_dump
from salt_g.http_api.messages import Refusal

JSON, YAML, HTML = "application/json", "application/x-yaml", "text/html"
#: Maximum length of an Accept header (characters), and maximum number of types in it.
_MAX_HEADER, _MAX_TYPES = 4096, 32


def best(accept: str, offered: tuple[str, ...]) -> str:
    """Return the offered type that a client prefers (the first among equals), '' if it accepts none."""
    preferences = _preferences(accept)
    if not preferences:
        return offered[0]
    rated = [(_quality(kind, preferences), -place, kind) for place, kind in enumerate(offered)]
    quality, _, kind = max(rated)
    return kind if quality > 0 else ""


def encoder(accept: str) -> tuple[str, Callable[[Any], bytes]]:
    """Return the content type of an answer and the function that encodes it."""
    kind = best(accept, (JSON, YAML))
    if not kind:
        raise Refusal(406, f"answers are available as {JSON} and {YAML}; accept one of them")
    return (kind, to_json) if kind == JSON else (kind, to_yaml)


def prefers_page(accept: str) -> bool:
    """Return whether a client asks for a page, as browsers do, rather than for data."""
    return HTML in accept and best(accept, (JSON, YAML, HTML)) == HTML


def accepts_gzip(encodings: str) -> bool:
    """Return whether an Accept-Encoding header allows gzip; an empty header does not."""
    preferences = _preferences(encodings)
    named = [quality for name, quality in preferences if name in ("gzip", "x-gzip")]
    # `*` stands for the encodings that are not named.
    return any(quality > 0 for quality in named or [quality for name, quality in preferences if name == "*"])


def to_json(data: Any) -> bytes:
    """Return data as JSON; bytes in it become text, NaN and infinity become null."""
    try:
        return json.dumps(data, default=_plain, allow_nan=False).encode()
    except (TypeError, ValueError):
        # Minions can return any values and names, even some that JSON does not allow.
        return json.dumps(_cleaned(data), default=_plain).encode()


def to_yaml(data: Any) -> bytes:
    """Return data as YAML; raise Refusal if it is nested too deeply."""
    try:
        return yaml_dump.dump(data, default_flow_style=False).encode()
    except RecursionError:
        raise Refusal(406, f"this answer is nested too deeply for YAML; accept {JSON}") from None


def _cleaned(value: Any) -> Any:
    """Return data with only keys and numbers that JSON can represent."""
    if isinstance(value, dict):
        return {_name(name): _cleaned(one) for name, one in value.items()}
    if isinstance(value, (list, tuple)):
        return [_cleaned(one) for one in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def _name(name: Any) -> Any:
    """Return a map key in a type that JSON can represent."""
    if isinstance(name, bytes):
        return name.decode("utf-8", "replace")
    is_finite = not isinstance(name, float) or math.isfinite(name)
    return name if isinstance(name, (str, int, float, type(None))) and is_finite else str(name)


def _plain(value: Any) -> Any:
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    return list(value) if isinstance(value, (set, frozenset, tuple)) else str(value)


def _preferences(accept: str) -> list[tuple[str, float]]:
    preferences = []
    for part in accept[:_MAX_HEADER].split(",")[:_MAX_TYPES]:
        kind, *parameters = (word.strip().lower() for word in part.split(";"))
        if kind:
            preferences.append((kind, _q(parameters)))
    return preferences


def _q(parameters: list[str]) -> float:
    for parameter in parameters:
        name, _, value = parameter.partition("=")
        if name.strip() == "q":
            try:
                return min(1.0, max(0.0, float(value)))
            except ValueError:
                return 0.0
    return 1.0


def _quality(kind: str, preferences: list[tuple[str, float]]) -> float:
    """Return the quality value of a type, from the most specific preference that matches."""
    family = kind.partition("/")[0] + "/*"
    for name in (kind, family, "*/*"):
        found = [quality for preference, quality in preferences if preference == name]
        if found:
            return max(found)
    return 0.0
