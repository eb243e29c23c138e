"""Decoding of request bodies by content type.

Shapes: a form becomes a map. A repeated field has a list as its value; `arg` always has one, and `kwarg` has
its last value. `arg` and `kwarg` of a form are parsed as YAML, as in stock.
Errors: Refusal with 400 for malformed text, 406 for an unknown content type, 415 for an unknown charset.
"""

from __future__ import annotations

import json
import urllib.parse
from collections.abc import Callable
from typing import Any

from salt_g.formats import yaml_load
from salt_g.http_api.messages import Refusal

#: Maximum number of form fields, and maximum nesting depth of maps and lists.
MAX_FIELDS, MAX_DEPTH = 1000, 100
_FORM = "application/x-www-form-urlencoded"
#: Accepted character sets of bodies. Some others that Python supports take minutes for a body of 1 MiB.
_CHARSETS = {
    **dict.fromkeys(("utf-8", "utf8"), "utf-8"),
    **dict.fromkeys(("us-ascii", "ascii"), "ascii"),
    **dict.fromkeys(("iso-8859-1", "latin-1", "latin1"), "latin-1"),
}
_YieldToHub = Callable[[], None] | None
_TOO_DEEP = f"the body is nested too deeply; the limit is {MAX_DEPTH} levels of maps and lists"


def decode(content_type: str, body: bytes, yield_to_hub: _YieldToHub = None) -> Any:
    """Return the data of a body, None if it is empty; while YAML is parsed, call `yield_to_hub` regularly."""
    kind = content_type.partition(";")[0]
    reader = _READERS.get(kind.strip().lower() or _FORM)
    if reader is None:
        raise Refusal(406, f"the body type {kind.strip()!r} is not supported; send JSON, YAML or a form")
    if not body.strip():
        return None
    try:
        data = reader(body.decode(charset_of(content_type)), yield_to_hub)
    except RecursionError:
        raise Refusal(400, _TOO_DEEP) from None
    except (ValueError, LookupError) as exc:
        raise Refusal(400, f"the body cannot be read as {kind.strip() or _FORM}: {_short(exc)}") from None
    check_depth(data)
    return data


def check_depth(data: Any) -> None:
    """Raise Refusal for data that contains itself or is nested too deeply to be sent through a master."""
    level = [data] if isinstance(data, (dict, list)) else []
    for _ in range(MAX_DEPTH):
        below = (value for one in level for value in (one.values() if isinstance(one, dict) else one))
        # YAML aliases put one object in many places; each object is examined once per level.
        level = list({id(one): one for one in below if isinstance(one, (dict, list))}.values())
        if not level:
            return
    raise Refusal(400, _TOO_DEEP)


def charset_of(content_type: str) -> str:
    """Return the character set of a body; raise Refusal with 415 for an unsupported one."""
    for part in content_type.split(";")[1:]:
        name, _, value = part.strip().partition("=")
        if name.lower() == "charset":
            charset = _CHARSETS.get(value.strip('" ').lower())
            if charset is None:
                raise Refusal(415, "the charset of a body must be utf-8, us-ascii or iso-8859-1")
            return charset
    return "utf-8"


def _short(exc: Exception) -> str:
    return str(exc).splitlines()[0][:200] if str(exc) else type(exc).__name__


def _read_form(text: str, yield_to_hub: _YieldToHub) -> Any:
    fields = urllib.parse.parse_qs(text, keep_blank_values=True, max_num_fields=MAX_FIELDS)
    data: dict[str, Any] = {
        name: values[0] if len(values) == 1 else values for name, values in fields.items()
    }
    if "arg" in fields:
        data["arg"] = [_read_yaml(value, yield_to_hub) for value in fields["arg"]]
    if "kwarg" in fields:
        data["kwarg"] = _read_yaml(fields["kwarg"][-1], yield_to_hub)
    return data


def _read_json(text: str, yield_to_hub: _YieldToHub) -> Any:
    return json.loads(text)


def _read_yaml(text: str, yield_to_hub: _YieldToHub) -> Any:
    try:
        return yaml_load.load(text, yield_to_hub=yield_to_hub)
    # The library raises errors of many unrelated classes.
    except Exception as exc:
        raise ValueError(str(exc)) from exc


def _read_text(text: str, yield_to_hub: _YieldToHub) -> Any:
    """Return plain text parsed as JSON, or unchanged if it is not JSON."""
    try:
        return json.loads(text)
    except ValueError:
        return text


_READERS: dict[str, Callable[[str, _YieldToHub], Any]] = {
    _FORM: _read_form,
    "application/json": _read_json,
    "application/x-yaml": _read_yaml,
    "text/yaml": _read_yaml,
    "text/plain": _read_text,
}
