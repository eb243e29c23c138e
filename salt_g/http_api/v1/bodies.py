"""Validation of request bodies of /v1, which are JSON objects with known field names and types.

Errors: Refusal with 400 that names the field at fault.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from salt_g.http_api.messages import Refusal

#: {name: (types, whether the field is required)}
Fields = Mapping[str, tuple[tuple[type, ...], bool]]
_NAMES = {str: "string", list: "array", dict: "object", int: "integer", float: "number", bool: "boolean"}


def checked(data: Any, fields: Fields) -> dict[str, Any]:
    """Return the data of a valid body; raise Refusal for a missing, unknown or wrong field."""
    if not isinstance(data, dict):
        raise Refusal(400, f"the body must be a JSON object; its fields are {', '.join(fields)}")
    unknown = sorted(data.keys() - fields.keys())
    if unknown:
        raise Refusal(400, f"unknown field {unknown[0][:50]!r}; the fields are {', '.join(fields)}")
    for name, (types, is_needed) in fields.items():
        if name not in data:
            if is_needed:
                raise Refusal(400, f"the field {name!r} is missing")
        elif not isinstance(data[name], types) or (isinstance(data[name], bool) and bool not in types):
            shown = " or ".join(_NAMES[one] for one in types)
            raise Refusal(400, f"{name} must be of the type {shown}")
        elif is_needed and data[name] in ("", []):
            raise Refusal(400, f"the field {name!r} is empty")
    return dict(data)


def schema_of(fields: Fields, **bounds: Mapping[str, Any]) -> dict[str, Any]:
    """Return the JSON Schema of a body with these fields; `bounds` adds constraints to fields.

    A required field must not be empty.
    """
    properties = {
        name: {
            "type": [_NAMES[one] for one in types],
            **({"minLength": 1, "minItems": 1} if is_needed else {}),
            **bounds.get(name, {}),
        }
        for name, (types, is_needed) in fields.items()
    }
    return {
        "type": "object",
        "properties": properties,
        "required": [name for name, (_, is_needed) in fields.items() if is_needed],
        "additionalProperties": False,
    }
