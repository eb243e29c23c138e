"""Decoding of response bodies into data.

Shapes: JSON and YAML become their data; XML becomes a list with a mapping for each child of
the root, without attributes: texts by name, lists where a name repeats.
"""

from __future__ import annotations

import json
import xml.etree.ElementTree as ElementTree
from collections.abc import Mapping
from typing import Any

from salt_g.formats.yaml_load import load

#: Decoding types; `plain` stays text.
TYPES = ("json", "xml", "yaml", "plain")


def decode(body: str, decode_type: str) -> Any:
    """Return a body as data; raise ValueError, YamlError or ParseError if it is malformed."""
    if decode_type == "json":
        return json.loads(body)
    if decode_type == "yaml":
        return load(body)
    return [_as_mapping(element) for element in ElementTree.fromstring(body)]


def announced_type(headers: Mapping[str, str]) -> str:
    """Return the type announced by the headers of a response; without a Content-Type, `json`."""
    lower = {name.lower(): value for name, value in headers.items()}
    content_type = lower.get("content-type", "application/json")
    return next((kind for kind in ("xml", "json", "yaml") if kind in content_type), "plain")


def _as_mapping(element: ElementTree.Element) -> dict[str, Any]:
    if len(element) == 0:
        return {_name(element): element.text}
    found: dict[str, Any] = {}
    for child in element:
        name = _name(child)
        if name not in found:
            found[name] = _as_mapping(child) if len(child) else child.text
        else:
            known = found[name] if isinstance(found[name], list) else [found[name]]
            found[name] = [*known, _as_mapping(child)]
    return found


def _name(element: ElementTree.Element) -> str:
    return element.tag.rpartition("}")[2]
