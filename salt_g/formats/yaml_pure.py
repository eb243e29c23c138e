"""Parser and writer of YAML without the C part of ruamel.yaml: the same nodes, about twenty times slower.

Imported only if the C part is missing; the import logs a warning.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from typing import Any, TextIO

from ruamel.yaml import YAML
from ruamel.yaml.resolver import VersionedResolver
from ruamel.yaml.tag import Tag

log = logging.getLogger(__name__)
log.warning("the C part of ruamel.yaml is missing, so reading YAML is slow; install ruamel.yaml.clib")


def parse(text: str | bytes, resolve: Callable[[type, str | None, Any], Any]) -> Any:
    """Return the root node of the single document in `text`; `resolve` returns tags."""

    class Resolver(VersionedResolver):
        def resolve(self, kind: Any, value: Any, implicit: Any) -> Any:
            return resolve(kind, value, implicit)

    reader = YAML(typ="safe", pure=True)
    reader.version = (1, 1)
    reader.Resolver = Resolver
    return reader.compose(text)


def write(
    node: Any, stream: TextIO, layout: Mapping[str, Any], resolve: Callable[[type, str | None, Any], Any]
) -> None:
    """Write the document of this root node; `layout` has libyaml's options.

    Spaces inside a line differ from libyaml's in places: at folds, and after the dash of a wide indent.
    """

    class Resolver(VersionedResolver):
        def resolve(self, kind: Any, value: Any, implicit: Any) -> Any:
            return Tag(suffix=resolve(kind, value, implicit))

    writer = YAML(typ="safe", pure=True)
    writer.Resolver = Resolver
    writer.width = layout.get("width", 80)
    writer.allow_unicode = layout["allow_unicode"]
    writer.explicit_start = layout.get("explicit_start", False)
    writer.explicit_end = layout.get("explicit_end", False)
    writer.canonical = layout.get("canonical")
    writer.line_break = layout.get("line_break")
    writer.map_indent = writer.sequence_indent = _indent(layout.get("indent"))
    writer.serialize(node, stream)


def _indent(value: int | None) -> int:
    """Return the indent of a level as libyaml uses it: 2 in place of a number that it does not allow."""
    return value if value is not None and 1 < value < 10 else 2
