"""Reader of YAML by the rules of SLS files, pillar, config and templates.

Mappings keep their order, a repeated key is an error, dates stay text, `0644` is the number 644. It uses two
readers with the same results: `yaml_block` for most texts, and `yaml_construct` for all of YAML (through
libyaml, imported if needed).

Shapes: dict, list, str, int, float, bool, None, bytes (`!!binary`), set (`!!set`).
Errors: YamlError, with libyaml's text and the location.
Source: conformance area `yaml`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from salt_g.formats.yaml_block import Declined, read_block
from salt_g.shapes import KeyLines

#: Name of a text without a file in messages, the same as the parser uses for a str.
UNICODE_STRING = "<unicode string>"


def load(
    text: str | bytes,
    *,
    name: str = UNICODE_STRING,
    mapping: type = dict,
    yield_to_hub: Callable[[], None] | None = None,
) -> Any:
    """Return the data of the single YAML document in `text`, or None if it is empty.

    `name` is the text's name in messages, `mapping` the class of mappings; `yield_to_hub` is called every few
    milliseconds, for programs with other greenlets. Raise YamlError.
    """
    if isinstance(text, str):
        try:
            return read_block(text, mapping, yield_to_hub)
        except Declined:
            pass
    from salt_g.formats.yaml_construct import construct

    return construct(text, name=name, mapping=mapping, yield_to_hub=yield_to_hub)


def load_located(
    text: str | bytes, *, name: str = UNICODE_STRING, depth: int = 3, mapping: type = dict
) -> tuple[Any, KeyLines]:
    """Return the data, and the lines of the keys of its outer `depth` levels of mappings.

    Shapes: lines are {("web", "pkg.installed"): 3}, with keys as in the data. Raise YamlError.
    """
    from salt_g.formats.yaml_construct import construct_located

    return construct_located(text, name=name, mapping=mapping, depth=depth)
