"""Writer of YAML node trees, with libyaml if it is installed.

Only this module and `yaml_pure` depend on the library for writing; for reading, `yaml_nodes` does.
"""

from __future__ import annotations

import io
from collections.abc import Mapping
from typing import Any, TextIO

from salt_g.formats import yaml_scalars
from salt_g.formats.yaml_nodes import MAP, SEQ, STR, MappingNode, ScalarNode, tag_object

try:
    from _ruamel_yaml import CEmitter  # type: ignore[import-not-found]
except ImportError:  # pragma: no cover - depends on how ruamel.yaml was installed
    CEmitter = None


def write(node: Any, stream: TextIO, layout: Mapping[str, Any]) -> None:
    """Write the document of this root node; `layout` contains libyaml's options."""
    options = {"allow_unicode": True, **layout}
    if CEmitter is None:
        from salt_g.formats.yaml_pure import write as write_pure

        write_pure(node, stream, options, resolve)
        return
    buffer = io.StringIO()
    emitter = _FastEmitter(buffer, **options)
    emitter.open()
    emitter.serialize(node)
    emitter.close()
    stream.write(_with_current_end(buffer.getvalue(), node, options))


def _with_current_end(text: str, node: Any, options: Mapping[str, Any]) -> str:
    """Return the text with document end marks as in current libyaml (0.2.5).

    ruamel.yaml contains libyaml 0.1.7, which ends a single plain scalar with `...` and a block scalar that
    keeps its empty lines with nothing; current versions do the opposite.
    """
    if options.get("explicit_end"):
        return text
    if text.endswith("\n...\n") and isinstance(node, ScalarNode):
        return text[: -len("...\n")]
    return text + "...\n" if text.endswith("\n\n") else text


def resolve(kind: type, value: str | None, implicit: Any) -> Any:
    """Return the tag that a reader would assign to a node; the emitter writes a tag only if it differs."""
    if kind is ScalarNode:
        return str(tag_object(yaml_scalars.written_tag_of(value or ""))) if implicit[0] else str(STR)
    return str(MAP if kind is MappingNode else SEQ)


class _FastEmitter(CEmitter if CEmitter is not None else object):  # type: ignore[misc]
    """libyaml's emitter with our tag rules; it calls the three methods below by name."""

    def resolve(self, kind: type, value: str | None, implicit: Any) -> Any:
        return resolve(kind, value, implicit)

    def descend_resolver(self, node: Any, index: Any) -> None:
        """Do nothing, because tags do not depend on the position of a node."""

    def ascend_resolver(self) -> None:
        """Do nothing, because tags do not depend on the position of a node."""
