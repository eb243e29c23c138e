"""Bodies of requests as data, by their content type.

Shapes: a form is a map; a name that is repeated has a list, and `arg` always is one. `arg` and `kwarg` of a
form are read as YAML, as in stock.
Errors: Refusal with 400 for text that cannot be read, 406 for an unknown content type.
"""

from __future__ import annotations

import json
import urllib.parse
from collections.abc import Callable
from typing import Any

from salt_g.formats import yaml_load
from salt_g.http_api.messages import Refusal

#: Maximum number of fields of a form.
MAX_FIELDS = 1000
#: Deepest nesting of JSON.
_FORM = "application/x-www-form-urlencoded"


def decode(content_type: str, body: bytes) -> Any:
    """Return the data of a body; None for an empty one."""
    kind, _, parameters = content_type.partition(";")
    reader = _READERS.get(kind.strip().lower() or _FORM)
    if reader is None:
        raise Refusal(406, f"a body of the type {kind.strip()!r} is not read; send JSON, YAML or a form")
    if not body.strip():
        return None
    try:
        return reader(body.decode(_charset(parameters)))
    except RecursionError:
        raise Refusal(400, "the body is nested too deeply") from None
    except (ValueError, LookupError) as exc:
        raise Refusal(400, f"the body cannot be read as {kind.strip() or _FORM}: {_short(exc)}") from None


def _charset(parameters: str) -> str:
    for part in parameters.split(";"):
        name, _, value = part.strip().partition("=")
        if name.lower() == "charset":
            return value.strip('" ')
    return "utf-8"


def _short(exc: Exception) -> str:
    return str(exc).splitlines()[0][:200] if str(exc) else type(exc).__name__


def _read_form(text: str) -> Any:
    fields = urllib.parse.parse_qs(text, keep_blank_values=True, max_num_fields=MAX_FIELDS)
    data: dict[str, Any] = {
        name: values[0] if len(values) == 1 else values for name, values in fields.items()
    }
    if "arg" in fields:
        data["arg"] = [_read_yaml(value) for value in fields["arg"]]
    if "kwarg" in fields:
        data["kwarg"] = _read_yaml(fields["kwarg"][-1])
    return data


def _read_json(text: str) -> Any:
    return json.loads(text)


def _read_yaml(text: str) -> Any:
    try:
        return yaml_load.load(text)
    # The library's errors have a class of their own for each fault.
    except Exception as exc:
        raise ValueError(str(exc)) from exc


def _read_text(text: str) -> Any:
    """Return plain text as JSON if it is that, else as it is."""
    try:
        return json.loads(text)
    except ValueError:
        return text


_READERS: dict[str, Callable[[str], Any]] = {
    _FORM: _read_form,
    "application/json": _read_json,
    "application/x-yaml": _read_yaml,
    "text/yaml": _read_yaml,
    "text/plain": _read_text,
}
