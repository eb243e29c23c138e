"""Read YAML the way SLS files, pillar, config and templates mean it.

Mappings keep their order, a repeated key is an error, dates stay text, `0644` is the number 644.
Two readers do the work and agree on every text that the first of them understands: `yaml_block`
(most texts) and `yaml_construct` (all of YAML, through libyaml, imported when it is needed).

Shapes: dict, list, str, int, float, bool, None, bytes (`!!binary`), set (`!!set`).
Errors: YamlError, with libyaml's text and the place.
Source: conformance area `yaml`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from salt_g.formats.yaml_block import Declined, read_block
from salt_g.shapes import KeyLines

#: The name that messages give to text; the parser's own for a str.
UNICODE_STRING = "<unicode string>"


def load(
    text: str | bytes,
    *,
    name: str = UNICODE_STRING,
    mapping: type = dict,
    yield_to_hub: Callable[[], None] | None = None,
) -> Any:
    """Return the data of the single YAML document in `text`, None when it is empty.

    `name` is how messages call the text, `mapping` what mappings become; `yield_to_hub` is called
    every few milliseconds, for programs in which others wait. Raises YamlError.
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
    """Return the data and the lines of its keys, `depth` levels of mappings deep.

    Shapes: lines are {("web", "pkg.installed"): 3}; keys are the constructed ones. Raises YamlError.
    """
    from salt_g.formats.yaml_construct import construct_located

    return construct_located(text, name=name, mapping=mapping, depth=depth)
